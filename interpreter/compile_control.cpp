// Branches, loops and tries; what moves at their edges.
#include "interpreter/compile.h"

#include <algorithm>

namespace tine {

/// The values that a block returns are computed in the register of the result where that is free.
void FunctionCompiler::enterBlock(Node* node, std::uint32_t index) {
  Block* block = node->blocks()[index];
  Control& control = controls_.back();
  const std::size_t first = node->op() == Builtin::Loop ? 1 : 0;
  for (std::size_t i = first; i < block->outputs().size(); ++i) {
    Value* v = block->outputs()[i];
    const std::uint32_t reg = control.results[i - first];
    if (reg != kNone && v->node()->block() == block && v->node() != block->param() &&
        info(v).hint == kNone)
      info(v).hint = reg;
  }
  control.block = block;
  control.index = index;
  control.next = block->param()->next();
}

/// With vacant registers for the results that are used.
FunctionCompiler::Control FunctionCompiler::controlOf(Node* node) {
  Control control;
  control.node = node;
  control.position = position_;
  for (Value* output : node->outputs()) {
    const std::uint32_t reg = info(output).used() ? allocate() : kNone;
    if (reg != kNone) vacant_[reg] = true;
    control.results.push_back(reg);
  }
  return control;
}

void FunctionCompiler::beginIf(Node* node) {
  const std::uint32_t condition = source(node->input(0));
  if (diesHere(info(node->input(0)))) release(info(node->input(0)));
  Control control = controlOf(node);
  control.jump = emitJumpIfNot(node->input(0), condition);
  controls_.push_back(std::move(control));
  enterBlock(node, 0);
}

/// `tine::try` has two blocks: the second has the error of the first, as a future that failed.
///      first...; jump over
///      error: second...
///   over: ...
void FunctionCompiler::beginTry(Node* node) {
  Control control = controlOf(node);
  control.start = pc();
  controls_.push_back(std::move(control));
  enterBlock(node, 0);
}

/// After the first block and the jump.
void FunctionCompiler::enterHandler(Control& control) {
  Value* error = control.node->blocks()[1]->inputs()[0];
  const std::uint32_t reg = info(error).reg = allocate();
  code_.handlers.push_back({control.start, pc() - 1, pc(), static_cast<std::uint16_t>(reg)});
  dropUnused(error);
}

void FunctionCompiler::endIfBlock(Control& control) {
  Operands outputs = control.block->outputs();
  // A value in the place of one result stays there, whatever else it is.
  const auto inPlace = [&](Value* v) {
    return info(v).constant == kNone && std::find(control.results.begin(), control.results.end(),
                                                  info(v).reg) != control.results.end();
  };
  for (std::size_t i = 0; i < outputs.size(); ++i) ++info(outputs[i]).occurrences;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    ValueInfo& value = info(outputs[i]);
    const bool last = --value.occurrences == 0;
    const bool dies = diesHere(value) && last;
    const std::uint32_t from = source(outputs[i]), to = control.results[i];
    const bool stays = inPlace(outputs[i]);
    if (to != kNone && to != from)
      emitABC(dies && !stays ? Opcode::Move : Opcode::Copy, to, from, 0);
    else if (to == kNone && dies && !stays && !value.simple)
      emit(Opcode::Drop, value.reg);
    if (dies && !stays) release(value);
  }
  for (std::uint32_t reg : control.results)
    if (reg != kNone) vacant_[reg] = true; // for the other block
}

