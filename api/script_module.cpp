#include "api/script_module.h"

#include "frontend/script/compile.h"
#include "frontend/script/compiler.h"
#include "frontend/trace/call.h"
#include "interpreter/values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tine {

namespace {
llvm::StringRef classNameOf(const IValue& object) { return object.toObject().layout->name; }

/// `there is no method 'x' of Net, did you mean 'y'?`
Error noSuch(const char* kind, const char* what, llvm::StringRef name, const IValue& object,
             const std::vector<std::string>& names) {
  const std::string near = script::Compiler::nearest(name, names);
  return Error(kind,
               classNameOf(object).rsplit('.').second.str() + " has no " + what + " '" +
                   name.str() + "'" +
                   (near.empty() && !names.empty() ? "; it has " + llvm::join(names, ", ") : near));
}
} // namespace

ScriptModule::ScriptModule(Program program, IValue object)
    : program_(std::move(program)), object_(std::move(object)) {
  TINE_CHECK_MSG(object_.isObject(), "a module is an object");
}

std::vector<std::string> ScriptModule::methodNames() const {
  std::vector<std::string> names;
  for (llvm::StringRef name : program_.functionNames())
    if (name.consume_front(classNameOf(object_)) && name.consume_front(".") && !name.contains('.'))
      names.push_back(name.str());
  return names;
}

Result<Function> ScriptModule::method(llvm::StringRef name) const {
  const std::string whole = (classNameOf(object_) + "." + name).str();
  if (program_.unit().find(whole)) return Function(program_, whole, object_);
  return noSuch(error_kind::Value, "method", name, object_, methodNames());
}

Function ScriptModule::called(const detail::Called& name) const {
  Result<Function> found = method(name.name);
  if (found) return *std::move(found);
  throw RuntimeError(Error(found.error().kind, found.error().message, placeOf(name.at)));
}

IValue ScriptModule::attribute(llvm::StringRef name) const {
  const Object& object = object_.toObject();
  const int slot = object.layout->slot(name);
  if (slot >= 0) return object.slots[static_cast<std::size_t>(slot)];
  throw RuntimeError(
      noSuch(error_kind::Attribute, "attribute", name, object_, object.layout->attributes));
}

namespace {
/// Does the type of a value say what it may become? Not of an empty list, or None.
bool isKnown(const Type* type) {
  return !type->is(TypeKind::Any) && !type->is(TypeKind::None) &&
         llvm::all_of(type->elements(), isKnown);
}

/// What the class of a part has. \errors TypeError, SyntaxError
Result<script::MadeClass> classOfPart(Context& context, const ModuleTree::Part& part) {
  script::MadeClass made;
  made.name = part.className;
  const Object& object = part.object.toObject();
  for (std::size_t i = 0; i < object.slots.size(); ++i)
    made.attributes.push_back(
        {object.layout->attributes[i], plainType(context, Operand::of(object.slots[i]))});
  for (const Module::Attribute& attribute : part.module->attributes()) {
    if (attribute.type.empty()) {
      if (!isKnown(plainType(context, Operand::of(attribute.value))))
        return Error(error_kind::Type, "the value " + attribute.value.str() + " of attribute '" +
                                           attribute.name + "' of " + part.className +
                                           " does not tell its type: registerAttribute(name, "
                                           "value, \"List[str]\")");
      continue;
    }
    auto parsed = script::typeOfText(context, attribute.type);
    if (!parsed) {
      std::vector<Error> errors = parsed.takeErrors();
      for (Error& error : errors)
        error.message = "the type of attribute '" + attribute.name + "' of " + part.className +
                        ": " + error.message;
      return errors;
    }
    const Type* type = *parsed;
    if (!isInstance(attribute.value, type))
      return Error(error_kind::Type, "attribute '" + attribute.name + "' of " + part.className +
                                         " is " + attribute.type + ", which " +
                                         attribute.value.str() + " is not");
    for (script::MadeClass::Attribute& known : made.attributes)
      if (known.name == attribute.name) known.type = type;
  }
  return made;
}
} // namespace

Result<ScriptModule> compile(const Module& module, std::shared_ptr<const OpSet> ops) {
  const std::shared_ptr<Context> context = Context::create();
  std::vector<std::unique_ptr<script::Module>> texts;
  script::Sources sources;
  Program::Texts read;
  IValue root;
  try {
    const ModuleTree tree(module);
    root = fresh(tree.root().object);
    for (const auto& part : tree.parts()) {
      TINE_TRY(script::MadeClass made, classOfPart(*context, *part));
      for (const Module::Text& text : part->module->definitions()) {
        std::string file = text.file;
        if (file.empty())
          file = texts.empty() ? "<string>" : "<string" + std::to_string(texts.size() + 1) + ">";
        read.emplace_back(file, text.source);
        TINE_TRY(auto parsed, script::parseModule(text.source, file));
        made.texts.push_back(texts.emplace_back(std::move(parsed)).get());
      }
      sources.classes.push_back(std::move(made));
    }
  } catch (const RuntimeError& e) {
    return e.error();
  }
  if (llvm::all_of(texts, [](const auto& text) { return text->body.empty(); }))
    return Error(error_kind::Value, module.qualifiedName() + " has no methods: give it some with "
                                                             "define(source), or trace it");
  TINE_TRY(CompilationUnit unit, script::compile(sources, ops, context));
  TINE_TRY(Program program, Program::create(std::move(unit), std::move(ops), std::move(read)));
  return ScriptModule(std::move(program), std::move(root));
}

} // namespace tine
