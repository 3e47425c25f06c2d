#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "tensor/ref.h"
#include "tensor/tensor.h"

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

namespace tine {

class FutureState;
class IValue;
struct StringBox;
struct ComplexBox;
struct List;
struct Tuple;
struct Dict;
struct Object;

/// What an IValue holds. Kinds from Tensor on are counted references.
enum class Tag : std::uint8_t {
  None,
  Bool,
  Int,
  Double,
  Device,
  Function,
  Uninitialized,
  Tensor,
  String,
  Complex,
  List,
  Tuple,
  Dict,
  Object,
  Future,
  RRef,
};
llvm::StringRef name(Tag tag); ///< `int`, `Tensor`, ..., as messages say it

/// Destroys a payload whose last reference is gone. Containers and futures inside are put on a list
/// and destroyed in turn, so that no nesting, however deep, needs stack.
void destroyPayload(Tag tag, void* payload);

/// A value at run time: 16 bytes, a tag and a payload. None, bool, int, float are held in place,
/// everything else by counted reference (a complex number too: it needs 16 bytes by itself). Lists,
/// dicts, objects and futures are shared by copies, as in Python; strings and tuples never change.
///
///   IValue v = 3;  v.isInt();  v.toInt();
///   IValue l = IValue::list({1, 2});  l.toList().items.push_back(3);
///
/// A `toX` on another kind raises TypeError. \thread distinct values that share a payload: as the
/// payload says
class IValue {
public:
  IValue() : tag_(Tag::None) { payload_.i = 0; }
  IValue(bool v) : tag_(Tag::Bool) {
    payload_.i = 0;
    payload_.b = v;
  }
  IValue(std::int64_t v) : tag_(Tag::Int) { payload_.i = v; }
  IValue(int v) : IValue(static_cast<std::int64_t>(v)) {}
  IValue(double v) : tag_(Tag::Double) { payload_.d = v; }
  IValue(std::complex<double> v);
  IValue(Tensor v); ///< None when undefined
  IValue(llvm::StringRef v);
  IValue(const char* v) : IValue(llvm::StringRef(v)) {}
  IValue(const std::string& v) : IValue(llvm::StringRef(v)) {}
  template <class T> IValue(T*) = delete; // a pointer would become a bool
  IValue(Ref<List> v);
  IValue(Ref<Tuple> v);
  IValue(Ref<Dict> v);
  IValue(Ref<Object> v);
  IValue(Ref<FutureState> v);

  static IValue list(std::vector<IValue> items);
  static IValue tuple(std::vector<IValue> items);
  /// A function value: an opaque pointer that whoever made it keeps alive.
  static IValue function(const void* f) {
    IValue v;
    v.tag_ = Tag::Function;
    v.payload_.p = const_cast<void*>(f);
    return v;
  }
  /// Takes over a reference that the caller owns.
  static IValue adopt(FutureState* future) {
    IValue v;
    v.tag_ = Tag::Future;
    v.payload_.p = future;
    return v;
  }
  /// A value in its parts, for who has no place of 16 bytes: `leak` leaves None, `adopt` makes it
  /// a value again.
  struct Parts {
    std::int64_t payload;
    Tag tag;
  };
  Parts leak() {
    const Parts parts{payload_.i, tag_};
    new (this) IValue();
    return parts;
  }
  static IValue adopt(const Parts& parts) {
    IValue v(parts.payload);
    v.tag_ = parts.tag;
    return v;
  }
  /// A device, by its name in `device.def` order: 0 is cpu; others are carried, never used.
  static IValue device(std::int64_t code) {
    IValue v(code);
    v.tag_ = Tag::Device;
    return v;
  }
  static IValue uninitialized() {
    IValue v;
    v.tag_ = Tag::Uninitialized;
    return v;
  }

