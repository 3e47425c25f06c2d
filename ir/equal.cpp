#include "ir/equal.h"

#include "ir/print.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Twine.h"

namespace tine {
namespace {

/// Walks two graphs in step. Subgraphs wait on a list and blocks on a stack: nothing recurses.
class Comparison {
public:
  explicit Comparison(std::string* why) : why_(why) {}

  bool graphs(const Graph& a, const Graph& b, const std::string& name) {
    pending_.push_back({&a, &b, name});
    while (!pending_.empty()) {
      Pair pair = std::move(pending_.back());
      pending_.pop_back();
      where_ = std::move(pair.where);
      if (!body(*pair.a, *pair.b)) return false;
    }
    return true;
  }

private:
  struct Pair {
    const Graph *a, *b;
    std::string where;
  };
  struct Blocks {
    const Block *a, *b;
    const Node *nextA, *nextB;
  };

  bool differ(const llvm::Twine& what) {
    if (why_) *why_ = (where_ + ": " + what).str();
    return false;
  }
  bool differ(const Node& node, const llvm::Twine& what) {
    if (!why_) return false;
    std::string text = node.kind().str().str();
    if (node.numOutputs() > 0) text = "%" + node.output()->displayName() + " = " + text;
    return differ("`" + text + "`: " + what);
  }

  bool body(const Graph& a, const Graph& b) {
    values_.clear();
    std::vector<Blocks> stack;
    if (!enter(*a.block(), *b.block(), stack)) return false;
    while (!stack.empty()) {
      auto& [blockA, blockB, nextA, nextB] = stack.back();
      if (nextA == blockA->ret() || nextB == blockB->ret()) {
        if (nextA != blockA->ret()) return differ(*nextA, "only in the first");
        if (nextB != blockB->ret()) return differ(*nextB, "only in the second");
        if (!operands(*nextA, *nextB)) return false;
        stack.pop_back();
        continue;
      }
      const Node &nodeA = *nextA, &nodeB = *nextB;
      nextA = nextA->next();
      nextB = nextB->next();
      if (!nodes(nodeA, nodeB)) return false;
      for (std::size_t i = nodeA.blocks().size(); i-- > 0;)
        if (!enter(*nodeA.blocks()[i], *nodeB.blocks()[i], stack)) return false;
    }
    return true;
  }

  bool enter(const Block& a, const Block& b, std::vector<Blocks>& stack) {
    if (a.inputs().size() != b.inputs().size())
      return differ("a block has " + llvm::Twine(a.inputs().size()) + " inputs against " +
                    llvm::Twine(b.inputs().size()));
    for (std::size_t i = 0; i < a.inputs().size(); ++i)
      if (!value(*a.inputs()[i], *b.inputs()[i])) return false;
    stack.push_back({&a, &b, a.param()->next(), b.param()->next()});
    return true;
  }

  bool value(const Value& a, const Value& b) {
    values_[&a] = &b;
    if (a.name().str() != b.name().str())
      return differ("%" + a.displayName() + " is %" + b.displayName() + " in the second");
    if (equal(a.type(), b.type())) return true;
    return differ("%" + a.displayName() + " has type " + a.type()->str(Style::Lossless) +
                  " against " + b.type()->str(Style::Lossless));
  }

  bool operands(const Node& a, const Node& b) {
    if (a.numInputs() != b.numInputs())
      return differ(a,
                    llvm::Twine(a.numInputs()) + " operands against " + llvm::Twine(b.numInputs()));
    for (std::size_t i = 0; i < a.numInputs(); ++i)
      if (values_.lookup(a.input(i)) != b.input(i))
        return differ(a, "operand " + llvm::Twine(i) + " is another value");
    return true;
  }

  bool nodes(const Node& a, const Node& b) {
    if (a.kind().str() != b.kind().str())
      return differ(a, "`" + b.kind().str() + "` in the second");
    if (a.overload().str() != b.overload().str())
      return differ(a,
                    "overload '" + a.overload().str() + "' against '" + b.overload().str() + "'");
    if (a.scope().str() != b.scope().str())
      return differ(a, "scope '" + a.scope().str() + "' against '" + b.scope().str() + "'");
    if (!sameLocation(a.location(), b.location())) return differ(a, "another location");
    if (a.numOutputs() != b.numOutputs()) return differ(a, "another number of results");
    if (a.blocks().size() != b.blocks().size()) return differ(a, "another number of blocks");
    if (!operands(a, b)) return false;
    for (std::size_t i = 0; i < a.numOutputs(); ++i)
      if (!value(*a.output(i), *b.output(i))) return false;
    return attributes(a, b);
  }

