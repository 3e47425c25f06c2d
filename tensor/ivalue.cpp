#include "tensor/ivalue.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "tensor/future.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <new>

namespace tine {

static_assert(offsetof(TensorImpl, refs) == 0);

llvm::StringRef name(Tag tag) {
  switch (tag) {
  case Tag::None:
    return "NoneType";
  case Tag::Bool:
    return "bool";
  case Tag::Int:
    return "int";
  case Tag::Double:
    return "float";
  case Tag::Device:
    return "Device";
  case Tag::Function:
    return "Function";
  case Tag::Uninitialized:
    return "Uninitialized";
  case Tag::Tensor:
    return "Tensor";
  case Tag::String:
    return "str";
  case Tag::Complex:
    return "complex";
  case Tag::List:
    return "List";
  case Tag::Tuple:
    return "Tuple";
  case Tag::Dict:
    return "Dict";
  case Tag::Object:
    return "Object";
  case Tag::Future:
    return "Future";
  case Tag::RRef:
    return "RRef";
  }
  TINE_UNREACHABLE("no such tag");
}

// ---- making and reading
// ---------------------------------------------------------------------------

IValue::IValue(std::complex<double> v) : tag_(Tag::Complex) { payload_.p = new ComplexBox(v); }

IValue::IValue(Tensor v) : tag_(v.defined() ? Tag::Tensor : Tag::None) {
  payload_.i = 0;
  if (v.defined()) new (&payload_.tensor) Tensor(std::move(v));
}

IValue::IValue(llvm::StringRef v) : tag_(Tag::String) { payload_.p = new StringBox(v.str()); }

namespace {
// A null reference is None.
template <class T> Tag tagOf(const Ref<T>& v, Tag tag) { return v ? tag : Tag::None; }
} // namespace
IValue::IValue(Ref<List> v) : tag_(tagOf(v, Tag::List)) { payload_.p = v.leak(); }
IValue::IValue(Ref<Tuple> v) : tag_(tagOf(v, Tag::Tuple)) { payload_.p = v.leak(); }
IValue::IValue(Ref<Dict> v) : tag_(tagOf(v, Tag::Dict)) { payload_.p = v.leak(); }
IValue::IValue(Ref<Object> v) : tag_(tagOf(v, Tag::Object)) { payload_.p = v.leak(); }
IValue::IValue(Ref<FutureState> v) : tag_(tagOf(v, Tag::Future)) { payload_.p = v.leak(); }

IValue IValue::list(std::vector<IValue> items) {
  auto list = makeRef<List>();
  list->items = std::move(items);
  return list;
}

IValue IValue::tuple(std::vector<IValue> items) {
  auto tuple = makeRef<Tuple>();
  tuple->items = std::move(items);
  return tuple;
}

double IValue::toNumber() const {
  if (isInt()) return static_cast<double>(payload_.i);
  if (isBool()) return payload_.b;
  return toDouble();
}

std::complex<double> IValue::toComplex() const {
  if (!isComplex()) return toNumber();
  return static_cast<ComplexBox*>(payload_.p)->value;
}

llvm::StringRef IValue::toStringRef() const {
  expect(Tag::String);
  return static_cast<StringBox*>(payload_.p)->value;
}
const Tuple& IValue::toTuple() const {
  expect(Tag::Tuple);
  return *static_cast<Tuple*>(payload_.p);
}
Dict& IValue::toDict() const {
  expect(Tag::Dict);
  return *static_cast<Dict*>(payload_.p);
}
Object& IValue::toObject() const {
  expect(Tag::Object);
  return *static_cast<Object*>(payload_.p);
}
Ref<FutureState> IValue::toFuture() const {
  expect(Tag::Future);
  return Ref<FutureState>(static_cast<FutureState*>(payload_.p));
}

void IValue::wrongTag(Tag wanted) const {
  raise(error_kind::Type,
        "expected a value of type " + name(wanted).str() + " but found " + name(tag_).str());
}

// ---- the end of payloads
// --------------------------------------------------------------------------

namespace {
/// What a thread is destroying, so that a payload inside a payload waits for its turn instead of
/// recursing. Freeing must not need memory: each is linked to the next through its own, in a word
/// that it does not need any more. A link is an address, and in the low bits the tag.
struct Doomed {
  static constexpr std::uintptr_t kTagBits = 7;
  static_assert(static_cast<int>(Tag::Future) - static_cast<int>(Tag::List) <= int(kTagBits));
  static_assert(alignof(List) > kTagBits && alignof(FutureState) > kTagBits);

  void add(Tag tag, void* payload, std::byte* word) {
    std::memcpy(word, &newest, sizeof newest);
    newest = reinterpret_cast<std::uintptr_t>(payload) |
             (static_cast<std::uintptr_t>(tag) - static_cast<std::uintptr_t>(Tag::List));
  }
  Tag tag() const {
    return static_cast<Tag>((newest & kTagBits) + static_cast<std::uintptr_t>(Tag::List));
  }
  void* payload() const { return reinterpret_cast<void*>(newest & ~kTagBits); }
  void remove(const std::byte* word) { std::memcpy(&newest, word, sizeof newest); }