void FunctionCompiler::beginLoop(Node* node) {
  Block* body = node->blocks()[0];
  Control control;
  control.node = node;
  control.position = position_;
  control.trip = allocatePair();
  Operands inputs = node->inputs();
  for (Value* input : inputs) ++info(input).occurrences;
  const auto load = [&](Value* v, std::uint32_t to) {
    const bool last = --info(v).occurrences == 0;
    const bool dies = diesHere(info(v)) && last;
    emitABC(dies ? Opcode::Move : Opcode::Copy, to, source(v), 0);
    if (dies) release(info(v));
  };
  for (std::size_t i = 2; i < inputs.size(); ++i) {
    ValueInfo& value = info(inputs[i]);
    std::uint32_t reg;
    if (value.occurrences == 1 && diesHere(value) && !value.owned) {
      value.occurrences = 0;
      reg = value.reg; // it becomes the carried value
    } else {
      reg = allocate();
      load(inputs[i], reg);
    }
    control.results.push_back(reg);
    ValueInfo& param = info(body->inputs()[i - 1]);
    param.reg = reg;
    param.owned = true;
    vacant_[reg] = !param.used();
  }
  load(inputs[0], control.trip + 1);
  ValueInfo& condition = info(inputs[1]);
  const std::uint32_t from = source(inputs[1]);
  condition.occurrences = 0;
  if (!isTrue(from)) control.jumps.push_back(emitJumpIfNot(inputs[1], from));
  if (diesHere(condition)) release(condition);
  ValueInfo& index = info(body->inputs()[0]);
  index.reg = control.trip;
  index.pinned = true;
  control.jumps.push_back(emitJump(Opcode::LoopStart, control.trip));
  control.start = pc();
  controls_.push_back(std::move(control));
  enterBlock(node, 0);
}

void FunctionCompiler::endLoopBlock(Control& control) {
  Operands outputs = control.block->outputs();
  // All moves to the carried values happen at once.
  std::vector<ParallelMove> moves;
  llvm::SmallVector<Value*, 8> dying;
  std::uint32_t condition = source(outputs[0]);
  for (std::size_t i = 1; i < outputs.size(); ++i) ++info(outputs[i]).occurrences;
  for (std::size_t i = 1; i < outputs.size(); ++i)
    if (source(outputs[i]) == control.results[i - 1]) info(outputs[i]).inPlace = true;
  for (std::size_t i = 1; i < outputs.size(); ++i) {
    ValueInfo& value = info(outputs[i]);
    const std::uint32_t from = source(outputs[i]), to = control.results[i - 1];
    const bool dies = diesHere(value);
    if (from != to) moves.push_back({to, from, dies && !value.inPlace && from != condition});
    if (--value.occurrences == 0 && dies) dying.push_back(outputs[i]);
  }
  std::uint32_t saved = kNone;
  for (const ParallelMove& move : moves)
    if (move.to == condition && saved == kNone) {
      saved = allocate();
      emitABC(Opcode::Copy, saved, condition, 0);
    }
  emitMoves(std::move(moves));
  if (saved != kNone) condition = saved;
  if (!isTrue(condition)) control.jumps.push_back(emitJumpIfNot(outputs[0], condition));
  landAt(emitJump(Opcode::LoopNext, control.trip), control.start);
  if (saved != kNone && !overflowed_) free_.push_back(saved);
  for (Value* v : dying)
    if (!info(v).owned) release(info(v));
  ValueInfo& value = info(outputs[0]);
  const bool released = std::find(dying.begin(), dying.end(), outputs[0]) != dying.end();
  if (!released && diesHere(value) && !value.owned) release(value);
}

