#include "tensor/functions.h"
#include "tensor/kernels/layout.h"

namespace tine::kernels {

namespace {

// out[n, m] = a[n, k] * b[k, m], all row-major. The innermost loop runs along rows of b and out.
template <class T>
void multiply(const T* a, const T* b, T* out, std::int64_t n, std::int64_t k, std::int64_t m) {
  // Integers wrap, so they compute unsigned.
  using C = std::conditional_t<std::is_floating_point_v<T>, T,
                               std::conditional_t<(sizeof(T) < 8), std::uint32_t, std::uint64_t>>;
  for (std::int64_t i = 0; i < n; ++i) {
    T* row = out + i * m;
    for (std::int64_t j = 0; j < m; ++j) row[j] = T(0);
    for (std::int64_t p = 0; p < k; ++p) {
      const C factor = static_cast<C>(a[i * k + p]);
      const T* from = b + p * m;
      for (std::int64_t j = 0; j < m; ++j)
        row[j] = static_cast<T>(static_cast<C>(row[j]) + factor * static_cast<C>(from[j]));
    }
  }
}

void checkProduct(const Tensor& a, const Tensor& b, std::int64_t n, std::int64_t k,
                  std::int64_t kOther, std::int64_t m, const char* kernel) {
  if (k != kOther)
    raise(error_kind::Shape, "mat1 and mat2 shapes cannot be multiplied (" + std::to_string(n) +
                                 "x" + std::to_string(k) + " and " + std::to_string(kOther) + "x" +
                                 std::to_string(m) + ")");
  if (n == 0 || m == 0) return; // nothing is computed, whatever the dtypes
  if (a.dtype() != b.dtype())
    raise(error_kind::Runtime,
          "expected scalar type " + typeName(a.dtype()) + " but found " + typeName(b.dtype()));
  if (a.dtype() == DType::Bool) raiseNotImplemented(kernel, a.dtype());
}

// [n, k] times [k, m], for each of a batch. \pre shapes and dtypes fit
Tensor product(const Tensor& a, const Tensor& b, Sizes sizes) {
  const std::int64_t n = a.sizes()[a.sizes().size() - 2], k = a.sizes().back();
  const std::int64_t m = b.sizes().back();
  const Tensor left = a.contiguous(), right = b.contiguous();
  const Tensor out = Tensor::empty(sizes, a.dtype());
  std::int64_t count = 1;
  for (const std::int64_t size : sizes.drop_back(2)) count *= size;
  dispatch(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t i = 0; i < count; ++i)
      multiply(left.data<T>() + i * n * k, right.data<T>() + i * k * m, out.data<T>() + i * n * m,
               n, k, m);
  });
  return out;
}

std::string times(std::int64_t a, std::int64_t b) {
  return std::to_string(a) + "x" + std::to_string(b);
}

Tensor swapped(const Tensor& t) { return transpose(t, -2, -1); }

// May the batch of t go into the rows of its matrices, to be multiplied by a matrix or vector?
// \source ATen's should_fold
bool isFolded(const Tensor& t, int otherDim) {
  if (t.dim() < 3 || otherDim < 1 || otherDim > 2) return false;
  const bool transposed = t.dim() == 3 && otherDim == 2 && t.strides().back() != 1 &&
                          t.strides().front() == t.sizes()[1] * t.sizes()[2];
  return !transposed;
}

// [..., k] times [k, m] or [k].
Tensor folded(const Tensor& t, const Tensor& other) {
  llvm::SmallVector<std::int64_t, 6> sizes(t.sizes().drop_back());
  std::int64_t rows = 1;
  for (const std::int64_t size : sizes) rows *= size;
  if (other.dim() == 2) sizes.push_back(other.sizes()[1]);
  const Tensor matrix = reshape(t, {rows, t.sizes().back()});
  return view(other.dim() == 2 ? mm(matrix, other) : mv(matrix, other), sizes);
}

} // namespace

