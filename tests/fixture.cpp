#include "tests/fixture.h"

#include "interpreter/scheduler.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <pthread.h>
#include <unistd.h>

namespace tine::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kStackFactor = 4;
#else
constexpr std::size_t kStackFactor = 1;
#endif

char runningTest[256];
unsigned watchdogSeconds = 60;

void say(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) std::_Exit(3);
}

std::function<void()> watchdogReport = [] { say(Scheduler::dumpAll().c_str()); };

/// An alarm and no thread: death tests fork, which threads disturb.
extern "C" void watchdogFired(int) {
  say("\nwatchdog: no progress in ");
  say(runningTest);
  say("\n");
  std::signal(SIGALRM, SIG_DFL);
  alarm(5); // the report may need a lock that the hanging test holds
  if (watchdogReport) watchdogReport();
  std::abort();
}

class Watch : public ::testing::EmptyTestEventListener {
  void OnTestStart(const ::testing::TestInfo& info) override {
    std::string name = std::string(info.test_suite_name()) + "." + info.name();
    std::strncpy(runningTest, name.c_str(), sizeof runningTest - 1);
    start_ = LiveCounts();
    alarm(watchdogSeconds);
  }
  void OnTestEnd(const ::testing::TestInfo& info) override {
    alarm(0);
    bool failed = info.result()->Failed(); // which may have left things where they were
    std::string leaked = start_.difference();
    if (!failed && !leaked.empty()) ADD_FAILURE() << "left alive: " << leaked;
  }
  LiveCounts start_;
};

} // namespace

LiveCounts::LiveCounts() {
  for (int i = 0; i < kLiveKinds; ++i) counts_[i] = liveCount(static_cast<Live>(i));
}

std::string LiveCounts::difference() const {
  static constexpr const char* kNames[kLiveKinds] = {"Graph",  "Node",  "Tensor",    "Value",
                                                     "Future", "Frame", "FiberStack"};
  std::string out;
  for (int i = 0; i < kLiveKinds; ++i) {
    std::int64_t more = liveCount(static_cast<Live>(i)) - counts_[i];
    if (!more) continue;
    out += (out.empty() ? "" : ", ") + std::string(kNames[i]) + (more > 0 ? " +" : " ") +
           std::to_string(more);
  }
  return out;
}

Error errorOf(llvm::function_ref<void()> f) {
  try {
    f();
  } catch (const RuntimeError& e) {
    return e.error();
  }
  ADD_FAILURE() << "no error";
  return Error("none", "");
}

void runOnStack(std::size_t size, llvm::function_ref<void()> f) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, size * kStackFactor), 0);
  pthread_t thread;
  ASSERT_EQ(pthread_create(
                &thread, &attributes,
                [](void* call) -> void* {
                  (*static_cast<llvm::function_ref<void()>*>(call))();
                  return nullptr;
                },
                &f),
            0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

std::string readFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_TRUE(file.good() || file.eof()) << "cannot read " << path;
  return bytes;
}

std::string withoutSanitizerNotes(const std::string& output) {
  std::string kept;
  for (llvm::StringRef rest = output; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    if (!rest.take_front(end).contains(
            "WARNING: ASan doesn't fully support makecontext/swapcontext"))
      kept += rest.take_front(end);
    rest = rest.drop_front(end);
  }
  return kept;
}

std::vector<std::filesystem::path> filesUnder(const std::filesystem::path& folder,
                                              const std::string& extension) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(folder))
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.is_regular_file() && entry.path().extension() == extension)
        files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::filesystem::path testFiles() {
  return std::filesystem::path(TINE_SOURCE_DIR) / "tests" / "files";
}

std::filesystem::path sharedData() {
  std::filesystem::path folder(TINE_SHARED_DATA);
  return std::filesystem::is_directory(folder) ? folder : std::filesystem::path();
}

std::function<void()> setWatchdogReport(std::function<void()> report) {
  std::swap(report, watchdogReport);
  return report;
}

} // namespace tine::testing

int main(int argc, char** argv) {
  using namespace tine::testing;
  ::testing::InitGoogleMock(&argc, argv);
  if (const char* seconds = std::getenv("TINE_WATCHDOG"))
    watchdogSeconds = static_cast<unsigned>(std::max(0, std::atoi(seconds)));
  std::signal(SIGALRM, watchdogFired);
  ::testing::UnitTest::GetInstance()->listeners().Append(new Watch);
  return RUN_ALL_TESTS();
}
