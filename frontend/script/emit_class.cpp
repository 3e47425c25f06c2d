#include "frontend/script/emitter.h"
#include "frontend/script/types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

namespace tine::script {
namespace {

bool isObject(const Type* type) {
  return type->is(TypeKind::Class) || type->is(TypeKind::Interface);
}

/// The method that an object has in place of an operator.
llvm::StringRef methodOf(llvm::StringRef kind) {
  return llvm::StringSwitch<llvm::StringRef>(kind)
      .Case("aten::add", "__add__")
      .Case("aten::sub", "__sub__")
      .Case("aten::mul", "__mul__")
      .Case("aten::div", "__truediv__")
      .Case("aten::floordiv", "__floordiv__")
      .Case("aten::remainder", "__mod__")
      .Case("aten::matmul", "__matmul__")
      .Case("aten::pow", "__pow__")
      .Case("aten::__lshift__", "__lshift__")
      .Case("aten::__rshift__", "__rshift__")
      .Case("aten::__and__", "__and__")
      .Case("aten::__xor__", "__xor__")
      .Case("aten::__or__", "__or__")
      .Case("aten::eq", "__eq__")
      .Case("aten::ne", "__ne__")
      .Case("aten::lt", "__lt__")
      .Case("aten::le", "__le__")
      .Case("aten::gt", "__gt__")
      .Case("aten::ge", "__ge__")
      .Case("aten::__contains__", "__contains__")
      .Case("aten::__getitem__", "__getitem__")
      .Case("aten::_set_item", "__setitem__")
      .Case("aten::neg", "__neg__")
      .Case("aten::bitwise_not", "__invert__")
      .Case("aten::positive", "__pos__")
      .Case("aten::len", "__len__")
      .Case("aten::hash", "__hash__")
      .Case("aten::hex", "__hex__")
      .Case("aten::oct", "__oct__")
      .Case("aten::round", "__round__")
      .Case("prim::abs", "__abs__")
      .Case("aten::Int", "__int__")
      .Case("aten::Float", "__float__")
      .Case("aten::Bool", "__bool__")
      .Case("aten::Complex", "__complex__")
      .Case("aten::str", "__str__")
      .Default("");
}

/// What `x op= y` asks of an object first.
llvm::StringRef inPlaceMethod(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add:
    return "__iadd__";
  case BinaryOp::Subtract:
    return "__isub__";
  case BinaryOp::Multiply:
    return "__imul__";
  case BinaryOp::Divide:
    return "__itruediv__";
  case BinaryOp::FloorDivide:
    return "__ifloordiv__";
  case BinaryOp::Modulo:
    return "__imod__";
  case BinaryOp::MatrixMultiply:
    return "__imatmul__";
  case BinaryOp::Power:
    return "__ipow__";
  case BinaryOp::ShiftLeft:
    return "__ilshift__";
  case BinaryOp::ShiftRight:
    return "__irshift__";
  case BinaryOp::BitAnd:
    return "__iand__";
  case BinaryOp::BitXor:
    return "__ixor__";
  case BinaryOp::BitOr:
    return "__ior__";
  }
  TINE_UNREACHABLE("operator");
}

} // namespace

// ---- members ------------------------------------------------------------------------------------

void Emitter::noMember(const ClassInfo& info, llvm::StringRef name, Range range, const char* what) {
  compiler_.fail(range,
                 (info.kind == ClassInfo::Enum ? info.name : "'" + info.name + "'") + " has no " +
                     what + " '" + name.str() + "'" + Compiler::nearest(name, info.members()),
                 error_kind::Type);
}

/// `C.name`: a static function, a constant, a member of an enum.
Meaning Emitter::classMember(ClassInfo& info, llvm::StringRef name, Range range) {
  if (name == "__new__" && info.kind == ClassInfo::Object) { // C.__new__(C), as archives have it
    Meaning meaning = Meaning::of(Meaning::Special, name.str());
    meaning.klass = &info;
    return meaning;
  }
  if (Function* method = info.method(name)) {
    if (!method->isStatic)
      fail(range, "'" + name.str() + "' is a method of the objects of " + info.name);
    Meaning meaning = Meaning::of(Meaning::Function, method->name);
    meaning.function = method;
    return meaning;
  }
  const ClassInfo::Field* field = info.field(name);
  const bool isEnum = info.kind == ClassInfo::Enum;
  if (field && field->value && info.kind != ClassInfo::NamedTuple)
    return constant(*field->value, range, isEnum ? info.type : field->type);
  noMember(info, name, range, isEnum ? "member" : "attribute");
}

