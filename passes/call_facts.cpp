#include "passes/call_facts.h"

#include <algorithm>
#include <vector>

namespace tine {
namespace {

/// Strongly connected components of the calls, callees first.
class Calls {
public:
  explicit Calls(const PassContext& context) : context_(context) {}

  llvm::DenseMap<const Graph*, CallFacts> run() {
    for (const NamedGraph& function : context_.unit()->functions()) {
      number_[function.graph.get()] = static_cast<std::uint32_t>(functions_.size());
      functions_.push_back({function.graph.get(), {function.name, false, false, false}, {}});
    }
    for (Function& function : functions_) look(function);
    for (std::uint32_t i = 0; i < functions_.size(); ++i)
      if (!functions_[i].order) visit(i);
    llvm::DenseMap<const Graph*, CallFacts> facts;
    for (Function& function : functions_) facts[function.graph] = function.facts;
    return facts;
  }

private:
  struct Function {
    const Graph* graph;
    CallFacts facts;
    std::vector<std::uint32_t> callees;
    std::uint32_t order = 0, lowest = 0; ///< order: 0 before the visit
    bool open = false;                   ///< its component is not known yet
  };

  /// What it has itself, and in the bodies of its forks.
  void look(Function& function) {
    std::vector<const Graph*> graphs{function.graph};
    while (!graphs.empty()) {
      const Graph* graph = graphs.back();
      graphs.pop_back();
      graph->forEachNode([&](Node* node) {
        if (node->op() == Builtin::CallFunction || node->op() == Builtin::CallMethod) {
          const Graph* callee = context_.callee(*node);
          if (callee)
            function.callees.push_back(number_.lookup(callee));
          else
            function.facts.unknown = true;
        } else if (const Graph* body = node->subgraph()) {
          function.facts.forks = true;
          graphs.push_back(body);
        } else if (const OpInfo* op = context_.find(*node)) {
          function.facts.forks |= op->effects.suspends; // tine::then starts a task
        }
      });
    }
  }

  void visit(std::uint32_t start) {
    struct Frame {
      std::uint32_t function;
      std::size_t next = 0; ///< callee
    };
    std::vector<Frame> stack;
    auto enter = [&](std::uint32_t i) {
      functions_[i].order = functions_[i].lowest = ++order_;
      functions_[i].open = true;
      open_.push_back(i);
      stack.push_back({i});
    };
    enter(start);
    while (!stack.empty()) {
      Function& function = functions_[stack.back().function];
      if (stack.back().next < function.callees.size()) {
        std::uint32_t callee = function.callees[stack.back().next++];
        if (!functions_[callee].order)
          enter(callee);
        else if (functions_[callee].open)
          function.lowest = std::min(function.lowest, functions_[callee].order);
        continue;
      }
      std::uint32_t closed = stack.back().function;
      stack.pop_back();
      if (!stack.empty()) {
        Function& caller = functions_[stack.back().function];
        caller.lowest = std::min(caller.lowest, function.lowest);
      }
      if (function.lowest == function.order) component(closed);
    }
  }

  /// The open functions from `first` on call each other; what they call otherwise is known.
  void component(std::uint32_t first) {
    auto begin = std::find(open_.rbegin(), open_.rend(), first).base() - 1;
    CallFacts all{"", open_.end() - begin > 1, false, false};
    for (auto i = begin; i != open_.end(); ++i) {
      const Function& function = functions_[*i];
      all.forks |= function.facts.forks;
      all.unknown |= function.facts.unknown;
      for (std::uint32_t callee : function.callees) {
        all.forks |= functions_[callee].facts.forks;
        all.unknown |= functions_[callee].facts.unknown;
        all.recursive |= callee == *i;
      }
    }
    for (auto i = begin; i != open_.end(); ++i) {
      Function& function = functions_[*i];
      function.facts = {function.facts.name, all.recursive, all.forks, all.unknown};
      function.open = false;
    }
    open_.erase(begin, open_.end());
  }

  const PassContext& context_;
  std::vector<Function> functions_;
  llvm::DenseMap<const Graph*, std::uint32_t> number_;
  std::vector<std::uint32_t> open_;
  std::uint32_t order_ = 0;
};

} // namespace

llvm::DenseMap<const Graph*, CallFacts> findCallFacts(const PassContext& context) {
  return Calls(context).run();
}

} // namespace tine