/// Moves that mean "all at once", in an order that means the same one after the other; what goes
/// round in a circle passes through one more register.
void FunctionCompiler::emitMoves(std::vector<ParallelMove> moves) {
  llvm::DenseMap<std::uint32_t, std::uint32_t> readers, target; // by register
  for (std::uint32_t i = 0; i < moves.size(); ++i) {
    target[moves[i].to] = i;
    if (moves[i].from < kConstant) ++readers[moves[i].from];
  }
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < moves.size(); ++i)
    if (!readers.lookup(moves[i].to)) ready.push_back(i);
  std::vector<bool> done(moves.size());
  const auto drain = [&] {
    while (!ready.empty()) {
      ParallelMove& move = moves[ready.back()];
      done[ready.back()] = true;
      ready.pop_back();
      const bool isRegister = move.from < kConstant;
      const bool last = isRegister && --readers[move.from] == 0;
      emitABC(last && move.dies ? Opcode::Move : Opcode::Copy, move.to, move.from, 0);
      if (!last) continue;
      auto it = target.find(move.from);
      if (it != target.end() && !done[it->second]) ready.push_back(it->second);
    }
  };
  drain();
  for (std::uint32_t i = 0; i < moves.size(); ++i) {
    if (done[i]) continue;
    const std::uint32_t spare = allocate();
    emitABC(Opcode::Move, spare, moves[i].to, 0);
    for (ParallelMove& move : moves) // only circles are left: exactly one reads it
      if (!done[&move - moves.data()] && move.from == moves[i].to) move = {move.to, spare, true};
    readers[spare] = 1;
    readers[moves[i].to] = 0;
    ready.push_back(i);
    drain();
    if (!overflowed_) free_.push_back(spare);
  }
}

void FunctionCompiler::endBlock() {
  Control& control = controls_.back();
  Node* node = control.node;
  if (!node) {
    emitReturn();
    controls_.pop_back();
    return;
  }
  const bool isLoop = node->op() == Builtin::Loop;
  if (isLoop) {
    endLoopBlock(control);
  } else {
    endIfBlock(control);
    const bool isLast = control.index + 1 == node->blocks().size();
    // A block that is empty so far needs no jump over it.
    if (!isLast) {
      control.jumps.push_back(emitJump(Opcode::Jump, 0));
      if (node->op() == Builtin::Try)
        enterHandler(control);
      else
        land(control.jump);
      return enterBlock(node, control.index + 1);
    }
    if (control.jumps.back() + 1 == pc() && node->op() != Builtin::Try) {
      code_.instrs.pop_back(); // `Jump` to the next instruction: there is no other block
      for (auto row = code_.rows.rbegin(); row != code_.rows.rend() && row->pc > pc(); ++row)
        row->pc = pc();
      landAt(control.jump, pc());
      control.jumps.clear();
    }
  }
  for (std::uint32_t jump : control.jumps) land(jump);
  depth_ = static_cast<std::uint32_t>(controls_.size() - 2);
  if (isLoop) freePairs_.push_back(control.trip);
  for (std::size_t i = 0; i < node->numOutputs(); ++i) {
    ValueInfo& value = info(node->output(i));
    value.reg = control.results[i];
    if (value.reg == kNone) continue;
    vacant_[value.reg] = false;
    dropUnused(node->output(i));
  }
  // Values that only nested blocks used last.
  for (std::uint32_t i = dyingAfter_[control.position]; i != kNone; i = values_[i].nextDying) {
    ValueInfo& value = values_[i];
    if (value.reg == kNone || value.pinned) continue;
    if (!value.simple) emit(Opcode::Drop, value.reg);
    release(value);
  }
  controls_.pop_back();
}

void FunctionCompiler::emitReturn() {
  Operands outputs = graph_.outputs();
  std::uint32_t from;
  bool dies = false;
  if (outputs.size() == 1) {
    from = source(outputs[0]);
    dies = diesHere(info(outputs[0]));
  } else if (outputs.empty()) {
    from = constantSource(IValue());
  } else {
    addSite(outputs, 0, true);
    from = allocate();
    emitAX(Opcode::MakeTuple, from, lastSite());
    dies = true;
  }
  Instr& instr = emit(Opcode::Return, 0);
  instr.b = static_cast<std::uint16_t>(from);
  instr.dies = dies;
}

bool FunctionCompiler::isTrue(std::uint32_t source) const {
  if (source < kConstant) return false;
  const IValue& v = code_.constants[source - kConstant];
  return v.isBool() && v.toBool();
}

} // namespace tine
