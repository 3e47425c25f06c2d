#pragma once

#include "interpreter/light_lock.h"
#include "interpreter/scheduler.h"

namespace tine {

/// A scheduler without workers for calls that bring none: to make one takes longer than most
/// functions do. It is lent to one call at a time, and its lock of who drives is the one that says
/// to whom, so that a call takes one locked instruction.
/// \thread any
class SpareScheduler {
public:
  /// Runs a function on it; when another thread has it, or a caller on this one, on a new one.
  /// Whatever the call left behind ends with it. \pre, \errors as Scheduler::call
  IValue call(const std::shared_ptr<const Code>& code, const FunctionCode& function,
              llvm::ArrayRef<IValue> arguments, std::shared_ptr<const Error>& error);

private:
  class Loan;
  /// When it is lent, was never used, or is not to drive yet. `locked`: drives_ is.
  IValue callSlowly(bool locked, const std::shared_ptr<const Code>& code,
                    const FunctionCode& function, llvm::ArrayRef<IValue> arguments,
                    std::shared_ptr<const Error>& error);

  LightLock drives_;
  bool isLent_ = false;                  ///< beyond the lock; guarded by drives_
  std::unique_ptr<Scheduler> scheduler_; ///< null until there was a call; whose it is lent to
};

} // namespace tine
