#pragma once

#include "support/context.h"
#include "support/random.h"

namespace tine {

/// The task that a kernel is called in.
class CallingTask {
public:
  /// Numbers for this call, from the task's own: neither what else runs nor how many workers there
  /// are changes them. \errors RuntimeError the operator's effects do not say that it is
  /// nondeterministic
  virtual RandomStream random() = 0;
  virtual TaskContext context() const = 0;

protected:
  ~CallingTask() = default;
};

} // namespace tine
