#pragma once

#include "frontend/script/code.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <map>

namespace tine::script {

/// What the classes and functions of a program are called in its source: with a qualifier their
/// whole names, as TorchScript writes them; without one, each a word of its own.
///
///   Vocabulary words(classes, functions, options);
///   words.spelled(type);           // "List[Point]"
///   words.function("main");        // "main"
class Vocabulary {
public:
  Vocabulary(std::vector<ClassDeclaration> classes, llvm::ArrayRef<const NamedGraph*> functions,
             const CodeOptions& options);

  /// Is it a file that stands for itself?
  bool isFile() const { return qualifier_.empty(); }
  const std::vector<ClassDeclaration>& classes() const { return classes_; }
  /// The class of a type, when it has a definition; else null.
  const ClassDeclaration* classOf(const Type* type) const;
  /// The annotation of a type. \cost linear in its text
  std::string spelled(const Type* type) const;
  /// Appends a value as the language has it: members of enums and NamedTuples by the names of their
  /// classes. `depth`: of what holds the value.
  void literal(std::string& out, const IValue& value, const Type* type, int depth = 0) const;
  /// The name of the enum whose layout is called so.
  std::string enumName(llvm::StringRef layout) const;
  std::string nameOf(const ClassDeclaration& declared) const;
  /// The name of a function of the unit, where it is called.
  std::string function(llvm::StringRef name) const;
  /// Does a word mean one of these, or one of the language's own functions?
  bool isTaken(llvm::StringRef word) const { return taken_.contains(word); }

  /// A function as part of a class.
  struct Method {
    const ClassDeclaration* owner = nullptr; ///< null: it is no part of one
    std::string name;
    bool isStatic = false; ///< it has no object
  };
  Method methodOf(const NamedGraph& function) const;

  static std::string identifier(llvm::StringRef text);
  /// Can it stand behind a dot?
  static bool isWord(llvm::StringRef text);
  /// `x` of `__x_getter`, when the suffix is that; else empty.
  static std::string propertyOf(llvm::StringRef method, llvm::StringRef suffix);
  static bool isReserved(llvm::StringRef word);

private:
  std::string fresh(llvm::StringRef base);

  std::vector<ClassDeclaration> classes_;
  std::string qualifier_;
  std::map<const Type*, std::size_t> byType_;
  std::vector<std::string> names_; ///< of the classes
  llvm::StringMap<std::string> functions_;
  llvm::StringSet<> constants_; ///< functions that a graph names
  llvm::StringSet<> taken_;
};

} // namespace tine::script
