#include "ir/builder.h"

#include <algorithm>

namespace tine {
namespace {

/// `(A, B)` of the items; `None` of no items and T of one, as a fork's body stands for one result.
const Type* resultOf(Context& context, Operands outputs) {
  if (outputs.empty()) return Type::noneType();
  if (outputs.size() == 1) return outputs[0]->type();
  llvm::SmallVector<const Type*, 4> elements;
  for (Value* output : outputs) elements.push_back(output->type());
  return tupleOf(context, elements);
}

AttrKind attributeKind(const IValue& value) {
  switch (value.tag()) {
  case Tag::Bool:
  case Tag::Int:
    return AttrKind::i;
  case Tag::Double:
    return AttrKind::f;
  case Tag::Complex:
    return AttrKind::c;
  case Tag::String:
    return AttrKind::s;
  case Tag::Tensor:
    return AttrKind::t;
  case Tag::None:
  case Tag::Device:
  case Tag::Function:
  case Tag::Uninitialized:
  case Tag::List:
  case Tag::Tuple:
  case Tag::Dict:
  case Tag::Object:
  case Tag::Future:
  case Tag::RRef:
    return AttrKind::ival;
  }
  TINE_UNREACHABLE("tag");
}

/// A list can hold itself: containers nested deeper than any literal have items of type Any.
constexpr std::size_t kMaxDepth = 20000;

/// The one type of all, or Any.
const Type* common(llvm::ArrayRef<const Type*> types) {
  if (types.empty()) return Type::AnyType();
  bool same =
      std::all_of(types.begin(), types.end(), [&](const Type* type) { return type == types[0]; });
  return same ? types[0] : Type::AnyType();
}

/// The type of a value whose items' types are known.
const Type* typeFrom(Context& context, const IValue& value, llvm::ArrayRef<const Type*> items) {
  switch (value.tag()) {
  case Tag::None:
    return Type::noneType();
  case Tag::Bool:
    return Type::boolType();
  case Tag::Int:
    return Type::intType();
  case Tag::Double:
    return Type::floatType();
  case Tag::Complex:
    return Type::ComplexType();
  case Tag::String:
    return Type::strType();
  case Tag::Device:
    return Type::DeviceType();
  case Tag::Function:
    return Type::FunctionType();
  case Tag::Uninitialized:
    return Type::AnyType();
  case Tag::Tensor:
    return typeOfTensor(context, value.asTensor());
  case Tag::List:
    return listOf(context, common(items));
  case Tag::Tuple: {
    const auto& names = value.toTuple().names;
    if (!names || names->size() != items.size()) return tupleOf(context, items);
    llvm::SmallVector<Symbol, 4> fields;
    for (const std::string& name : *names) fields.push_back(context.symbol(name));
    return namedTupleOf(context, fields, items);
  }
  case Tag::Dict:
    return dictOf(context, common(items.take_front(items.size() / 2)),
                  common(items.drop_front(items.size() / 2)));
  case Tag::Object:
    return value.toObject().layout->isEnum ? enumOf(context, value.toObject().layout->name)
                                           : classOf(context, value.toObject().layout->name);
  case Tag::Future:
    return futureOf(context, Type::AnyType());
  case Tag::RRef:
    return rrefOf(context, Type::AnyType());
  }
  TINE_UNREACHABLE("tag");
}

/// The values inside a container: a dict's keys, then its values.
std::vector<IValue> itemsOf(const IValue& value) {
  if (value.isList()) return value.toList().items;
  if (value.isTuple()) return value.toTuple().items;
  std::vector<IValue> items;
  if (!value.isDict()) return items;
  for (const auto& [key, mapped] : value.toDict().items) items.push_back(key);
  for (const auto& [key, mapped] : value.toDict().items) items.push_back(mapped);
  return items;
}

} // namespace

Node* Builder::node(llvm::StringRef kind, llvm::ArrayRef<Value*> inputs,
                    llvm::ArrayRef<const Type*> outputs) {
  Node* node = graph_.createNode(kind);
  for (Value* input : inputs) node->addInput(input);
  for (const Type* type : outputs) node->addOutput(type);
  node->setLocation(location_);
  node->setScope(scope_);
  node->insertBefore(before_);
  return node;
}

Value* Builder::call(llvm::StringRef kind, llvm::ArrayRef<Value*> inputs, const Type* type) {
  return node(kind, inputs, type)->output();
}

Value* Builder::constant(IValue value, const Type* type) {
  if (!type) type = typeOf(context(), value);
  Node* made = node("prim::Constant", {}, type);
  // As TorchScript has them: a bool is an int whose type says bool; None is no attribute at all.
  if (value.isBool()) value = IValue(static_cast<std::int64_t>(value.toBool()));
  if (!value.isNone())
    made->attributes().setValue(context().symbol(Builtin::Value), attributeKind(value), value);
  return made->output();
}

Value* Builder::functionConstant(llvm::StringRef name) {
  Node* made = node("prim::Constant", {}, Type::FunctionType());
  made->attributes().setString(context().symbol(Builtin::Name), name);
  return made->output();
}

Node* Builder::ifNode(Value* condition, llvm::ArrayRef<const Type*> types) {
  Node* made = node("prim::If", condition, types);
  made->addBlock();
  made->addBlock();
  return made;
}

Node* Builder::loopNode(Value* maxTrips, Value* condition, llvm::ArrayRef<Value*> carried) {
  Node* made = node("prim::Loop", {maxTrips, condition}, {});
  Block* body = made->addBlock();
  body->addInput(Type::intType());
  for (Value* value : carried) {
    made->addInput(value);
    made->addOutput(value->type());
    body->addInput(value->type());
  }
  return made;
}

Value* Builder::fork(std::unique_ptr<Graph> body, llvm::ArrayRef<Value*> inputs) {
  if (&body->context() != &context()) body = body->copy(graph_.sharedContext());
  Value* future =
      call("prim::fork", inputs, futureOf(context(), resultOf(context(), body->outputs())));
  future->node()->attributes().setGraph(context().symbol(Builtin::Subgraph), std::move(body));
  return future;
}

Value* Builder::wait(Value* future) {
  const Type* type = future->type();
  return call("aten::wait", future, type->is(TypeKind::Future) ? type->element() : Type::AnyType());
}

Value* Builder::tuple(llvm::ArrayRef<Value*> items) {
  llvm::SmallVector<const Type*, 4> types;
  for (Value* item : items) types.push_back(item->type());
  return call("prim::TupleConstruct", items, tupleOf(context(), types));
}

Value* Builder::list(const Type* element, llvm::ArrayRef<Value*> items) {
  return call("prim::ListConstruct", items, listOf(context(), element));
}

Value* Builder::getAttr(Value* object, llvm::StringRef name, const Type* type) {
  Value* attribute = call("prim::GetAttr", object, type);
  attribute->node()->attributes().setString(context().symbol(Builtin::Name), name);
  return attribute;
}

const Type* typeOf(Context& context, const IValue& value) {
  // Containers nest to any depth: a stack of those that are being looked into.
  struct Open {
    IValue value;
    std::vector<IValue> items;
    llvm::SmallVector<const Type*, 4> types; ///< of the items so far
  };
  std::vector<Open> open;
  open.push_back({value, itemsOf(value), {}});
  while (true) {
    Open& top = open.back();
    if (top.types.size() < top.items.size()) {
      const IValue& item = top.items[top.types.size()];
      bool container = item.isList() || item.isTuple() || item.isDict();
      if (container && open.size() < kMaxDepth) {
        Open inner{item, itemsOf(item), {}};
        open.push_back(std::move(inner));
      } else if (container) {
        top.types.push_back(Type::AnyType());
      } else if (item.isTensor()) { // containers do not promise a tensor's refinement
        top.types.push_back(Type::tensorType());
      } else {
        top.types.push_back(typeFrom(context, item, {}));
      }
      continue;
    }
    const Type* type = typeFrom(context, top.value, top.types);
    open.pop_back();
    if (open.empty()) return type;
    open.back().types.push_back(type);
  }
}

const Type* typeOfTensor(Context& context, const Tensor& tensor) {
  if (!tensor.defined()) return Type::tensorType();
  TensorInfo info;
  info.dtype = tensor.dtype();
  info.hasRank = info.hasStrides = true;
  info.sizes.assign(tensor.sizes().begin(), tensor.sizes().end());
  info.strides.assign(tensor.strides().begin(), tensor.strides().end());
  info.requiresGrad = false;
  info.device = "cpu";
  return tensorOf(context, info);
}

} // namespace tine
