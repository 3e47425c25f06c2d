#pragma once

#include "frontend/script/parse.h"
#include "ir/unit.h"
#include "ops/ops.h"

namespace tine::script {

/// The graphs of a file's functions, as TorchScript would print them, in the order of the text.
/// Functions that local functions became come after them, named `outer.inner`. Reports several
/// errors per call. \errors SchemaError unknown names, TypeError, SyntaxError, UnsupportedError;
/// all with places
Result<CompilationUnit> compile(Module& module, std::shared_ptr<const OpSet> ops,
                                std::shared_ptr<Context> context = Context::create());

} // namespace tine::script
