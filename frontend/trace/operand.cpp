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
constexpr int kMaxNesting = 100; // of lists, tuples and dicts, which all code here recurses into

std::vector<IValue> valuesOf(const std::vector<Operand>& items) {
  std::vector<IValue> values;
  values.reserve(items.size());
  for (const Operand& item : items) values.push_back(item.value);
  return values;
}

const IValue& valueAt(const IValue& container, std::size_t i) {
  return container.isList()    ? container.toList().items[i]
         : container.isTuple() ? container.toTuple().items[i]
                               : container.toDict().items[i].second;
}

Operand expand(const IValue& value, int depth) {
  if (depth > kMaxNesting)
    raise(error_kind::Value,
          "lists, tuples and dicts are nested more than " + std::to_string(kMaxNesting) + " deep");
  Operand out(value);
  std::vector<Operand> items;
  for (std::size_t i = 0; i < out.size(); ++i)
    items.push_back(expand(valueAt(value, i), depth + 1));
  return out.isContainer() ? out.with(std::move(items)) : out;
}
} // namespace

Operand Operand::list(std::vector<Operand> items, MakeType type) {
  Operand o(IValue::list(valuesOf(items)));
  o.items = std::move(items);
  o.type = type;
  return o;
}

Operand Operand::tuple(std::vector<Operand> items) {
  Operand o(IValue::tuple(valuesOf(items)));
  o.items = std::move(items);
  return o;
}

Operand Operand::dict(std::vector<std::pair<IValue, Operand>> items, MakeType type) {
  const Ref<Dict> dict = makeRef<Dict>();
  Operand o;
  for (auto& [key, item] : items) {
    dict->set(key, item.value);
    o.items.push_back(std::move(item));
  }
  TINE_CHECK_MSG(dict->items.size() == o.items.size(), "a key twice");
  o.value = IValue(dict);
  o.type = type;
  return o;
}

Operand Operand::with(std::vector<Operand> others) const {
  if (value.isTuple()) return tuple(std::move(others));
  if (value.isList()) return list(std::move(others), type);
  std::vector<std::pair<IValue, Operand>> pairs;
  for (std::size_t i = 0; i < others.size(); ++i)
    pairs.emplace_back(value.toDict().items[i].first, std::move(others[i]));
  return dict(std::move(pairs), type);
}

Operand Operand::of(const IValue& value) { return expand(value, 0); }

std::size_t Operand::size() const {
  return value.isList()    ? value.toList().items.size()
         : value.isTuple() ? value.toTuple().items.size()
         : value.isDict()  ? value.toDict().items.size()
                           : 0;
}

Operand Operand::item(std::size_t i) const {
  return items.empty() ? Operand(valueAt(value, i)) : items[i];
}

void raiseWrongArgument(const ArgumentName& name, llvm::StringRef wanted, const Operand& given) {
  const std::string what = name.argument.empty()
                               ? "the result of " + name.function.str()
                               : "argument " + name.argument + " of " + name.function.str();
  Error error(error_kind::Type,
              what + " must be " + wanted.str() + ", not " + tine::name(given.value.tag()).str() +
                  (given.value.isTuple() ? " of " + std::to_string(given.size()) : ""));
  if (name.at.line() != 0) error.place = placeOf(name.at);
  throw RuntimeError(std::move(error));
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
