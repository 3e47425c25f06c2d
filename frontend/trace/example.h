#pragma once

#include "frontend/trace/operand.h"
#include "llvm/ADT/DenseMap.h"

#include <cstddef>

namespace tine {

/// A copy with the same strides, so that it has the same type.
Tensor copyLike(const Tensor& tensor);
/// A copy of what an example holds, so that a trace may write it, with floats where C++ wants them
/// and ints are given. `wanted` may be null. \errors TraceError a future that is not done
Operand copyExample(const Operand& example, const Type* wanted);
/// The type of an input: the example's, `type`, but what C++ says of empty containers.
const Type* inputType(Context& context, const Operand& example, const Type* type,
                      const Type* wanted);

/// The bytes that tensors had before they were written; puts them back in the end.
class SavedBytes {
public:
  SavedBytes() = default;
  ~SavedBytes();
  SavedBytes(const SavedBytes&) = delete;
  /// As they are now, unless they were saved before.
  void save(const Tensor& tensor);

private:
  struct Before {
    Tensor owner; ///< keeps the storage alive
    std::vector<std::byte> bytes;
  };
  llvm::DenseMap<const Storage*, Before> before_;
};

} // namespace tine
