#include "interpreter/values.h"

#include "llvm/ADT/DenseMap.h"
#include "support/error.h"

namespace tine {

IValue fresh(const IValue& value) {
  llvm::SmallDenseMap<const void*, IValue, 4> made;
  std::vector<std::pair<const IValue*, IValue*>> open;
  IValue out;
  open.emplace_back(&value, &out);
  while (!open.empty()) {
    const IValue* const from = open.back().first;
    IValue* const to = open.back().second;
    open.pop_back();
    const auto copyItems = [&](const std::vector<IValue>& items, std::vector<IValue>& copies) {
      copies.resize(items.size());
      for (std::size_t i = 0; i < items.size(); ++i) open.emplace_back(&items[i], &copies[i]);
    };
    const auto known = [&](const void* payload) {
      auto it = made.find(payload);
      if (it != made.end()) *to = it->second;
      return it != made.end();
    };
    if (from->isList()) {
      if (known(&from->toList())) continue;
      auto list = makeRef<List>();
      *to = list;
      made.try_emplace(&from->toList(), *to);
      copyItems(from->toList().items, list->items);
    } else if (from->isTuple()) {
      if (known(&from->toTuple())) continue;
      auto tuple = makeRef<Tuple>();
      tuple->names = from->toTuple().names;
      *to = tuple;
      made.try_emplace(&from->toTuple(), *to);
      copyItems(from->toTuple().items, tuple->items);
    } else if (from->isObject()) {
      if (known(&from->toObject())) continue;
      auto object = makeRef<Object>();
      object->layout = from->toObject().layout;
      object->native = from->toObject().native; // which only C++ could copy
      *to = object;
      made.try_emplace(&from->toObject(), *to);
      copyItems(from->toObject().slots, object->slots);
    } else if (from->isDict()) {
      if (known(&from->toDict())) continue;
      auto dict = makeRef<Dict>();
      for (const auto& [key, item] : from->toDict().items) dict->set(key, IValue());
      *to = dict;
      made.try_emplace(&from->toDict(), *to);
      for (std::size_t i = 0; i < dict->items.size(); ++i)
        open.emplace_back(&from->toDict().items[i].second, &dict->items[i].second);
    } else {
      *to = *from;
    }
  }
  return out;
}

std::shared_ptr<const Error> programError(const IValue& message, const IValue& kind) {
  std::string name = error_kind::Runtime;
  std::string text = message.isString() ? message.toStringRef().str() : message.str();
  if (kind.isString()) name = kind.toStringRef().rsplit('.').second.str();
  if (name.empty())
    name = kind.toStringRef().empty() ? error_kind::Runtime : kind.toStringRef().str();
  llvm::StringRef asserted = text; // an assert names its kind in the message alone
  if (!kind.isString() && asserted.consume_front("AssertionError: ")) {
    name = "AssertionError";
    text = asserted.str();
  }
  return std::make_shared<const Error>(std::move(name), std::move(text));
}

IValue tupleIndex(const IValue& tuple, std::int64_t index) {
  const std::vector<IValue>& items = tuple.toTuple().items;
  const auto size = static_cast<std::int64_t>(items.size());
  if (index < 0) index += size;
  if (index < 0 || index >= size) raise(error_kind::Index, "tuple index out of range");
  return items[static_cast<std::size_t>(index)];
}

IValue tupleSlice(const IValue& tuple, std::int64_t begin, std::int64_t end) {
  const std::vector<IValue>& items = tuple.toTuple().items;
  const auto size = static_cast<std::int64_t>(items.size());
  begin = std::clamp<std::int64_t>(begin < 0 ? begin + size : begin, 0, size);
  end = std::clamp<std::int64_t>(end < 0 ? end + size : end, begin, size);
  return IValue::tuple(std::vector<IValue>(items.begin() + begin, items.begin() + end));
}

IValue makeDict(std::vector<IValue> items) {
  auto dict = makeRef<Dict>();
  for (std::size_t i = 0; i + 1 < items.size(); i += 2)
    dict->set(std::move(items[i]), std::move(items[i + 1]));
  return dict;
}

} // namespace tine
