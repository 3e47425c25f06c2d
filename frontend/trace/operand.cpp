#include "frontend/trace/recorder.h"

namespace tine {

Place placeOf(Where where) {
  Place place;
  place.file = llvm::StringRef(where.file_name()).rsplit('/').second.str();
  if (place.file.empty()) place.file = where.file_name();
  place.line = where.line();
  place.column = 1;
  return place;
}

namespace {
std::vector<IValue> valuesOf(const std::vector<Operand>& items) {
  std::vector<IValue> values;
  values.reserve(items.size());
  for (const Operand& item : items) values.push_back(item.value);
  return values;
}
} // namespace

Operand Operand::list(std::vector<Operand> items, Tag element) {
  Operand o(IValue::list(valuesOf(items)));
  o.items = std::move(items);
  o.element = element;
  return o;
}

Operand Operand::tuple(std::vector<Operand> items) {
  Operand o(IValue::tuple(valuesOf(items)));
  o.items = std::move(items);
  return o;
}

Operand Operand::of(const IValue& value) {
  if (!value.isList() && !value.isTuple()) return Operand(value);
  std::vector<Operand> items;
  for (const IValue& item : value.isList() ? value.toList().items : value.toTuple().items)
    items.push_back(of(item));
  if (value.isTuple()) return tuple(std::move(items));
  const Tag element = items.empty() ? Tag::None : items.front().value.tag();
  return list(std::move(items), element);
}

void raiseWrongArgument(const ArgumentName& name, llvm::StringRef wanted, const Operand& given) {
  raise(error_kind::Type, "argument " + name.argument + " of " + name.function.str() + " must be " +
                              wanted.str() + ", not " + tine::name(given.value.tag()).str());
}

namespace detail {
void readMade(const std::shared_ptr<Made>& made, const IValue& value) {
  if (made->recorder) made->recorder->readMade(made, value);
}

IValue plainValue(const Operand& o) {
  if (o.made) readMade(o.made, o.value);
  for (const Operand& item : o.items) plainValue(item);
  return o.value;
}
} // namespace detail

} // namespace tine
