#pragma once

#include "ir/symbol.h"
#include "llvm/ADT/iterator.h"
#include "llvm/ADT/iterator_range.h"

#include <cstdint>
#include <string>

namespace tine {

class Block;
class Graph;
class Node;
class Type;
class Value;

/// One operand: which value, of which node. A link in the value's list of uses.
struct Use {
  Value* value = nullptr;
  Node* user = nullptr;
  std::uint32_t index = 0;
  Use *next = nullptr, **link = nullptr; ///< link: what points at this

  void set(Value* v); ///< relinks; null unlinks
  /// Takes over the other's place in the list of uses. \pre this one is unlinked
  void moveFrom(Use& other);
};

/// The operands of a node, as values.
class Operands {
public:
  Operands(const Use* first, std::size_t count) : first_(first), count_(count) {}
  class Iterator
      : public llvm::iterator_adaptor_base<Iterator, const Use*, std::random_access_iterator_tag,
                                           Value*, std::ptrdiff_t, Value* const*, Value*> {
  public:
    Iterator() : Iterator(nullptr) {}
    explicit Iterator(const Use* use) : iterator_adaptor_base(use) {}
    Value* operator*() const { return I->value; }
  };
  Iterator begin() const { return Iterator(first_); }
  Iterator end() const { return Iterator(first_ + count_); }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  Value* operator[](std::size_t i) const { return first_[i].value; }

private:
  const Use* first_;
  std::size_t count_;
};

/// The uses of a value, in the order in which they were made.
class UseIterator : public llvm::iterator_facade_base<UseIterator, std::forward_iterator_tag, Use,
                                                      std::ptrdiff_t, Use*, Use&> {
public:
  explicit UseIterator(Use* use = nullptr) : use_(use) {}
  Use& operator*() const { return *use_; }
  UseIterator& operator++() {
    use_ = use_->next;
    return *this;
  }
  bool operator==(const UseIterator& o) const { return use_ == o.use_; }

private:
  Use* use_;
};

/// A result of a node, or an input of a block (a result of its Param node).
class Value {
public:
  Node* node() const { return node_; }
  std::uint32_t index() const { return index_; } ///< among the node's outputs
  const Type* type() const { return type_; }
  void setType(const Type* type) { type_ = type; }

  /// Distinct in its graph; how an unnamed value prints. Only Graph::renumber changes it.
  std::uint32_t unique() const { return unique_; }
  bool hasName() const { return !name_.empty(); }
  Symbol name() const { return name_; }
  /// The name, or the number as text.
  std::string displayName() const;
  /// Names the value. When another value has the name, that one is renamed `base.N`; an empty name
  /// removes it. \source spec/torchscript A.4
  void setName(llvm::StringRef name);

  llvm::iterator_range<UseIterator> uses() const { return {UseIterator(firstUse_), UseIterator()}; }
  bool hasUses() const { return firstUse_; }
  bool hasOneUse() const { return firstUse_ && !firstUse_->next; }
  /// Before: `%2 = f(%1)`  After: `%2 = f(%other)`, at every use. \cost O(uses)
  void replaceAllUsesWith(Value* other);

private:
  friend class Graph;
  friend class Node;
  friend struct Use;
  friend struct GraphAccess;
  Node* node_ = nullptr;
  const Type* type_ = nullptr;
  Symbol name_;
  std::uint32_t unique_ = 0, index_ = 0;
  Use *firstUse_ = nullptr, **lastUse_ = &firstUse_;
};

/// The nodes between two nodes; see Block::nodes().
class NodeRange {
public:
  class Iterator {
  public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Node*;
    using difference_type = std::ptrdiff_t;
    using pointer = Node* const*;
    using reference = Node*;
    explicit Iterator(Node* node, Node* end)
        : node_(node), next_(node == end ? node : after(node)) {}
    Node* operator*() const { return node_; }
    Iterator& operator++() {
      node_ = next_;
      next_ = node_ ? after(node_) : nullptr;
      return *this;
    }
    bool operator==(const Iterator& o) const { return node_ == o.node_; }
    bool operator!=(const Iterator& o) const { return node_ != o.node_; }

  private:
    static Node* after(Node* node);
    Node *node_, *next_;
  };
  NodeRange(Node* first, Node* end) : first_(first), end_(end) {}
  Iterator begin() const { return Iterator(first_, end_); }
  Iterator end() const { return Iterator(end_, end_); }

private:
  Node *first_, *end_;
};

} // namespace tine
