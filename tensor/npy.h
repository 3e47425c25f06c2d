#pragma once

#include "tensor/bytes.h"
#include "tensor/tensor.h"

namespace tine {

/// NumPy's files of one array, .npy, formats 1, 2 and 3.
///
///   Result<Tensor> x = readNpy("x.npy");
///   Result<Ok> written = writeNpy("y.npy", *x);
///
/// Takes the eight dtypes that have kernels, of either byte order, row-major or Fortran-ordered.
/// Everything a file claims is checked before memory is allocated for it, and the array must fill
/// the file exactly. Nothing is ever unpickled.
/// \errors SyntaxError not such a file, or damaged; UnsupportedError arrays of objects, strings,
/// records, float16, ...: the message says which; MemoryError more than the limits allow; IoError.
/// All name the file, and those about its header show it. \source numpy.lib.format

/// A Fortran-ordered array becomes a view with Fortran's strides, as in NumPy.
Result<Tensor> readNpy(const std::string& path, const ReadLimits& limits = {});
/// The same from memory; `file` is what errors call it.
Result<Tensor> parseNpy(llvm::StringRef bytes, llvm::StringRef file, const ReadLimits& limits = {});
/// The same from anything else.
Result<Tensor> readNpyStream(const ByteStream& stream, const ReadLimits& limits = {});

/// What comes before the data: byte for byte what NumPy writes. \pre 1 <= version <= 3
std::string npyHeader(DType dtype, llvm::ArrayRef<std::int64_t> sizes, bool fortranOrder,
                      int version = 1);

/// A tensor as a file holds it: header, then `data`'s elements in memory order.
struct NpyParts {
  std::string header;
  Tensor data; ///< row-major; the tensor itself when that was row-major or Fortran-ordered
  llvm::StringRef bytes() const;
};
NpyParts npyParts(const Tensor& tensor, int version = 1);
std::string npyBytes(const Tensor& tensor, int version = 1);

/// \errors IoError; then no file is left behind
Result<Ok> writeNpy(const std::string& path, const Tensor& tensor);

} // namespace tine
