#include "frontend/script/classes.h"

#include "frontend/script/compiler.h"
#include "frontend/script/types.h"
#include "ir/builder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace tine::script {
namespace {

/// The last word of a dotted name: `NamedTuple` of `typing.NamedTuple`.
llvm::StringRef lastWord(const Expr* expr) {
  if (auto* call = llvm::dyn_cast<Call>(expr)) expr = call->callee;
  if (auto* name = llvm::dyn_cast<Name>(expr)) return name->name;
  if (auto* attribute = llvm::dyn_cast<Attribute>(expr)) return attribute->name.text;
  return {};
}

bool isInterface(const ClassDef& def) {
  return llvm::any_of(def.decorators,
                      [](const Expr* expr) { return lastWord(expr) == "interface"; });
}

/// What a method is, by its decorators.
enum class MethodKind : std::uint8_t { Plain, Static, Getter, Setter, Ignored, Unknown };

MethodKind methodKind(const FunctionDef& def, const Expr*& blame) {
  MethodKind kind = MethodKind::Plain;
  for (const Expr* decorator : def.decorators) {
    const MethodKind found = llvm::StringSwitch<MethodKind>(lastWord(decorator))
                                 .Case("staticmethod", MethodKind::Static)
                                 .Case("property", MethodKind::Getter)
                                 .Case("setter", MethodKind::Setter)
                                 .Cases("ignore", "unused", MethodKind::Ignored)
                                 .Cases("export", "script_method", "no_grad", MethodKind::Plain)
                                 .Default(MethodKind::Unknown);
    if (found != MethodKind::Plain) kind = found;
    if (found == MethodKind::Unknown) blame = decorator;
  }
  return kind;
}

/// Names that a class may set for Python's sake.
bool isPythons(llvm::StringRef name) {
  return name.size() > 4 && name.starts_with("__") && name.ends_with("__");
}

/// How TorchScript prints a default in the type: strings without quotes.
std::string defaultText(const IValue& value) {
  return "=" + (value.isString() ? value.toStringRef().str() : value.str());
}

IValue enumMember(const std::shared_ptr<const ClassLayout>& layout, llvm::StringRef name,
                  IValue value) {
  auto object = makeRef<tine::Object>();
  object->layout = layout;
  object->slots.push_back(IValue(name.str()));
  object->slots.push_back(std::move(value));
  return IValue(std::move(object));
}

} // namespace

std::vector<std::string> ClassInfo::members() const {
  std::vector<std::string> names;
  for (const Field& field : fields) names.push_back(field.name);
  for (const auto& entry : methods) {
    llvm::StringRef word = entry.getKey();
    if (word.starts_with("__") && word.ends_with("_getter")) word = word.drop_front(2).drop_back(7);
    if (!word.starts_with("__")) names.push_back(word.str());
  }
  return names;
}

// ---- definitions --------------------------------------------------------------------------------

void Compiler::defineClass(const ClassDef& def) {
  const std::string name = def.name.text.str();
  if (file_->owner)
    fail(def.name.range, "a class has no place among the methods of " + file_->owner->name,
         error_kind::Unsupported);
  if (file_->imported.contains(name) || file_->functions.contains(name))
    fail(def.name.range, "there is a '" + name + "' already");
  auto info = std::make_unique<ClassInfo>();
  info->name = name;
  info->qualified = module().prefix + name;
  info->file = file_;
  info->def = &def;
  file_->imported[name] = Meaning::of(Meaning::Poison); // until it is known what it is
  if (!def.isWhole) return;
  if (isInterface(def)) {
    info->kind = ClassInfo::Interface;
  } else {
    for (const Expr* base : def.bases) {
      llvm::StringRef word = lastWord(base);
      if (word == "NamedTuple") {
        info->kind = ClassInfo::NamedTuple;
      } else if (word == "Enum") {
        info->kind = ClassInfo::Enum;
      } else if (llvm::isa<Name>(base) && global(word).kind == Meaning::Exception) {
        return defineException(def, word);
      } else if (auto found = file_->imported.find(word);
                 found != file_->imported.end() && found->second.kind == Meaning::Class) {
        fail(base->range, "a class that derives from another one is not part of TorchScript",
             error_kind::Unsupported);
      } else if (word == "Interface") { // as archives have it
        info->kind = ClassInfo::Interface;
      } else if (word == "Module" || word == "ScriptModule") {
        info->isModule = true;
      } else if (word != "object") {
        if (llvm::isa<Name>(base) && global(word).kind == Meaning::None)
          fail(base->range, "undefined name '" + word.str() + "'" + near(word));
        fail(base->range, "this is no class that a class can derive from", error_kind::Unsupported);
      }
    }
  }
  const std::string& qualified = info->qualified;
  switch (info->kind) {
  case ClassInfo::Object:
    info->type = tine::classOf(*context_, qualified);
    break;
  case ClassInfo::Enum:
    info->type = enumOf(*context_, qualified);
    break;
  case ClassInfo::Interface:
    info->type = interfaceOf(*context_, name);
    break;
  case ClassInfo::NamedTuple: // when its fields are known
    break;
  }
  if (info->type) classOf_[info->type] = info.get();
  Meaning meaning = Meaning::of(Meaning::Class, name);
  meaning.type = info->type;
  meaning.klass = info.get();
  file_->imported[name] = std::move(meaning);
  classes_.push_back(std::move(info));
}

