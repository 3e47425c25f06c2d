#include "ir/graph.h"
#include "ops/ops.h"

namespace tine {

namespace {

constexpr Effects kPure{false, false, false, false, false, false};

Effects raising() {
  Effects effects = kPure;
  effects.raises = true;
  return effects;
}
Effects reading() {
  Effects effects = raising();
  effects.reads = true;
  return effects;
}

// Is an operator's argument `train` the constant False?
bool isUntrained(const Schema& schema, const Node& node) {
  const int at = schema.find("train");
  if (at < 0 || static_cast<std::size_t>(at) >= node.numInputs()) return false;
  const Node* train = node.input(static_cast<std::size_t>(at))->node();
  if (train->op() != Builtin::Constant) return false;
  const Attribute* value = train->attributes().find(Builtin::Value);
  if (!value) return false;
  return value->value.isBool() ? !value->value.toBool()
                               : value->value.isInt() && value->value.toInt() == 0;
}

Effects ofOperator(const OpSet& ops, const Node& node) {
  const auto op = resolve(ops, node);
  return op ? effectsOf(**op, node) : Effects::all();
}

// What the node does itself; its blocks and subgraph come on top.
Effects ofNodeAlone(const OpSet& ops, const Node& node) {
  Effects effects = kPure;
  switch (node.op()) {
  case Builtin::Param:
  case Builtin::Return:
  case Builtin::Constant:
  case Builtin::TupleConstruct:
  case Builtin::ListConstruct:
  case Builtin::DictConstruct:
  case Builtin::Uninitialized:
  case Builtin::UncheckedCast:
  case Builtin::IsInstance:
  case Builtin::HasAttr:
  case Builtin::If:
  case Builtin::Loop:
  case Builtin::Closure:
  case Builtin::DifferentiableGraph:
    return effects;
  case Builtin::Fork:
  case Builtin::CreateObject:
    effects.nondeterministic = true; // each makes a new thing
    return effects;
  case Builtin::TupleUnpack:
  case Builtin::TupleIndex:
  case Builtin::TupleSlice:
  case Builtin::UncheckedUnwrapOptional:
    return raising();
  case Builtin::ListUnpack:
  case Builtin::GetAttr:
    return reading();
  case Builtin::SetAttr:
    effects = reading();
    effects.writes = true;
    return effects;
  case Builtin::RaiseException:
  case Builtin::Reraise:
    effects = raising();
    effects.external = true; // it must stay, and nothing that others see may pass it
    return effects;
  case Builtin::Wait:
    effects = reading();
    effects.suspends = true;
    return effects;
  case Builtin::CallFunction:
  case Builtin::CallMethod:
  case Builtin::Enter:
  case Builtin::Exit:
  case Builtin::Try:
  case Builtin::PythonOp:
    return Effects::all();
  case Builtin::None: // not a name that the code knows
  case Builtin::Print:
  case Builtin::Value:
  case Builtin::PyName:
  case Builtin::PyScalars:
  case Builtin::Name:
  case Builtin::Subgraph:
  case Builtin::Types:
  case Builtin::Beg:
  case Builtin::End:
    return ofOperator(ops, node);
  }
  return Effects::all();
}

} // namespace

Effects effectsOf(const OpSet& ops, const Node& node) {
  Effects effects = kPure;
  llvm::SmallVector<const Node*, 16> todo{&node};
  const auto addBlock = [&](const Block* block) {
    for (const Node* inner : block->nodes()) todo.push_back(inner);
  };
  while (!todo.empty() && effects != Effects::all()) {
    const Node* at = todo.pop_back_val();
    effects = effects | ofNodeAlone(ops, *at);
    for (const Block* block : at->blocks()) addBlock(block);
    if (const Graph* subgraph = at->subgraph()) addBlock(subgraph->block());
  }
  return effects;
}

Effects effectsOf(const OpInfo& op, const Node& node) {
  Effects effects = op.effects;
  if (effects.nondeterministic && isUntrained(op.schema, node))
    effects.external = effects.nondeterministic = false;
  return effects;
}

} // namespace tine
