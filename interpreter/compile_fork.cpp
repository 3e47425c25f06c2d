// Forks, waits and operators on futures.
#include "interpreter/compile.h"
#include "interpreter/futures.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>

namespace tine {

void FunctionCompiler::emitFork(Node* node) {
  const Graph* body = node->subgraph();
  if (!body || body->inputs().size() != node->numInputs())
    return emitFailing(node, Error(error_kind::NotImplemented, "a fork without its body"));
  if (emitForkOfCall(node, *body)) return;
  addSite(node->inputs(), 0, true).target = &unit_.addFunction(*body, "<forked function>");
  emitAX(Opcode::Fork, define(node->output()), lastSite());
  dropAllUnused(node);
}

/// A body that only calls a function is not compiled: the task runs the function itself.
bool FunctionCompiler::emitForkOfCall(Node* node, const Graph& body) {
  if (body.outputs().size() != 1) return false;
  Node* call = body.outputs()[0]->node();
  const bool method = call->op() == Builtin::CallMethod;
  if (!method && call->op() != Builtin::CallFunction) return false;
  for (Node* inner : body.nodes())
    if (inner != call && inner->op() != Builtin::Constant) return false;
  const FunctionCode* target = nullptr;
  std::size_t skip = 0;
  if (method) {
    const Type* type = call->numInputs() ? call->input(0)->type() : Type::noneType();
    if (!type->is(TypeKind::Class)) return false;
    target = unit_.function(
        (llvm::Twine(type->name()) + "." + call->attributes().string(Builtin::Name)).str());
  } else {
    Node* constant = call->input(0)->node();
    if (constant->op() != Builtin::Constant || !constant->attributes().has(Builtin::Name))
      return false;
    target = unit_.function(constant->attributes().string(Builtin::Name));
    skip = 1;
  }
  if (!target || call->numInputs() - skip != target->numInputs) return false;
  for (std::size_t i = skip; i < call->numInputs(); ++i)
    if (call->input(i)->node() != body.block()->param()) return false;

  Site& site = code_.sites.emplace_back();
  site.pc = pc();
  site.home = &code_;
  site.target = target;
  site.firstSource = static_cast<std::uint32_t>(code_.sources.size());
  site.numSources = target->numInputs;
  const std::size_t first = code_.sources.size();
  for (std::size_t i = skip; i < call->numInputs(); ++i)
    code_.sources.push_back(
        {static_cast<std::uint16_t>(source(node->input(call->input(i)->index())))});
  // An operand that dies is moved at its last occurrence.
  llvm::SmallVector<Value*, 4> unused;
  for (std::size_t i = call->numInputs(); i-- > skip;) {
    ValueInfo& value = info(node->input(call->input(i)->index()));
    if (!diesHere(value) || value.gone) continue;
    value.gone = true;
    code_.sources[first + i - skip].dies = true;
    release(value);
  }
  emitAX(Opcode::Fork, define(node->output()), lastSite());
  dropDying(node->inputs()); // captured and not passed on
  dropAllUnused(node);
  return true;
}

void FunctionCompiler::emitWait(Node* node) {
  ValueInfo& value = info(node->input(0));
  const std::uint32_t future = source(node->input(0));
  const bool dies = diesHere(value);
  if (dies) {
    value.gone = true;
    release(value);
  }
  // A future from a list needs no handle of its own while it is waited for.
  if (dies && !code_.instrs.empty()) {
    Instr& last = code_.instrs.back();
    if (last.op == Opcode::ListGet && last.a == future) last.op = Opcode::ListGetWait;
  }
  const std::uint32_t reg = define(node->output());
  Instr& instr = emit(Opcode::Wait, reg);
  instr.b = static_cast<std::uint16_t>(future);
  instr.dies = dies;
  dropAllUnused(node);
}

// ---- operators on futures: they need the scheduler

namespace {
struct FuturesOp {
  const char* name;
  Opcode op;
  Collect how; ///< Collect
  bool waits;  ///< for the future that the instruction makes
};
constexpr FuturesOp kFuturesOps[] = {
    {"tine::promise", Opcode::Promise, Collect::First, false},
    {"tine::then", Opcode::Then, Collect::First, false},
    {"tine::collect_all", Opcode::Collect, Collect::FailFast, false},
    {"tine::collect_all_settle", Opcode::Collect, Collect::Settle, false},
    {"tine::any", Opcode::Collect, Collect::First, false},
    {"tine::wait_any", Opcode::Collect, Collect::First, true},
    {"tine::wait_timeout", Opcode::Limit, Collect::First, true},
    {"tine::cancel", Opcode::Cancel, Collect::First, false},
};
} // namespace

/// False when the operator is none of them.
bool FunctionCompiler::emitFutures(Node* node) {
  const llvm::StringRef kind = node->kind().str();
  const auto* row = std::find_if(std::begin(kFuturesOps), std::end(kFuturesOps),
                                 [&](const FuturesOp& r) { return kind == r.name; });
  if (row == std::end(kFuturesOps) || node->numOutputs() != (row->op == Opcode::Cancel ? 0u : 1u))
    return false;
  if (row->op == Opcode::Cancel) {
    emitABC(Opcode::Cancel, 0, source(node->input(0)), 0);
    dropDying(node->inputs());
    return true;
  }
  if (row->op == Opcode::Then) {
    emitThen(node);
    return true;
  }
  if (row->op == Opcode::Promise) {
    emit(Opcode::Promise, define(node->output()));
    dropAllUnused(node);
    return true;
  }
  const std::uint32_t from = source(node->input(0));
  const std::uint32_t third =
      row->op == Opcode::Limit ? source(node->input(1)) : static_cast<std::uint32_t>(row->how);
  const std::uint32_t reg = row->waits ? allocate() : define(node->output());
  const bool dies =
      row->op == Opcode::Collect && from < kConstant && diesHere(info(node->input(0)));
  emitABC(row->op, reg, from, third);
  code_.instrs.back().dies = dies;
  dropDying(node->inputs());
  if (row->waits)
    emitWaitOf(reg, node);
  else
    dropAllUnused(node);
  return true;
}

/// Waits for the future in a register of its own.
void FunctionCompiler::emitWaitOf(std::uint32_t future, Node* node) {
  const std::uint32_t reg = define(node->output());
  Instr& wait = emit(Opcode::Wait, reg);
  wait.b = static_cast<std::uint16_t>(future);
  wait.dies = true;
  if (!overflowed_) free_.push_back(future);
  dropAllUnused(node);
}

void FunctionCompiler::emitThen(Node* node) {
  const ValueInfo& callee = info(node->input(1));
  if (callee.missing)
    return emitFailing(node, Error(error_kind::NotImplemented,
                                   "there is no function " +
                                       callee.missing->attributes().string(Builtin::Name).str()));
  const std::size_t given = node->numInputs() - 1; // the result, and what follows the function
  if (callee.function && callee.function->numInputs != given)
    return emitFailing(node, Error(error_kind::Type, arityMessage(*callee.function, given)));
  addSite(node->inputs(), 0, true).target = callee.function;
  emitAX(Opcode::Then, define(node->output()), lastSite());
  dropAllUnused(node);
}

} // namespace tine
