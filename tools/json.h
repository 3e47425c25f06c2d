#pragma once

#include "support/result.h"
#include "tensor/ivalue.h"

#include <nlohmann/json.hpp>

namespace tine::tools {

using Json = nlohmann::ordered_json;

/// A value as `tine run --json` prints it: int, float, bool, str, None and lists as JSON's own;
/// non-finite floats as the strings `nan`, `inf`, `-inf`; a complex number as `[re, im]`; a tensor
/// as
/// `{"tensor": {"dtype": ..., "shape": [...], "data": [...]}}`, flat and row-major; a tuple as
/// `{"tuple": [...]}`, a dict as `{"dict": [[key, value], ...]}`; an object as `{"object": CLASS}`.
/// \errors ValueError a value nested more than 500 deep (one that holds itself is), or of more than
/// 2^27 items
Result<Json> toJson(const IValue& value);

/// `{"kind": ..., "message": ..., "traceback": [{"function": ..., "place": ..., "edge": ...},
/// ...]}`
Json toJson(const Error& error);

/// The text, on one line; bytes that are not UTF-8 are replaced.
std::string text(const Json& json);

} // namespace tine::tools
