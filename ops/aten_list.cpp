#include "ops/arguments.h"
#include "tensor/print.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <unistd.h>

namespace tine::opkernel {

namespace {

// A place counted from the end when negative. \errors IndexError
std::size_t place(std::int64_t index, std::size_t size, const char* message) {
  const auto count = static_cast<std::int64_t>(size);
  if (index < 0) index += count;
  if (index < 0 || index >= count) raise(error_kind::Index, message);
  return static_cast<std::size_t>(index);
}
constexpr const char* kListRange = "list index out of range";

// Calls f with the places of a slice in order. \source Python
template <class F> void forSlice(const KernelCall& call, std::size_t size, F f) {
  const auto count = static_cast<std::int64_t>(size);
  const std::int64_t step = call[3].toInt();
  if (step == 0) raise(error_kind::Value, "List slice should have non-zero step");
  if (step == std::numeric_limits<std::int64_t>::min())
    raise(error_kind::Value, "List slice step is out of bounds");
  const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? count : count - 1;
  const auto clamp = [&](const IValue& bound, std::int64_t otherwise) {
    if (bound.isNone()) return otherwise;
    const std::int64_t at = bound.toInt();
    return std::clamp(at < 0 ? std::max(at, -count - 1) + count : at, low, high);
  };
  const std::int64_t start = clamp(call[1], step > 0 ? low : high);
  const std::int64_t end = clamp(call[2], step > 0 ? high : low);
  if (step > 0)
    for (std::int64_t i = start; i < end; i = step < end - i ? i + step : end)
      f(static_cast<std::size_t>(i));
  else
    for (std::int64_t i = start; i > end; i = step > end - i ? i + step : end)
      f(static_cast<std::size_t>(i));
}

// The values of two lists may be the same list.
void appendAll(std::vector<IValue>& to, const std::vector<IValue>& from) {
  const std::size_t count = from.size();
  to.reserve(to.size() + count);
  for (std::size_t i = 0; i < count; ++i) to.push_back(from[i]);
}

// As Python's ==: numbers, strings and bools by value, tensors by the truth of their comparison.
bool isEqual(const IValue& a, const IValue& b) {
  if (a.isTensor())
    return kernels::truth(kernels::binary(kernels::BinaryOp::Eq, a.asTensor(), b.asTensor()));
  if (a.isString()) return a.toStringRef() == b.toStringRef();
  if (a.isDouble()) return a.toDouble() == b.toDouble();
  return a.isSame(b);
}

bool areEqual(const KernelCall& call) {
  const auto &a = call[0].toList().items, &b = call[1].toList().items;
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), isEqual);
}

// An empty list with room for so many elements. \errors MemoryError
std::vector<IValue> roomFor(std::size_t count) {
  // More than the machine has is never held, though it might be promised.
  static const std::size_t kMost = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
                                   static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) /
                                   sizeof(IValue);
  if (count > kMost) raise(error_kind::Memory, "a list of too many elements");
  std::vector<IValue> out;
  out.reserve(count);
  return out;
}

// As `if` sees a number.
bool isTrue(const IValue& item) {
  return item.isDouble() ? item.toDouble() != 0 : item.isBool() ? item.toBool() : item.toInt() != 0;
}

std::vector<IValue> repeated(const std::vector<IValue>& items, std::int64_t times) {
  if (times <= 0 || items.empty()) return {};
  std::size_t count = 0;
  if (__builtin_mul_overflow(items.size(), static_cast<std::size_t>(times), &count))
    count = std::numeric_limits<std::size_t>::max();
  std::vector<IValue> out = roomFor(count);
  for (std::int64_t i = 0; i < times; ++i) appendAll(out, items);
  return out;
}

} // namespace

void eqLists(const KernelCall& call) { call.setResult(0, areEqual(call)); }
void neLists(const KernelCall& call) { call.setResult(0, !areEqual(call)); }

// ---- lists
// ----------------------------------------------------------------------------------------

