#pragma once

#include "interpreter/timers.h"
#include "support/context.h"
#include "tensor/future.h"

#include <mutex>
#include <vector>

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
  /// A task of the run that is New, and its first: once the run is stopped, whoever stops it fails
  /// it, for workers may all be busy.
  void add(FutureState& root);
  /// It is not New any more.
  void started(FutureState& root) { roots_->remove(root); }
  bool isStopped() const { return context_.cancel.isCancelled(); }
  std::shared_ptr<const Error> error() const { return context_.cancel.sharedError(); }

private:
  enum class Counted : std::uint8_t { No, Yes, Over };
  /// May outlive the run, in the hands of who stops it.
  struct Roots {
    std::mutex mutex;
    std::vector<Ref<FutureState>> tasks; ///< guarded
    void remove(FutureState& root);
    /// They fail.
    void fail(const std::shared_ptr<const Error>& error);
  };
  RunControl(std::shared_ptr<Pending> pending, TaskContext context);

  const std::shared_ptr<Pending> pending_; ///< of the scheduler
  TaskContext context_;
  std::shared_ptr<std::atomic<Counted>> counted_; ///< in the scheduler's numStopping
  const std::shared_ptr<Roots> roots_ = std::make_shared<Roots>();
  Timers::Id timer_{};
  bool timed_ = false;
  CancelToken::Guard guards_[3];
};

} // namespace tine
