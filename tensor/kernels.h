#pragma once

#include "tensor/ivalue.h"
#include "tensor/tensor.h"

#include <optional>

namespace tine {

/// Functions of tensors, with TorchScript's promotion, broadcasting, layouts of results and errors.
/// Numbers are IValues of kind int, float or bool. Dimensions count from the end when negative.
///
///   Tensor c = kernels::add(a, b);
///   kernels::addInto(a, b, 2);        // a += 2 * b
///   kernels::sum(a, {0}, false);
///
/// \errors ShapeMismatch, IndexError for a dimension or index, RuntimeError; texts as the oracle's
namespace kernels {

using Sizes = llvm::ArrayRef<std::int64_t>;

/// Div gives floats; FloorDiv rounds down, TruncDiv to zero, Remainder has the divisor's sign. And,
/// Or, Xor work on the bits of integers and on bool.
enum class BinaryOp : std::uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  FloorDiv,
  TruncDiv,
  Remainder,
  And,
  Or,
  Xor,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge
};
enum class UnaryOp : std::uint8_t { Neg, Abs, Relu };

// ---- element by element ----

/// `a op b`; comparisons give bool, Div of integers float32. Reuses the buffer of an operand in
/// `dying` (bit 0: a, bit 1: b) when nobody else can see it.
Tensor binary(BinaryOp op, const Tensor& a, const Tensor& b, unsigned dying = 0);
/// `a op number`
Tensor binary(BinaryOp op, const Tensor& a, const IValue& b, unsigned dying = 0);
/// `self op= b`
void binaryInto(BinaryOp op, const Tensor& self, const Tensor& b);
void binaryInto(BinaryOp op, const Tensor& self, const IValue& b);
/// `a + alpha * b`, `a - alpha * b`
Tensor add(const Tensor& a, const Tensor& b, const IValue& alpha = 1, unsigned dying = 0);
Tensor sub(const Tensor& a, const Tensor& b, const IValue& alpha = 1, unsigned dying = 0);
void addInto(const Tensor& self, const Tensor& b, const IValue& alpha = 1);
void subInto(const Tensor& self, const Tensor& b, const IValue& alpha = 1);
Tensor unary(UnaryOp op, const Tensor& a, unsigned dying = 0);
void unaryInto(UnaryOp op, const Tensor& self);

/// The dtype in which an operation on both computes: dimensions outrank 0-dim tensors, those
/// outrank wrapped numbers. \source c10's result_type
DType resultType(llvm::ArrayRef<Tensor> operands);
/// A number as a 0-dim tensor that does not promote others.
Tensor wrappedScalar(const IValue& number);
/// The only element. \errors RuntimeError unless there is one
IValue item(const Tensor& t);
/// Truth of the only element. \errors RuntimeError ambiguous
bool truth(const Tensor& t);

// ---- filling and copying ----

/// `overlapping`: elements may share memory. \errors OverflowError when the dtype cannot hold the
/// number
void fill(const Tensor& self, const IValue& number, bool overlapping = false);
/// Copies with broadcasting and conversion.
void copyInto(const Tensor& self, const Tensor& from);
/// Itself when it has the dtype, else a converted copy.
Tensor to(const Tensor& t, DType dtype);

/// A copy with the same order of dimensions in memory.
Tensor copy(const Tensor& t);
Tensor full(Sizes sizes, const IValue& number, DType dtype);
/// Of a tensor's sizes, with its order of dimensions in memory.
Tensor fullLike(const Tensor& t, const IValue& number, DType dtype);
Tensor zeros(Sizes sizes, DType dtype = DType::Float32);
Tensor ones(Sizes sizes, DType dtype = DType::Float32);
/// dtype: int64 when all are ints, else float32
Tensor arange(const IValue& start, const IValue& end, const IValue& step,
              std::optional<DType> dtype = std::nullopt);
/// A number or a list of lists of numbers. dtype: int64, float32 or bool, as the elements are
Tensor fromData(const IValue& data, std::optional<DType> dtype = std::nullopt);

// ---- joining and reducing ----

Tensor cat(llvm::ArrayRef<Tensor> tensors, std::int64_t dim);
Tensor stack(llvm::ArrayRef<Tensor> tensors, std::int64_t dim);
/// Sum over all elements, or over `dims`; integers and bool sum in int64.
Tensor sum(const Tensor& t, std::optional<DType> dtype = std::nullopt);
Tensor sum(const Tensor& t, Sizes dims, bool keepDim, std::optional<DType> dtype = std::nullopt);

// ---- products ----

Tensor mm(const Tensor& a, const Tensor& b);
Tensor mv(const Tensor& a, const Tensor& b);
Tensor dot(const Tensor& a, const Tensor& b);
Tensor bmm(const Tensor& a, const Tensor& b);
Tensor matmul(const Tensor& a, const Tensor& b);

// ---- views ----

Tensor select(const Tensor& t, std::int64_t dim, std::int64_t index);
Tensor slice(const Tensor& t, std::int64_t dim, std::optional<std::int64_t> start,
             std::optional<std::int64_t> end, std::int64_t step);
Tensor view(const Tensor& t, Sizes sizes);
Tensor reshape(const Tensor& t, Sizes sizes); ///< a view when possible
Tensor transpose(const Tensor& t, std::int64_t dim0, std::int64_t dim1);
Tensor permute(const Tensor& t, Sizes dims);
Tensor unsqueeze(const Tensor& t, std::int64_t dim);
Tensor squeeze(const Tensor& t);
Tensor squeeze(const Tensor& t, std::int64_t dim);
Tensor expand(const Tensor& t, Sizes sizes);

/// The dimension counted from the front; `ndim` 0 counts as 1. \errors IndexError
std::int64_t wrapDim(std::int64_t dim, std::int64_t ndim);

} // namespace kernels
} // namespace tine
