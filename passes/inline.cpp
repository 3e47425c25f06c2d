#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

#include <algorithm>

namespace tine {
namespace {

/// Calls stay calls when a graph would grow beyond this.
constexpr std::size_t kMaxNodes = 200'000;
/// The same for the body of a fork: many forks of one function share its code while they call it.
constexpr std::size_t kMaxBodyNodes = 200;

bool isCall(const Node* node) {
  return node->op() == Builtin::CallFunction || node->op() == Builtin::CallMethod;
}

/// What inlining asks of functions, each answered once.
class Callees {
public:
  explicit Callees(const PassContext& context) : context_(context) {
    if (context.unit())
      for (const NamedGraph& function : context.unit()->functions())
        names_[function.graph.get()] = function.name;
  }

  llvm::StringRef nameOf(const Graph& function) const { return names_.lookup(&function); }

  struct Facts {
    bool recursive = false; ///< may call itself, also through others and through forks
    bool forks = false;    ///< has a fork, or something else with a body, in it or in what it calls
    std::size_t nodes = 0; ///< its own
  };

  const Facts& of(const Graph& function) {
    auto [it, fresh] = facts_.try_emplace(&function);
    if (!fresh) return it->second;
    Facts facts;
    llvm::SmallPtrSet<const Graph*, 16> seen;
    std::vector<const Graph*> work{&function};
    while (!work.empty()) {
      const Graph* graph = work.back();
      work.pop_back();
      graph->forEachNode([&](Node* node) {
        facts.nodes += graph == &function;
        const Graph* inner = isCall(node) ? context_.callee(*node) : node->subgraph();
        if (!isCall(node) && inner) facts.forks = true;
        facts.recursive |= inner == &function;
        if (inner && seen.insert(inner).second) work.push_back(inner);
      });
    }
    return facts_[&function] = facts;
  }

private:
  const PassContext& context_;
  llvm::DenseMap<const Graph*, Facts> facts_;
  llvm::DenseMap<const Graph*, llvm::StringRef> names_;
};

/// Before: `%f = prim::Constant[name="f"]()  %y = prim::CallFunction(%f, %x)`, and
///         `f(%a): %b = aten::neg(%a)  return (%b)`
/// After:  `%f = prim::Constant[name="f"]()  %b = aten::neg(%x)`, with %b for %y
bool inlineIn(Graph& graph, const PassContext& context, Callees& callees, bool body) {
  std::size_t size = 0;
  std::vector<Node*> calls;
  graph.forEachNode([&](Node* node) {
    ++size;
    if (isCall(node)) calls.push_back(node);
  });
  bool changed = false;
  std::reverse(calls.begin(), calls.end()); // a stack, the first call on top
  while (!calls.empty()) {
    Node* call = calls.back();
    calls.pop_back();
    Graph* callee = context.callee(*call);
    if (!callee || callee == &graph || call->numOutputs() != 1) continue;
    const Callees::Facts& facts = callees.of(*callee);
    std::size_t skipped = call->op() == Builtin::CallFunction ? 1 : 0; // the function itself
    llvm::SmallVector<Value*, 8> arguments(call->inputs().begin() + skipped, call->inputs().end());
    if (facts.recursive || arguments.size() != callee->inputs().size() ||
        size + facts.nodes > (body ? kMaxBodyNodes : kMaxNodes) || (body && facts.forks))
      continue;
    size += facts.nodes;
    Node* before = call->prev();
    CopyBody where;
    where.before = call;
    where.site = graph.addCallSite(
        {graph.context().symbol(callees.nameOf(*callee)), call->location(), call->callSite()});
    Value* result = joinOutputs(copyBody(*callee, arguments, where), call);
    if (call->output()->hasName()) { // as TorchScript does, also when the result is an argument
      std::string given = call->output()->name().str().str();
      call->output()->setName("");
      result->setName(given);
    }
    call->output()->replaceAllUsesWith(result);
    // What came in may hold calls of its own.
    std::size_t waiting = calls.size();
    std::vector<Node*> inside;
    for (Node* node = call->prev(); node != before; node = node->prev()) inside.push_back(node);
    while (!inside.empty()) {
      Node* current = inside.back();
      inside.pop_back();
      if (isCall(current)) calls.push_back(current);
      for (Block* block : llvm::reverse(current->blocks()))
        for (Node* inner = block->ret()->prev(); inner != block->param(); inner = inner->prev())
          inside.push_back(inner);
    }
    std::reverse(calls.begin() + static_cast<std::ptrdiff_t>(waiting), calls.end());
    call->destroy();
    changed = true;
  }
  return changed;
}

} // namespace

bool inlineCalls(Graph& graph, const PassContext& context) {
  Callees callees(context);
  return inlineIn(graph, context, callees, false);
}

bool inlineCallsInBodies(Graph& graph, const PassContext& context) {
  Callees callees(context);
  return onEachGraph(graph, [&](Graph& inner) {
    return &inner != &graph && inlineIn(inner, context, callees, true);
  });
}

} // namespace tine