void addLists(const KernelCall& call) {
  std::vector<IValue> items = call[0].toList().items;
  appendAll(items, call[1].toList().items);
  call.setResult(0, IValue::list(std::move(items)));
}
void addInPlaceList(const KernelCall& call) {
  appendAll(call[0].toList().items, call[1].toList().items);
  returnSelf(call);
}
void mulList(const KernelCall& call) {
  call.setResult(0, IValue::list(repeated(call[0].toList().items, call[1].toInt())));
}
void mulListRight(const KernelCall& call) {
  call.setResult(0, IValue::list(repeated(call[1].toList().items, call[0].toInt())));
}
void lenList(const KernelCall& call) {
  call.setResult(0, static_cast<std::int64_t>(call[0].toList().items.size()));
}
void getItemList(const KernelCall& call) {
  const auto& items = call[0].toList().items;
  call.setResult(0, items[place(call[1].toInt(), items.size(), kListRange)]);
}
void setItemList(const KernelCall& call) {
  auto& items = call[0].toList().items;
  items[place(call[1].toInt(), items.size(), kListRange)] = call.take(2);
  returnSelf(call);
}
void append(const KernelCall& call) {
  call[0].toList().items.push_back(call.take(1));
  returnSelf(call);
}
void extend(const KernelCall& call) {
  appendAll(call[0].toList().items, call[1].toList().items);
  setNone(call);
}
void insert(const KernelCall& call) {
  auto& items = call[0].toList().items;
  const auto count = static_cast<std::int64_t>(items.size());
  const std::int64_t index = call[1].toInt();
  const std::int64_t at =
      std::clamp<std::int64_t>(index < 0 ? std::max(index, -count) + count : index, 0, count);
  items.insert(items.begin() + at, call.take(2));
  setNone(call);
}
void popList(const KernelCall& call) {
  auto& items = call[0].toList().items;
  if (items.empty()) raise(error_kind::Index, "pop from empty list");
  const std::size_t at = place(call[1].toInt(), items.size(), kListRange);
  IValue item = std::move(items[at]);
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(at));
  call.setResult(0, std::move(item));
}
void deleteItemList(const KernelCall& call) {
  auto& items = call[0].toList().items;
  if (items.empty()) raise(error_kind::Index, "pop index out of range");
  const std::size_t at = place(call[1].toInt(), items.size(), kListRange);
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(at));
  setNone(call);
}
void clearList(const KernelCall& call) {
  call[0].toList().items.clear();
  setNone(call);
}
void reverse(const KernelCall& call) {
  auto& items = call[0].toList().items;
  std::reverse(items.begin(), items.end());
  setNone(call);
}
void copyList(const KernelCall& call) { call.setResult(0, IValue::list(call[0].toList().items)); }
void sliceList(const KernelCall& call) {
  const auto& items = call[0].toList().items;
  std::vector<IValue> out;
  forSlice(call, items.size(), [&](std::size_t i) { out.push_back(items[i]); });
  call.setResult(0, IValue::list(std::move(out)));
}
void containsList(const KernelCall& call) {
  const auto& items = call[0].toList().items;
  call.setResult(0, std::any_of(items.begin(), items.end(),
                                [&](const IValue& item) { return isEqual(item, call[1]); }));
}
void rangeList(const KernelCall& call) {
  const std::int64_t n = call[0].toInt();
  std::vector<IValue> items = roomFor(static_cast<std::size_t>(std::max<std::int64_t>(n, 0)));
  for (std::int64_t i = 0; i < n; ++i) items.emplace_back(i);
  call.setResult(0, IValue::list(std::move(items)));
}

// ---- searching and sorting
// ------------------------------------------------------------------------

namespace {
std::vector<IValue>::iterator findItem(const KernelCall& call) {
  auto& items = call[0].toList().items;
  return std::find_if(items.begin(), items.end(),
                      [&](const IValue& item) { return isEqual(call[1], item); });
}
// Is a less than b, or for `reverse` greater?
bool isBefore(const IValue& a, const IValue& b, bool reverse) {
  if (a.isTensor())
    return kernels::truth(kernels::binary(reverse ? kernels::BinaryOp::Gt : kernels::BinaryOp::Lt,
                                          a.asTensor(), b.asTensor()));
  const IValue &low = reverse ? b : a, &high = reverse ? a : b;
  if (a.isString()) return low.toStringRef() < high.toStringRef();
  if (a.isDouble()) return low.toDouble() < high.toDouble();
  return a.isBool() ? low.toBool() < high.toBool() : low.toInt() < high.toInt();
}
// The order of a merge sort does not run away when a comparison contradicts itself, as NaN does.
void sortItems(std::vector<IValue>& items, bool reverse) {
  std::stable_sort(items.begin(), items.end(),
                   [&](const IValue& a, const IValue& b) { return isBefore(a, b, reverse); });
}
} // namespace

