#pragma once

#include "tensor/bytes.h"
#include "tensor/tensor.h"

#include <vector>

namespace tine {

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

/// NumPy's archives of arrays, .npz: a zip of .npy files, stored or deflated, in their order.
///
///   Result<std::vector<NamedTensor>> arrays = readNpz("x.npz");
///   Result<Ok> written = writeNpz("y.npz", {{"weight", w}, {"bias", b}});
///
/// A name is the entry's without `.npy`; it may contain `/`, and no two are equal. Every entry must
/// be an array. \errors as readNpy and ZipReader, naming file and entry: `x.npz/weight.npy`
Result<std::vector<NamedTensor>> readNpz(const std::string& path, const ReadLimits& limits = {});
Result<std::vector<NamedTensor>> parseNpz(llvm::StringRef bytes, llvm::StringRef file,
                                          const ReadLimits& limits = {});

/// The arrays of a file of either form, known by its content; of a .npy one without a name.
Result<std::vector<NamedTensor>> readArrays(const std::string& path, const ReadLimits& limits = {});

/// Stored as np.savez does, or deflated as np.savez_compressed. The same arrays give the same
/// bytes, and the file appears whole or not at all. \errors IoError; ValueError no arrays, or names
/// that are equal or not UTF-8
Result<Ok> writeNpz(const std::string& path, llvm::ArrayRef<NamedTensor> arrays,
                    bool deflate = false);

} // namespace tine
