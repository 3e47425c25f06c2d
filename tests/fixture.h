#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "support/count.h"
#include "support/error.h"

#include <array>
#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

/// What tests of every folder share. Linked into each test executable together with a main() that
/// watches over all tests, whether they use a fixture or not:
///   * the numbers of live graphs, nodes, tensors, values, futures, frames and fiber stacks must be
///     at the end of a test what they were at its start;
///   * a test that runs for 60 s (TINE_WATCHDOG=seconds says otherwise) ends the process with a
///     message that names it, and with the tasks of all schedulers.
namespace tine::testing {

/// How many of each kind are alive.
class LiveCounts {
public:
  LiveCounts(); ///< now
  /// What there is more or less of now, as `Node +3, Tensor -1`; empty when nothing is.
  std::string difference() const;

private:
  std::array<std::int64_t, kLiveKinds> counts_;
};

/// The worker counts that every scheduled test runs with: the caller alone, one, two, many.
///
///   class Futures : public WithWorkers {};
///   TINE_WITH_WORKERS(Futures);
///   TEST_P(Futures, Wait) { Scheduler scheduler({.workers = workers()}); ... }
class WithWorkers : public ::testing::TestWithParam<int> {
protected:
  int workers() const { return GetParam(); }
};
inline constexpr int kWorkerCounts[] = {0, 1, 2, 8};
#define TINE_WITH_WORKERS(fixture)                                                                 \
  INSTANTIATE_TEST_SUITE_P(Workers, fixture, ::testing::ValuesIn(::tine::testing::kWorkerCounts),  \
                           [](const auto& param) { return std::to_string(param.param); })

/// Runs `f` on a thread with a stack of that size (four times it under sanitizers, which need more)
/// and waits for it. \units bytes
void runOnStack(std::size_t size, llvm::function_ref<void()> f);
inline constexpr std::size_t kSmallStack = 256 << 10;

/// The RuntimeError that `f` throws; a failure of the test when it throws none.
Error errorOf(llvm::function_ref<void()> f);
/// `Kind: message`, as EXPECT_EQ compares it; docs/errors.md is made of such comparisons.
inline std::string said(const Error& error) { return error.kind + ": " + error.message; }

/// The bytes of a file. A file that cannot be read fails the test and is empty.
std::string readFile(const std::filesystem::path& path);
/// What a command wrote, without the line in which AddressSanitizer says that it does not know
/// fibers.
std::string withoutSanitizerNotes(const std::string& output);
/// The files under a folder whose names end in `extension`, sorted.
std::vector<std::filesystem::path> filesUnder(const std::filesystem::path& folder,
                                              const std::string& extension);
/// `tests/files` of the source tree.
std::filesystem::path testFiles();
/// The folder of large models and dumps; empty where there is none. Then skip:
///   if (sharedData().empty()) GTEST_SKIP() << "no shared data";
std::filesystem::path sharedData();

/// Called when the watchdog fires, after it has named the test, instead of writing what
/// Scheduler::dumpAll says. Returns what was set before.
std::function<void()> setWatchdogReport(std::function<void()> report);

} // namespace tine::testing