/// What an object or the member of an enum has.
std::optional<Meaning> Emitter::objectMember(Value* self, llvm::StringRef name, Range range) {
  const Type* type = self->type();
  ClassInfo* info = compiler_.classOf(type);
  if (!info) return std::nullopt;
  if (info->kind == ClassInfo::Enum) {
    if (name != "value" && name != "name") noMember(*info, name, range);
    if (info->fields.empty()) throw Stop(); // its members are wrong
    const Type* result = name == "value" ? info->fields[0].type : Type::strType();
    Node* node = insert(name == "value" ? "prim::EnumValue" : "prim::EnumName", self, result);
    if (name == "value") node->setOverload(context_.symbol(spelled(result)));
    return Meaning(node->output());
  }
  compiler_.complete(*info);
  if (Function* method = info->method(name)) {
    Meaning meaning = Meaning::of(method->isStatic ? Meaning::Function : Meaning::Method);
    meaning.name = method->name;
    meaning.function = method;
    meaning.value = self;
    return meaning;
  }
  if (Function* getter = info->method(llvm::Twine("__").concat(name).concat("_getter").str()))
    return Meaning(callMethod(self, *getter, range, {}, {}));
  const ClassInfo::Field* field = info->field(name);
  if (!field) {
    Function* init = info->method("__init__");
    if (init && init->state == Function::Failed) throw Stop(); // it might have made it
    noMember(*info, name, range);
  }
  if (field->value) return Meaning(constant(*field->value, range, field->type));
  Node* node = insert("prim::GetAttr", self, field->type);
  node->attributes().setString(context_.symbol(Builtin::Name), name);
  const bool isNumber = llvm::all_of(name, [](char c) { return std::isdigit(c) != 0; });
  node->output()->setName(isNumber ? "_" + name.str() : name.str());
  return Meaning(node->output());
}

/// The method of a class or interface; null when the type is none, or has it not.
Function* Emitter::objectMethod(const Type* type, llvm::StringRef name) {
  ClassInfo* info = isObject(type) ? compiler_.classOf(type) : nullptr;
  if (!info) return nullptr;
  compiler_.complete(*info);
  return info->method(name);
}

void Emitter::assignAttribute(const Attribute& target, Value* object, Given rhs,
                              const Type* annotated) {
  const std::string name = target.name.text.str();
  ClassInfo* info = compiler_.classOf(object->type());
  if (!info || info->kind == ClassInfo::Enum)
    fail(target.range, isObject(object->type()) || info || object->type()->is(TypeKind::Tuple)
                           ? "the attributes of " + spelled(object->type()) + " cannot be changed"
                           : "'" + spelled(object->type()) + "' has no attribute '" + name + "'");
  compiler_.complete(*info);
  if (Function* setter = info->method("__" + name + "_setter")) {
    callMethod(object, *setter, target.range, {rhs}, {});
    return;
  }
  const ClassInfo::Field* field = info->field(name);
  const bool inInit =
      function_.owner == info && info->def && function_.def->name.text == "__init__";
  if (!field && inInit) {
    ClassInfo::Field made;
    made.name = name;
    made.range = target.range;
    made.type = annotated ? annotated : plain(rhs.value->type());
    if (info->method(name) || info->method("__" + name + "_getter"))
      fail(target.range, "'" + name + "' of " + info->name + " is a method");
    field = &info->add(std::move(made));
  }
  if (!field) {
    if (info->method("__" + name + "_getter"))
      fail(target.range, "'" + name + "' of " + info->name + " is a property without a setter");
    Function* init = info->method("__init__");
    if (init && init->state == Function::Failed) throw Stop();
    fail(target.range, "'" + info->name + "' has no attribute '" + name +
                           "'; attributes are made in " + (info->def ? "__init__" : "C++") +
                           Compiler::nearest(name, info->members()));
  }
  if (field->value) fail(target.range, "'" + name + "' of " + info->name + " is a constant");
  const Type* type = field->type;
  Value* value = convert(rhs.range, type, rhs.value, true);
  std::string lacks;
  if (!isSubtype(value->type(), type) || !compiler_.implements(value->type(), type, lacks))
    fail(rhs.range, "'" + name + "' of " + info->name + " is " + spelled(type) + ", " +
                        spelled(value->type()) + " does not fit" + lacks);
  Node* node = insert("prim::SetAttr", {object, value}, {});
  node->attributes().setString(context_.symbol(Builtin::Name), name);
}

void Emitter::augmentedAttribute(const AugAssign& stmt, const Attribute& target) {
  Value* object = value(target.object);
  Value* old = asValue(memberOf(Meaning(object), target.name.text, target.range, target.name.range),
                       target.range);
  Value* rhs = value(stmt.value);
  Value* result = augmentedOf(stmt, old, given(rhs, stmt.value->range));
  assignAttribute(target, object, given(result, stmt.value->range));
}

/// `old op= rhs`
Value* Emitter::augmentedOf(const AugAssign& stmt, Value* old, Given rhs) {
  if (ClassInfo* info = compiler_.classOf(old->type()); info && isObject(old->type())) {
    compiler_.complete(*info);
    if (Function* method = info->method(inPlaceMethod(stmt.op)))
      return callMethod(old, *method, stmt.range, {rhs}, {});
    return builtin(kindOf(stmt.op), stmt.range, {given(old), rhs});
  }
  return builtin(augmentedKind(stmt.op, old->type()), stmt.range, {given(old), rhs});
}

