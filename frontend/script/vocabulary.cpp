#include "frontend/script/vocabulary.h"

#include "ir/print_parts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace tine::script {
namespace {

constexpr llvm::StringLiteral kKeywords[] = {
    "and",    "as",   "assert", "async",  "await",    "break", "class", "continue", "def",
    "del",    "elif", "else",   "except", "finally",  "for",   "from",  "global",   "if",
    "import", "in",   "is",     "lambda", "nonlocal", "not",   "or",    "pass",     "raise",
    "return", "try",  "while",  "with",   "yield",    "None",  "True",  "False"};

/// What no variable is called, either: names that serialised source uses.
constexpr llvm::StringLiteral kReserved[] = {
    "_",   "aten", "attribute", "CONSTANTS", "fork",  "getattr",   "exec",         "inf",
    "nan", "infj", "nanj",      "ops",       "print", "__torch__", "uninitialized"};

/// Functions and types that the text uses, and a variable of a file would hide.
constexpr llvm::StringLiteral kUsed[] = {
    "torch",  "int",        "float",    "bool",           "str",         "complex",
    "sorted", "isinstance", "range",    "annotate",       "Tensor",      "List",
    "Dict",   "Tuple",      "Optional", "Union",          "Any",         "Future",
    "RRef",   "number",     "Final",    "Enum",           "NamedTuple",  "Interface",
    "Module", "property",   "NoneType", "unchecked_cast", "staticmethod"};

constexpr int kMaxDepth = 200; // of values, as printValue has it

/// TorchScript writes 1e10 as an int, D-8, and has no way to write other letters than ASCII's.
bool compatLoses(const IValue& value) {
  if (value.isDouble()) return std::abs(value.toDouble()) >= 1e10;
  if (value.isString())
    return llvm::any_of(value.toStringRef(), [](char c) { return (c & 0x80) != 0; });
  if (value.isTuple()) return llvm::any_of(value.toTuple().items, compatLoses);
  return value.isList() && llvm::any_of(value.toList().items, compatLoses);
}

/// Has the text of a value of this type names of classes in it?
bool namesClasses(const Type* whole) {
  llvm::SmallVector<const Type*, 4> todo{whole};
  while (!todo.empty()) {
    const Type* type = todo.pop_back_val();
    if (type->is(TypeKind::Enum) || (type->is(TypeKind::Tuple) && !type->names().empty()))
      return true;
    todo.append(type->elements().begin(), type->elements().end());
  }
  return false;
}

} // namespace

bool Vocabulary::isReserved(llvm::StringRef word) {
  return llvm::is_contained(kKeywords, word) || llvm::is_contained(kReserved, word);
}

bool Vocabulary::isWord(llvm::StringRef text) {
  return identifier(text) == text && !llvm::is_contained(kKeywords, text);
}

std::string Vocabulary::identifier(llvm::StringRef text) {
  std::string out = text.str();
  for (char& c : out)
    if (!llvm::isAlnum(c) && c != '_') c = '_';
  if (out.empty() || llvm::isDigit(out[0])) out.insert(out.begin(), '_');
  return out;
}

std::string Vocabulary::propertyOf(llvm::StringRef method, llvm::StringRef suffix) {
  const bool is = method.consume_front("__") && method.consume_back(suffix) && isWord(method);
  return is ? method.str() : "";
}

std::string Vocabulary::fresh(llvm::StringRef base) {
  std::string name = base.str();
  for (std::uint64_t i = 0; isReserved(name) || !taken_.insert(name).second; ++i)
    name = base.str() + std::to_string(i);
  return name;
}

Vocabulary::Vocabulary(std::vector<ClassDeclaration> classes,
                       llvm::ArrayRef<const NamedGraph*> functions, const CodeOptions& options)
    : classes_(std::move(classes)), qualifier_(options.qualifier) {
  for (std::size_t i = 0; i < classes_.size(); ++i) byType_.try_emplace(classes_[i].type, i);
  for (const NamedGraph* function : functions) {
    std::vector<const Graph*> todo{function->graph.get()};
    while (!todo.empty()) {
      const Graph* graph = todo.back();
      todo.pop_back();
      graph->forEachNode([&](const Node* node) {
        if (node->op() == Builtin::Constant && node->attributes().has(Builtin::Name))
          constants_.insert(node->attributes().string(Builtin::Name));
        if (node->subgraph()) todo.push_back(node->subgraph());
      });
    }
  }
  if (!isFile()) {
    for (const ClassDeclaration& declared : classes_) names_.push_back(declared.name);
    return;
  }
  for (const NamedGraph* function : functions) // whose names callers know
    if (!methodOf(*function).owner) functions_[function->name] = fresh(identifier(function->name));
  for (const ClassDeclaration& declared : classes_)
    names_.push_back(fresh(identifier(declared.name.substr(declared.name.rfind('.') + 1))));
}

const ClassDeclaration* Vocabulary::classOf(const Type* type) const {
  const auto found = byType_.find(type);
  return found == byType_.end() ? nullptr : &classes_[found->second];
}

std::string Vocabulary::nameOf(const ClassDeclaration& declared) const {
  return names_[static_cast<std::size_t>(&declared - classes_.data())];
}

std::string Vocabulary::enumName(llvm::StringRef layout) const {
  for (const ClassDeclaration& declared : classes_)
    if (declared.kind == ClassDeclaration::Enum && declared.name == layout) return nameOf(declared);
  return layout.str();
}

