#pragma once

#include "support/result.h"
#include "tensor/ivalue.h"
#include "tensor/npz.h"

#include <string>
#include <vector>

namespace tine::tools {

/// The arrays of a result, with the names that `--save` gives them: a tensor alone is `arr_0`, the
/// items of a tuple or list are `arr_0`, `arr_1`, ..., the fields of a NamedTuple and the values of
/// a dict have their own names, and what lies deeper has both: `arr_1/h`. An int, float or bool is
/// an array without dimensions, None is left out.
/// \errors TypeError what no array can hold, naming it; ValueError nesting beyond 100 levels
Result<std::vector<NamedTensor>> arraysOf(const IValue& result);

/// `--save=PATH`: an archive that np.load reads, or, when PATH ends in .npy, the only array.
/// \errors as arraysOf and writeNpz; ValueError several arrays for one .npy file
Result<Ok> saveResult(const std::string& path, const IValue& result);

} // namespace tine::tools
