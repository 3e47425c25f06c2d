#pragma once

#include "ir/symbol.h"
#include "llvm/ADT/SmallVector.h"
#include "tensor/ivalue.h"

#include <memory>

namespace tine {

class Graph;
class Type;

/// Kinds of attribute, with TorchScript's names. \source spec/torchscript A.2
enum class AttrKind : std::uint8_t { f, fs, c, cs, i, is, s, ss, t, ts, g, gs, ty, tys, ival };

/// A named constant of a node. All data kinds hold an IValue (`is` a list of ints, ...); `g`/`gs`
/// hold graphs, `ty`/`tys` types.
///
/// `verbatim` is the text of a value that the dump did not contain (`<Tensor>`, `object(0x...)`),
/// or that this build cannot hold: it prints back as it was, and a program that needs the value
/// fails with a clear error.
struct Attribute {
  Symbol name;
  AttrKind kind = AttrKind::ival;
  IValue value;
  std::string verbatim;
  std::vector<std::unique_ptr<Graph>> graphs;
  llvm::SmallVector<const Type*, 0> types;

  bool isVerbatim() const { return !verbatim.empty(); }
  /// A copy but for the graphs, which are copied in different ways.
  Attribute withoutGraphs() const;
  Attribute();
  Attribute(Attribute&&) noexcept;
  Attribute& operator=(Attribute&&) noexcept;
  ~Attribute();
};

/// The attributes of a node, in the order in which they were set, which is the order of printing.
class Attributes {
public:
  Attribute* find(Symbol name);
  Attribute* find(Builtin name);
  const Attribute* find(Builtin name) const { return const_cast<Attributes*>(this)->find(name); }
  bool has(Builtin name) const { return find(name) != nullptr; }
  /// Replaces the attribute of that name, or adds it.
  Attribute& set(Attribute attribute);
  void remove(Symbol name);
  void clear() { items_.clear(); }

  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }

  /// Shorthands. \pre for the readers: present, of that kind
  void setInt(Symbol name, std::int64_t v);
  void setString(Symbol name, llvm::StringRef v);
  void setGraph(Symbol name, std::unique_ptr<Graph> graph);
  void setTypes(Symbol name, llvm::ArrayRef<const Type*> types);
  void setValue(Symbol name, AttrKind kind, IValue v);
  llvm::StringRef string(Builtin name) const;
  std::int64_t integer(Builtin name) const;

private:
  std::vector<Attribute> items_;
};

} // namespace tine
