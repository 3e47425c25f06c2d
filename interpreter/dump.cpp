#include "interpreter/prospects.h"
#include "llvm/ADT/ScopeExit.h"

#include <chrono>
#include <thread>

namespace tine {

/// All schedulers of the process, for watchdogs and for tools/tine_gdb.py alone: nothing depends on
/// it.
struct Listed {
  std::mutex mutex;
  SchedulerCore* first = nullptr; ///< linked; guarded
};
constinit Listed listedSchedulers;

void SchedulerCore::enlist(llvm::ArrayRef<Worker*> workers) {
  listedWorkers_ = workers;
  std::lock_guard lock(listedSchedulers.mutex);
  isListed_ = true;
  nextListed_ = listedSchedulers.first;
  if (nextListed_) nextListed_->previousListed_ = this;
  listedSchedulers.first = this;
}

void SchedulerCore::unlist() {
  if (!isListed_) return; // only its own thread changes that
  std::lock_guard lock(listedSchedulers.mutex);
  isListed_ = false;
  (previousListed_ ? previousListed_->nextListed_ : listedSchedulers.first) = nextListed_;
  if (nextListed_) nextListed_->previousListed_ = previousListed_;
}

std::string SchedulerCore::dumpAll() {
  std::lock_guard lock(listedSchedulers.mutex);
  std::string text;
  std::size_t count = 0;
  for (SchedulerCore* core = listedSchedulers.first; core; core = core->nextListed_) {
    const int workers = core->config.workers;
    text += "scheduler " + std::to_string(++count) + ", " +
            (workers == 0 ? "without workers"
                          : std::to_string(core->listedWorkers_.size()) + " workers") +
            "\n" + core->dump();
  }
  return count ? text : "no scheduler\n";
}

void SchedulerCore::answerDump(Worker& worker, const Frame* top) {
  std::lock_guard lock(dumpMutex_);
  if (std::exchange(worker.seenDump, dumpRound_) == dumpRound_) return;
  std::lock_guard lockPending(pending->mutex);
  try {
    answers_ += Prospects::running(*this, *top);
  } catch (const std::bad_alloc&) {
    return; // counted as one that does not answer
  }
  ++numAnswers_;
}

std::string SchedulerCore::dump() {
  constexpr std::chrono::milliseconds kPatience(50);
  if (pool->isElsewhere()) return "its workers are in another process\n";
  const bool isTask = currentWorker && &currentWorker->core == this;
  dumps_.fetch_add(1, std::memory_order_acq_rel);
  const auto over = llvm::make_scope_exit([&] { dumps_.fetch_sub(1, std::memory_order_acq_rel); });
  {
    std::lock_guard lock(dumpMutex_);
    ++dumpRound_;
    answers_.clear();
    numAnswers_ = 0;
  }
  if (isTask && currentWorker->calling) answerDump(*currentWorker, currentWorker->calling);
  askAll();
  const auto end = std::chrono::steady_clock::now() + kPatience;
  std::string running;
  std::size_t answered = 0;
  Census census = this->census();
  for (;;) {
    {
      std::lock_guard lock(dumpMutex_);
      running = answers_;
      answered = numAnswers_;
    }
    census = this->census();
    if (answered >= census.running || std::chrono::steady_clock::now() > end) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const Prospects waiting(*this, census.workers, Prospects::Only::List);
  const auto several = [](std::size_t n, const char* what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  std::string text =
      several(waiting.count(), "wait") + (waiting.count() ? ":" : "") + waiting.str();
  text += "\n" + several(answered, "worker") + " at work" + (answered ? ":" : "") + running;
  if (census.running > answered)
    text += "\n" + several(census.running - answered, "worker") +
            " in an operator, or looking for work";
  const bool one = census.pending == 1;
  return text + "\n" + std::to_string(census.pending) +
         (one ? " task or wait" : " tasks or waits") + " not gone on with\n";
}

} // namespace tine
