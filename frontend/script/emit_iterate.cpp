#include "frontend/script/emitter.h"
#include "frontend/script/types.h"

#include <algorithm>

namespace tine::script {

/// What `for` goes over, when it goes over this; `blame` is at fault when it cannot.
Meaning Emitter::iterator(const Meaning& meaning, Range range, std::optional<Range> blame) {
  if (meaning.kind == Meaning::Class && meaning.klass->kind == ClassInfo::Enum) { // its members
    std::vector<IValue> members;
    for (const ClassInfo::Field& field : meaning.klass->fields) members.push_back(*field.value);
    return iterator(
        constant(IValue::list(std::move(members)), range, listOf(context_, meaning.klass->type)),
        range, blame);
  }
  if (meaning.kind == Meaning::Range || meaning.kind == Meaning::Zip ||
      meaning.kind == Meaning::Tuple)
    return meaning;
  Value* value = asValue(meaning, range);
  const Type* type = value->type();
  if (type->is(TypeKind::List) || type->is(TypeKind::Str) || isTensor(type)) return value;
  if (type->is(TypeKind::Dict)) return builtin("aten::keys", range, {given(value)});
  if (type->is(TypeKind::Tuple)) {
    Meaning items = Meaning::of(Meaning::Tuple);
    for (Value* item : unpack(value)) items.children.push_back(item);
    items.length = static_cast<std::int64_t>(items.children.size());
    return items;
  }
  fail(blame.value_or(range), spelled(type) + " cannot be iterated" +
                                  (type->is(TypeKind::Int) ? "; is range(...) meant?" : ""));
}

/// `range(...)` of one to three ints.
Meaning Emitter::rangeOf(llvm::ArrayRef<Value*> inputs, Range range,
                         std::optional<std::int64_t> length) {
  for (Value* input : inputs)
    if (!input->type()->is(TypeKind::Int))
      fail(range, "range takes ints, not " + spelled(input->type()));
  if (inputs.empty() || inputs.size() > 3)
    fail(range, "range takes 1 to 3 arguments, not " + std::to_string(inputs.size()));
  Meaning out = Meaning::of(Meaning::Range);
  out.length = length;
  if (inputs.size() == 1) {
    Value* start = constant(std::int64_t(0), range);
    Value* step = constant(std::int64_t(1), range);
    out.children = {start, inputs[0], step};
    out.onlyEnd = true;
  } else {
    Value* step = inputs.size() == 3 ? inputs[2] : constant(std::int64_t(1), range);
    out.children = {inputs[0], inputs[1], step};
  }
  return out;
}

/// What a tree of zip and enumerate iterates over in the end.
void Emitter::leaves(const Meaning& meaning, std::vector<const Meaning*>& out) {
  if (meaning.kind != Meaning::Zip) return out.push_back(&meaning);
  for (const Meaning& child : meaning.children) leaves(child, out);
}

Value* Emitter::length(const Meaning& meaning, Range range) {
  if (meaning.kind == Meaning::Range) {
    if (meaning.length) return constant(*meaning.length, range);
    if (meaning.onlyEnd) return meaning.children[1].value;
    return builtin("aten::__range_length", range,
                   {given(meaning.children[0].value), given(meaning.children[1].value),
                    given(meaning.children[2].value)});
  }
  if (meaning.kind == Meaning::Zip) {
    std::vector<const Meaning*> all;
    leaves(meaning, all);
    llvm::SmallVector<Value*, 4> lengths;
    for (const Meaning* leaf : all) lengths.push_back(length(*leaf, range));
    Value* list =
        insert("prim::ListConstruct", lengths, listOf(context_, Type::intType()))->output();
    return builtin("prim::min", range, {given(list)});
  }
  return builtin("aten::len", range, {given(asValue(meaning, range))});
}

Meaning Emitter::item(const Meaning& meaning, Value* index, Range range) {
  if (meaning.kind == Meaning::Range) {
    if (meaning.onlyEnd) return index;
    return builtin(
        "aten::__derive_index", range,
        {given(index), given(meaning.children[0].value), given(meaning.children[2].value)});
  }
  if (meaning.kind == Meaning::Tuple) {
    auto i = known(index);
    TINE_CHECK(i && i->isInt());
    return meaning.children.at(static_cast<std::size_t>(i->toInt()));
  }
  if (meaning.kind == Meaning::Zip) {
    Meaning items = Meaning::of(Meaning::Tuple);
    for (const Meaning& child : meaning.children)
      items.children.push_back(item(child, index, range));
    items.length = static_cast<std::int64_t>(items.children.size());
    return items;
  }
  Value* value = asValue(meaning, range);
  const Type* type = value->type();
  if (isTensor(type)) {
    Given zero;
    zero.range = range;
    zero.constant = IValue(std::int64_t(0));
    return builtin("aten::select", range, {given(value), zero, given(index)});
  }
  if (type->is(TypeKind::List) || type->is(TypeKind::Str) || type->is(TypeKind::Dict))
    return builtin("aten::__getitem__", range, {given(value), given(index)});
  fail(range, spelled(type) + " has no elements");
}

llvm::SmallVector<Value*, 4> Emitter::unpack(Value* tuple) {
  if (tuple->node()->op() == Builtin::TupleConstruct) {
    Operands inputs = tuple->node()->inputs();
    return {inputs.begin(), inputs.end()};
  }
  Node* node = insert("prim::TupleUnpack", tuple, tuple->type()->elements());
  return {node->outputs().begin(), node->outputs().end()};
}

/// The parts of a tuple, or of a list of which `hint` values are wanted.
std::vector<Meaning> Emitter::asTuple(const Meaning& meaning, Range range,
                                      std::optional<std::size_t> hint) {
  if (meaning.kind == Meaning::Tuple) return meaning.children;
  Value* value = asValue(meaning, range);
  const Type* type = value->type();
  std::vector<Meaning> out;
  if (type->is(TypeKind::Tuple)) {
    for (Value* item : unpack(value)) out.push_back(item);
    return out;
  }
  if (type->is(TypeKind::List)) {
    if (!hint) fail(range, "how long a list is, is not known while compiling");
    llvm::SmallVector<const Type*, 4> types(*hint, type->element());
    Node* node = insert("prim::ListUnpack", value, types);
    for (Value* item : node->outputs()) out.push_back(item);
    return out;
  }
  fail(range, spelled(type) + " cannot be unpacked");
}

} // namespace tine::script
