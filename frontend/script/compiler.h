#pragma once

#include "frontend/script/ast.h"
#include "frontend/script/classes.h"
#include "frontend/script/compile.h"
#include "frontend/script/meaning.h"
#include "ir/unit.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "ops/ops.h"

#include <map>

namespace tine::script {

/// Thrown where a statement cannot be compiled, after its error was recorded; caught around each
/// statement. Never leaves frontend/script.
struct Stop {};

/// One overload of an operator, with types of the program's Context.
struct Overload {
  Schema schema;
  const OpInfo* op = nullptr; ///< null when Tine has no kernel for it
};

/// A text of the program, and what names mean in it.
struct File {
  Module* module;
  Symbol name;                ///< in locations
  ClassInfo* owner = nullptr; ///< whose methods its functions are; null of an ordinary file
  llvm::StringMap<Function*> functions;
  llvm::StringMap<Meaning> imported; ///< also its classes
  std::map<std::string, IValue, std::less<>> constants;
};

/// A function of the program, and how far it is compiled.
struct Function {
  std::string name; ///< in the unit; of a method `__torch__.file.Class.method`
  File* file = nullptr;
  const FunctionDef* def = nullptr; ///< null of a method that C++ has
  ClassInfo* owner = nullptr;       ///< of a method
  bool isStatic = false;
  Schema schema;
  enum { New, Known, Running, Done, Failed } state = New; ///< Known: the signature, with a result
  std::unique_ptr<Graph> graph;
};

/// What all functions of a program share: names, operators, errors.
class Compiler {
public:
  Compiler(const Sources& sources, std::shared_ptr<const OpSet> ops,
           std::shared_ptr<Context> context);
  Result<CompilationUnit> run();
  Result<const Type*> typeOfText(Module& module);

  /// The text that is being worked at.
  Module& module() const { return *file_->module; }
  Context& context() const { return *context_; }
  const std::shared_ptr<Context>& sharedContext() const { return context_; }
  const OpSet& ops() const { return *ops_; }

  /// All overloads of an operator, in TorchScript's order. \cost O(1) after the first call
  llvm::ArrayRef<Overload> overloads(llvm::StringRef name);
  /// What a name means outside of functions; None when it means nothing.
  Meaning global(llvm::StringRef name);
  /// `path.name`: torch.jit.fork, math.pi. None when there is no such thing.
  Meaning member(llvm::StringRef path, llvm::StringRef name);
  /// The value of a module-level constant or an imported one, when `meaning` is one.
  const IValue* constant(llvm::StringRef name) const;
  /// The signature of a function, whose result may have to be inferred by compiling it.
  const Schema& signature(Function& function, Range use);
  /// The class that a type is; null for others than classes, enums and interfaces of the program.
  ClassInfo* classOf(const Type* type);
  const Type* typeOf(ClassInfo& info, Range use); ///< \errors Stop
  std::string nameOf(const Type* type) const;     ///< for messages: of a NamedTuple its own name
  /// Finds the fields of a class: compiles its `__init__`, unless that is being done.
  void complete(ClassInfo& info);
  /// A kind of exception, and those of the program that derive from it.
  std::vector<std::string> kindsOf(llvm::StringRef kind) const;
  /// What `__torch__.a.b.name` is, if the file that `__torch__.a.b` names, or C++, has it.
  Meaning qualified(llvm::StringRef qualifier, llvm::StringRef name);
  /// Has a class the methods of an interface? If not, `why` says which it lacks.
  bool implements(const Type* type, const Type* interface, std::string& why);

  /// `__sort__` or `__first__` of objects of a class with `__lt__`: ordering.cpp
  Function& ordering(ClassInfo& info, llvm::StringRef name);

  /// The type that an expression spells. \errors Stop
  const Type* type(const Expr* expr);
  const Type* classType(const Expr* expr); ///< for isinstance: also `list`
  /// The value of an expression that is constant at compile time; nullopt when it is none.
  std::optional<IValue> constantOf(const Expr* expr, const Type* wanted = nullptr);