  /// The word of a container: its count, and what is behind it up to the items.
  static std::byte* wordOf(void* payload) { return static_cast<std::byte*>(payload); }
  static_assert(sizeof(RefCount) <= 8 && alignof(std::vector<IValue>) == 8);
  static_assert(sizeof(List) == 8 + sizeof(std::vector<IValue>)); // and so are the others

  std::uintptr_t newest = 0; ///< the link to it, or 0
  bool active = false;
};

// It is empty but while the outermost call of destroyPayload runs.
constinit thread_local Doomed doomed;
} // namespace

void destroyPayload(Tag tag, void* payload) {
  const auto destroyOne = [](Tag kind, void* dead) {
    switch (kind) {
    case Tag::List:
      return delete static_cast<List*>(dead);
    case Tag::Tuple:
      return delete static_cast<Tuple*>(dead);
    case Tag::Dict:
      return delete static_cast<Dict*>(dead);
    case Tag::Object:
      return delete static_cast<Object*>(dead);
    case Tag::Future:
      return FutureState::destroy(static_cast<FutureState*>(dead));
    case Tag::Tensor:
      return TensorImpl::destroy(static_cast<TensorImpl*>(dead));
    case Tag::String:
      return delete static_cast<StringBox*>(dead);
    case Tag::Complex:
      return delete static_cast<ComplexBox*>(dead);
    case Tag::RRef:
    case Tag::None:
    case Tag::Bool:
    case Tag::Int:
    case Tag::Double:
    case Tag::Device:
    case Tag::Function:
    case Tag::Uninitialized:
      break;
    }
    TINE_UNREACHABLE("no payload");
  };
  // These hold no values.
  if (tag == Tag::Tensor || tag == Tag::String || tag == Tag::Complex)
    return destroyOne(tag, payload);
  if (tag == Tag::Future)
    if (auto* future = static_cast<FutureState*>(payload); future->holdsNothing())
      return FutureState::free(future);
  // The word of a future is the second of its result. The first may hold its error.
  const auto wordOf = [](FutureState* future) {
    return reinterpret_cast<std::byte*>(&future->result_) + sizeof(void*);
  };
  if (doomed.active && tag != Tag::Future) return doomed.add(tag, payload, Doomed::wordOf(payload));
  if (doomed.active) {
    // It gives its result away, which may be the last handle of another future, and so on.
    for (auto* future = static_cast<FutureState*>(payload); future;) {
      IValue result;
      if (future->done() && !future->isError_) result.swap(future->result_.value);
      doomed.add(tag, future, wordOf(future));
      future = nullptr;
      if (!result.isFuture()) continue; // a container is added when it goes
      Ref<FutureState> inner = result.toFuture();
      result = IValue();
      FutureState* const last = inner.leak();
      if (last->refs().down()) future = last;
    }
    return;
  }
  doomed.active = true;
  destroyOne(tag, payload);
  while (doomed.newest) {
    const Tag kind = doomed.tag();
    void* const dead = doomed.payload();
    if (kind == Tag::Future) {
      auto* future = static_cast<FutureState*>(dead);
      doomed.remove(wordOf(future));
      if (!future->isError_) new (&future->result_.value) IValue();
    } else {
      doomed.remove(Doomed::wordOf(dead));
    }
    destroyOne(kind, dead);
  }
  doomed.active = false;
}

// ---- comparing
// ------------------------------------------------------------------------------------

bool identical(const IValue& a, const IValue& b) {
  using Pair = std::pair<const IValue*, const IValue*>;
  llvm::SmallVector<Pair, 8> todo{{&a, &b}};
  // Containers that are compared already, or being compared: shared parts are visited once, and a
  // list that contains itself ends.
  llvm::DenseSet<std::pair<const void*, const void*>> seen;
  const auto add = [&](const std::vector<IValue>& x, const std::vector<IValue>& y) {
    if (x.size() != y.size()) return false;
    if (!seen.insert({&x, &y}).second) return true;
    for (std::size_t i = x.size(); i-- > 0;) todo.push_back({&x[i], &y[i]});
    return true;
  };
  while (!todo.empty()) {
    const auto [x, y] = todo.pop_back_val();
    if (x->tag() != y->tag()) return false;
    if (x->isSame(*y)) continue;
    switch (x->tag()) {
    case Tag::None:
    case Tag::Uninitialized:
      continue;
    case Tag::Bool:
    case Tag::Int:
    case Tag::Device:
    case Tag::Function:
    case Tag::Double: // equal bits are the same
    case Tag::Future:
    case Tag::RRef:
      return false;
    case Tag::Object: {
      const Object &ox = x->toObject(), &oy = y->toObject();
      if (!ox.layout || !oy.layout || !ox.layout->isEnum || !oy.layout->isEnum ||
          ox.layout->name != oy.layout->name || !add(ox.slots, oy.slots))
        return false;
      continue;
    }
    case Tag::Tensor:
      if (!identical(x->asTensor(), y->asTensor())) return false;
      continue;
    case Tag::String:
      if (x->toStringRef() != y->toStringRef()) return false;
      continue;
    case Tag::Complex: {
      const std::complex<double> cx = x->toComplex(), cy = y->toComplex();
      if (std::memcmp(&cx, &cy, sizeof cx) != 0) return false;
      continue;
    }
    case Tag::List:
      if (!add(x->toList().items, y->toList().items)) return false;
      continue;
    case Tag::Tuple: {
      const Tuple &tx = x->toTuple(), &ty = y->toTuple();
      const bool names = tx.names && ty.names ? *tx.names == *ty.names : !tx.names && !ty.names;
      if (!names || !add(tx.items, ty.items)) return false;
      continue;
    }
    case Tag::Dict: {
      const auto &dx = x->toDict().items, &dy = y->toDict().items;
      if (dx.size() != dy.size()) return false;
      if (!seen.insert({&dx, &dy}).second) continue;
      for (std::size_t i = dx.size(); i-- > 0;) {
        todo.push_back({&dx[i].second, &dy[i].second});
        todo.push_back({&dx[i].first, &dy[i].first});
      }
      continue;
    }
    }
  }
  return true;
}

// ---- dicts and classes
// ----------------------------------------------------------------------------

namespace {
constexpr std::size_t kLinear = 8; // items that are searched one by one

bool sameKey(const IValue& a, const IValue& b) {
  if (a.tag() != b.tag()) return false;
  if (a.isString()) return a.toStringRef() == b.toStringRef();
  if (a.isDouble()) return a.toDouble() == b.toDouble();
  if (a.isComplex()) return a.toComplex() == b.toComplex();
  return a.isSame(b);
}

std::size_t hashKey(const IValue& key) {
  const auto bits = [](double d) { return std::bit_cast<std::uint64_t>(d == 0 ? 0.0 : d); };
  if (key.isInt()) return llvm::hash_value(key.toInt());
  if (key.isBool()) return llvm::hash_value(key.toBool());
  if (key.isDouble()) return llvm::hash_value(bits(key.toDouble()));
  if (key.isString()) return llvm::hash_value(key.toStringRef());
  if (key.isTensor()) return llvm::hash_value(key.asTensor().impl());
  const std::complex<double> c = key.toComplex();
  return llvm::hash_combine(bits(c.real()), bits(c.imag()));
}
} // namespace

std::size_t Dict::position(const IValue& key) const {
  if (buckets_.empty()) {
    std::size_t i = 0;
    while (i < items.size() && !sameKey(items[i].first, key)) ++i;
    return i;
  }
  const std::size_t mask = buckets_.size() - 1;
  for (std::size_t at = hashKey(key) & mask; buckets_[at]; at = (at + 1) & mask)
    if (sameKey(items[buckets_[at] - 1].first, key)) return buckets_[at] - 1;
  return items.size();
}

void Dict::rebuild() {
  buckets_.clear();
  if (items.size() <= kLinear) return;
  buckets_.assign(std::bit_ceil(items.size() * 2 + 2), 0);
  const std::size_t mask = buckets_.size() - 1;
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::size_t at = hashKey(items[i].first) & mask;
    while (buckets_[at]) at = (at + 1) & mask;
    buckets_[at] = static_cast<std::uint32_t>(i + 1);
  }
}

