// load PLUGIN: loads the plugin, runs it and unloads it 100 times, and 100 times more; says what is
// left, and fails if anything is: threads, descriptors, mapped files, memory that grew in the
// second hundred (in the first one the C library fills its caches of freed memory).
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <malloc.h>
#include <set>
#include <string>
#include <unistd.h>

namespace {

std::size_t count(const char* folder) {
  std::size_t n = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++n;
  return n;
}

std::set<std::string> mappedFiles() {
  std::set<std::string> files;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (auto at = line.find('/'); at != std::string::npos) files.insert(line.substr(at));
  return files;
}

/// \units KiB
long resident() {
  long total, pages;
  std::ifstream("/proc/self/statm") >> total >> pages;
  return pages * 4;
}

bool same(const char* what, long before, long after, long slack = 0) {
  std::printf("%s: %ld, then %ld\n", what, before, after);
  return after <= before + slack;
}

} // namespace

int main(int, char** arguments) {
  std::set<std::string> files = mappedFiles();
  const long threads = long(count("/proc/self/task")), descriptors = long(count("/proc/self/fd"));
  long used = 0, pages = 0;
  for (int round = 1; round <= 200; ++round) {
    void* plugin = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (!plugin) return std::puts(dlerror()), 1;
    auto run = reinterpret_cast<long (*)(long)>(dlsym(plugin, "run"));
    if (!run || run(round) != round * round + round - 1) return std::puts("wrong result"), 1;
    dlclose(plugin);
    if (round != 100) continue;
    used = long(mallinfo2().uordblks);
    pages = resident();
  }
  // A thread that was joined may be listed for a moment.
  for (int i = 0; i < 5000 && long(count("/proc/self/task")) > threads; ++i) usleep(1000);
  bool fine = same("threads", threads, long(count("/proc/self/task")));
  fine &= same("descriptors", descriptors, long(count("/proc/self/fd")));
  fine &=
      same("bytes in use after 100 and 200 rounds", used, long(mallinfo2().uordblks), 32 * 1024);
  fine &= same("KiB resident after 100 and 200 rounds", pages, resident(), 512);
  for (const std::string& file : mappedFiles()) {
    // OpenSSL, which libzip brings, asks never to be unloaded.
    if (files.contains(file) || file.find("/libcrypto.so") != std::string::npos) continue;
    std::printf("still mapped: %s\n", file.c_str());
    fine = false;
  }
  return !fine;
}