  [[noreturn]] void fail(Range range, std::string message, const char* kind = error_kind::Schema);
  void report(Range range, std::string message, const char* kind = error_kind::Schema);
  void report(Error error);
  bool failed() const { return !errors_.empty(); }
  Location location(Range range);
  /// `, did you mean 'x'?` for the name among `names` that is near to `word`.
  static std::string nearest(llvm::StringRef word, llvm::ArrayRef<std::string> names);
  /// For a global name near to this one.
  std::string near(llvm::StringRef name, llvm::ArrayRef<std::string> others = {}) const;
  std::string nearMember(llvm::StringRef path, llvm::StringRef name) const;

private:
  const Type* simpleType(llvm::StringRef name) const;
  const Type* quotedType(const String& expr);
  const Type* genericType(const Subscript& expr);
  bool hasSpace(llvm::StringRef space) const;
  Meaning typeMeaning(llvm::StringRef name);
  std::string pathOf(const Attribute* attribute) const;
  void checkDecorator(const Expr* expr);
  // ---- files.cpp ----
  /// While it lives, another file is being worked at; null stands for the same.
  class At {
  public:
    At(Compiler& compiler, File* file) : compiler_(compiler), before_(compiler.file_) {
      if (file) compiler.file_ = file;
    }
    ~At() { compiler_.file_ = before_; }
    At(const At&) = delete;

  private:
    Compiler& compiler_;
    File* before_;
  };
  File& addFile(Module& module, ClassInfo* owner);
  File* fileOf(llvm::StringRef qualifier);
  void addClass(const MadeClass& made);
  ClassInfo* nativeClass(llvm::StringRef name);
  void describeAll();
  ClassDeclaration declaration(const ClassInfo& info) const;

  void define(const Stmt* stmt);
  void addFunction(const FunctionDef& def);
  // ---- classes.cpp ----
  void defineClass(const ClassDef& def);
  void defineException(const ClassDef& def, llvm::StringRef base);
  void describe(ClassInfo& info);
  void describeObject(ClassInfo& info, const Stmt* stmt);
  void describeEnum(ClassInfo& info, const Stmt* stmt);
  void declareField(ClassInfo& info, const Assign& assign);
  void addMethod(ClassInfo& info, const FunctionDef& def);
  const Type* namedTupleType(ClassInfo& info);
  const Type* qualifiedType(const Attribute* attribute);
  [[noreturn]] void misplaced(const Stmt* stmt, const char* wanted);
  void import(const Import& import);
  void checkTyping(const Identifier& name);
  void signatureOf(Function& function);
  void compile(Function& function);

  const Sources& sources_;
  std::shared_ptr<const OpSet> ops_;
  std::shared_ptr<Context> context_;
  std::vector<Error> errors_;
  std::vector<std::unique_ptr<Function>> functions_;
  std::vector<std::unique_ptr<Function>> methods_;
  std::vector<std::unique_ptr<ClassInfo>> classes_;
  std::size_t described_ = 0; ///< of the classes
  bool describing_ = false;
  llvm::DenseMap<const Type*, ClassInfo*> classOf_;
  std::vector<std::pair<std::string, std::string>> exceptions_; ///< of the program, with their base
  std::vector<std::unique_ptr<File>> files_;
  std::vector<std::unique_ptr<Module>> loaded_; ///< what `sources_` gave when asked
  llvm::DenseMap<const ClassInfo*, File*> orderings_;
  llvm::StringMap<File*> fileOf_;                        ///< by qualifier; null when there is none
  File* file_ = nullptr;                                 ///< that is being worked at
  llvm::StringMap<Function*> names_;                     ///< of all functions that are no methods
  std::map<std::string, IValue, std::less<>> constants_; ///< of every file
  llvm::StringMap<std::vector<Overload>> overloads_;
  std::vector<NamedGraph> lifted_;
  int quotes_ = 0, tupleDepth_ = 0;
  bool bareLists_ = false; ///< isinstance may ask for any list
  int depth_ = 0;          ///< of functions compiled because another one needs their result
};

} // namespace tine::script