/// getattr(object, "name"), getattr(object, "name", default), hasattr(object, "name")
Meaning Emitter::attributeCall(const Call& expr, bool asks) {
  const std::size_t count = expr.arguments.size();
  if (!expr.keywords.empty() || count < 2 || count > (asks ? 2u : 3u))
    fail(expr.range, asks ? "hasattr takes 2 arguments" : "getattr takes 2 or 3 arguments");
  auto* name = llvm::dyn_cast<String>(expr.arguments[1]);
  if (!name) fail(expr.arguments[1]->range, "the name of an attribute must be a string");
  const Meaning object = meaning(expr.arguments[0]);
  if (!asks && count == 2) return memberOf(object, name->value, expr.range, name->range);
  Value* self = asValue(object, expr.arguments[0]->range);
  ClassInfo* info = compiler_.classOf(self->type());
  if (!info || info->kind == ClassInfo::Enum)
    fail(expr.arguments[0]->range, "an object is wanted here, not " + spelled(self->type()));
  compiler_.complete(*info);
  const llvm::StringRef word = name->value;
  const bool has = info->field(word) || info->method(word) ||
                   info->method(llvm::Twine("__").concat(word).concat("_getter").str());
  if (asks) return Meaning(constant(has, expr.range));
  return has ? memberOf(object, word, expr.range, name->range) : meaning(expr.arguments[2]);
}

// ---- calls --------------------------------------------------------------------------------------

/// A new object, or a NamedTuple.
Value* Emitter::construct(const Meaning& callee, Range range, const Givens& args,
                          const Givens& keywords) {
  ClassInfo& info = *callee.klass;
  switch (info.kind) {
  case ClassInfo::Enum:
    fail(range,
         "a member of an enum is named, as " + info.name + "." +
             (info.fields.empty() ? std::string("NAME") : info.fields[0].name),
         error_kind::Unsupported);
  case ClassInfo::Interface:
    fail(range, "'" + info.name + "' is an interface, of which there are no objects");
  case ClassInfo::NamedTuple: {
    const Type* type = compiler_.typeOf(info, range);
    Schema schema;
    schema.name = info.name;
    for (const ClassInfo::Field& field : info.fields) {
      Argument argument;
      argument.name = field.name;
      argument.type = field.type;
      argument.defaultValue = field.value;
      schema.arguments.push_back(std::move(argument));
    }
    const Match found = match(schema, range, args, keywords);
    return insert("prim::TupleConstruct", found.inputs, type, range)->output();
  }
  case ClassInfo::Object:
    break;
  }
  Value* object = insert("prim::CreateObject", {}, info.type, range)->output();
  if (Function* init = info.method("__init__")) {
    compiler_.complete(info);
    if (init->state == Function::Failed) throw Stop();
    callMethod(object, *init, range, args, keywords);
  } else if (!args.empty() || !keywords.empty()) {
    fail(range, info.name + " has no __init__, and so takes no arguments");
  }
  return object;
}

Value* Emitter::callMethod(Value* self, Function& method, Range range, const Givens& args,
                           const Givens& keywords) {
  const Schema& whole = compiler_.signature(method, range);
  Schema schema;
  schema.name = whole.name;
  schema.arguments.assign(whole.arguments.begin() + 1, whole.arguments.end());
  schema.results = whole.results;
  const Match found = match(schema, range, args, keywords);
  llvm::SmallVector<Value*, 6> inputs{self};
  inputs.append(found.inputs.begin(), found.inputs.end());
  Node* node = insert("prim::CallMethod", inputs, found.results[0], range);
  node->attributes().setString(context_.symbol(Builtin::Name),
                               llvm::StringRef(method.name).rsplit('.').second);
  return node->output();
}

/// What `object(...)` calls; null when it is nothing that can be called.
Function* Emitter::calledMethod(const Type* type) {
  ClassInfo* info = isObject(type) ? compiler_.classOf(type) : nullptr;
  if (!info) return nullptr;
  if (Function* method = info->method("__call__")) return method;
  return info->isModule ? info->method("forward") : nullptr;
}

/// What `a + b` is when a is an object that has `__add__`; null when it is none.
Value* Emitter::magic(llvm::StringRef kind, Range range, const Givens& args, const Givens& keywords,
                      const std::optional<Given>& self) {
  Value* object = self ? self->value : args.empty() ? nullptr : args[0].value;
  if (!object || !isObject(object->type())) return nullptr;
  ClassInfo* info = compiler_.classOf(object->type());
  const llvm::StringRef name = methodOf(kind);
  if (!info || name.empty()) return nullptr;
  compiler_.complete(*info);
  Function* method = info->method(name);
  if (!method && name == "__bool__") method = info->method("__len__");
  if (!method) fail(range, "'" + info->name + "' has no " + name.str());
  Givens rest = args;
  if (!self) rest.erase(rest.begin());
  for (Given& given : rest) given.name = {};
  Value* result = callMethod(object, *method, range, rest, keywords);
  if (name == "__bool__" && result->type()->is(TypeKind::Int))
    return builtin("aten::gt", range, {given(result), given(constant(std::int64_t(0)))});
  return result;
}

} // namespace tine::script