IValue* Dict::find(const IValue& key) {
  const std::size_t i = position(key);
  return i < items.size() ? &items[i].second : nullptr;
}

void Dict::set(IValue key, IValue value) {
  if (!key.isNumber() && !key.isString() && !key.isTensor())
    raise(error_kind::Type, "a value of type " + name(key.tag()).str() + " cannot be a dict's key");
  if (IValue* old = find(key)) {
    *old = std::move(value);
    return;
  }
  if (items.size() >= std::numeric_limits<std::uint32_t>::max() / 4)
    raise(error_kind::Memory, "a dict of too many items");
  items.emplace_back(std::move(key), std::move(value));
  if (items.size() * 4 > buckets_.size() * 3) {
    rebuild();
    return;
  }
  const std::size_t mask = buckets_.size() - 1;
  std::size_t at = hashKey(items.back().first) & mask;
  while (buckets_[at]) at = (at + 1) & mask;
  buckets_[at] = static_cast<std::uint32_t>(items.size());
}

bool Dict::erase(const IValue& key) {
  const std::size_t i = position(key);
  if (i == items.size()) return false;
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
  rebuild();
  return true;
}

void Dict::clear() {
  items.clear();
  buckets_.clear();
}

int ClassLayout::slot(llvm::StringRef attribute) const {
  for (std::size_t i = 0; i < attributes.size(); ++i)
    if (attributes[i] == attribute) return static_cast<int>(i);
  return -1;
}

} // namespace tine