Vocabulary::Method Vocabulary::methodOf(const NamedGraph& function) const {
  const auto [qualifier, name] = llvm::StringRef(function.name).rsplit('.');
  for (const ClassDeclaration& declared : classes_)
    if (declared.type->is(TypeKind::Class) && declared.name == qualifier) {
      const auto inputs = function.graph->inputs();
      const bool isStatic = constants_.contains(function.name) || inputs.empty() ||
                            inputs[0]->type() != declared.type;
      return {&declared, name.str(), isStatic};
    }
  return {};
}

std::string Vocabulary::function(llvm::StringRef name) const {
  if (!isFile()) return qualifier_ + name.str();
  if (auto known = functions_.find(name); known != functions_.end()) return known->second;
  const auto [qualifier, last] = name.rsplit('.');
  for (const ClassDeclaration& declared : classes_)
    if (declared.type->is(TypeKind::Class) && declared.name == qualifier)
      return nameOf(declared) + "." + last.str();
  return name.str();
}

std::string Vocabulary::spelled(const Type* whole) const {
  const auto hasName = [&](const Type* type) {
    return type->is(TypeKind::Interface) || type->is(TypeKind::Class) || type->is(TypeKind::Enum) ||
           (type->is(TypeKind::Tuple) && !type->names().empty());
  };
  struct Part {
    const Type* type; ///< or
    std::string text;
  };
  std::vector<Part> todo{{whole, ""}};
  std::string out;
  while (!todo.empty()) {
    const Part part = std::move(todo.back());
    todo.pop_back();
    const Type* type = part.type;
    if (!type) {
      out += part.text;
      continue;
    }
    if (const ClassDeclaration* known = hasName(type) ? classOf(type) : nullptr) {
      out += nameOf(*known);
      continue;
    }
    const char* word =
        type->is(TypeKind::List)       ? "List["
        : type->is(TypeKind::Optional) ? "Optional["
        : type->is(TypeKind::Dict)     ? "Dict["
        : type->is(TypeKind::Union)    ? "Union["
        : type->is(TypeKind::Future)   ? "Future["
        : type->is(TypeKind::RRef)     ? "RRef["
        : type->is(TypeKind::Await)    ? "Await["
        : type->is(TypeKind::Tuple) && type->names().empty() && !type->elements().empty() ? "Tuple["
                                                                                          : nullptr;
    // TorchScript says `number` for all of them.
    const bool numbers = !isFile() && type->is(TypeKind::Union) &&
                         llvm::any_of(type->elements(), [](const Type* element) {
                           return element->is(TypeKind::Number) || element->is(TypeKind::Int) ||
                                  element->is(TypeKind::Float);
                         });
    if (word && !numbers) {
      out += word;
      todo.push_back({nullptr, "]"});
      for (std::size_t i = type->elements().size(); i-- > 0;) {
        todo.push_back({type->elements()[i], ""});
        if (i) todo.push_back({nullptr, ", "});
      }
      continue;
    }
    if (type->is(TypeKind::Number)) {
      out += "number"; // a graph says Scalar
      continue;
    }
    type->printAnnotation(out);
  }
  return out;
}

/// The value as the language has it: members of enums and NamedTuples by the names of their
/// classes.
void Vocabulary::literal(std::string& out, const IValue& value, const Type* type, int depth) const {
  if (type->is(TypeKind::Optional)) type = type->element();
  if (value.isObject() && value.toObject().layout->isEnum) {
    const Object& member = value.toObject();
    out += enumName(member.layout->name) + "." + member.slots[0].toStringRef().str();
    return;
  }
  if (value.isComplex() && isFile() && value.toComplex().real() == 0 &&
      !std::signbit(value.toComplex().real()) && std::isfinite(value.toComplex().imag()) &&
      !std::signbit(value.toComplex().imag())) { // a sum, it would be computed
    appendDouble(out, value.toComplex().imag(), Style::Lossless);
    out += "j";
    return;
  }
  if (!namesClasses(type) || depth == kMaxDepth)
    return printValue(out, value, type, compatLoses(value) ? Style::Lossless : Style::Compat);
  const auto items = [&](llvm::ArrayRef<IValue> values,
                         llvm::function_ref<const Type*(std::size_t)> of) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i) out += ", ";
      literal(out, values[i], of(i), depth + 1);
    }
  };
  if (value.isTuple() && type->is(TypeKind::Tuple)) {
    if (!type->names().empty()) out += spelled(type);
    out += "(";
    items(value.toTuple().items, [&](std::size_t i) { return type->elements()[i]; });
    out += type->elements().size() == 1 ? ",)" : ")";
  } else if (value.isList() && type->is(TypeKind::List) && !value.toList().items.empty()) {
    out += "[";
    items(value.toList().items, [&](std::size_t) { return type->element(); });
    out += "]";
  } else if (value.isList() && type->is(TypeKind::List)) {
    out += "annotate(" + spelled(type) + ", [])";
  } else if (value.isDict() && type->is(TypeKind::Dict)) {
    const auto& entries = value.toDict().items;
    out += entries.empty() ? "annotate(" + spelled(type) + ", {" : "{";
    bool first = true;
    for (const auto& entry : entries) {
      if (!std::exchange(first, false)) out += ", ";
      literal(out, entry.first, type->elements()[0], depth + 1);
      out += ": ";
      literal(out, entry.second, type->elements()[1], depth + 1);
    }
    out += entries.empty() ? "})" : "}";
  } else {
    printValue(out, value, type, Style::Compat);
  }
}

} // namespace tine::script
