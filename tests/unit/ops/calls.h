#pragma once

#include "ops/ops.h"

#include <nlohmann/json.hpp>

namespace tine::calls {

/// How a call came out beside what TorchScript makes of it.
struct Verdict {
  enum Kind { Same, Text, Differs }; ///< Text: both fail, and say so in other words
  Kind kind = Same;
  std::string detail; ///< what Tine makes of it
};

/// Runs the call in a row of table.jsonl and compares kinds, dtypes, sizes, strides, shared
/// storage, values, the operands afterwards, and texts of errors. A row is
///
///   {"op": "aten::add.Tensor", "types": [...], "args": [...], "result": V, "after": [...]}
///
/// with "error" for "result" when TorchScript raises, "after" when operands change, "tolerance"
/// when values need not be equal to the bit, "alias" when the result looks at that operand's
/// storage, "random" when only dtypes, sizes and strides of tensors are compared, and "died" when
/// TorchScript's process ends: then Tine may do anything but that. The overload must be the one
/// that the types choose.
///
/// An operand or result V is JSON's null, bool, int or string, or one of
///   {"T": [dtype, sizes, strides, elements as hex]}   a tensor
///   {"V": [k, sizes, strides, offset]}                a view of operand k, from its first element
///   on
///   {"S": k} {"K": [k, i]}                            operand k itself; key i of the dict there
///   {"f": bits as hex} {"l": [...]} {"t": [...]} {"d": [[key, value], ...]} {"device": name}
Verdict run(const OpSet& ops, const nlohmann::json& row);

} // namespace tine::calls
