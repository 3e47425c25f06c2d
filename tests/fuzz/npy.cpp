// Any bytes as a .npy file or a .npz archive: tensors that round-trip, or an error with a place.
#include "tensor/npy.h"

#include "tensor/npz.h"

using namespace tine;

namespace {

void checkError(const Error& error) { TINE_CHECK(!error.message.empty() && error.place.known()); }

void checkTensor(const Tensor& tensor) {
  const Result<Tensor> back = parseNpy(npyBytes(tensor), "again");
  TINE_CHECK(back.ok() && identical(*back, tensor));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const llvm::StringRef bytes(reinterpret_cast<const char*>(data), size);
  ReadLimits limits;
  limits.maxBytes = 1 << 20;
  limits.maxEntries = 64;
  if (!bytes.starts_with("PK")) {
    const Result<Tensor> tensor = parseNpy(bytes, "x.npy", limits);
    tensor ? checkTensor(*tensor) : checkError(tensor.error());
  } else if (const auto arrays = parseNpz(bytes, "x.npz", limits)) {
    for (const NamedTensor& array : *arrays) checkTensor(array.tensor);
  } else {
    checkError(arrays.error());
  }
  return 0;
}
