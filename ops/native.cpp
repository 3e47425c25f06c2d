#include "ops/native.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <cxxabi.h>

namespace tine {

namespace {
[[noreturn]] void fail(const std::string& message) { raise(error_kind::Schema, message); }

bool isWord(llvm::StringRef text) {
  return !text.empty() && !llvm::isDigit(text[0]) &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}
/// What source cannot write after a dot.
bool isKeyword(llvm::StringRef text) {
  return llvm::StringSwitch<bool>(text)
#define TINE_KEYWORD(id, text) .Case(text, true)
#include "support/keywords.def"
      .Default(false);
}

std::string nameOf(const std::type_info& cpp) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(cpp.name(), nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : cpp.name();
}

/// `2 parameters`
std::string counted(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " parameter" : " parameters");
}
} // namespace

namespace detail {
const std::shared_ptr<void>& nativeIn(const IValue& value, const std::type_info& cpp) {
  const Object* object = value.isObject() ? &value.toObject() : nullptr;
  if (!object || !object->layout->native || *object->layout->native != cpp)
    raise(error_kind::Type, "expected an object of the C++ class " + nameOf(cpp) + ", not " +
                                (object ? object->layout->name : name(value.tag()).str()));
  if (!object->native)
    raise(error_kind::Value, "an object of " + object->layout->name + " that was never made");
  return object->native;
}

void setNative(const IValue& value, const std::type_info& cpp, std::shared_ptr<void> native) {
  Object& object = value.toObject();
  if (!object.layout->native || *object.layout->native != cpp)
    raise(error_kind::Type, "expected an object of the C++ class " + nameOf(cpp));
  if (object.native)
    raise(error_kind::Value, "this object of " + object.layout->name + " is made already");
  if (!native) raise(error_kind::Value, "there is no object of " + object.layout->name);
  object.native = std::move(native);
}
} // namespace detail

NativeClass::NativeClass(Context& context, llvm::StringRef name, const std::type_info& cpp)
    : context_(context) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  name.split(parts, '.');
  if (parts.size() < 2 || !llvm::all_of(parts, isWord))
    fail("'" + name.str() + "' is no name of a class: namespace.Name");
  for (llvm::StringRef part : parts)
    if (isKeyword(part))
      fail("'" + name.str() + "' is no name of a class: '" + part.str() + "' is a keyword");
  auto layout = std::make_shared<ClassLayout>();
  layout->name = "__torch__.torch.classes." + name.str();
  layout->native = &cpp;
  layout_ = std::move(layout);
  type_ = classOf(context, layout_->name);
}

const OpInfo* NativeClass::method(llvm::StringRef name) const {
  for (const auto& known : methods_)
    if (known->schema.name == name) return known.get();
  return nullptr;
}

void NativeClass::add(llvm::StringRef signature, llvm::ArrayRef<const Type*> parameters,
                      const Type* result, Kernel kernel) {
  const auto [method, rest] = signature.split('(');
  const std::string what = layout_->name + "." + signature.str();
  if (!isWord(method)) fail(what + ": the name of a method is one word");
  llvm::StringRef word = method;
  if (!word.consume_back("_getter")) word.consume_back("_setter");
  if (isKeyword(word)) fail(what + ": '" + word.str() + "' is a keyword");
  if (this->method(method)) fail(what + ": the class has it already");
  Schema schema;
  if (method.size() != signature.size()) {
    const std::string arrow = signature.contains("->") ? "" : " -> NoneType";
    Result<Schema> parsed =
        parseSchema(context_, "class::" + signature.str() + (method == "__init__" ? arrow : ""));
    if (!parsed) fail(what + ": " + parsed.error().message);
    schema = *std::move(parsed);
    if (schema.arguments.size() != parameters.size() || schema.varargs)
      fail(what + ": the C++ function has " + counted(parameters.size()));
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (!equal(schema.arguments[i].type, parameters[i]))
        fail(what + ": '" + schema.arguments[i].name + "' is " + parameters[i]->str() + " in C++");
    const bool none = schema.results.empty() && result->is(TypeKind::None);
    if (!none && (schema.results.size() != 1 || !equal(schema.results[0].type, result)))
      fail(what + ": the C++ function gives " + result->str());
  } else {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      Argument argument;
      argument.name = "_" + std::to_string(i);
      argument.type = parameters[i];
      schema.arguments.push_back(std::move(argument));
    }
  }
  schema.name = method.str();
  schema.overload.clear();
  schema.results.resize(1);
  schema.results[0].type = result;
  Argument self;
  self.name = "self";
  self.type = type_;
  schema.arguments.insert(schema.arguments.begin(), std::move(self));
  methods_.push_back(
      std::make_unique<OpInfo>(OpInfo{std::move(schema), Effects::all(), std::move(kernel), ""}));
}

NativeClass& NativeClasses::add(llvm::StringRef name, const std::type_info& cpp) {
  auto made = std::make_unique<NativeClass>(context_, name, cpp);
  for (const auto& known : classes_) {
    if (known->name() == made->name()) fail("there is a class " + name.str() + " already");
    if (*known->layout()->native == cpp)
      fail("the C++ class " + nameOf(cpp) + " is " + known->name() + " already");
  }
  return *classes_.emplace_back(std::move(made));
}

const NativeClass* NativeClasses::find(llvm::StringRef name) const {
  for (const auto& known : classes_)
    if (known->name() == name) return known.get();
  return nullptr;
}

const NativeClass& NativeClasses::find(const std::type_info& cpp) const {
  for (const auto& known : classes_)
    if (*known->layout()->native == cpp) return *known;
  fail("the C++ class " + nameOf(cpp) + " is not registered; addClass comes first");
}

IValue NativeClasses::object(const std::type_info& cpp, std::shared_ptr<void> native) const {
  const NativeClass& known = find(cpp);
  if (!native) raise(error_kind::Value, "there is no object of " + known.name());
  auto object = makeRef<Object>();
  object->layout = known.layout();
  object->native = std::move(native);
  return IValue(std::move(object));
}

} // namespace tine
