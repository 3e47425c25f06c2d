#include "frontend/trace/example.h"

#include "tensor/future.h"

#include <cstring>

namespace tine {

Tensor copyLike(const Tensor& tensor) {
  std::int64_t extent = tensor.numel() ? 1 : 0;
  if (extent)
    for (std::size_t i = 0; i < tensor.sizes().size(); ++i)
      extent += (tensor.sizes()[i] - 1) * tensor.strides()[i];
  const Tensor flat = Tensor::empty({extent}, tensor.dtype());
  if (extent)
    std::memcpy(flat.bytes(), tensor.bytes(),
                static_cast<std::size_t>(extent) * itemSize(tensor.dtype()));
  return flat.asStrided(tensor.sizes(), tensor.strides(), 0);
}

Operand copyExample(const Operand& example, const Type* wanted) {
  const IValue& value = example.value;
  const bool isOptional = wanted && wanted->is(TypeKind::Optional);
  const Type* type = isOptional ? wanted->element() : wanted;
  if (value.isTensor()) return Operand(copyLike(value.asTensor()));
  if (value.isInt() && type && type->is(TypeKind::Float))
    return Operand(IValue(static_cast<double>(value.toInt())));
  if (value.isFuture()) {
    const FutureState& future = value.asFuture();
    if (!future.done() || future.failed())
      raise(error_kind::Trace, "a future as an example must be done, with a result");
    auto state = Ref<FutureState>::adopt(new FutureState(FutureState::Phase::Running));
    state->complete(copyExample(Operand::of(future.value()), nullptr).value);
    return Operand(IValue(state));
  }
  if (!example.isContainer()) return example;
  const auto elements = type ? type->elements() : llvm::ArrayRef<const Type*>();
  std::vector<Operand> items;
  for (std::size_t i = 0; i < example.size(); ++i) {
    const Type* item = elements.empty()      ? nullptr
                       : !value.isTuple()    ? elements.back() // of a list, of a dict's values
                       : i < elements.size() ? elements[i]
                                             : nullptr;
    items.push_back(copyExample(example.item(i), item));
  }
  return example.with(std::move(items));
}

const Type* inputType(Context& context, const Operand& example, const Type* type,
                      const Type* wanted) {
  if (!wanted || wanted->is(TypeKind::Any)) return type;
  if (wanted->is(TypeKind::Optional) && !example.value.isNone()) wanted = wanted->element();
  if (example.value.isTuple() && wanted->is(TypeKind::Tuple)) {
    llvm::SmallVector<const Type*, 4> items;
    for (std::size_t i = 0; i < example.size(); ++i)
      items.push_back(
          i < wanted->elements().size()
              ? inputType(context, example.item(i), type->elements()[i], wanted->elements()[i])
              : type->elements()[i]);
    return tupleOf(context, items);
  }
  const bool isEmpty = example.isContainer() && example.size() == 0;
  return isEmpty && wanted->kind() == type->kind() ? wanted : type;
}

SavedBytes::~SavedBytes() {
  for (const auto& [storage, before] : before_)
    if (storage->bytes) std::memcpy(storage->data, before.bytes.data(), storage->bytes);
}

void SavedBytes::save(const Tensor& tensor) {
  const Storage* storage = tensor.impl()->storage;
  Before& before = before_[storage];
  if (before.owner.defined()) return;
  before.owner = tensor;
  before.bytes.assign(storage->data, storage->data + storage->bytes);
}

} // namespace tine
