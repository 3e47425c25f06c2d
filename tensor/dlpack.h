#pragma once

#include "support/result.h"
#include "tensor/tensor.h"

extern "C" {
struct DLManagedTensor;
}

namespace tine {

/// Tensors from and to NumPy, PyTorch and everybody else who speaks DLPack, without a copy.
///
///   DLManagedTensor* shared = toDLPack(t);         // keeps t alive until its deleter is called
///   Result<Tensor> back = fromDLPack(shared);      // calls the deleter when the last view is gone
///
/// Both sides see each other's writes. \source DLPack; the version that Tine was built with

/// A tensor for a consumer, who must call its deleter exactly once, from any thread. The data
/// pointer is the first element, so byte_offset is 0. Versions of DLPack before 0.8 have no bool:
/// there a bool tensor is uint8. \pre tensor.defined()
DLManagedTensor* toDLPack(const Tensor& tensor);

/// Takes over a producer's tensor. On success its deleter (which may be null) runs exactly once,
/// after the last view is gone, on that view's thread; on an error it stays the caller's to delete.
/// A producer's bool elements must be 0 or 1.
/// \errors UnsupportedError memory that is not the CPU's, a dtype without kernels, vector lanes,
/// negative strides, data that is not aligned to its dtype; ValueError what no tensor can be
Result<Tensor> fromDLPack(DLManagedTensor* managed);

} // namespace tine