Tensor mm(const Tensor& a, const Tensor& b) {
  if (a.dim() != 2) raise(error_kind::Runtime, "self must be a matrix");
  if (b.dim() != 2) raise(error_kind::Runtime, "mat2 must be a matrix");
  const std::int64_t n = a.sizes()[0], k = a.sizes()[1], m = b.sizes()[1];
  checkProduct(a, b, n, k, b.sizes()[0], m, "addmm_impl_cpu_");
  return product(a, b, {n, m});
}

Tensor mv(const Tensor& a, const Tensor& b) {
  if (a.dim() != 2 || b.dim() != 1)
    raise(error_kind::Runtime, "vector + matrix @ vector expected, got 1, " +
                                   std::to_string(a.dim()) + ", " + std::to_string(b.dim()));
  if (a.sizes()[1] != b.sizes()[0])
    raise(error_kind::Shape, "size mismatch, got " + std::to_string(a.sizes()[0]) + ", " +
                                 times(a.sizes()[0], a.sizes()[1]) + "," +
                                 std::to_string(b.sizes()[0]));
  checkProduct(a, b, a.sizes()[0], a.sizes()[1], a.sizes()[1], 1, "addmv_impl_cpu");
  return squeeze(product(a, unsqueeze(b, 1), {a.sizes()[0], 1}), 1);
}

Tensor dot(const Tensor& a, const Tensor& b) {
  if (a.dim() != 1 || b.dim() != 1)
    raise(error_kind::Runtime, "1D tensors expected, but got " + std::to_string(a.dim()) +
                                   "D and " + std::to_string(b.dim()) + "D tensors");
  if (a.dtype() != b.dtype())
    raise(error_kind::Runtime, "dot : expected both vectors to have same dtype, but found " +
                                   typeName(a.dtype()) + " and " + typeName(b.dtype()));
  if (a.numel() != b.numel())
    raise(error_kind::Shape, "inconsistent tensor size, expected tensor " + shapeStr(a.sizes()) +
                                 " and src " + shapeStr(b.sizes()) +
                                 " to have the same number of elements, but got " +
                                 std::to_string(a.numel()) + " and " + std::to_string(b.numel()) +
                                 " elements respectively");
  checkProduct(a, b, 1, a.numel(), a.numel(), 1, "dot");
  return reshape(product(unsqueeze(a, 0), unsqueeze(b, 1), {1, 1}), {});
}

Tensor bmm(const Tensor& a, const Tensor& b) {
  if (a.dim() != 3) raise(error_kind::Runtime, "batch1 must be a 3D tensor");
  if (b.dim() != 3) raise(error_kind::Runtime, "batch2 must be a 3D tensor");
  const auto x = a.sizes(), y = b.sizes();
  if (x[0] != y[0] || x[2] != y[1])
    raise(error_kind::Shape, "Expected size for first two dimensions of batch2 tensor to be: " +
                                 shapeStr({x[0], x[2]}) + " but got: " + shapeStr({y[0], y[1]}) +
                                 ".");
  if (x[0] == 0 || x[1] == 0 || y[2] == 0) // nothing to compute, of no matter which dtypes
    return Tensor::empty({x[0], x[1], y[2]}, b.dtype());
  checkProduct(a, b, x[1], x[2], y[1], y[2], "bmm");
  return product(a, b, {x[0], x[1], y[2]});
}

