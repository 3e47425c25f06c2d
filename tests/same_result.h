#pragma once

#include "interpreter/scheduler.h"
#include "ir/unit.h"
#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <string>
#include <vector>

namespace tine::testing {

/// Runs functions before and after passes and compares all that a caller can see: the result, bit
/// for bit; what became of the arguments; which tensors, lists and dicts of both are one object or
/// share storage; the kind and message of an error.
///
///   SameResult same;
///   same.expect(unit, "main", "cse,dce", {3, tensor}, kWorkerCounts);
class SameResult {
public:
  struct Outcome {
    bool failed = false;  ///< the program raised
    bool changed = false; ///< the passes changed something
  };

  /// The passes are run on a copy. Before runs with `workers[0]`.
  Outcome expect(const CompilationUnit& unit, llvm::StringRef function, llvm::StringRef passes,
                 const std::vector<IValue>& arguments, llvm::ArrayRef<int> workers);

  /// What running the function shows, as text.
  std::string observe(const CompilationUnit& unit, llvm::StringRef function,
                      const std::vector<IValue>& arguments, int workers, bool* failed = nullptr);

private:
  Scheduler& scheduler(int workers);
  std::vector<std::unique_ptr<Scheduler>> schedulers_; ///< by number of workers
};

/// A copy that shares nothing with the value: tensors, lists, tuples, dicts of such.
IValue deepCopy(const IValue& value);
/// The unit copied, with its context.
CompilationUnit copyUnit(const CompilationUnit& unit);

} // namespace tine::testing
