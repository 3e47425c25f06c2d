#pragma once

#include "ir/unit.h"
#include "tensor/ivalue.h"

#include <cstdint>
#include <vector>

/// Programs for tests that compare two ways of running the same thing.
namespace tine::testing {

struct RandomProgramOptions {
  int statements = 14; ///< about so many in each block
  int depth = 3;       ///< of branches, loops and forks
  bool tensors = true; ///< else ints, floats, bools, tuples and lists of ints only
  bool forks = true;
  bool calls = true;  ///< of helper functions
  bool raises = true; ///< now and then
};

/// A unit whose function `main` takes randomInputs and returns a tuple. The same for the same seed
/// and options, everywhere. It has branches, loops, lists that are appended to, in-place operators
/// on tensors and their views, forks (nested, waited for once, twice, elsewhere, never; through
/// lists of futures; with inputs that they write to), and calls.
///
/// Whatever the schedule, it gives the same result: while a task may write to something, nobody
/// else touches it. It fails only by prim::RaiseException.
CompilationUnit randomProgram(std::uint64_t seed, const RandomProgramOptions& options = {});

/// (int, float, Tensor, Tensor, int[], Tensor[]); tensors are float [2, 3], lists not empty. With
/// `tensors` off only (int, float, int[]).
std::vector<IValue> randomInputs(std::uint64_t seed, const RandomProgramOptions& options = {});

} // namespace tine::testing
