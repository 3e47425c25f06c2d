#pragma once

#include "support/result.h"
#include "tensor/ivalue.h"
#include "tensor/tensor.h"

#include <optional>
#include <string>

namespace tine {

/// Appends a value as a running TorchScript program prints it (`print`, `str`, `format`): `1.`,
/// `[a, b]`, `{a: 1}`, tensors by streamStr. \source TorchScript's stream operator of IValue
void appendStream(std::string& out, const IValue& value);

/// Reads the text of a tensor that streamStr wrote, with newlines or with spaces in their place, as
/// graphs have it: ` 1  2 [ CPUFloatType{2} ]`, `(1,.,.) = ...`, `1e-05 * ...`. Printed digits are
/// all there is, so the values are the nearest to them; they print as `text` again wherever values
/// exist that do. \errors SyntaxError; `dtype` given and not the text's
Result<Tensor> readStreamStr(llvm::StringRef text, std::optional<DType> dtype = std::nullopt);

} // namespace tine
