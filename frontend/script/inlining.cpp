#include "frontend/script/inlining.h"

#include <vector>

namespace tine::script {
namespace {

Node* beforeConstants(Node* node) {
  do node = node->prev();
  while (node && Inlining::isConstant(node));
  return node;
}

} // namespace

bool Inlining::canInline(const Value* value) const {
  const Node* node = value->node();
  if (node->op() == Builtin::Param || node->numOutputs() != 1 || !value->hasOneUse()) return false;
  const Use& use = *value->uses().begin();
  const Builtin user = use.user->op();
  // A name was a variable; a result need not have one.
  if (value->hasName() && user != Builtin::Return) return false;
  if (!node->blocks().empty() || hasBody_(node)) return false;
  // What a loop hands on is a variable, and what a fork takes might be used more than once inside.
  if (user == Builtin::Loop && use.index >= 2) return false;
  if (hasBody_(use.user)) return false;
  // Written into a condition, it would say more of the variable than it did.
  return node->op() != Builtin::IsInstance;
}

/// From the last node to the first: the operands of a node, last one first, are parts of it as long
/// as each is the node that comes right before what is already a part.
void Inlining::scan(Block* whole) {
  struct Frame {
    Node* node = nullptr;    ///< whose operands are looked at
    std::size_t block = 0;   ///< of its blocks, the next
    std::size_t operand = 0; ///< how many are left
    Node* point = nullptr;   ///< what would be a part
    bool started = false, isPart = false;
    Node* rest = nullptr; ///< of a block: the node to go on with
  };
  std::vector<Frame> stack;
  const auto enter = [&](Node* node, bool isPart) {
    Frame frame;
    frame.node = node;
    frame.isPart = isPart;
    stack.push_back(frame);
  };
  const auto enterBlock = [&](Block* block) {
    Frame frame;
    frame.rest = block->ret();
    stack.push_back(frame);
  };
  enterBlock(whole);
  while (!stack.empty()) {
    Frame& frame = stack.back();
    if (!frame.node) { // a block
      Node* node = frame.rest;
      if (!node->prev()) { // its Param
        stack.pop_back();
        continue;
      }
      frame.rest = node->prev();
      if (!nodes_.contains(node)) enter(node, false);
      continue;
    }
    if (frame.block < frame.node->blocks().size()) {
      enterBlock(frame.node->blocks()[frame.block++]);
      continue;
    }
    if (!frame.started) {
      frame.started = true;
      frame.point = beforeConstants(frame.node);
      frame.operand = frame.node->numInputs();
    }
    bool deeper = false;
    while (frame.operand && !deeper) {
      Value* value = frame.node->input(--frame.operand);
      Node* node = value->node();
      if (node == frame.point && canInline(value)) {
        enter(node, true); // `frame` dangles
        deeper = true;
      } else if (isConstant(node)) {
        nodes_.insert(node);
      }
    }
    if (deeper) continue;
    const Frame done = stack.back();
    stack.pop_back();
    if (!done.isPart) continue;
    nodes_.insert(done.node);
    stack.back().point = done.point;
  }
}

} // namespace tine::script
