#pragma once

#include "interpreter/schedule.h"
#include "support/error.h"

#include <vector>

namespace tine::testing {

/// All schedules of a program that interrupt it no more than so often, one after the other.
///
///   for (Explorer explorer(2); explorer.next();) {
///     Scheduler scheduler({.schedule = explorer.schedule()});
///     results.insert(outcome(scheduler, code, "main"));
///   }
///
/// \source Musuvathi, Qadeer: Iterative Context Bounding for Systematic Testing
class Explorer {
public:
  explicit Explorer(int preemptions) : bound_(preemptions) {}

  /// Begins the next one. False when there are no more.
  bool next() {
    if (started_) {
      while (!taken_.empty() && taken_.back().chosen + 1 == taken_.back().count) taken_.pop_back();
      if (taken_.empty()) return false;
      ++taken_.back().chosen;
      prefix_ = taken_.size();
    }
    started_ = true;
    at_ = 0;
    preemptions_ = 0;
    ++count_;
    return true;
  }
  /// For the scheduler that runs it, which `next` must not come before the end of.
  Schedule schedule() {
    return Schedule::chosenBy([this](const Schedule::Choice& choice) {
      const bool preempts = choice.kind == Schedule::Choice::Kind::Preempt;
      const std::uint32_t count = preempts && preemptions_ == bound_ ? 1 : choice.count;
      if (at_ == taken_.size()) taken_.push_back({count, 0});
      // The same choices lead to the same choices.
      TINE_CHECK(at_ >= prefix_ || taken_[at_].count == count);
      const std::uint32_t chosen = taken_[at_++].chosen;
      preemptions_ += preempts && chosen != 0;
      return chosen;
    });
  }
  /// How many there were.
  int count() const { return count_; }

private:
  struct Taken {
    std::uint32_t count, chosen;
  };
  const int bound_;
  std::vector<Taken> taken_;
  std::size_t at_ = 0, prefix_ = 0;
  int preemptions_ = 0, count_ = 0;
  bool started_ = false;
};

} // namespace tine::testing