Tensor matmul(const Tensor& a, const Tensor& b) {
  if (a.dim() == 0 || b.dim() == 0)
    raise(error_kind::Runtime, "both arguments to matmul need to be at least 1D, but they are " +
                                   std::to_string(a.dim()) + "D and " + std::to_string(b.dim()) +
                                   "D");
  if (a.dim() == 1 && b.dim() == 1) return dot(a, b);
  if (a.dim() == 2 && b.dim() == 1) return mv(a, b);
  if (a.dim() == 1 && b.dim() == 2) return squeeze(mm(unsqueeze(a, 0), b), 0);
  if (a.dim() == 2 && b.dim() == 2) return mm(a, b);
  if (isFolded(a, b.dim())) return folded(a, b);
  if (isFolded(b, a.dim())) {
    const Tensor out = folded(swapped(b), a.dim() == 2 ? swapped(a) : a);
    return a.dim() == 2 ? swapped(out).contiguous() : out;
  }
  // A vector is a row on the left, a column on the right, and its dimension goes away again.
  const Tensor left = a.dim() == 1 ? unsqueeze(a, 0) : a;
  const Tensor right = b.dim() == 1 ? unsqueeze(b, 1) : b;
  const auto sizesA = left.sizes(), sizesB = right.sizes();
  auto sizes = broadcastShapes(sizesA.drop_back(2), sizesB.drop_back(2));
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  const auto batch = [&](const Tensor& t) {
    llvm::SmallVector<std::int64_t, 6> whole(sizes);
    whole.append(t.sizes().end() - 2, t.sizes().end());
    return reshape(expand(t, whole), {count, whole[whole.size() - 2], whole.back()});
  };
  const Tensor out = bmm(batch(left), batch(right));
  if (a.dim() > 1) sizes.push_back(sizesA[sizesA.size() - 2]);
  if (b.dim() > 1) sizes.push_back(sizesB.back());
  return view(out, sizes);
}

namespace {
// A number as the dtype has it: of integers without its fraction.
IValue numberOf(DType dtype, const IValue& number) {
  if (isFloating(dtype)) return number;
  return dispatch(dtype, [&](auto zero) {
    return IValue(static_cast<std::int64_t>(checkedNumber<decltype(zero)>(number)));
  });
}
} // namespace

Tensor addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const IValue& beta,
             const IValue& alpha) {
  const bool batched = mat1.dim() == 3;
  if (!batched && self.dtype() != mat2.dtype())
    raise(error_kind::Runtime, "self and mat2 must have the same dtype");
  if (!batched && mat1.dtype() != mat2.dtype())
    raise(error_kind::Runtime, "mat1 and mat2 must have the same dtype");
  if (!batched && mat1.dim() != 2)
    raise(error_kind::Runtime,
          "mat1 must be a matrix, got " + std::to_string(mat1.dim()) + "-D tensor");
  if (!batched && mat2.dim() != 2)
    raise(error_kind::Runtime,
          "mat2 must be a matrix, got " + std::to_string(mat2.dim()) + "-D tensor");
  Tensor onto = self; // before the product's own sizes are checked, as in ATen
  if (batched && mat2.dim() == 3)
    onto = expand(self, {mat1.sizes()[0], mat1.sizes()[1], mat2.sizes()[2]});
  else if (!batched && mat1.sizes()[1] == mat2.sizes()[0])
    onto = expand(self, {mat1.sizes()[0], mat2.sizes()[1]});
  if (batched && mat1.dtype() == DType::Bool && mat2.dtype() == DType::Bool && onto.numel())
    raiseNotImplemented("baddbmm", DType::Bool);
  const Tensor product = batched ? bmm(mat1, mat2) : mm(mat1, mat2);
  const DType dtype = product.dtype(); // of batches whatever self is
  const IValue factor = numberOf(dtype, beta);
  const Tensor scaled = binary(BinaryOp::Mul, product, numberOf(dtype, alpha));
  const Tensor sum = factor.toNumber() == 0 ? scaled : add(scaled, onto, factor);
  const Tensor out = Tensor::empty(product.sizes(), dtype);
  copyInto(out, sum);
  return out;
}

Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  if (weight.dim() > 2)
    raise(error_kind::Runtime, "t() expects a tensor with <= 2 dimensions, but self is " +
                                   std::to_string(weight.dim()) + "D");
  const Tensor turned = weight.dim() == 2 ? transpose(weight, 0, 1) : weight;
  if (input.dim() == 2 && bias.defined()) return addmm(bias, input, turned, 1, 1);
  const Tensor out = matmul(input, turned);
  return bias.defined() ? add(out, bias) : out;
}

} // namespace tine::kernels
