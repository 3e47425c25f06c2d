#pragma once

#include "tensor/kernels.h"

namespace tine::kernels {

using Strides = llvm::SmallVector<std::int64_t, 6>;

/// The strides with which `t` shows `sizes`: 0 where it is repeated. \pre it broadcasts to them
Strides broadcastStrides(const Tensor& t, Sizes sizes);

/// An uninitialised result with the order of dimensions that its operands have in memory; `strides`
/// are theirs, broadcast. \source ATen's TensorIterator
Tensor emptyInOrder(Sizes sizes, DType dtype, llvm::ArrayRef<Sizes> strides);

/// An uninitialised result for two operands of the dtype that computes. \source ATen's
/// TensorIterator, with its short cuts for operands of one layout
Tensor emptyForPair(Sizes sizes, DType dtype, const Tensor& a, const Tensor& b);

/// The same for any number of operands.
Tensor emptyForAll(Sizes sizes, DType dtype, llvm::ArrayRef<Tensor> operands);

/// Row-major, not empty, and strides say so even for dimensions of size 1. (Those decide the order
/// of dimensions in the result of an operation with a number.)
bool isPlainLayout(const Tensor& t);

/// An uninitialised tensor with the sizes of another, and with its strides when its elements lie
/// without gaps. \source ATen's empty_like
Tensor emptyPreserving(const Tensor& t, DType dtype);

/// Every element of `self` has an address of its own. \errors RuntimeError
void checkNoInternalOverlap(const Tensor& self);
/// `from` is `self` itself, or shares nothing that can be told apart cheaply. \errors RuntimeError
void checkNoPartialOverlap(const Tensor& self, const Tensor& from);
/// The two share nothing. \errors RuntimeError
void checkNoOverlap(const Tensor& self, const Tensor& from);
/// A result of the sizes and dtype may be written over self: first the sizes, then the dtype.
/// \errors ShapeMismatch, RuntimeError
void checkWritten(const Tensor& self, Sizes sizes, DType dtype);
/// `from`, or a copy when writing `self` could change it.
Tensor apartFrom(const Tensor& self, const Tensor& from);

/// TorchScript's name of a dtype in messages: `Float`, `Long`.
inline std::string typeName(DType dtype) { return printName(dtype).str(); }
/// A kernel, by TorchScript's name, has no loop for the dtype. \errors NotImplemented, always
[[noreturn]] void raiseNotImplemented(llvm::StringRef kernel, DType dtype);

/// A number in T, as TorchScript converts the argument of an operator. \errors OverflowError when T
/// cannot hold it
template <class T> T checkedNumber(const IValue& number);
extern template std::uint8_t checkedNumber(const IValue&);
extern template std::int8_t checkedNumber(const IValue&);
extern template std::int16_t checkedNumber(const IValue&);
extern template std::int32_t checkedNumber(const IValue&);
extern template std::int64_t checkedNumber(const IValue&);
extern template float checkedNumber(const IValue&);
extern template double checkedNumber(const IValue&);
extern template bool checkedNumber(const IValue&);

} // namespace tine::kernels