namespace {
// The text of a value in C++'s words, as some messages have it.
std::string streamed(const IValue& value) {
  std::string text;
  if (value.isDouble()) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%g", value.toDouble());
    return digits;
  }
  if (value.isBool()) return value.toBool() ? "1" : "0";
  appendStream(text, value);
  const std::size_t at = text.rfind("CPU"), end = text.rfind("Type{");
  if (!value.isTensor() || at == std::string::npos || end == std::string::npos ||
      value.asTensor().dtype() == DType::Bool)
    return text;
  return text.substr(0, at) + "torch." + text.substr(at + 3, end - at - 3) + "Tensor" +
         text.substr(end + 4); // the older name of its type
}
} // namespace

void indexOfItem(const KernelCall& call) {
  const auto found = findItem(call);
  auto& items = call[0].toList().items;
  if (found == items.end()) {
    raise(error_kind::Value, "'" + streamed(call[1]) + "' is not in list");
  }
  call.setResult(0, static_cast<std::int64_t>(found - items.begin()));
}
void countItem(const KernelCall& call) {
  const auto& items = call[0].toList().items;
  call.setResult(0, static_cast<std::int64_t>(
                        std::count_if(items.begin(), items.end(),
                                      [&](const IValue& item) { return isEqual(call[1], item); })));
}
void removeItem(const KernelCall& call) {
  const auto found = findItem(call);
  auto& items = call[0].toList().items;
  if (found == items.end()) raise(error_kind::Value, "list.remove(x): x not in list");
  items.erase(found);
  setNone(call);
}
void sortList(const KernelCall& call) {
  sortItems(call[0].toList().items, call[1].toBool());
  setNone(call);
}
void sortedList(const KernelCall& call) {
  std::vector<IValue> items = call[0].toList().items;
  sortItems(items, false);
  call.setResult(0, IValue::list(std::move(items)));
}
void mulInPlaceList(const KernelCall& call) {
  auto& items = call[0].toList().items;
  items = repeated(items, call[1].toInt());
  returnSelf(call);
}
void anyOfList(const KernelCall& call) {
  const auto& items = call[0].toList().items;
  call.setResult(0, std::any_of(items.begin(), items.end(), isTrue));
}
void allOfList(const KernelCall& call) {
  const auto& items = call[0].toList().items;
  call.setResult(0, std::all_of(items.begin(), items.end(), isTrue));
}

// ---- strings
// --------------------------------------------------------------------------------------

void addStrings(const KernelCall& call) {
  call.setResult(0, call[0].toStringRef().str() + call[1].toStringRef().str());
}
void lenString(const KernelCall& call) {
  call.setResult(0, static_cast<std::int64_t>(call[0].toStringRef().size()));
}
void getItemString(const KernelCall& call) {
  const llvm::StringRef s = call[0].toStringRef();
  call.setResult(0,
                 s.substr(place(call[1].toInt(), s.size(), "string index out of range"), 1).str());
}
void sliceString(const KernelCall& call) {
  const llvm::StringRef s = call[0].toStringRef();
  std::string out;
  forSlice(call, s.size(), [&](std::size_t i) { out += s[i]; });
  call.setResult(0, out);
}
void listOfString(const KernelCall& call) {
  std::vector<IValue> items;
  for (const char c : call[0].toStringRef()) items.emplace_back(llvm::StringRef(&c, 1));
  call.setResult(0, IValue::list(std::move(items)));
}
void ord(const KernelCall& call) {
  const llvm::StringRef s = call[0].toStringRef();
  if (s.size() != 1)
    raise(error_kind::Type,
          "String for ord() must be 1 character, found " + std::to_string(s.size()));
  call.setResult(0, std::int64_t{static_cast<unsigned char>(s[0])});
}

// ---- dicts
// ----------------------------------------------------------------------------------------

