#include "frontend/script/code.h"

#include "frontend/script/code_printer.h"
#include "frontend/script/declarations.h"
#include "llvm/ADT/STLExtras.h"

namespace tine::script {
namespace {

using Functions = std::vector<const NamedGraph*>;

/// What became of local functions: named `outer.name`, and used by one node of `outer`, or of
/// another one of those.
LocalFunctions localFunctions(const CompilationUnit& unit) {
  llvm::StringMap<int> uses;
  llvm::StringMap<std::vector<std::string>> callees; ///< by function
  for (const NamedGraph& function : unit.functions()) {
    std::vector<const Graph*> todo{function.graph.get()};
    while (!todo.empty()) {
      const Graph* graph = todo.back();
      todo.pop_back();
      graph->forEachNode([&](const Node* node) {
        if (node->subgraph()) todo.push_back(node->subgraph());
        if (node->op() != Builtin::Constant || !node->attributes().has(Builtin::Name)) return;
        const llvm::StringRef name = node->attributes().string(Builtin::Name);
        for (const Use& use : node->output()->uses()) {
          const bool isThen = use.user->kind().str() == "tine::then";
          const bool calls =
              isThen ? use.index == 1 : use.user->op() == Builtin::CallFunction && use.index == 0;
          const NamedGraph* callee = unit.findFunction(name);
          const bool fits =
              calls && callee && callee->graph->inputs().size() + 1 == use.user->numInputs();
          uses[name] += fits ? 1 : 2;
          callees[function.name].push_back(name.str());
        }
      });
    }
  }
  LocalFunctions locals;
  for (const NamedGraph& outer : unit.functions()) {
    Functions todo{&outer};
    while (!todo.empty()) {
      const NamedGraph* function = todo.back();
      todo.pop_back();
      for (const std::string& name : callees[function->name]) {
        const bool isInner = llvm::StringRef(name).rsplit('.').first == outer.name &&
                             name.size() > outer.name.size() && uses[name] == 1;
        const NamedGraph* inner = isInner ? unit.findFunction(name) : nullptr;
        if (inner && locals.try_emplace(name, inner).second) todo.push_back(inner);
      }
    }
  }
  return locals;
}

std::string written(CodeText& text, const NamedGraph& function, llvm::StringRef name, int level) {
  NamedGraph copy{function.name, writable(*function.graph, text.words.isFile()), function.defaults};
  return Printer(text, level).function(copy, name);
}

/// `class Point(NamedTuple):` and what stands in it but for methods.
void classHead(std::string& out, const ClassDeclaration& declared, CodeText& text) {
  static constexpr const char* kBases[] = {"", "(Module)", "(NamedTuple)", "(Enum)", "(Interface)"};
  out += "class " + text.words.nameOf(declared) + kBases[declared.kind] + ":\n";
  const bool isEnum = declared.kind == ClassDeclaration::Enum;
  if (isEnum && declared.fields.empty())
    text.errors.push_back(Error(error_kind::Unsupported,
                                declared.type->str() + ", whose members the graphs do not tell, "
                                                       "cannot be written as source"));
  for (const ClassDeclaration::Field& field : declared.fields) {
    out += "  ";
    if (isEnum) {
      out += field.name + " = ";
      text.words.literal(out, *field.value, Type::AnyType());
    } else if (!Vocabulary::isWord(field.name)) {
      out += "__annotations__[\"" + field.name + "\"] = " + text.words.spelled(field.type);
    } else {
      const std::string type = text.words.spelled(field.type);
      const bool isConstant = field.value && declared.kind != ClassDeclaration::NamedTuple;
      out += field.name + " : " + (isConstant ? "Final[" + type + "]" : type);
      if (field.value) {
        out += " = ";
        text.words.literal(out, *field.value, field.type);
      }
    }
    out += "\n";
  }
  for (const Schema& method : declared.methods) {
    out += "  def " + method.name + "(";
    for (std::size_t i = 0; i < method.arguments.size(); ++i) {
      const Argument& argument = method.arguments[i];
      out += (i ? ", " : "") + argument.name;
      if (i) out += ": " + text.words.spelled(argument.type);
      if (!argument.defaultValue) continue;
      out += "=";
      text.words.literal(out, *argument.defaultValue, argument.type);
    }
    out += ") -> " + text.words.spelled(method.results[0].type) + ":\n    pass\n";
  }
}

/// The class with the functions that are its methods.
std::string classText(const ClassDeclaration& declared, const Functions& functions,
                      CodeText& text) {
  std::string out;
  classHead(out, declared, text);
  const std::size_t head = out.size();
  for (const NamedGraph* function : functions) {
    const Vocabulary::Method method = text.words.methodOf(*function);
    if (method.owner != &declared) continue;
    const std::string getter = Vocabulary::propertyOf(method.name, "_getter");
    const std::string setter = Vocabulary::propertyOf(method.name, "_setter");
    if (method.isStatic)
      out += "  @staticmethod\n";
    else if (!getter.empty())
      out += "  @property\n";
    else if (!setter.empty())
      out += "  @" + setter + ".setter\n";
    out += written(text, *function, getter.empty() ? setter.empty() ? method.name : setter : getter,
                   1);
  }
  if (out.size() == head && declared.fields.empty() && declared.methods.empty()) out += "  pass\n";
  return out;
}

/// What TorchScript would not take.
std::string comments(const CodeText& text) {
  std::string out;
  for (const std::string& foreign : text.foreign)
    out += "# uses " + foreign + ", which TorchScript lacks\n";
  if (text.tensors)
    out += "# the tensors CONSTANTS.c0 to CONSTANTS.c" + std::to_string(text.tensors - 1) +
           " are not part of the text\n";
  return out;
}

Functions functionsOf(const CompilationUnit& unit) {
  Functions out;
  for (const NamedGraph& function : unit.functions()) out.push_back(&function);
  return out;
}

} // namespace

Result<std::string> code(const NamedGraph& function, const OpSet& ops, const CodeOptions& options) {
  const CompilationUnit* unit = options.unit;
  const Functions functions = unit ? functionsOf(*unit) : Functions{&function};
  const llvm::ArrayRef<ClassDeclaration> declared =
      unit ? llvm::ArrayRef(unit->classes()) : llvm::ArrayRef<ClassDeclaration>();
  const Vocabulary words(declarations(declared, functions, ops), functions, options);
  const LocalFunctions locals = unit && words.isFile() ? localFunctions(*unit) : LocalFunctions();
  CodeText text{ops, words, locals};
  const Vocabulary::Method method = words.methodOf(function);
  const std::string name = method.owner ? method.name : Vocabulary::identifier(function.name);
  std::string body = written(text, function, name, 0);
  if (!text.errors.empty()) return std::move(text.errors);
  return comments(text) + body;
}

Result<std::string> code(const CompilationUnit& unit, const OpSet& ops) {
  const Functions functions = functionsOf(unit);
  const Vocabulary words(declarations(unit.classes(), functions, ops), functions, {});
  const LocalFunctions locals = localFunctions(unit);
  CodeText text{ops, words, locals};
  std::vector<std::string> parts;
  for (const ClassDeclaration& declared : words.classes())
    parts.push_back(classText(declared, functions, text));
  for (const NamedGraph* function : functions)
    if (!words.methodOf(*function).owner && !locals.contains(function->name))
      parts.push_back(written(text, *function, words.function(function->name), 0));
  if (!text.errors.empty()) return std::move(text.errors);
  std::string out = comments(text);
  for (const std::string& part : parts) out += (&part == parts.data() ? "" : "\n") + part;
  return out;
}

} // namespace tine::script
