#include "ir/attribute.h"

#include "ir/graph.h"
#include "llvm/ADT/STLExtras.h"

namespace tine {

Attribute::Attribute() = default;
Attribute::Attribute(Attribute&&) noexcept = default;
Attribute& Attribute::operator=(Attribute&&) noexcept = default;
Attribute::~Attribute() = default;

Attribute Attribute::withoutGraphs() const {
  Attribute copy;
  copy.name = name;
  copy.kind = kind;
  copy.value = value;
  copy.verbatim = verbatim;
  copy.types = types;
  return copy;
}

Attribute* Attributes::find(Symbol name) {
  auto it = llvm::find_if(items_, [&](const Attribute& a) { return a.name == name; });
  return it == items_.end() ? nullptr : &*it;
}

Attribute* Attributes::find(Builtin name) {
  auto it = llvm::find_if(items_, [&](const Attribute& a) { return a.name.is(name); });
  return it == items_.end() ? nullptr : &*it;
}

Attribute& Attributes::set(Attribute attribute) {
  if (Attribute* known = find(attribute.name)) return *known = std::move(attribute);
  items_.push_back(std::move(attribute));
  return items_.back();
}

void Attributes::remove(Symbol name) {
  llvm::erase_if(items_, [&](const Attribute& a) { return a.name == name; });
}

void Attributes::setValue(Symbol name, AttrKind kind, IValue v) {
  Attribute attribute;
  attribute.name = name;
  attribute.kind = kind;
  attribute.value = std::move(v);
  set(std::move(attribute));
}

void Attributes::setInt(Symbol name, std::int64_t v) { setValue(name, AttrKind::i, v); }
void Attributes::setString(Symbol name, llvm::StringRef v) { setValue(name, AttrKind::s, v); }

void Attributes::setGraph(Symbol name, std::unique_ptr<Graph> graph) {
  Attribute attribute;
  attribute.name = name;
  attribute.kind = AttrKind::g;
  attribute.graphs.push_back(std::move(graph));
  set(std::move(attribute));
}

void Attributes::setTypes(Symbol name, llvm::ArrayRef<const Type*> types) {
  Attribute attribute;
  attribute.name = name;
  attribute.kind = AttrKind::tys;
  attribute.types.assign(types.begin(), types.end());
  set(std::move(attribute));
}

llvm::StringRef Attributes::string(Builtin name) const { return find(name)->value.toStringRef(); }
std::int64_t Attributes::integer(Builtin name) const { return find(name)->value.toInt(); }

} // namespace tine
