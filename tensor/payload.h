#pragma once

#include "tensor/ivalue.h"

#include <typeinfo>

namespace tine {

/// Counted payloads. `Live::Value` counts them. Destruction is iterative, whatever the nesting.
struct Counted {
  RefCount refs;
  Counted() { countLive(Live::Value, 1); }
  Counted(const Counted&) = delete;
  ~Counted() { countLive(Live::Value, -1); }
};

struct StringBox : Counted {
  std::string value;
  explicit StringBox(std::string v) : value(std::move(v)) {}
};
struct ComplexBox : Counted {
  std::complex<double> value;
  explicit ComplexBox(std::complex<double> v) : value(v) {}
};

struct List : Counted {
  std::vector<IValue> items;
  void retain() const { refs.up(); }
  void release() const {
    if (refs.down()) destroyPayload(Tag::List, const_cast<List*>(this));
  }
};

/// A tuple; of a NamedTuple with the names of its fields.
struct Tuple : Counted {
  std::vector<IValue> items;
  std::shared_ptr<const std::vector<std::string>> names; ///< null unless a NamedTuple
  void retain() const { refs.up(); }
  void release() const {
    if (refs.down()) destroyPayload(Tag::Tuple, const_cast<Tuple*>(this));
  }
};

/// A dict in insertion order. Keys: int, float, bool, str, complex; Tensor by identity. `items` may
/// be read, and its values changed, directly; keys come and go through the functions.
struct Dict : Counted {
  std::vector<std::pair<IValue, IValue>> items;
  IValue* find(const IValue& key);
  /// Replaces the value of the key, or adds it at the end. \errors TypeError a key of another kind
  void set(IValue key, IValue value);
  bool erase(const IValue& key); ///< \cost O(items); false when there is none
  void clear();
  void retain() const { refs.up(); }
  void release() const {
    if (refs.down()) destroyPayload(Tag::Dict, const_cast<Dict*>(this));
  }

private:
  std::size_t position(const IValue& key) const; ///< in items; items.size() when there is none
  void rebuild();

  std::vector<std::uint32_t> buckets_; ///< open addressing: index + 1; built above eight items
};

/// What objects of one class have in common. Its identity is the class.
struct ClassLayout {
  std::string name;                    ///< qualified: `__torch__.a.b.C`
  std::vector<std::string> attributes; ///< slot k holds attributes[k]
  bool isEnum = false; ///< of the members of an enum: attributes are `name` and `value`
  const std::type_info* native = nullptr;    ///< of a class written in C++: what objects hold
  int slot(llvm::StringRef attribute) const; ///< -1 when there is none
};

/// An instance of a class or module: its attributes in slots.
struct Object : Counted {
  std::shared_ptr<const ClassLayout> layout;
  std::vector<IValue> slots;
  std::shared_ptr<void> native; ///< C++'s object, of a class that is written in C++
  void retain() const { refs.up(); }
  void release() const {
    if (refs.down()) destroyPayload(Tag::Object, const_cast<Object*>(this));
  }
};

template <class T, class... Args> Ref<T> makeRef(Args&&... args) {
  return Ref<T>::adopt(new T(std::forward<Args>(args)...));
}

} // namespace tine