  IValue(const IValue& o) : tag_(o.tag_) {
    payload_.i = o.payload_.i;
    if (isCounted()) counter().up();
  }
  IValue(IValue&& o) noexcept : tag_(o.tag_) {
    payload_.i = o.payload_.i;
    o.tag_ = Tag::None;
    o.payload_.i = 0;
  }
  IValue& operator=(const IValue& o) {
    if (isCounted() || o.isCounted()) return *this = IValue(o);
    payload_.i = o.payload_.i;
    tag_ = o.tag_;
    return *this;
  }
  IValue& operator=(IValue&& o) noexcept {
    if (isCounted() || this == &o) {
      IValue moved(std::move(o));
      swap(moved); // what was here goes last
    } else {
      new (this) IValue(std::move(o));
    }
    return *this;
  }
  ~IValue() {
    if (isCounted() && counter().down()) destroyPayload(tag_, payload_.p);
  }
  void swap(IValue& o) noexcept {
    std::swap(payload_.i, o.payload_.i);
    std::swap(tag_, o.tag_);
  }

  Tag tag() const { return tag_; }
  bool isNone() const { return tag_ == Tag::None; }
  bool isBool() const { return tag_ == Tag::Bool; }
  bool isInt() const { return tag_ == Tag::Int; }
  bool isDouble() const { return tag_ == Tag::Double; }
  bool isComplex() const { return tag_ == Tag::Complex; }
  bool isNumber() const { return isInt() || isDouble() || isBool() || isComplex(); }
  bool isTensor() const { return tag_ == Tag::Tensor; }
  bool isString() const { return tag_ == Tag::String; }
  bool isList() const { return tag_ == Tag::List; }
  bool isTuple() const { return tag_ == Tag::Tuple; }
  bool isDict() const { return tag_ == Tag::Dict; }
  bool isObject() const { return tag_ == Tag::Object; }
  bool isFuture() const { return tag_ == Tag::Future; }
  bool isDevice() const { return tag_ == Tag::Device; }
  bool isFunction() const { return tag_ == Tag::Function; }
  bool isCounted() const { return tag_ >= Tag::Tensor; }

  bool toBool() const {
    expect(Tag::Bool);
    return payload_.b;
  }
  std::int64_t toInt() const {
    expect(Tag::Int);
    return payload_.i;
  }
  double toDouble() const {
    expect(Tag::Double);
    return payload_.d;
  }
  /// An int, float or bool as a double. \errors TypeError
  double toNumber() const;
  std::complex<double> toComplex() const;
  Tensor toTensor() const { return asTensor(); } ///< another handle
  /// The handle inside; valid while this value is.
  const Tensor& asTensor() const {
    expect(Tag::Tensor);
    return payload_.tensor;
  }
  llvm::StringRef toStringRef() const;
  List& toList() const {
    expect(Tag::List);
    return *static_cast<List*>(payload_.p);
  }
  const Tuple& toTuple() const;
  Dict& toDict() const;
  Object& toObject() const;
  Ref<FutureState> toFuture() const;
  /// The state inside; valid while this value is.
  FutureState& asFuture() const {
    expect(Tag::Future);
    return *static_cast<FutureState*>(payload_.p);
  }
  const void* toFunction() const {
    expect(Tag::Function);
    return payload_.p;
  }
  std::int64_t toDevice() const {
    expect(Tag::Device);
    return payload_.i;
  }

  /// True when this is the only reference to the payload (so that its buffer may be reused).
  bool isUnique() const { return isCounted() && counter().unique(); }
  /// The same object (`is`): same payload, or equal in-place values.
  bool isSame(const IValue& o) const { return tag_ == o.tag_ && payload_.i == o.payload_.i; }
  /// As Python's repr through PyTorch: `tensor([1., 2.])`, `[1, 2]`, `'s'`, `(1,)`, `{'k': 1}`.
  std::string str() const;

private:
  void expect(Tag tag) const {
    if (tag_ != tag) [[unlikely]]
      wrongTag(tag);
  }
  [[noreturn]] void wrongTag(Tag wanted) const;
  // Every counted payload begins with its count.
  const RefCount& counter() const { return *static_cast<const RefCount*>(payload_.p); }

  union Payload {
    bool b;
    std::int64_t i;
    double d;
    void* p;
    Tensor tensor;
    Payload() : i(0) {}
    ~Payload() {}
  } payload_;
  Tag tag_;
};
static_assert(sizeof(IValue) == 16);

/// Same structure, kinds and bits (tensors by `identical`, floats bitwise, dicts in order). Objects
/// and futures by identity.
bool identical(const IValue& a, const IValue& b);

} // namespace tine

#include "tensor/payload.h" // what counted references point at
