#pragma once

#include "support/random.h"
#include "tensor/kernels.h"

#include <utility>
#include <vector>

/// More functions of tensors; kernels.h says how they behave.
namespace tine::kernels {

// ---- element by element ----

/// A row of unary.def.
enum class Function : std::uint8_t {
#define TINE_UNARY(id, kind, kernel, expression) id,
#include "tensor/unary.def"
};
Tensor apply(Function f, const Tensor& t);
void applyInto(Function f,
               const Tensor& self); ///< \errors RuntimeError an integer self of a float function
double apply(Function f, double x);
/// C++'s name of a dtype, as some messages of TorchScript have it: `long int`.
std::string cppName(DType dtype);

/// Functions of two numbers beside kernels.h's BinaryOp. Atan2 and Copysign give floats, the
/// logical ones bool; Fmod has the dividend's sign; Maximum and Minimum are NaN when an operand is.
enum class PairFunction : std::uint8_t {
  Fmod,
  LeftShift,
  RightShift,
  Pow,
  Maximum,
  Minimum,
  Atan2,
  Copysign,
  LogicalAnd,
  LogicalOr,
  LogicalXor
};
Tensor apply(PairFunction f, const Tensor& a, const Tensor& b);
void applyInto(PairFunction f, const Tensor& self, const Tensor& b);

Tensor sign(const Tensor& t);
Tensor logicalNot(const Tensor& t);
Tensor bitwiseNot(const Tensor& t);
Tensor isNan(const Tensor& t);
Tensor isInf(const Tensor& t);
Tensor isFinite(const Tensor& t);
Tensor gelu(const Tensor& t, bool tanh);
Tensor leakyRelu(const Tensor& t, const IValue& slope);
Tensor elu(const Tensor& t, const IValue& alpha, const IValue& scale, const IValue& inputScale);
Tensor softplus(const Tensor& t, const IValue& beta, const IValue& threshold);
/// Numbers as powers; integers have no negative ones. The result will be written over `written`, if
/// any. \errors RuntimeError
Tensor pow(const Tensor& base, const IValue& exponent, const Tensor* written = nullptr);
Tensor pow(const IValue& base, const Tensor& exponent);
/// Bounds may be undefined, or None: there is none.
Tensor clamp(const Tensor& t, const Tensor& least, const Tensor& most);
Tensor clamp(const Tensor& t, const IValue& least, const IValue& most,
             const Tensor* written = nullptr);
/// self + value * a * b, or self + value * a / b; to be written over `written`, if any
Tensor addProduct(const Tensor& self, const Tensor& a, const Tensor& b, const IValue& value,
                  bool quotient, const Tensor* written = nullptr);
/// a where the condition holds, else b
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);
/// \errors RuntimeError unless the mask is of bool, or uint8 with 0 and 1; ShapeMismatch
void maskedFill(const Tensor& self, const Tensor& mask, const IValue& number);
/// self + weight * (end - self), of a number or a tensor; to be written over `written`, if any
Tensor lerp(const Tensor& self, const Tensor& end, const IValue& weight,
            const Tensor* written = nullptr);
/// Rounded to so many decimal places.
Tensor roundTo(const Tensor& t, std::int64_t decimals);
/// Copies the elements over self, which broadcasts them. \errors as in-place operators have them
void assign(const Tensor& self, const Tensor& result);

// ---- reducing; no dims are all ----

Tensor mean(const Tensor& t, Sizes dims, bool keepDim, std::optional<DType> dtype);
Tensor prod(const Tensor& t, std::optional<std::int64_t> dim, bool keepDim,
            std::optional<DType> dtype);
/// The largest (or smallest) elements; NaN is larger and smaller than all.
Tensor extreme(const Tensor& t, Sizes dims, bool keepDim, bool largest);
/// The same of one dimension, and where they are.
std::pair<Tensor, Tensor> extremeAt(const Tensor& t, std::int64_t dim, bool keepDim, bool largest);
Tensor argExtreme(const Tensor& t, std::optional<std::int64_t> dim, bool keepDim, bool largest);
/// Does any element (or do all) hold?
Tensor anyOrAll(const Tensor& t, std::optional<std::int64_t> dim, bool keepDim, bool any);
/// Variance, divided by the number of elements less the correction; or its root.
Tensor variance(const Tensor& t, Sizes dims, std::int64_t correction, bool keepDim, bool root);
Tensor norm(const Tensor& t, double p, Sizes dims, bool keepDim, std::optional<DType> dtype);
Tensor logSumExp(const Tensor& t, Sizes dims, bool keepDim);
Tensor cumulative(const Tensor& t, std::int64_t dim, std::optional<DType> dtype, bool product);
Tensor softmax(const Tensor& t, std::int64_t dim, std::optional<DType> dtype, bool log);
/// The k largest or smallest elements along a dimension, and where they were.
std::pair<Tensor, Tensor> topk(const Tensor& t, std::int64_t k, std::int64_t dim, bool largest,
                               bool sorted);