/// `class Broken(ValueError): pass`
void Compiler::defineException(const ClassDef& def, llvm::StringRef base) {
  if (def.bases.size() != 1)
    fail(def.bases[1]->range, "an exception derives from one other", error_kind::Unsupported);
  const std::string name = def.name.text.str();
  exceptions_.emplace_back(name, base.str());
  Meaning meaning = Meaning::of(Meaning::Exception, name);
  file_->imported[name] = std::move(meaning);
  for (const Stmt* stmt : def.body) {
    auto* expr = llvm::dyn_cast<ExprStmt>(stmt);
    if (llvm::isa<Pass>(stmt) || (expr && llvm::isa<String>(expr->value)) ||
        (expr && llvm::isa<Constant>(expr->value)))
      continue;
    fail(stmt->range, "an exception has a name and a message alone", error_kind::Unsupported);
  }
}

std::vector<std::string> Compiler::kindsOf(llvm::StringRef kind) const {
  std::vector<std::string> kinds{kind.str()};
  for (const auto& [name, base] : exceptions_) // a base comes before what derives from it
    if (llvm::is_contained(kinds, base)) kinds.push_back(name);
  return kinds;
}

void Compiler::misplaced(const Stmt* stmt, const char* wanted) {
  llvm::StringRef text = module().source.text(stmt->range);
  const std::size_t end = text.find_if_not([](char c) { return std::isalnum(c) || c == '_'; });
  text = text.take_front(std::max<std::size_t>(end, 1));
  const auto size = static_cast<std::uint32_t>(text.size());
  fail({stmt->range.begin, stmt->range.begin + size},
       std::string("expected ") + wanted + ", found '" + text.str() + "'", error_kind::Syntax);
}

/// What a class has; the bodies of its methods later.
void Compiler::describe(ClassInfo& info) {
  if (!info.def) return;
  const At at(*this, info.file);
  for (const Expr* decorator : info.def->decorators)
    if (lastWord(decorator) != "script" && lastWord(decorator) != "interface")
      report(decorator->range, "this decorator means nothing here", error_kind::Unsupported);
  if (info.kind == ClassInfo::NamedTuple) {
    try {
      namedTupleType(info);
    } catch (const Stop&) {
    }
    return;
  }
  for (const Stmt* stmt : info.def->body) {
    try {
      if (auto* expr = llvm::dyn_cast<ExprStmt>(stmt);
          llvm::isa<Pass>(stmt) ||
          (expr && (llvm::isa<String>(expr->value) || llvm::isa<Constant>(expr->value))))
        continue; // what a class says of itself
      if (info.kind == ClassInfo::Enum)
        describeEnum(info, stmt);
      else
        describeObject(info, stmt);
    } catch (const Stop&) {
    }
  }
  if (info.kind == ClassInfo::Enum && info.fields.empty() && !failed())
    report(info.def->name.range, "an enum without members");
}

void Compiler::describeObject(ClassInfo& info, const Stmt* stmt) {
  if (auto* def = llvm::dyn_cast<FunctionDef>(stmt)) return addMethod(info, *def);
  auto* assign = llvm::dyn_cast<Assign>(stmt);
  if (!assign || info.kind == ClassInfo::Interface)
    misplaced(stmt, info.kind == ClassInfo::Interface ? "a method" : "a method or a field");
  declareField(info, *assign);
}

/// `x: int`, `limit: Final[int] = 3`, and as archives have it `__annotations__["0"] = Tensor`.
void Compiler::declareField(ClassInfo& info, const Assign& assign) {
  const Expr* target = assign.targets[0];
  ClassInfo::Field field;
  field.range = target->range;
  if (auto* item = llvm::dyn_cast<Subscript>(target);
      item && lastWord(item->object) == "__annotations__" && item->indices.size() == 1 &&
      assign.targets.size() == 1 && assign.value) {
    auto* text = llvm::dyn_cast<String>(item->indices[0]);
    if (!text) fail(item->range, "a field's name is a string");
    field.name = text->value.str();
    field.type = type(assign.value);
  } else {
    auto* name = llvm::dyn_cast<Name>(target);
    if (!name || assign.targets.size() != 1) fail(target->range, "a field is a name");
    if (isPythons(name->name)) return;
    field.name = name->name.str();
    if (assign.type) field.type = type(assign.type);
    if (assign.value) {
      field.value = constantOf(assign.value, field.type);
      if (!field.value)
        fail(assign.value->range, "the value of a field in a class must be a constant",
             error_kind::Unsupported);
      if (!field.type) field.type = tine::typeOf(*context_, *field.value);
    }
  }
  if (info.field(field.name))
    fail(target->range, "'" + info.name + "' has a field '" + field.name + "' already");
  info.add(std::move(field));
}

