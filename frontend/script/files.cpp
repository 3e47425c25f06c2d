#include "frontend/script/compiler.h"
#include "frontend/script/lex.h"
#include "frontend/script/parser.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

namespace tine::script {

Result<CompilationUnit> compile(Module& module, std::shared_ptr<const OpSet> ops,
                                std::shared_ptr<Context> context) {
  Sources sources;
  sources.files.push_back(&module);
  return compile(sources, std::move(ops), std::move(context));
}

Result<CompilationUnit> compile(const Sources& sources, std::shared_ptr<const OpSet> ops,
                                std::shared_ptr<Context> context) {
  return Compiler(sources, std::move(ops), std::move(context)).run();
}

Result<CompilationUnit> Compiler::run() {
  for (llvm::StringRef name : sources_.wanted) {
    const auto [qualifier, last] = name.rsplit('.');
    if (qualified(qualifier, last).kind == Meaning::None)
      errors_.push_back(Error(error_kind::Schema, "there is no class '" + name.str() + "'" +
                                                      nearMember(qualifier, last)));
  }
  // The lists grow when a body names what has to be loaded.
  for (std::size_t function = 0, info = 0, method = 0;
       function < functions_.size() || info < classes_.size() || method < methods_.size();) {
    while (function < functions_.size()) compile(*functions_[function++]);
    while (info < classes_.size()) complete(*classes_[info++]);
    while (method < methods_.size()) compile(*methods_[method++]);
  }
  if (errors_.empty() && functions_.empty() && methods_.empty())
    errors_.push_back(
        Error(error_kind::Value,
              (sources_.files.empty() ? "the program" : sources_.files[0]->source.file()) +
                  " has no functions"));
  if (!errors_.empty()) {
    sortErrors(errors_);
    return std::move(errors_);
  }
  CompilationUnit unit(context_);
  const auto add = [&](Function& function) {
    std::vector<std::optional<IValue>> defaults;
    for (const Argument& argument : function.schema.arguments)
      defaults.push_back(argument.defaultValue);
    unit.add(function.name, std::move(function.graph), std::move(defaults));
  };
  for (const auto& function : functions_) add(*function);
  for (bool isStatic : {true, false}) // as static functions are not known by their class
    for (const auto& method : methods_)
      if (method->isStatic == isStatic && method->graph) add(*method);
  for (NamedGraph& function : lifted_) unit.add(function.name, std::move(function.graph));
  for (const auto& info : classes_)
    if (!info->isNative && info->type) unit.declare(declaration(*info));
  return unit;
}

ClassDeclaration Compiler::declaration(const ClassInfo& info) const {
  using enum ClassDeclaration::Kind;
  ClassDeclaration out;
  out.name = info.qualified;
  out.type = info.type;
  out.kind = info.kind == ClassInfo::NamedTuple  ? NamedTuple
             : info.kind == ClassInfo::Enum      ? Enum
             : info.kind == ClassInfo::Interface ? Interface
             : info.isModule                     ? Module
                                                 : Object;
  for (const ClassInfo::Field& field : info.fields) {
    auto value = field.value;
    if (value && out.kind == Enum) value = IValue(value->toObject().slots[1]);
    out.fields.push_back({field.name, field.type, std::move(value)});
  }
  if (out.kind == Interface)
    for (const auto& method : methods_)
      if (method->owner == &info) {
        out.methods.push_back(method->schema);
        out.methods.back().name = method->def->name.text.str();
      }
  return out;
}

// ---- files --------------------------------------------------------------------------------------

File& Compiler::addFile(Module& module, ClassInfo* owner) {
  files_.push_back(std::make_unique<File>());
  File& file = *files_.back();
  file.module = &module;
  file.name = context_->symbol(module.source.file());
  file.owner = owner;
  if (!owner)
    if (File*& slot = fileOf_[llvm::StringRef(module.prefix).drop_back()]; !slot) slot = &file;
  const At at(*this, &file);
  errors_.insert(errors_.end(), module.errors.begin(), module.errors.end());
  for (const std::string& name : module.lost) file.imported[name] = Meaning::of(Meaning::Poison);
  for (const Stmt* stmt : module.body) {
    try {
      define(stmt);
    } catch (const Stop&) {
    }
  }
  describeAll();
  return file;
}

/// Of the classes that are known by now. One that is being described may load others: they come
/// after it.
void Compiler::describeAll() {
  if (describing_) return;
  describing_ = true;
  while (described_ < classes_.size()) describe(*classes_[described_++]);
  describing_ = false;
}

/// The file that holds the names which begin with `qualifier`; null when there is none.
File* Compiler::fileOf(llvm::StringRef qualifier) {
  if (auto known = fileOf_.find(qualifier); known != fileOf_.end()) return known->second;
  fileOf_[qualifier] = nullptr;
  if (!sources_.load) return nullptr;
  auto loaded = sources_.load(qualifier);
  if (!loaded) {
    for (Error& error : loaded.takeErrors()) report(std::move(error));
    throw Stop();
  }
  if (!*loaded) return nullptr;
  (*loaded)->prefix = qualifier.str() + ".";
  loaded_.push_back(*std::move(loaded));
  return &addFile(*loaded_.back(), nullptr);
}

Meaning Compiler::qualified(llvm::StringRef qualifier, llvm::StringRef name) {
  if (File* file = fileOf(qualifier)) {
    if (auto found = file->imported.find(name);
        found != file->imported.end() &&
        (found->second.kind == Meaning::Class || found->second.kind == Meaning::Poison))
      return found->second;
    if (auto found = file->functions.find(name); found != file->functions.end()) {
      Meaning meaning = Meaning::of(Meaning::Function, name.str());
      meaning.function = found->second;
      return meaning;
    }
  }
  ClassInfo* native = nativeClass(qualifier.str() + "." + name.str());
  if (!native) return {};
  Meaning meaning = Meaning::of(Meaning::Class, native->name);
  meaning.type = native->type;
  meaning.klass = native;
  return meaning;
}

// ---- classes that C++ has -----------------------------------------------------------------------

void Compiler::addClass(const MadeClass& made) {
  auto info = std::make_unique<ClassInfo>();
  info->name = llvm::StringRef(made.name).rsplit('.').second.str();
  info->qualified = made.name;
  info->isModule = true;
  info->type = tine::classOf(*context_, made.name);
  for (const MadeClass::Attribute& attribute : made.attributes) {
    ClassInfo::Field field;
    field.name = attribute.name;
    field.type = attribute.type;
    info->add(std::move(field));
  }
  classOf_[info->type] = info.get();
  classes_.push_back(std::move(info));
  ClassInfo* const owner = classes_.back().get();
  for (Module* text : made.texts) addFile(*text, owner);
}

/// A class written in C++; null when none is called so.
ClassInfo* Compiler::nativeClass(llvm::StringRef name) {
  const NativeClass* native = ops_->classes().find(name);
  if (!native) return nullptr;
  const Type* type = tine::classOf(*context_, name);
  if (ClassInfo* known = classOf_.lookup(type)) return known;
  auto info = std::make_unique<ClassInfo>();
  info->name = name.rsplit('.').second.str();
  info->qualified = name.str();
  info->isNative = true;
  info->type = type;
  for (const auto& op : native->methods()) {
    auto method = std::make_unique<Function>();
    method->name = info->qualified + "." + op->schema.name;
    method->owner = info.get();
    method->schema = op->schema;
    method->state = Function::Done;
    if (op->schema.name == "__init__") method->schema.name = info->name; // in messages
    for (auto* list : {&method->schema.arguments, &method->schema.results})
      for (Argument& argument : *list) argument.type = copyType(*context_, argument.type);
    llvm::StringRef word = op->schema.name;
    const bool isProperty = word.ends_with("_getter") || word.ends_with("_setter");
    info->methods[isProperty ? "__" + word.str() : word.str()] = method.get();
    methods_.push_back(std::move(method));
  }
  classOf_[type] = info.get();
  classes_.push_back(std::move(info));
  return classes_.back().get();
}

// ---- types --------------------------------------------------------------------------------------

Result<const Type*> typeOfText(Context& context, std::string text) {
  Module module("<type>", std::move(text));
  Sources sources;
  const std::shared_ptr<Context> same(std::shared_ptr<Context>(), &context); // only for the call
  return Compiler(sources, OpSet::sharedBuiltin(), same).typeOfText(module);
}

Result<const Type*> Compiler::typeOfText(Module& module) {
  const At at(*this, &addFile(module, nullptr));
  const Range all{0, static_cast<std::uint32_t>(module.source.text().size())};
  std::vector<Error> errors;
  const Expr* parsed = Parser(module, lexPart(module.source, all, errors), errors).expression();
  if (!errors.empty()) return errors;
  const Type* found = nullptr;
  try {
    if (parsed && parsed->range.end != all.end)
      fail({parsed->range.end, all.end}, "a type ends here", error_kind::Syntax);
    if (parsed) found = type(parsed);
  } catch (const Stop&) {
  }
  if (!errors_.empty()) return errors_;
  return found;
}

} // namespace tine::script
