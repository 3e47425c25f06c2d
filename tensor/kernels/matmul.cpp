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
  if (a.dtype() != b.dtype())
    raise(error_kind::Runtime,
          "expected scalar type " + typeName(a.dtype()) + " but found " + typeName(b.dtype()));
  if (a.dtype() == DType::Bool)
    raise(error_kind::NotImplemented, std::string("\"") + kernel + "\" not implemented for 'Bool'");
}

// The product of batches of matrices. \pre shapes and dtypes fit; broadcast batch dimensions
Tensor product(const Tensor& a, const Tensor& b, Sizes batch) {
  const auto matrix = [](const Tensor& t) { return t.sizes().take_back(2); };
  const std::int64_t n = matrix(a)[0], k = matrix(a)[1], m = matrix(b)[1];
  llvm::SmallVector<std::int64_t, 6> sizesA(batch), sizesB(batch), sizes(batch);
  sizesA.append({n, k});
  sizesB.append({k, m});
  sizes.append({n, m});
  const Tensor left = broadcastTo(a, sizesA).contiguous();
  const Tensor right = broadcastTo(b, sizesB).contiguous();
  const Tensor out = Tensor::empty(sizes, a.dtype());
  std::int64_t count = 1;
  for (const std::int64_t size : batch) count *= size;
  dispatch(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t i = 0; i < count; ++i)
      multiply(left.data<T>() + i * n * k, right.data<T>() + i * k * m, out.data<T>() + i * n * m,
               n, k, m);
  });
  return out;
}

} // namespace

Tensor mm(const Tensor& a, const Tensor& b) {
  if (a.dim() != 2) raise(error_kind::Runtime, "self must be a matrix");
  if (b.dim() != 2) raise(error_kind::Runtime, "mat2 must be a matrix");
  const std::int64_t n = a.sizes()[0], k = a.sizes()[1], m = b.sizes()[1];
  checkProduct(a, b, n, k, b.sizes()[0], m, "addmm_impl_cpu_");
  const Tensor left = a.contiguous(), right = b.contiguous();
  const Tensor out = Tensor::empty({n, m}, a.dtype());
  dispatch(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    multiply(left.data<T>(), right.data<T>(), out.data<T>(), n, k, m);
  });
  return out;
}

Tensor matmul(const Tensor& a, const Tensor& b) {
  if (a.dim() == 2 && b.dim() == 2) return mm(a, b);
  if (a.dim() == 0 || b.dim() == 0)
    raise(error_kind::Runtime, "both arguments to matmul need to be at least 1D, but they are " +
                                   std::to_string(a.dim()) + "D and " + std::to_string(b.dim()) +
                                   "D");
  if (a.dim() == 1 && b.dim() == 1) {
    if (a.dtype() != b.dtype())
      raise(error_kind::Runtime, "dot : expected both vectors to have same dtype, but found " +
                                     typeName(a.dtype()) + " and " + typeName(b.dtype()));
    if (a.numel() != b.numel())
      raise(error_kind::Shape, "inconsistent tensor size, expected tensor " + shapeStr(a.sizes()) +
                                   " and src " + shapeStr(b.sizes()) +
                                   " to have the same number of elements, but got " +
                                   std::to_string(a.numel()) + " and " + std::to_string(b.numel()) +
                                   " elements respectively");
  }
  if (a.dim() == 2 && b.dim() == 1 && a.sizes()[1] != b.sizes()[0])
    raise(error_kind::Shape, "size mismatch, got " + std::to_string(a.sizes()[0]) + ", " +
                                 std::to_string(a.sizes()[0]) + "x" + std::to_string(a.sizes()[1]) +
                                 "," + std::to_string(b.sizes()[0]));
  // A vector is a row on the left, a column on the right, and its dimension of size 1 goes away
  // again.
  const Tensor left = a.dim() == 1 ? unsqueeze(a, 0) : a;
  const Tensor right = b.dim() == 1 ? unsqueeze(b, 1) : b;
  const auto sizesA = left.sizes(), sizesB = right.sizes();
  const std::int64_t n = sizesA[sizesA.size() - 2], k = sizesA.back();
  const std::int64_t kOther = sizesB[sizesB.size() - 2], m = sizesB.back();
  const auto batch = broadcastShapes(sizesA.drop_back(2), sizesB.drop_back(2));
  if (k != kOther && left.dim() > 2 && right.dim() > 2) {
    std::int64_t count = 1;
    for (const std::int64_t size : batch) count *= size;
    raise(error_kind::Shape,
          "Expected size for first two dimensions of batch2 tensor to be: " + shapeStr({count, k}) +
              " but got: " + shapeStr({count, kOther}) + ".");
  }
  const char* kernel = a.dim() == 1 && b.dim() == 1 ? "dot"
                       : b.dim() == 1               ? "addmv_impl_cpu"
                                                    : "addmm_impl_cpu_";
  checkProduct(left, right, left.dim() > 2 ? left.numel() / std::max<std::int64_t>(k, 1) : n, k,
               kOther, m, kernel);
  Tensor out = product(left, right, batch);
  if (b.dim() == 1) out = squeeze(out, -1);
  if (a.dim() == 1) out = squeeze(out, b.dim() == 1 ? -1 : -2);
  return out;
}

} // namespace tine::kernels
