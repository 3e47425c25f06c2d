#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
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

/// Before: `%f = prim::Constant[name="f"]()  %y = prim::CallFunction(%f, %x)`, and
///         `f(%a): %b = aten::neg(%a)  return (%b)`
/// After:  `%f = prim::Constant[name="f"]()  %b = aten::neg(%x)`, with %b for %y
bool inlineIn(Graph& graph, const PassContext& context, bool body) {
  llvm::DenseMap<const Graph*, std::size_t> sizes; // of callees
  auto sizeOf = [&](const Graph& callee) {
    auto [it, fresh] = sizes.try_emplace(&callee, 0);
    if (fresh) callee.forEachNode([size = &it->second](Node*) { ++*size; });
    return it->second;
  };
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
    const CallFacts& facts = context.facts(*callee);
    std::size_t skipped = call->op() == Builtin::CallFunction ? 1 : 0; // the function itself
    llvm::SmallVector<Value*, 8> arguments(call->inputs().begin() + skipped, call->inputs().end());
    if (facts.recursive || arguments.size() != callee->inputs().size() || (body && facts.forks) ||
        size + sizeOf(*callee) > (body ? kMaxBodyNodes : kMaxNodes) ||
        !context.mayAdd(sizeOf(*callee)))
      continue;
    size += sizeOf(*callee);
    CopyBody where;
    std::vector<Node*> inside; // what comes in may hold calls of its own
    where.before = call;
    where.made = [&](Node* node) {
      if (isCall(node)) inside.push_back(node);
    };
    where.site =
        graph.addCallSite({graph.context().symbol(facts.name), call->location(), call->callSite()});
    Value* result = joinOutputs(copyBody(*callee, arguments, where), call);
    if (call->output()->hasName()) { // as TorchScript does, also when the result is an argument
      std::string given = call->output()->name().str().str();
      call->output()->setName("");
      result->setName(given);
    }
    call->output()->replaceAllUsesWith(result);
    calls.insert(calls.end(), inside.rbegin(), inside.rend());
    call->destroy();
    changed = true;
  }
  return changed;
}

} // namespace

bool inlineCalls(Graph& graph, const PassContext& context) {
  return inlineIn(graph, context, false);
}

bool inlineCallsInBodies(Graph& graph, const PassContext& context) {
  return onEachGraph(
      graph, [&](Graph& inner) { return &inner != &graph && inlineIn(inner, context, true); });
}

} // namespace tine