/// The elements along a dimension in order, and where they were; equal ones keep theirs.
std::pair<Tensor, Tensor> sort(const Tensor& t, std::int64_t dim, bool descending);

// ---- products ----

/// beta * self + alpha * mat1 @ mat2, of matrices or of batches of them
Tensor addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const IValue& beta,
             const IValue& alpha);
/// input @ weight.T + bias; the bias may be undefined
Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias);

// ---- parts ----

Tensor narrow(const Tensor& t, std::int64_t dim, std::int64_t start, std::int64_t length);
std::vector<Tensor> split(const Tensor& t, std::int64_t size, std::int64_t dim);
std::vector<Tensor> split(const Tensor& t, Sizes sizes, std::int64_t dim);
std::vector<Tensor> chunk(const Tensor& t, std::int64_t chunks, std::int64_t dim);
std::vector<Tensor> unbind(const Tensor& t, std::int64_t dim);
std::vector<Tensor> tensorSplit(const Tensor& t, std::int64_t sections, std::int64_t dim);
std::vector<Tensor> tensorSplit(const Tensor& t, Sizes indices, std::int64_t dim);

// ---- views and copies in another shape ----

/// Self has the sizes and strides of a view of its elements from now on, for all who hold it.
void reshapeItself(const Tensor& self, const Tensor& view);
Tensor flatten(const Tensor& t, std::int64_t start, std::int64_t end);
Tensor unflatten(const Tensor& t, std::int64_t dim, Sizes sizes);
Tensor diagonal(const Tensor& t, std::int64_t offset, std::int64_t dim1, std::int64_t dim2);
Tensor moveDims(const Tensor& t, Sizes from, Sizes to);
Tensor repeat(const Tensor& t, Sizes times);
Tensor flip(const Tensor& t, Sizes dims);
Tensor roll(const Tensor& t, Sizes shifts, Sizes dims);
Tensor triangle(const Tensor& t, std::int64_t diagonal, bool upper);

// ---- indices ----

/// An undefined index takes the whole dimension; bool ones are masks.
Tensor index(const Tensor& t, llvm::ArrayRef<Tensor> indices);
void indexPut(const Tensor& self, llvm::ArrayRef<Tensor> indices, const Tensor& values, bool add);
Tensor indexSelect(const Tensor& t, std::int64_t dim, const Tensor& index);
Tensor gather(const Tensor& t, std::int64_t dim, const Tensor& index);
enum class ScatterMode : std::uint8_t { Set, Add, Multiply };
/// self[index] = source (or += or *= source) along a dimension
void scatter(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source,
             ScatterMode mode);
/// self[index] += alpha * source along a dimension
void indexAdd(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source,
              const IValue& alpha);
/// self[index] = number along a dimension
void indexFill(const Tensor& self, std::int64_t dim, const Tensor& index, const IValue& number);
/// The elements where the mask holds become source's first ones. \errors RuntimeError too few
void maskedScatter(const Tensor& self, const Tensor& mask, const Tensor& source);
Tensor nonzero(const Tensor& t);
Tensor maskedSelect(const Tensor& t, const Tensor& mask);
Tensor take(const Tensor& t, const Tensor& index);
/// 0 so often as the first number says, 1 so often as the second says, ... \errors RuntimeError
/// unless there are `size` of them
Tensor repeatInterleave(const Tensor& repeats, std::optional<std::int64_t> size);

// ---- making ----

Tensor linspace(const IValue& start, const IValue& end, std::int64_t steps, DType dtype);
Tensor eye(std::int64_t rows, std::int64_t columns, DType dtype);
/// |a - b| <= atol + rtol * |b|, element by element
Tensor isClose(const Tensor& a, const Tensor& b, double rtol, double atol, bool equalNan);

// ---- random numbers: one of the stream for each element, row-major, whatever the layout ----

/// from <= x < to. \errors RuntimeError for bounds that the dtype has not
void fillUniform(const Tensor& self, RandomStream& random, double from, double to);
void fillNormal(const Tensor& self, RandomStream& random, double mean, double deviation);
void fillExponential(const Tensor& self, RandomStream& random, double rate);
/// Whole numbers from `from` below `to`, or to the largest that the dtype holds exactly.
void fillIntegers(const Tensor& self, RandomStream& random, std::int64_t from,
                  std::optional<std::int64_t> to);
/// 1 with the probability p, else 0; of a tensor, with each element's own.
void fillBernoulli(const Tensor& self, RandomStream& random, double p);
void fillBernoulli(const Tensor& self, RandomStream& random, const Tensor& p);
/// 0, 1, ... n - 1 in any order.
Tensor permutation(std::int64_t n, DType dtype, RandomStream& random);
/// Indices of the last dimension, drawn with the weights that lie there.
Tensor multinomial(const Tensor& weights, std::int64_t count, bool replacement,
                   RandomStream& random);

} // namespace tine::kernels