namespace {
[[noreturn]] void raiseKey(const IValue& key) {
  std::string text;
  if (key.isTensor())
    text = streamed(key);
  else
    appendStream(text, key);
  raise(error_kind::Key, "KeyError: " + text);
}
IValue& valueOf(const KernelCall& call) {
  IValue* value = call[0].toDict().find(call[1]);
  if (!value) raiseKey(call[1]);
  return *value;
}
} // namespace

void getItemDict(const KernelCall& call) { call.setResult(0, valueOf(call)); }
void setItemDict(const KernelCall& call) {
  call[0].toDict().set(call.take(1), call.take(2));
  setNone(call);
}
void containsDict(const KernelCall& call) {
  call.setResult(0, call[0].toDict().find(call[1]) != nullptr);
}
void lenDict(const KernelCall& call) {
  call.setResult(0, static_cast<std::int64_t>(call[0].toDict().items.size()));
}
void keys(const KernelCall& call) {
  std::vector<IValue> out;
  for (const auto& [key, value] : call[0].toDict().items) out.push_back(key);
  call.setResult(0, IValue::list(std::move(out)));
}
void values(const KernelCall& call) {
  std::vector<IValue> out;
  for (const auto& [key, value] : call[0].toDict().items) out.push_back(value);
  call.setResult(0, IValue::list(std::move(out)));
}
void items(const KernelCall& call) {
  std::vector<IValue> out;
  for (const auto& [key, value] : call[0].toDict().items)
    out.push_back(IValue::tuple({key, value}));
  call.setResult(0, IValue::list(std::move(out)));
}
void popDict(const KernelCall& call) {
  IValue value = std::move(valueOf(call));
  call[0].toDict().erase(call[1]);
  call.setResult(0, std::move(value));
}
void popDictDefault(const KernelCall& call) {
  IValue* found = call[0].toDict().find(call[1]);
  if (!found) return call.setResult(0, call.take(2));
  IValue value = std::move(*found);
  call[0].toDict().erase(call[1]);
  call.setResult(0, std::move(value));
}
void deleteItemDict(const KernelCall& call) {
  if (!call[0].toDict().erase(call[1])) raiseKey(call[1]);
  setNone(call);
}
void clearDict(const KernelCall& call) {
  call[0].toDict().clear();
  setNone(call);
}
void copyDict(const KernelCall& call) {
  auto copy = makeRef<Dict>();
  for (const auto& [key, value] : call[0].toDict().items) copy->set(key, value);
  call.setResult(0, IValue(std::move(copy)));
}
void dictOfItems(const KernelCall& call) {
  auto dict = makeRef<Dict>();
  for (const IValue& item : call[0].toList().items) {
    const std::vector<IValue>& pair = item.toTuple().items;
    if (pair.size() != 2) raise(error_kind::Value, "an item of a dict is a key and a value");
    dict->set(pair[0], pair[1]);
  }
  call.setResult(0, IValue(std::move(dict)));
}
void updateDict(const KernelCall& call) {
  Dict& dict = call[0].toDict();
  const Dict& other = call[1].toDict();
  if (&dict != &other)
    for (const auto& [key, value] : other.items) dict.set(key, value);
  setNone(call);
}
void setDefaultDict(const KernelCall& call) {
  Dict& dict = call[0].toDict();
  if (const IValue* found = dict.find(call[1])) return call.setResult(0, *found);
  IValue value = call.take(2);
  dict.set(call.take(1), value);
  call.setResult(0, std::move(value));
}
void popItemDict(const KernelCall& call) {
  Dict& dict = call[0].toDict();
  if (dict.items.empty()) raise(error_kind::Runtime, "popitem(): dictionary is empty");
  const auto [key, value] = dict.items.front();
  dict.erase(key);
  call.setResult(0, IValue::tuple({key, value}));
}
void getDict(const KernelCall& call) {
  const IValue* found = call[0].toDict().find(call[1]);
  call.setResult(0, found ? *found : IValue());
}
void getDictDefault(const KernelCall& call) {
  const IValue* found = call[0].toDict().find(call[1]);
  call.setResult(0, found ? *found : call[2]);
}
void emptyDict(const KernelCall& call) { call.setResult(0, IValue(makeRef<Dict>())); }

} // namespace tine::opkernel
