#include "frontend/script/emitter.h"
#include "frontend/script/types.h"

#include <algorithm>

namespace tine::script {

Meaning Emitter::subscript(const Meaning& object, const Subscript& expr) {
  const Range range = expr.range;
  Value* sliceable = asValue(object, expr.object->range);
  if (expr.indices.size() != 1) {
    if (!isTensor(sliceable->type()))
      fail(range, "only tensors take several indices, not " + spelled(sliceable->type()));
    return indexed(range, sliceable, expr.indices);
  }
  const Expr* index = expr.indices[0];
  if (auto* slice = llvm::dyn_cast<Slice>(index)) {
    Value* dim = isTensor(sliceable->type()) ? constant(std::int64_t(0), range) : nullptr;
    return this->slice(range, sliceable, dim, *slice);
  }
  if (llvm::isa<Constant>(index) && llvm::cast<Constant>(index)->value == Constant::Ellipsis &&
      isTensor(sliceable->type()))
    return indexed(range, sliceable, expr.indices);
  Value* at = value(index);
  const Type* type = sliceable->type();
  if (type->is(TypeKind::Tuple)) return tupleIndex(index->range, sliceable, at);
  if (isTensor(type))
    return indexed(range, sliceable, expr.indices, isSimple(index) ? nullptr : at);
  if (type->is(TypeKind::List) || type->is(TypeKind::Str) || type->is(TypeKind::Dict) ||
      type->is(TypeKind::Class) || type->is(TypeKind::Interface))
    return builtin("aten::__getitem__", range,
                   {given(sliceable, expr.object->range), given(at, index->range)});
  fail(expr.object->range, spelled(type) + " has no elements");
}

Value* Emitter::slice(Range range, Value* object, Value* dim, const Slice& expr) {
  Value* start = expr.start ? value(expr.start) : nullptr;
  Value* stop = expr.stop ? value(expr.stop) : nullptr;
  Value* step = expr.step ? value(expr.step) : nullptr;
  for (auto [part, bound] : {std::pair(expr.start, start), {expr.stop, stop}, {expr.step, step}}) {
    const Type* type = bound ? withoutOptional(bound->type()) : nullptr;
    if (type && (type->is(TypeKind::Str) || type->is(TypeKind::Float) || type->is(TypeKind::List)))
      fail(part->range, "the bounds of a slice are int, not " + spelled(bound->type()));
  }
  if (object->type()->is(TypeKind::Tuple)) return tupleSlice(range, object, start, stop, step);
  Givens args{given(object, range, "self")};
  if (dim) args.push_back(given(dim));
  Givens bounds;
  if (start) bounds.push_back(given(start, range, "start"));
  if (stop) bounds.push_back(given(stop, range, "end"));
  if (!step) step = constant(std::int64_t(1), range);
  bounds.push_back(given(step, range, "step"));
  return builtin("aten::slice", range, args, bounds);
}

Value* Emitter::tupleIndex(Range range, Value* tuple, Value* index) {
  const auto elements = tuple->type()->elements();
  if (!index->type()->is(TypeKind::Int)) fail(range, "the index of a tuple must be an int");
  auto at = known(index);
  if (!at) {
    // Any element will do when all have one type.
    for (const Type* element : elements)
      if (element != elements[0])
        fail(range, "the index of a tuple is a constant, unless all its elements are of one type");
    if (elements.empty()) fail(range, "an empty tuple has no items");
    return insert("prim::TupleIndex", {tuple, index}, elements[0])->output();
  }
  const auto size = static_cast<std::int64_t>(elements.size());
  const std::int64_t i = at->toInt() < 0 ? at->toInt() + size : at->toInt();
  if (i < 0 || i >= size)
    fail(range,
         "a tuple of " + std::to_string(size) + " has no element " + std::to_string(at->toInt()));
  return insert("prim::TupleIndex", {tuple, index}, elements[static_cast<std::size_t>(i)])
      ->output();
}

Value* Emitter::tupleSlice(Range range, Value* tuple, Value* start, Value* stop, Value* step) {
  const auto elements = tuple->type()->elements();
  const auto size = static_cast<std::int64_t>(elements.size());
  const auto constantOf = [&](Value* value) -> std::optional<std::int64_t> {
    if (!value || value->type()->is(TypeKind::None)) return std::nullopt;
    auto at = known(value);
    if (!at || !at->isInt()) fail(range, "the bounds of a tuple's slice must be known ints");
    return at->toInt();
  };
  const std::int64_t by = constantOf(step).value_or(1);
  if (by == 0) fail(range, "a slice in steps of 0");
  const auto bound = [&](Value* value, std::int64_t missing) {
    auto at = constantOf(value);
    if (!at) return missing;
    const std::int64_t i = *at < 0 ? std::max<std::int64_t>(*at, -size - 1) + size : *at;
    return by > 0 ? std::clamp<std::int64_t>(i, 0, size)
                  : std::clamp<std::int64_t>(i, -1, size - 1);
  };
  const std::int64_t end = bound(stop, by > 0 ? size : -1);
  llvm::SmallVector<Value*, 4> items;
  llvm::SmallVector<const Type*, 4> types;
  for (std::int64_t i = bound(start, by > 0 ? 0 : size - 1); by > 0 ? i < end : i > end;) {
    Value* index = constant(i);
    types.push_back(elements[static_cast<std::size_t>(i)]);
    items.push_back(insert("prim::TupleIndex", {tuple, index}, types.back())->output());
    if (by > size || by < -size) break;
    i += by;
  }
  return insert("prim::TupleConstruct", items, tupleOf(context_, types))->output();
}

// ---- tensors ------------------------------------------------------------------------------------

/// `first`: the value of the first index, when that was computed.
Value* Emitter::indexed(Range range, Value* object, Exprs indices, Value* first) {
  llvm::SmallVector<Value*, 4> tensors;
  Value* sliced = indexAndSlice(range, object, indices, tensors, first);
  if (tensors.empty()) return sliced;
  const Type* list = listOf(context_, optionalOf(context_, Type::tensorType()));
  Value* index = insert("prim::ListConstruct", tensors, list)->output();
  return builtin("aten::index", range, {given(sliced), given(index)});
}

/// Applies the ints, slices and Nones among the indices, one after the other; `tensors` are those
/// that remain, for aten::index.
Value* Emitter::indexAndSlice(Range range, Value* object, Exprs indices,
                              llvm::SmallVectorImpl<Value*>& tensors, Value* first) {
  std::vector<std::int64_t> dims(indices.size());
  std::vector<Value*> at(indices.size(), nullptr);
  const auto isEllipsis = [](const Expr* expr) {
    auto* node = llvm::dyn_cast<Constant>(expr);
    return node && node->value == Constant::Ellipsis;
  };
  // How far the index moves among the dimensions: counted from the left up to an ellipsis, and
  // from the right after it.
  const auto place = [&](std::size_t i, std::int64_t dim, bool reverse) {
    dims[i] = dim;
    const std::int64_t passed = reverse ? dim - 1 : dim + 1;
    if (llvm::isa<Slice>(indices[i])) return passed;
    const bool computed = i == 0 && first;
    if (!computed && isSimple(indices[i])) meaning(indices[i]);
    const bool isNone = llvm::isa<Constant>(indices[i]) &&
                        llvm::cast<Constant>(indices[i])->value == Constant::None;
    Value* index = computed ? first : value(indices[i], isNone ? Type::noneType() : nullptr);
    if (index->type()->is(TypeKind::List)) {
      Given dtype;
      dtype.name = "dtype";
      dtype.range = range;
      dtype.constant = IValue(std::int64_t(4)); // int64
      index = builtin("aten::tensor", range, {given(index)}, {dtype}, std::nullopt, false);
    }
    at[i] = index;
    const Type* type = index->type();
    if (type->is(TypeKind::None)) return reverse ? dim : passed;
    if (type->is(TypeKind::Int)) return reverse ? passed : dim;
    if (isTensor(withoutOptional(type))) {
      if (reverse) fail(range, "an index that is a tensor after '...'", error_kind::Unsupported);
      return passed;
    }
    fail(indices[i]->range,
         "a tensor is indexed by ints, slices, lists and tensors, not " + spelled(type));
  };
  std::size_t i = 0;
  for (std::int64_t dim = 0; i < indices.size() && !isEllipsis(indices[i]); ++i)
    dim = place(i, dim, false);
  std::int64_t reverseDim = -1;
  for (std::size_t k = indices.size(); k-- > i + 1;) {
    if (isEllipsis(indices[k])) fail(range, "'...' stands once among the indices");
    reverseDim = place(k, reverseDim, true);
  }
  const auto dimension = [&](std::size_t k) { return given(constant(dims[k], range)); };
  for (std::size_t k = 0; k < indices.size(); ++k) {
    if (!at[k]) {
      if (auto* part = llvm::dyn_cast<Slice>(indices[k]))
        object = slice(range, object, constant(dims[k], range), *part);
      continue;
    }
    const Type* type = at[k]->type();
    if (type->is(TypeKind::None)) {
      Given dim = dimension(k);
      object = builtin("aten::unsqueeze", range, {given(object), dim});
    } else if (type->is(TypeKind::Int)) {
      Given dim = dimension(k);
      object = builtin("aten::select", range, {given(object), dim, given(at[k])});
    } else {
      tensors.resize(std::max<std::size_t>(tensors.size(), static_cast<std::size_t>(dims[k]) + 1));
      tensors[static_cast<std::size_t>(dims[k])] = at[k];
    }
  }
  for (Value*& tensor : tensors)
    if (!tensor) tensor = constant(IValue());
  return object;
}

void Emitter::assignSubscript(Range range, const Subscript& target, Given rhs) {
  Value* object = value(target.object);
  if (!isTensor(object->type())) {
    if (target.indices.size() != 1 || llvm::isa<Slice>(target.indices[0]))
      fail(target.range, "slices are assigned in tensors alone", error_kind::Unsupported);
    const bool isObject =
        object->type()->is(TypeKind::Class) || object->type()->is(TypeKind::Interface);
    if (!isObject && !object->type()->is(TypeKind::List) && !object->type()->is(TypeKind::Dict))
      fail(target.range,
           (object->type()->is(TypeKind::Tuple) ? "a tuple" : spelled(object->type())) +
               " has no elements that can be assigned to");
    Value* index = value(target.indices[0]);
    builtin("aten::_set_item", range,
            {given(object, target.object->range, "self"),
             given(index, target.indices[0]->range, "idx"), rhs});
    return;
  }
  llvm::SmallVector<Value*, 4> tensors;
  Value* sliced = indexAndSlice(target.range, object, target.indices, tensors);
  const Type* type = rhs.value->type();
  if (type->is(TypeKind::Number) || type->is(TypeKind::Int) || type->is(TypeKind::Bool) ||
      type->is(TypeKind::Float)) {
    Value* dtype = builtin("prim::dtype", range, {given(sliced)}, {}, std::nullopt, false);
    Value* device = builtin("prim::device", range, {given(sliced)}, {}, std::nullopt, false);
    rhs.value = builtin("aten::tensor", range, {given(rhs.value)},
                        {given(dtype, range, "dtype"), given(device, range, "device")},
                        std::nullopt, false);
  }
  if (tensors.empty()) {
    builtin("aten::copy_", range, {given(sliced), given(rhs.value)});
    return;
  }
  const Type* list = listOf(context_, optionalOf(context_, Type::tensorType()));
  Value* index = insert("prim::ListConstruct", tensors, list)->output();
  builtin("aten::index_put_", range, {given(sliced), given(index), given(rhs.value)});
}

void Emitter::augmentedSubscript(const AugAssign& stmt, const Subscript& target) {
  Value* object = value(target.object);
  const Type* type = object->type();
  if (isTensor(type)) {
    llvm::SmallVector<Value*, 4> tensors;
    Value* sliced = indexAndSlice(target.range, object, target.indices, tensors);
    Value* rhs = value(stmt.value);
    const std::string kind = augmentedKind(stmt.op, type);
    if (tensors.empty()) {
      builtin(kind, stmt.range, {given(rhs, stmt.value->range)}, {}, given(sliced));
      return;
    }
    const Type* list = listOf(context_, optionalOf(context_, Type::tensorType()));
    Value* index = insert("prim::ListConstruct", tensors, list)->output();
    Value* part = builtin("aten::index", stmt.range, {given(sliced), given(index)});
    Value* result = builtin(kind, stmt.range, {given(rhs, stmt.value->range)}, {}, given(part));
    builtin("aten::index_put_", stmt.range, {given(sliced), given(index), given(result)});
    return;
  }
  if (target.indices.size() != 1 || llvm::isa<Slice>(target.indices[0]))
    fail(target.range, "slices are assigned in tensors alone", error_kind::Unsupported);
  const Type* element = type->is(TypeKind::List)   ? type->element()
                        : type->is(TypeKind::Dict) ? type->elements()[1]
                                                   : nullptr;
  if (!element && !type->is(TypeKind::Class))
    fail(target.range, "the items of " + spelled(type) + " cannot be changed");
  Value* index = value(target.indices[0]);
  Value* rhs = value(stmt.value);
  Value* old = builtin("aten::__getitem__", stmt.range, {given(object), given(index)});
  if (!element) element = old->type();
  Value* result = builtin(augmentedKind(stmt.op, element), stmt.range, {given(old), given(rhs)});
  builtin("aten::_set_item", stmt.range, {given(object), given(index), given(result)});
}

} // namespace tine::script
