#include "frontend/script/compiler.h"

#include "frontend/script/compile.h"
#include "frontend/script/emitter.h"
#include "frontend/script/lex.h"
#include "frontend/script/normalize.h"
#include "frontend/script/types.h"
#include "ir/builder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>
#include <limits>

namespace tine::script {
namespace {

/// Functions that need another one's result compile it first; such chains are no longer.
constexpr int kMaxChain = 64;

/// Operators that the interpreter has instructions for, and the table no rows.
constexpr const char* kMoreSchemas[] = {
    "aten::wait(Future(t) self) -> t",     "aten::percentFormat(str self, ...) -> str",
    "prim::unchecked_cast(t x) -> t",      "prim::RaiseException(str msg, str? cls=None) -> ()",
    "tine::reraise(Future(t) self) -> ()",
};

constexpr llvm::StringLiteral kExceptions[] = {
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "Exception",
    "IndexError",
    "KeyError",
    "LookupError",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "RuntimeError",
    "StopIteration",
    "TypeError",
    "ValueError",
    "ZeroDivisionError",
    "BaseException",
    "FloatingPointError",
    "IOError",
    "ImportError",
    "MemoryError",
    "NameError",
    "RecursionError",
    "TimeoutError",
    "UnicodeError",
    "BrokenPromise",
    "Cancelled",
    "Deadlock",
    "ShapeMismatch",
    "Timeout",
};

/// Names that are operators.
const char* builtinFunction(llvm::StringRef name) {
  return llvm::StringSwitch<const char*>(name)
      .Case("len", "aten::len")
      .Case("hex", "aten::hex")
      .Case("oct", "aten::oct")
      .Case("bin", "aten::bin")
      .Case("round", "aten::round")
      .Case("hash", "aten::hash")
      .Case("min", "prim::min")
      .Case("max", "prim::max")
      .Case("abs", "prim::abs")
      .Case("all", "aten::all")
      .Case("any", "aten::any")
      .Case("divmod", "aten::divmod")
      .Case("sum", "aten::sum")
      .Case("ord", "aten::ord")
      .Case("chr", "aten::chr")
      .Case("pow", "aten::pow")
      .Case("sorted", "aten::sorted")
      .Case("rangelist", "prim::rangelist")
      .Default(nullptr);
}

constexpr llvm::StringLiteral kSpecials[] = {"print",   "range",  "zip",   "enumerate",
                                             "list",    "dict",   "tuple", "isinstance",
                                             "getattr", "hasattr"};

const Type* castType(llvm::StringRef name) {
  return llvm::StringSwitch<const Type*>(name)
      .Case("int", Type::intType())
      .Case("float", Type::floatType())
      .Case("bool", Type::boolType())
      .Case("str", Type::strType())
      .Case("complex", Type::ComplexType())
      .Default(nullptr);
}
const char* castKind(llvm::StringRef name) {
  return llvm::StringSwitch<const char*>(name)
      .Case("int", "aten::Int")
      .Case("float", "aten::Float")
      .Case("bool", "aten::Bool")
      .Case("complex", "aten::Complex")
      .Default("aten::str");
}

std::optional<std::int64_t> dtypeNumber(llvm::StringRef name) {
  const int number = llvm::StringSwitch<int>(name)
                         .Case("uint8", 0)
                         .Case("int8", 1)
                         .Cases("int16", "short", 2)
                         .Cases("int32", "int", 3)
                         .Cases("int64", "long", 4)
                         .Cases("float16", "half", 5)
                         .Cases("float32", "float", 6)
                         .Cases("float64", "double", 7)
                         .Case("complex32", 8)
                         .Cases("complex64", "cfloat", 9)
                         .Cases("complex128", "cdouble", 10)
                         .Case("bool", 11)
                         .Case("bfloat16", 15)
                         .Default(-1);
  return number < 0 ? std::nullopt : std::optional<std::int64_t>(number);
}

/// Modules that mean nothing but their names.
bool isModule(llvm::StringRef path) {
  return llvm::StringSwitch<bool>(path)
      .Cases("torch", "torch.jit", "torch.futures", "torch.nn", "torch.nn.functional", true)
      .Cases("torch._C", "torch.ops", "torch.ops.aten", "torch.ops.prim", "math", "typing", true)
      .Case("torch.ops.tine", true)
      .Cases("torch.linalg", "torch.special", "torch.fft", "torch.classes", true)
      .Default(false);
}

} // namespace

Compiler::Compiler(const Sources& sources, std::shared_ptr<const OpSet> ops,
                   std::shared_ptr<Context> context)
    : sources_(sources), ops_(std::move(ops)), context_(std::move(context)) {
  constants_["math.pi"] = IValue(3.141592653589793);
  constants_["math.e"] = IValue(2.718281828459045);
  constants_["math.tau"] = IValue(6.283185307179586);
  constants_["math.inf"] = constants_["torch.inf"] =
      IValue(std::numeric_limits<double>::infinity());
  constants_["math.nan"] = constants_["torch.nan"] =
      IValue(std::numeric_limits<double>::quiet_NaN());
  constants_["inf"] = constants_["math.inf"]; // as serialised code has them
  constants_["nan"] = constants_["math.nan"];
  constants_["torch.pi"] = constants_["math.pi"];
  constants_["torch.e"] = constants_["math.e"];
  for (llvm::StringRef name :
       {"uint8",     "int8",      "int16",  "short",      "int32",   "int",     "int64",
        "long",      "float16",   "half",   "float32",    "float",   "float64", "double",
        "complex32", "complex64", "cfloat", "complex128", "cdouble", "bool",    "bfloat16"})
    constants_["torch." + name.str()] = IValue(*dtypeNumber(name));
  constants_["torch.strided"] = IValue(std::int64_t(0));
  constants_["torch.contiguous_format"] = IValue(std::int64_t(0));
  constants_["torch.preserve_format"] = IValue(std::int64_t(1));
  constants_["torch.channels_last"] = IValue(std::int64_t(2));
  for (std::size_t i = 0; i < sources.constants.size(); ++i)
    constants_["CONSTANTS.c" + std::to_string(i)] = sources.constants[i];
  describing_ = true; // when all is known
  for (const MadeClass& made : sources.classes) addClass(made);
  for (Module* module : sources.files) addFile(*module, nullptr);
  describing_ = false;
  describeAll();
}

// ---- errors -------------------------------------------------------------------------------------

void Compiler::report(Error error) {
  for (const Error& known : errors_) // of a body that is compiled more than once
    if (known.message == error.message && known.place.str() == error.place.str()) return;
  if (errors_.size() < kMaxErrors) errors_.push_back(std::move(error));
}

void Compiler::report(Range range, std::string message, const char* kind) {
  report(Error(kind, std::move(message), module().source.place(range)));
}

void Compiler::fail(Range range, std::string message, const char* kind) {
  report(range, std::move(message), kind);
  throw Stop();
}

Location Compiler::location(Range range) {
  const auto [line, column] = module().source.lineColumn(range.begin);
  Location location;
  location.file = file_->name;
  location.line = line;
  location.column = column & 0x7FFFFFFF;
  return location;
}

/// The name that is a letter or two away.
std::string Compiler::nearest(llvm::StringRef word, llvm::ArrayRef<std::string> names) {
  llvm::StringRef best;
  if (word.empty()) return "";
  unsigned distance = word.size() < 3 ? 1 : word.size() < 4 ? 2 : 3; // exclusive
  for (llvm::StringRef name : names) {
    if (name.empty() || name.starts_with("$")) continue;
    const unsigned edits = word.edit_distance_insensitive(name, true, distance);
    const auto alike = [&](llvm::StringRef other) { // of equally near ones
      return 2 * (other.front() == word.front()) + (other.size() == word.size());
    };
    const bool nearer =
        edits < distance || (edits == distance && !best.empty() && alike(name) > alike(best));
    if (nearer) best = name, distance = edits;
  }
  return best.empty() ? "" : ", did you mean '" + best.str() + "'?";
}

std::string Compiler::near(llvm::StringRef name, llvm::ArrayRef<std::string> others) const {
  std::vector<std::string> names(others.begin(), others.end());
  for (const auto& entry : file_->functions) names.push_back(entry.getKey().str());
  for (const auto& [known, value] : constants_)
    if (!llvm::StringRef(known).contains('.')) names.push_back(known);
  for (const auto& [known, value] : file_->constants) names.push_back(known);
  for (const auto& entry : file_->imported) names.push_back(entry.getKey().str());
  for (llvm::StringRef known : kSpecials) names.push_back(known.str());
  for (const char* known : {"len", "min", "max", "abs", "sum", "round", "sorted", "int", "float",
                            "bool", "str", "torch", "math", "pow", "ord", "chr"})
    names.push_back(known);
  return nearest(name, names);
}

std::string Compiler::nearMember(llvm::StringRef path, llvm::StringRef name) const {
  std::vector<std::string> names;
  if (path == "torch" || path == "math")
    for (const OpInfo* op : ops_->all())
      if (llvm::StringRef(op->schema.name).starts_with("aten::"))
        names.push_back(op->schema.name.substr(6));
  if (llvm::StringRef space = path; space.consume_front("torch.ops."))
    for (const OpInfo* op : ops_->all())
      if (llvm::StringRef kind = op->schema.name; kind.consume_front(space.str() + "::"))
        names.push_back(kind.str());
  if (path == "torch.jit") names = {"fork", "wait", "annotate", "script", "ignore"};
  if (path == "torch.futures") names = {"collect_all", "wait_all", "wait_any"};
  if (const File* file = fileOf_.lookup(path)) {
    for (const auto& entry : file->functions) names.push_back(entry.getKey().str());
    for (const auto& entry : file->imported) names.push_back(entry.getKey().str());
  }
  for (const auto& native : ops_->classes().all())
    for (llvm::StringRef rest :
         {llvm::StringRef(native->name()), llvm::StringRef(native->name()).split('.').second})
      if (rest.consume_front(path.str() + ".")) names.push_back(rest.str());
  for (const auto& [known, value] : constants_)
    if (auto rest = llvm::StringRef(known); rest.consume_front(path.str() + "."))
      names.push_back(rest.str());
  return nearest(name, names);
}

std::string Emitter::nearMethod(const Type* type, llvm::StringRef name) {
  std::vector<std::string> names = propertiesOf(type);
  const char* meant = llvm::StringSwitch<const char*>(name) // as other languages call it
                          .Cases("push", "push_back", "add", "append")
                          .Cases("result", "get", "join", "wait")
                          .Default(nullptr);
  const bool has = meant && (hasMethod(std::string("aten::") + meant, type));
  if (has) return std::string(", did you mean '") + meant + "'?";
  for (const OpInfo* op : compiler_.ops().all()) {
    llvm::StringRef kind = op->schema.name;
    if (!kind.consume_front("aten::") || kind.starts_with("__")) continue;
    if (name.size() + 2 < kind.size() || kind.size() + 2 < name.size()) continue;
    if (name.edit_distance(kind, true, 2) <= 2 && hasMethod(op->schema.name, type))
      names.push_back(kind.str());
  }
  return Compiler::nearest(name, names);
}

// ---- names --------------------------------------------------------------------------------------

void Compiler::addFunction(const FunctionDef& def) {
  if (file_->owner) return addMethod(*file_->owner, def);
  auto function = std::make_unique<Function>();
  const std::string name = def.name.text.str();
  function->name = names_.contains(name) ? module().prefix + name : name;
  function->file = file_;
  function->def = &def;
  if (!file_->functions.try_emplace(name, function.get()).second)
    return report(def.name.range, "there is a function '" + name + "' already");
  names_[function->name] = function.get();
  functions_.push_back(std::move(function));
}

void Compiler::define(const Stmt* stmt) {
  switch (stmt->kind) {
  case StmtKind::FunctionDef:
    return addFunction(*llvm::cast<FunctionDef>(stmt));
  case StmtKind::Import:
    return import(*llvm::cast<Import>(stmt));
  case StmtKind::Assign: {
    auto* assign = llvm::cast<Assign>(stmt);
    if (!assign->value) return;
    const Type* wanted = nullptr;
    for (const Expr* target : assign->targets) {
      auto* name = llvm::dyn_cast<Name>(target);
      auto value = name ? constantOf(assign->value, wanted) : std::nullopt;
      if (!value)
        fail(stmt->range, "outside of functions only constants have names",
             error_kind::Unsupported);
      file_->constants[name->name.str()] = *std::move(value);
    }
    return;
  }
  case StmtKind::ExprStmt:
    if (llvm::isa<String>(llvm::cast<ExprStmt>(stmt)->value)) return; // what a file says of itself
    break;
  case StmtKind::Pass:
    return;
  case StmtKind::ClassDef:
    return defineClass(*llvm::cast<ClassDef>(stmt));
  case StmtKind::If: // what Python runs of a file that is its program
    if (auto* compare = llvm::dyn_cast<Compare>(llvm::cast<If>(stmt)->condition))
      if (auto* name = llvm::dyn_cast<Name>(compare->first); name && name->name == "__name__")
        return;
    break;
  case StmtKind::AugAssign:
  case StmtKind::While:
  case StmtKind::For:
  case StmtKind::Break:
  case StmtKind::Continue:
  case StmtKind::Return:
  case StmtKind::Assert:
  case StmtKind::Raise:
  case StmtKind::Delete:
  case StmtKind::With:
  case StmtKind::Try:
    break;
  }
  if (!module().errors.empty()) throw Stop(); // a wrong indent may have put it here
  misplaced(stmt, "a function, class, constant or import");
}

/// Names that the module typing has, and that mean something here.
void Compiler::checkTyping(const Identifier& name) {
  static const std::vector<std::string> kNames = {
      "Any",      "AnyStr",   "Callable", "ClassVar",     "Dict",    "Final",      "Generic",
      "Iterable", "Iterator", "List",     "Literal",      "Mapping", "NamedTuple", "NoReturn",
      "Optional", "Sequence", "Set",      "Tuple",        "Type",    "TypeVar",    "Union",
      "cast",     "overload", "*",        "TYPE_CHECKING"};
  if (!llvm::is_contained(kNames, name.text))
    fail(name.range, "typing has no '" + name.text.str() + "'" + nearest(name.text, kNames));
}

void Compiler::import(const Import& import) {
  for (const Import::Item& item : import.items) {
    const bool from = !import.module.text.empty();
    if (!from) {
      llvm::StringRef path = item.name.text;
      if (path.split('.').first == "__torch__") continue; // a name of itself
      if (!isModule(path) && path != "enum")
        fail(item.name.range,
             "there is no module '" + path.str() +
                 "'; torch, typing, math and enum can be imported",
             error_kind::Unsupported);
      llvm::StringRef as = item.as.text;
      if (as.empty()) as = path = path.split('.').first;
      file_->imported[as] = Meaning::of(Meaning::Module, path.str());
      continue;
    }
    llvm::StringRef as = item.as.text.empty() ? item.name.text : item.as.text;
    llvm::StringRef path = import.module.text;
    if (path == "typing" || path == "enum" || path == "__future__" || path == "collections") {
      if (path == "typing") checkTyping(item.name);
      if (as != item.name.text)
        if (const Type* type = simpleType(item.name.text)) {
          Meaning meaning = Meaning::of(Meaning::Type);
          meaning.type = type;
          file_->imported[as] = meaning;
        }
      continue;
    }
    if (!isModule(path))
      fail(import.module.range, "there is no module '" + path.str() + "'", error_kind::Unsupported);
    if (item.name.text == "*") continue;
    const std::string whole = path.str() + "." + item.name.text.str();
    if (const IValue* found = constant(whole)) {
      file_->constants[as.str()] = *found;
      continue;
    }
    Meaning meaning =
        isModule(whole) ? Meaning::of(Meaning::Module, whole) : member(path, item.name.text);
    if (meaning.kind == Meaning::None)
      fail(item.name.range, "'" + path.str() + "' has no '" + item.name.text.str() + "'" +
                                nearMember(path, item.name.text));
    file_->imported[as] = std::move(meaning);
  }
}

const IValue* Compiler::constant(llvm::StringRef name) const {
  auto own = file_->constants.find(name);
  if (own != file_->constants.end()) return &own->second;
  const llvm::StringRef root = name.split('.').first;
  if (file_->functions.contains(root)) return nullptr;
  if (root == name && file_->imported.contains(name)) return nullptr;
  auto found = constants_.find(name);
  return found == constants_.end() ? nullptr : &found->second;
}

Meaning Compiler::global(llvm::StringRef name) {
  if (auto found = file_->functions.find(name); found != file_->functions.end()) {
    Meaning meaning = Meaning::of(Meaning::Function, name.str());
    meaning.function = found->second;
    return meaning;
  }
  if (auto found = file_->imported.find(name); found != file_->imported.end()) return found->second;
  if (const char* kind = builtinFunction(name)) return Meaning::of(Meaning::Builtin, kind);
  if (const Type* type = castType(name)) {
    Meaning meaning = Meaning::of(Meaning::Cast, castKind(name));
    meaning.type = type;
    return meaning;
  }
  if (llvm::is_contained(kSpecials, name)) return Meaning::of(Meaning::Special, name.str());
  if (llvm::is_contained(kExceptions, name)) return Meaning::of(Meaning::Exception, name.str());
  if (name == "torch" || name == "math") return Meaning::of(Meaning::Module, name.str());
  // As serialised code has them.
  if (name == "__torch__" || name == "CONSTANTS") return Meaning::of(Meaning::Module, name.str());
  if (name == "ops") return Meaning::of(Meaning::Module, "torch.ops");
  if (name == "fork" || name == "annotate" || name == "unchecked_cast" || name == "uninitialized")
    return Meaning::of(Meaning::Special, name.str());
  if (name == "wait") return Meaning::of(Meaning::Builtin, "aten::wait");
  if (const Type* type = simpleType(name)) {
    Meaning meaning = Meaning::of(Meaning::Type);
    meaning.type = type;
    return meaning;
  }
  return {};
}

Meaning Compiler::member(llvm::StringRef path, llvm::StringRef name) {
  const std::string whole = path.str() + "." + name.str();
  if (path == "__torch__" || path.starts_with("__torch__.")) {
    Meaning found = qualified(path, name);
    return found.kind == Meaning::None ? Meaning::of(Meaning::Module, whole) : found;
  }
  if (path == "torch.classes") return Meaning::of(Meaning::Module, whole);
  if (path.starts_with("torch.classes.")) return qualified("__torch__." + path.str(), name);
  if (isModule(whole) || (path == "torch.ops" && hasSpace(name)))
    return Meaning::of(Meaning::Module, whole);
  if (path == "torch.jit") {
    if (name == "fork" || name == "_fork") return Meaning::of(Meaning::Special, "fork");
    if (name == "wait" || name == "_wait") return Meaning::of(Meaning::Builtin, "aten::wait");
    if (name == "annotate") return Meaning::of(Meaning::Special, "annotate");
    if (name == "isinstance") return Meaning::of(Meaning::Special, "isinstance");
    if (name == "is_scripting") return Meaning::of(Meaning::Special, name.str());
    if (name == "Future") return typeMeaning("Future");
    if (name == "_unwrap_optional") return Meaning::of(Meaning::Special, name.str());
    if (name == "script" || name == "export" || name == "ignore" || name == "unused" ||
        name == "is_scripting" || name == "Final")
      return Meaning::of(Meaning::Special, name.str());
    return {};
  }
  if (path == "torch.futures") {
    if (name == "collect_all" || name == "wait_all" || name == "wait_any")
      return Meaning::of(Meaning::Special, name.str());
    if (name == "Future") return typeMeaning("Future");
    return {};
  }
  if (path == "typing") return typeMeaning(name);
  if (whole == "math.remainder") return Meaning::of(Meaning::Builtin, "aten::mathremainder");
  if (path == "torch" && (name == "Tensor" || name == "device" || name == "Future"))
    if (name != "device") return typeMeaning(name);
  if (path == "torch" && (name == "no_grad" || name == "enable_grad" || name == "inference_mode" ||
                          name == "set_grad_enabled"))
    return Meaning::of(Meaning::Special, name.str());
  llvm::StringRef space = path;
  const std::string kind =
      (space.consume_front("torch.ops.") ? space.str() : "aten") + "::" + name.str();
  if (!overloads(kind).empty()) return Meaning::of(Meaning::Builtin, kind);
  return {};
}

/// Does an operator's name begin with `space::`?
bool Compiler::hasSpace(llvm::StringRef space) const {
  return llvm::any_of(ops_->all(), [&](const OpInfo* op) {
    llvm::StringRef name = op->schema.name;
    return name.consume_front(space) && name.starts_with("::");
  });
}

Meaning Compiler::typeMeaning(llvm::StringRef name) {
  Meaning meaning = Meaning::of(Meaning::Type, name.str());
  meaning.type = simpleType(name);
  return meaning.type ? meaning : Meaning();
}

namespace {
constexpr const char* kOverloads[] = {
#include "frontend/script/overloads.def"
};
} // namespace

llvm::ArrayRef<Overload> Compiler::overloads(llvm::StringRef name) {
  auto [entry, fresh] = overloads_.try_emplace(name);
  std::vector<Overload>& list = entry->second;
  if (!fresh) return list;
  const auto add = [&](Schema schema, const OpInfo* op) {
    for (Argument& argument : schema.arguments)
      argument.type = withInts(*context_, copyType(*context_, argument.type));
    for (Argument& result : schema.results)
      result.type = withInts(*context_, copyType(*context_, result.type));
    list.push_back({std::move(schema), op});
  };
  const auto addTexts = [&](llvm::ArrayRef<const char*> texts) {
    for (llvm::StringRef text : texts) {
      if (!text.starts_with(name) || (text[name.size()] != '(' && text[name.size()] != '.'))
        continue;
      if (auto schema = parseSchema(*context_, text))
        add(*schema, ops_->find(name, schema->overload));
    }
  };
  addTexts(kOverloads);
  if (list.empty()) addTexts(kMoreSchemas);
  for (const OpInfo* op : ops_->find(name))
    if (llvm::none_of(list, [&](const Overload& known) { return known.op == op; }))
      add(op->schema, op);
  return list;
}

// ---- functions ----------------------------------------------------------------------------------

void Compiler::signatureOf(Function& function) {
  const At at(*this, function.file);
  Schema& schema = function.schema;
  schema.name = function.def->name.text.str();
  if (function.owner && schema.name == "__init__") schema.name = function.owner->name;
  bool wrong = false;
  const Parameter* self = nullptr;
  if (function.owner && !function.isStatic) {
    self = function.def->parameters.begin();
    if (function.def->parameters.empty()) {
      report(function.def->name.range, "a method has the object as its first parameter: self");
      wrong = true;
    }
  }
  for (const Parameter& parameter : function.def->parameters) {
    try {
      if (parameter.form != Parameter::Plain)
        fail(parameter.name.range, "'*' before a parameter is not part of TorchScript",
             error_kind::Unsupported);
      Argument argument;
      argument.name = parameter.name.text.str();
      argument.keywordOnly = parameter.keywordOnly;
      argument.type = parameter.type       ? type(parameter.type)
                      : &parameter == self ? function.owner->type
                                           : Type::tensorType();
      if (parameter.defaultValue) {
        argument.defaultValue = constantOf(parameter.defaultValue, argument.type);
        if (!argument.defaultValue)
          fail(parameter.defaultValue->range, "a default must be a constant",
               error_kind::Unsupported);
        const Type* given = tine::typeOf(*context_, *argument.defaultValue);
        const bool isEmpty =
            argument.defaultValue->isList() && argument.defaultValue->toList().items.empty();
        if (!isEmpty && !isSubtype(given, argument.type) && !isTensor(argument.type))
          fail(parameter.defaultValue->range, "'" + argument.name + "' is declared as " +
                                                  spelled(argument.type) + ", " + spelled(given) +
                                                  " does not fit");
      }
      schema.arguments.push_back(std::move(argument));
    } catch (const Stop&) {
      wrong = true;
    }
  }
  if (function.def->result) {
    try {
      Argument result;
      result.type = type(function.def->result);
      schema.results.push_back(std::move(result));
    } catch (const Stop&) {
      wrong = true;
    }
  } else if (self && function.def->name.text == "__init__") {
    Argument result;
    result.type = Type::noneType();
    schema.results.push_back(std::move(result));
  }
  function.state = wrong ? Function::Failed : Function::Known;
}

const Schema& Compiler::signature(Function& function, Range use) {
  if (function.state == Function::New) signatureOf(function);
  if (function.state == Function::Known && function.schema.results.empty()) {
    if (depth_ >= kMaxChain)
      fail(use,
           "more than " + std::to_string(kMaxChain) +
               " functions wait for each other's results; give '" + function.def->name.text.str() +
               "' a result type",
           error_kind::Unsupported);
    ++depth_;
    compile(function);
    --depth_;
  }
  if (function.state == Function::Failed) throw Stop();
  if (function.schema.results.empty())
    fail(use, "'" + function.def->name.text.str() +
                  "' leads to itself, and so needs a result type: def " +
                  function.def->name.text.str() + "(...) -> ...");
  return function.schema;
}

void Compiler::compile(Function& function) {
  if (function.state == Function::New) signatureOf(function);
  if (function.state != Function::Known) return;
  const At at(*this, function.file);
  if (!function.def->isWhole) {
    function.state = function.schema.results.empty() ? Function::Failed : Function::Done;
    return;
  }
  if (!function.owner)
    for (const Expr* decorator : function.def->decorators) checkDecorator(decorator);
  function.state = Function::Running;
  function.graph = std::make_unique<Graph>(context_);
  const std::size_t before = errors_.size();
  Emitter emitter(*this, function);
  try {
    emitter.run();
  } catch (const Stop&) {
  }
  if (errors_.size() != before || failed()) {
    function.state = errors_.size() != before ? Function::Failed : Function::Done;
    if (function.schema.results.empty()) {
      if (const Type* merged = emitter.resultType()) {
        Argument result;
        result.type = merged;
        function.schema.results.push_back(std::move(result));
      } else {
        function.state = Function::Failed;
      }
    }
    return;
  }
  if (function.schema.results.empty()) {
    Argument result;
    result.type = emitter.resultType();
    function.schema.results.push_back(std::move(result));
  }
  std::vector<NamedGraph> lifted;
  normalize(*function.graph, *ops_, function.name, lifted);
  for (NamedGraph& graph : lifted) lifted_.push_back(std::move(graph));
  function.state = Function::Done;
}

void Compiler::checkDecorator(const Expr* expr) {
  std::string path;
  const Expr* at = expr;
  if (auto* call = llvm::dyn_cast<Call>(at)) at = call->callee;
  if (auto* attribute = llvm::dyn_cast<Attribute>(at)) path = attribute->name.text.str();
  if (auto* name = llvm::dyn_cast<Name>(at)) path = name->name.str();
  if (path == "script" || path == "export" || path == "script_method" || path == "no_grad") return;
  report(expr->range, "this decorator means nothing here", error_kind::Unsupported);
}

const Type* Compiler::classType(const Expr* expr) {
  struct Restore {
    bool& flag;
    ~Restore() { flag = false; }
  } restore{bareLists_};
  bareLists_ = true;
  return type(expr);
}

// ---- constants ----------------------------------------------------------------------------------

std::optional<IValue> Compiler::constantOf(const Expr* expr, const Type* wanted) {
  const bool wantsFloat = wanted && withoutOptional(wanted)->is(TypeKind::Float);
  if (auto* node = llvm::dyn_cast<Number>(expr)) {
    if (auto* integer = std::get_if<std::int64_t>(&node->value)) {
      if (wantsFloat) return IValue(static_cast<double>(*integer));
      return IValue(*integer);
    }
    if (auto* real = std::get_if<double>(&node->value)) return IValue(*real);
    return IValue(std::get<std::complex<double>>(node->value));
  }
  if (auto* node = llvm::dyn_cast<String>(expr)) return IValue(node->value.str());
  if (auto* node = llvm::dyn_cast<Constant>(expr)) {
    if (node->value == Constant::True) return IValue(true);
    if (node->value == Constant::False) return IValue(false);
    if (node->value == Constant::None) return IValue();
    return std::nullopt;
  }
  if (auto* node = llvm::dyn_cast<Unary>(expr); node && node->op == UnaryOp::Negative) {
    auto inside = constantOf(node->operand, wanted);
    if (!inside) return std::nullopt;
    if (inside->isInt())
      return IValue(static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(inside->toInt())));
    if (inside->isDouble()) return IValue(-inside->toDouble());
    return std::nullopt;
  }
  if (auto* node = llvm::dyn_cast<Name>(expr)) {
    const IValue* value = constant(node->name);
    return value ? std::optional<IValue>(*value) : std::nullopt;
  }
  if (auto* node = llvm::dyn_cast<Attribute>(expr)) {
    const IValue* value = constant(pathOf(node));
    return value ? std::optional<IValue>(*value) : std::nullopt;
  }
  const auto items = [&](Exprs list, const Type* element) -> std::optional<std::vector<IValue>> {
    std::vector<IValue> out;
    for (const Expr* item : list) {
      auto value = constantOf(item, element);
      if (!value) return std::nullopt;
      out.push_back(*std::move(value));
    }
    return out;
  };
  if (auto* node = llvm::dyn_cast<List>(expr)) {
    const Type* list = wanted ? withoutOptional(wanted) : nullptr;
    auto values = items(node->items, list && list->is(TypeKind::List) ? list->element() : nullptr);
    return values ? std::optional(IValue::list(*std::move(values))) : std::nullopt;
  }
  if (auto* node = llvm::dyn_cast<Tuple>(expr)) {
    auto values = items(node->items, nullptr);
    return values ? std::optional(IValue::tuple(*std::move(values))) : std::nullopt;
  }
  if (auto* node = llvm::dyn_cast<Call>(expr);
      node && node->arguments.size() == 1 && node->keywords.empty()) {
    auto* callee = llvm::dyn_cast<Name>(node->callee);
    auto* text = llvm::dyn_cast<String>(node->arguments[0]);
    if (callee && text && callee->name == "float") {
      if (text->value == "inf") return IValue(std::numeric_limits<double>::infinity());
      if (text->value == "-inf") return IValue(-std::numeric_limits<double>::infinity());
      if (text->value == "nan") return IValue(std::numeric_limits<double>::quiet_NaN());
    }
  }
  return std::nullopt;
}

/// `torch.float32` of such an attribute, with imports seen through; empty when it is no such path.
std::string Compiler::pathOf(const Attribute* attribute) const {
  std::string path = attribute->name.text.str();
  const Expr* at = attribute->object;
  while (auto* outer = llvm::dyn_cast<Attribute>(at)) {
    path = outer->name.text.str() + "." + path;
    at = outer->object;
  }
  auto* root = llvm::dyn_cast<Name>(at);
  if (!root) return "";
  std::string name = root->name.str();
  if (auto found = file_->imported.find(root->name);
      found != file_->imported.end() && found->second.kind == Meaning::Module)
    name = found->second.name;
  return name + "." + path;
}

} // namespace tine::script
