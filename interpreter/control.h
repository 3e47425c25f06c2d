#pragma once

#include "interpreter/timers.h"
#include "support/context.h"

namespace tine {

struct Pending;
class SchedulerCore;

/// What stops the tasks of a run: its deadline, its token, and what stops the run around it.
/// \thread any
class RunControl {
public:
  /// Of a run of the scheduler with this context; `around` may be null.
  static std::shared_ptr<RunControl> make(SchedulerCore& core, TaskContext context,
                                          const RunControl* around);
  ~RunControl();
  RunControl(const RunControl&) = delete;

  /// As the tasks see it: the earlier deadline of both, and a token of the run's own.
  const TaskContext& context() const { return context_; }
  bool isStopped() const { return context_.cancel.isCancelled(); }
  std::shared_ptr<const Error> error() const { return context_.cancel.sharedError(); }

private:
  enum class Counted : std::uint8_t { No, Yes, Over };
  RunControl(std::shared_ptr<Pending> pending, TaskContext context);

  const std::shared_ptr<Pending> pending_; ///< of the scheduler
  TaskContext context_;
  std::shared_ptr<std::atomic<Counted>> counted_; ///< in the scheduler's numStopping
  Timers::Id timer_{};
  bool timed_ = false;
  CancelToken::Guard guards_[3];
};

} // namespace tine
