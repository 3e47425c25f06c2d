#include "ir/value.h"

#include "ir/graph.h"
#include "llvm/ADT/Twine.h"

namespace tine {

void Use::set(Value* v) {
  if (value) {
    *link = next;
    if (next)
      next->link = link;
    else
      value->lastUse_ = link;
  }
  value = v;
  next = nullptr;
  link = nullptr;
  if (!v) return;
  link = v->lastUse_;
  *link = this;
  v->lastUse_ = &next;
}

void Use::moveFrom(Use& other) {
  value = other.value;
  user = other.user;
  index = other.index;
  next = other.next;
  link = other.link;
  if (value) {
    *link = this;
    if (next)
      next->link = &next;
    else
      value->lastUse_ = &next;
  }
  other = Use();
}

std::string Value::displayName() const {
  return hasName() ? name_.str().str() : std::to_string(unique_);
}

void Value::setName(llvm::StringRef name) {
  Graph& graph = node_->graph();
  if (hasName()) graph.names_.erase(name_.str());
  name_ = Symbol();
  if (name.empty()) return;
  auto [entry, fresh] = graph.names_.try_emplace(name, this);
  if (!fresh) {
    // The older owner gives way: `x` becomes `x.1`, then `x.3`, the first that is free.
    Value* older = entry->second;
    entry->second = this;
    auto [base, suffix] = name.rsplit('.');
    std::uint32_t number = 0;
    if (suffix.empty() || suffix.getAsInteger(10, number)) base = name, number = 0;
    // As TorchScript counts: 1, 3, 5.
    std::uint32_t& next = graph.nextSuffix_[base];
    next = std::max(std::max(number, 1u), next ? next + 1 : 0);
    std::string renamed;
    do renamed = (base + "." + llvm::Twine(next++)).str();
    while (graph.names_.contains(renamed));
    graph.names_[renamed] = older;
    older->name_ = graph.context().symbol(renamed);
  }
  name_ = graph.context().symbol(name);
}

void Value::replaceAllUsesWith(Value* other) {
  TINE_CHECK(other != this);
  if (!firstUse_) return;
  for (Use& use : uses()) use.value = other;
  *other->lastUse_ = firstUse_;
  firstUse_->link = other->lastUse_;
  other->lastUse_ = lastUse_;
  firstUse_ = nullptr;
  lastUse_ = &firstUse_;
}

Node* NodeRange::Iterator::after(Node* node) { return node->next(); }

} // namespace tine
