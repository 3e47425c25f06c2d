#pragma once

#include "ir/unit.h"
#include "support/result.h"
#include "tensor/ivalue.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tine::tools {

/// Reads the arguments of `tine run`: Python-like literals.
///
///   3  -2.5  1e10  inf  nan  2j  True  None  "s"  [1, 2]  (1, "a")  {"k": 1}  float32
///   tensor([[1, 2], [3, 4]], dtype=float32)  zeros(2, 3)  ones(2, dtype=int64)  full(2, 3.5)
///   arange(6)  arange(1, 10, 2)
///   ramp(2, 3)     evenly from -1 to 1, in row-major order: inputs that anyone can repeat
///   rand(2, 3)     from 0 to 1, from the seed
///
/// Without a dtype, `tensor` is bool, int64 or float32 by its elements, `arange` int64 or float32
/// by its bounds, everything else float32. Sizes are given one by one, or as a list or tuple.
class ArgumentReader {
public:
  static constexpr std::int64_t kMaxElements = std::int64_t(1) << 28;

  /// `maxElements`: of a tensor.
  explicit ArgumentReader(std::uint64_t seed, std::int64_t maxElements = kMaxElements)
      : state_(seed), maxElements_(maxElements) {}

  /// One argument; `name` (`argument 2`) is the file of places. Nesting is bounded to 200 levels.
  /// \errors SyntaxError, TypeError, ValueError, OverflowError, MemoryError, each with its place
  Result<IValue> read(llvm::StringRef text, llvm::StringRef name);

private:
  std::uint64_t state_; ///< of the random numbers
  std::int64_t maxElements_;
};

/// What the arguments of a command line stand for.
struct Arguments {
  std::vector<IValue> values;
  std::vector<std::string> texts; ///< of each value, as errors show it: `@x.npz: weight`
};

/// Reads all: literals with a reader of this seed, and `@x.npy` and `@x.npz` as the arrays of those
/// files, in their order. \errors as ArgumentReader::read and readArrays, those of all arguments
Result<Arguments> readArguments(llvm::ArrayRef<std::string> arguments, std::uint64_t seed);

/// `main(%x : Tensor, %n : int = 3) -> int`
std::string signature(const NamedGraph& function);

/// The arguments as the function takes them: their number, with defaults for the last ones, and
/// their types (an int stands for a float too). `texts` are what was read, for the places. \errors
/// TypeError, each with the signature
Result<std::vector<IValue>> bindArguments(const NamedGraph& function, std::vector<IValue> values,
                                          llvm::ArrayRef<std::string> texts);

} // namespace tine::tools