  static bool sameLocation(const Location& a, const Location& b) {
    bool printedA = a.printed && !a.file.empty(), printedB = b.printed && !b.file.empty();
    if (!printedA || !printedB) return printedA == printedB;
    return a.file.str() == b.file.str() && a.line == b.line && a.column == b.column;
  }

  /// In order; but a Subgraph, which is printed apart, may stand anywhere.
  bool attributes(const Node& a, const Node& b) {
    if (a.attributes().size() != b.attributes().size())
      return differ(a, "another number of attributes");
    auto next = [](auto& it, const Attributes& list) {
      while (it != list.end() && it->name.is(Builtin::Subgraph)) ++it;
      return it != list.end();
    };
    auto itA = a.attributes().begin(), itB = b.attributes().begin();
    for (; next(itA, a.attributes()) && next(itB, b.attributes()); ++itA, ++itB) {
      if (itA->name.str() != itB->name.str())
        return differ(a, "attribute " + itA->name.str() + " against " + itB->name.str());
      if (!attribute(a, *itA, *itB)) return false;
    }
    const Attribute* subgraphA = a.attributes().find(Builtin::Subgraph);
    const Attribute* subgraphB = b.attributes().find(Builtin::Subgraph);
    if (!subgraphA != !subgraphB) return differ(a, "a Subgraph in one only");
    return !subgraphA || attribute(a, *subgraphA, *subgraphB);
  }

  bool attribute(const Node& node, const Attribute& a, const Attribute& b) {
    llvm::StringRef name = a.name.str();
    if (a.kind != b.kind) return differ(node, "attribute " + name + " of another kind");
    if (a.verbatim != b.verbatim || !identical(a.value, b.value) || !sameWrapping(a.value, b.value))
      return differ(node, "attribute " + name + " has another value");
    if (a.types.size() != b.types.size() || a.graphs.size() != b.graphs.size())
      return differ(node, "attribute " + name + " of another length");
    for (std::size_t i = 0; i < a.types.size(); ++i)
      if (!equal(a.types[i], b.types[i]))
        return differ(node, "attribute " + name + ": another type");
    for (std::size_t i = 0; i < a.graphs.size(); ++i) {
      if (!a.graphs[i] != !b.graphs[i]) return differ(node, "attribute " + name + ": no graph");
      if (a.graphs[i])
        pending_.push_back({a.graphs[i].get(), b.graphs[i].get(),
                            why_ ? where_ + ", " + node.kind().str().str() : ""});
    }
    return true;
  }

  /// Of tensors, which `identical` compares by their elements.
  static bool sameWrapping(const IValue& a, const IValue& b) {
    if (!a.isTensor() || !b.isTensor() || !a.asTensor().defined() || !b.asTensor().defined())
      return true;
    return a.asTensor().isWrappedNumber() == b.asTensor().isWrappedNumber();
  }

  std::string* why_;
  std::string where_;
  std::vector<Pair> pending_;
  llvm::DenseMap<const Value*, const Value*> values_;
};

} // namespace

bool equal(const Graph& a, const Graph& b, std::string* why) {
  return Comparison(why).graphs(a, b, "graph");
}

bool equal(const CompilationUnit& a, const CompilationUnit& b, std::string* why) {
  if (a.functions().size() != b.functions().size()) {
    if (why) *why = "another number of functions";
    return false;
  }
  for (std::size_t i = 0; i < a.functions().size(); ++i) {
    const NamedGraph &f = a.functions()[i], &g = b.functions()[i];
    if (f.name != g.name) {
      if (why) *why = "function '" + f.name + "' against '" + g.name + "'";
      return false;
    }
    if (!Comparison(why).graphs(*f.graph, *g.graph, f.name)) return false;
  }
  return true;
}

} // namespace tine