void Compiler::addMethod(ClassInfo& info, const FunctionDef& def) {
  const Expr* blame = nullptr;
  const MethodKind kind = methodKind(def, blame);
  if (blame) fail(blame->range, "this decorator means nothing here", error_kind::Unsupported);
  if (kind == MethodKind::Ignored) return;
  auto function = std::make_unique<Function>();
  std::string name = def.name.text.str();
  if (kind == MethodKind::Getter) name = "__" + name + "_getter";
  if (kind == MethodKind::Setter) name = "__" + name + "_setter";
  function->file = file_;
  function->def = &def;
  function->owner = &info;
  function->isStatic = kind == MethodKind::Static;
  function->name = info.qualified + "." + name;
  if (function->isStatic && !names_.contains(name)) function->name = name; // as TorchScript does
  if (!info.def && info.field(name))
    fail(def.name.range, "'" + info.name + "' has an attribute '" + name + "' already");
  if (!info.methods.try_emplace(name, function.get()).second)
    fail(def.name.range, "'" + info.name + "' has a method '" + def.name.text.str() + "' already");
  if (function->isStatic) names_[function->name] = function.get();
  if (info.kind == ClassInfo::Interface) {
    signatureOf(*function);
    if (function->schema.results.empty()) {
      Argument result;
      result.type = Type::noneType();
      function->schema.results.push_back(std::move(result));
    }
    if (function->state == Function::Known) function->state = Function::Done; // there is no body
  }
  methods_.push_back(std::move(function));
}

void Compiler::describeEnum(ClassInfo& info, const Stmt* stmt) {
  auto* assign = llvm::dyn_cast<Assign>(stmt);
  if (!assign) misplaced(stmt, "a member");
  auto* name = llvm::dyn_cast<Name>(assign->targets[0]);
  if (!name || assign->targets.size() != 1) fail(assign->range, "a member is a name with a value");
  if (isPythons(name->name)) return;
  auto value = assign->value ? constantOf(assign->value) : std::nullopt;
  if (!value) fail(stmt->range, "the value of a member must be a constant");
  const Type* type = tine::typeOf(*context_, *value);
  if (!type->is(TypeKind::Int) && !type->is(TypeKind::Float) && !type->is(TypeKind::Str))
    fail(assign->value->range,
         "the values of an enum are ints, floats or strings, not " + spelled(type));
  ClassInfo::Field field;
  field.name = name->name.str();
  field.type = type;
  field.range = name->range;
  if (info.field(field.name))
    fail(name->range, "'" + info.name + "' has a member '" + field.name + "' already");
  if (!info.fields.empty() && info.fields[0].type != type)
    fail(assign->value->range, "the members of an enum are of one type: " + info.fields[0].name +
                                   " is " + spelled(info.fields[0].type) + ", not " +
                                   spelled(type));
  std::shared_ptr<const ClassLayout> layout;
  if (info.fields.empty()) {
    auto made = std::make_shared<ClassLayout>();
    made->name = info.qualified;
    made->attributes = {"name", "value"};
    made->isEnum = true;
    layout = std::move(made);
  } else {
    layout = info.fields[0].value->toObject().layout;
  }
  field.value = enumMember(layout, field.name, *std::move(value));
  info.add(std::move(field));
}

// ---- what is known of them ----------------------------------------------------------------------

const Type* Compiler::typeOf(ClassInfo& info, Range use) {
  if (info.type) return info.type;
  if (info.state == ClassInfo::Running) fail(use, "'" + info.name + "' cannot contain itself");
  if (info.state == ClassInfo::Done) throw Stop(); // it is wrong
  return namedTupleType(info);
}

