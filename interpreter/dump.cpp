#include "interpreter/prospects.h"

#include <chrono>
#include <thread>

namespace tine {

void SchedulerCore::answerDump(Worker& worker, const Frame* top) {
  std::lock_guard lock(dumpMutex_);
  if (std::exchange(worker.seenDump, dumpRound_) == dumpRound_) return;
  std::lock_guard lockPending(pending->mutex);
  answers_ += Prospects::running(*this, *top);
  ++numAnswers_;
}

std::string SchedulerCore::dump() {
  constexpr std::chrono::milliseconds kPatience(50);
  const bool isTask = currentWorker && &currentWorker->core == this;
  dumps_.fetch_add(1, std::memory_order_acq_rel);
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
  dumps_.fetch_sub(1, std::memory_order_acq_rel);
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
  return text + "\n" + several(census.pending, "task or wait") + " not gone on with\n";
}

} // namespace tine
