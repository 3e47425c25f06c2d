#pragma once

#include "ir/unit.h"
#include "ops/ops.h"

namespace tine::script {

/// The classes of functions: those that are declared, and after them those that the graphs alone
/// tell of, as far as they do.
///
///   declarations(unit.classes(), functions, ops)   // of a unit out of text: only from its graphs
///
/// The attributes of such a class are those that are read and written, the members of an enum those
/// that are named, the methods of an interface those that are called; a NamedTuple is called
/// `NamedTuple0`. Classes that C++ has, and TorchScript's own, are left out.
std::vector<ClassDeclaration> declarations(llvm::ArrayRef<ClassDeclaration> declared,
                                           llvm::ArrayRef<const NamedGraph*> functions,
                                           const OpSet& ops);

/// Is it a class that programs find without a definition?
bool isForeignClass(llvm::StringRef name, const OpSet& ops);

} // namespace tine::script