const Type* Compiler::namedTupleType(ClassInfo& info) {
  if (info.type) return info.type;
  if (info.state == ClassInfo::Done) throw Stop();
  struct Nested {
    int& depth;
    ~Nested() { --depth; }
  } nested{++tupleDepth_};
  if (tupleDepth_ > 200)
    fail(info.def->name.range, "more than 200 NamedTuples contain each other",
         error_kind::Unsupported);
  info.state = ClassInfo::Running;
  const At at(*this, info.file);
  const std::size_t before = errors_.size();
  llvm::SmallVector<Symbol, 4> names, defaults;
  llvm::SmallVector<const Type*, 4> types;
  for (const Stmt* stmt : info.def->body) {
    auto* expr = llvm::dyn_cast<ExprStmt>(stmt);
    if (llvm::isa<Pass>(stmt) || (expr && llvm::isa<String>(expr->value))) continue;
    try {
      auto* assign = llvm::dyn_cast<Assign>(stmt);
      auto* name = assign && assign->type ? llvm::dyn_cast<Name>(assign->targets[0]) : nullptr;
      if (!name) misplaced(stmt, "a field with a type");
      ClassInfo::Field field;
      field.name = name->name.str();
      field.range = name->range;
      field.type = type(assign->type);
      if (info.field(field.name))
        fail(name->range, "'" + info.name + "' has a field '" + field.name + "' already");
      if (assign->value) {
        field.value = constantOf(assign->value, field.type);
        if (!field.value)
          fail(assign->value->range, "a default must be a constant", error_kind::Unsupported);
      } else if (!info.fields.empty() && info.fields.back().value) {
        fail(name->range, "a field without a default after one with a default");
      }
      names.push_back(context_->symbol(field.name));
      types.push_back(field.type);
      defaults.push_back(field.value ? context_->symbol(defaultText(*field.value)) : Symbol());
      info.add(std::move(field));
    } catch (const Stop&) {
    }
  }
  info.state = ClassInfo::Done;
  if (errors_.size() != before) throw Stop();
  if (llvm::none_of(info.fields, [](const ClassInfo::Field& field) { return !!field.value; }))
    defaults.clear();
  info.type = namedTupleOf(*context_, names, types, defaults);
  file_->imported[info.name].type = info.type;
  return info.type;
}

std::string Compiler::nameOf(const Type* type) const {
  if (type->is(TypeKind::Tuple) && !type->names().empty())
    for (const auto& info : classes_)
      if (info->type == type) return info->name;
  return spelled(type);
}

ClassInfo* Compiler::classOf(const Type* type) {
  if (ClassInfo* known = classOf_.lookup(type)) return known;
  return type->is(TypeKind::Class) ? nativeClass(type->name()) : nullptr;
}

void Compiler::complete(ClassInfo& info) {
  if (info.kind != ClassInfo::Object) return;
  Function* init = info.method("__init__");
  if (!init || depth_ >= 64) return;
  ++depth_;
  compile(*init);
  --depth_;
}

bool Compiler::implements(const Type* type, const Type* interface, std::string& why) {
  interface = withoutOptional(interface);
  type = withoutOptional(type);
  if (!interface->is(TypeKind::Interface) || !type->is(TypeKind::Class)) return true;
  ClassInfo *wanted = classOf(interface), *given = classOf(type);
  if (!wanted || !given) return true; // of another program
  for (const auto& entry : wanted->methods) {
    Function* method = given->method(entry.getKey());
    const std::string name = "'" + entry.getKey().str() + "'";
    if (!method) return why = ", which has no " + name, false;
    if (entry.getValue()->state == Function::Failed) throw Stop();
    const At at(*this, method->file);
    const Schema& a = entry.getValue()->schema;
    const Schema& b = signature(*method, method->def ? method->def->name.range : Range());
    bool fits =
        a.arguments.size() == b.arguments.size() && isSubtype(b.results[0].type, a.results[0].type);
    for (std::size_t i = 1; fits && i < a.arguments.size(); ++i)
      fits = a.arguments[i].name == b.arguments[i].name &&
             isSubtype(a.arguments[i].type, b.arguments[i].type);
    if (!fits) return why = ", whose " + name + " is another", false;
  }
  return true;
}

/// `__torch__.a.b.C`, as archives and dumps call a class; `torch.classes.a.C`, one of C++'s.
const Type* Compiler::qualifiedType(const Attribute* attribute) {
  std::string text = pathOf(attribute);
  const bool native = llvm::StringRef(text).starts_with("torch.classes.");
  if (native) text = "__torch__." + text;
  if (!llvm::StringRef(text).starts_with("__torch__.")) return nullptr;
  const auto [qualifier, name] = llvm::StringRef(text).rsplit('.');
  const Meaning found = qualified(qualifier, name);
  if (found.kind == Meaning::Poison) throw Stop();
  if (found.kind == Meaning::Class) return typeOf(*found.klass, attribute->range);
  if (native || sources_.load)
    fail(attribute->range, "there is no class '" + text + "'" + nearMember(qualifier, name));
  return tine::classOf(*context_, text);
}

} // namespace tine::script
