#pragma once

#include "frontend/script/parse.h"
#include "ir/unit.h"
#include "ops/ops.h"

#include <functional>

namespace tine::script {

/// A class whose objects C++ has made: a module with its attributes. Its methods are the functions
/// of `texts`, which have the object as their first parameter.
struct MadeClass {
  struct Attribute {
    std::string name;
    const Type* type; ///< in the Context of the program
  };
  std::string name; ///< `__torch__.Net`
  std::vector<Attribute> attributes;
  std::vector<Module*> texts;
};

/// What a program is compiled from. All of it can refer to each other.
struct Sources {
  std::vector<Module*> files;
  std::vector<MadeClass> classes;
  /// The text that holds the names which begin with `qualifier`: of `__torch__.a.b`, which is where
  /// `__torch__.a.b.C` is, an archive has code/__torch__/a/b.py. Asked once for each; null: there
  /// is none.
  std::function<Result<std::unique_ptr<Module>>(llvm::StringRef qualifier)> load;
  std::vector<std::string> wanted; ///< classes that are loaded first: `__torch__.a.b.C`
  std::vector<IValue> constants;   ///< `CONSTANTS.c0`, ...
};

/// The graphs of a file's functions, as TorchScript would print them, in the order of the text.
/// Functions that local functions became come after them, named `outer.inner`. Reports several
/// errors per call, those of the syntax among them. \errors SchemaError unknown names, TypeError,
/// SyntaxError, UnsupportedError; all with places
Result<CompilationUnit> compile(Module& module, std::shared_ptr<const OpSet> ops,
                                std::shared_ptr<Context> context = Context::create());
/// The same of several texts, and of what they load.
Result<CompilationUnit> compile(const Sources& sources, std::shared_ptr<const OpSet> ops,
                                std::shared_ptr<Context> context);

/// A type as annotations spell it, `Dict[str, Tensor]`, of simple types and containers.
/// \errors SyntaxError, SchemaError
Result<const Type*> typeOfText(Context& context, std::string text);

} // namespace tine::script
