#include "ir/graph.h"

#include "ir/print.h"
#include "llvm/ADT/DenseMap.h"
#include "support/count.h"

#include <vector>

namespace tine {
namespace {

constexpr std::int64_t kGap = std::int64_t(1)
                              << 32; // between neighbours, so that insertion seldom renumbers

} // namespace

Graph::Graph(std::shared_ptr<Context> context) : context_(std::move(context)) {
  countLive(Live::Graph, 1);
  root_ = createBlock(nullptr);
}

Graph::~Graph() {
  // Graphs nest as deep as forks do: collect the inner ones first, so that none is destroyed inside
  // another.
  std::vector<std::unique_ptr<Graph>> inner;
  auto collect = [&](Graph& graph) {
    for (Node* node = graph.allNodes_; node; node = node->nextAllocated_)
      for (Attribute& attribute : node->attributes_) {
        for (auto& subgraph : attribute.graphs)
          if (subgraph) inner.push_back(std::move(subgraph));
        attribute.graphs.clear();
      }
  };
  collect(*this);
  while (!inner.empty()) {
    std::unique_ptr<Graph> graph = std::move(inner.back());
    inner.pop_back();
    collect(*graph);
  }
  std::int64_t nodes = 0;
  for (Node* node = allNodes_; node; ++nodes) {
    Node* next = node->nextAllocated_;
    node->~Node();
    node = next;
  }
  countLive(Live::Node, -nodes);
  countLive(Live::Graph, -1);
}

Node* Graph::createNode(Symbol kind) {
  Node* node = new (arena_.Allocate<Node>()) Node(*this, kind);
  node->nextAllocated_ = allNodes_;
  allNodes_ = node;
  countLive(Live::Node, 1);
  return node;
}

Block* Graph::createBlock(Node* owner) {
  return new (arena_.Allocate<Block>()) Block(*this, owner);
}

Value* Graph::createValue(Node* node, std::uint32_t index, const Type* type) {
  Value* value = new (arena_.Allocate<Value>()) Value();
  value->node_ = node;
  value->type_ = type;
  value->index_ = index;
  value->unique_ = nextUnique_++;
  return value;
}

Value* Graph::addInput(llvm::StringRef name, const Type* type) {
  Value* value = root_->addInput(type);
  value->setName(name);
  return value;
}

void Graph::setUnique(Value* value, std::uint32_t unique) {
  TINE_CHECK(&value->node_->graph() == this && unique + 1 != 0);
  value->unique_ = unique;
  nextUnique_ = std::max(nextUnique_, unique + 1);
}

Value* Graph::find(llvm::StringRef name) const {
  auto it = names_.find(name);
  return it == names_.end() ? nullptr : it->second;
}

std::string Graph::str() const { return tine::str(*this); }

Block::Block(Graph& graph, Node* owner)
    : graph_(&graph), owner_(owner),
      param_(graph.createNode(graph.context().symbol(Builtin::Param))),
      return_(graph.createNode(graph.context().symbol(Builtin::Return))) {
  param_->block_ = return_->block_ = this;
  param_->next_ = return_;
  return_->prev_ = param_;
  return_->position_ = kGap;
}

/// Gives a node, which was just linked, a place between its neighbours when there is none: spreads
/// the nodes around it over the smallest range of positions that is not too full. \cost amortised
/// O(log nodes) \source Bender, Cole, Demaine, Farach-Colton, Zito, "Two Simplified Algorithms for
/// Maintaining Order in a List", 2002
void Block::makeRoom(Node* node) {
  std::int64_t at = node->position_ = node->prev_->position_;
  Node *first = node, *last = node;
  std::int64_t count = 1;
  double capacity = 1; // of a range of 2^bits: fuller ones are widened, and the wider the sooner
  for (int bits = 1; bits < 62; ++bits) {
    std::int64_t size = std::int64_t(1) << bits, low = at & -size, high = low + size;
    capacity *= 1.4;
    for (; first->prev_ && first->prev_->position_ >= low; ++count) first = first->prev_;
    for (; last->next_ && last->next_->position_ < high; ++count) last = last->next_;
    if (count >= static_cast<std::int64_t>(capacity)) continue;
    std::int64_t step = size / count;
    for (std::int64_t i = 0; i < count; ++i, first = first->next_)
      first->position_ = low + i * step;
    return;
  }
  TINE_UNREACHABLE("more than 10^8 nodes in a block");
}

Context& Node::context() const { return graph_->context(); }

Graph* Node::subgraph() const {
  const Attribute* attribute = attributes_.find(Builtin::Subgraph);
  return attribute && !attribute->graphs.empty() ? attribute->graphs.front().get() : nullptr;
}

void Node::addInput(Value* value) { insertInput(numOperands_, value); }

void Node::insertInput(std::size_t i, Value* value) {
  TINE_CHECK(i <= numOperands_);
  if (numOperands_ == capOperands_) {
    // The links point into the array: move each operand in place in its value's list.
    std::uint32_t capacity = capOperands_ ? 2 * capOperands_ : 2;
    Use* moved = graph_->arena_.Allocate<Use>(capacity);
    for (std::uint32_t k = 0; k < capacity; ++k) new (moved + k) Use();
    for (std::uint32_t k = 0; k < numOperands_; ++k) moved[k].moveFrom(operands_[k]);
    operands_ = moved;
    capOperands_ = capacity;
  }
  for (std::size_t k = numOperands_; k > i; --k) {
    operands_[k].moveFrom(operands_[k - 1]);
    operands_[k].index = static_cast<std::uint32_t>(k);
  }
  ++numOperands_;
  operands_[i].user = this;
  operands_[i].index = static_cast<std::uint32_t>(i);
  operands_[i].set(value);
}

void Node::setInput(std::size_t i, Value* value) {
  TINE_CHECK(i < numOperands_);
  operands_[i].set(value);
}

void Node::removeInput(std::size_t i) {
  TINE_CHECK(i < numOperands_);
  operands_[i].set(nullptr);
  for (std::size_t k = i + 1; k < numOperands_; ++k) {
    operands_[k - 1].moveFrom(operands_[k]);
    operands_[k - 1].index = static_cast<std::uint32_t>(k - 1);
  }
  --numOperands_;
}

void Node::removeAllInputs() {
  for (std::uint32_t i = 0; i < numOperands_; ++i) operands_[i].set(nullptr);
  numOperands_ = 0;
}

Value* Node::addOutput(const Type* type) {
  outputs_.push_back(graph_->createValue(this, static_cast<std::uint32_t>(outputs_.size()), type));
  return outputs_.back();
}

void Node::permuteOutputs(llvm::ArrayRef<std::size_t> order) {
  TINE_CHECK(order.size() == outputs_.size());
  const llvm::SmallVector<Value*, 4> old(outputs_.begin(), outputs_.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    outputs_[i] = old[order[i]];
    outputs_[i]->index_ = static_cast<std::uint32_t>(i);
  }
}

void Node::removeOutput(std::size_t i) {
  TINE_CHECK_MSG(!outputs_[i]->hasUses(), "a removed output has uses");
  outputs_[i]->setName("");
  outputs_.erase(outputs_.begin() + static_cast<std::ptrdiff_t>(i));
  for (; i < outputs_.size(); ++i) outputs_[i]->index_ = static_cast<std::uint32_t>(i);
}

Block* Node::addBlock() {
  blocks_.push_back(graph_->createBlock(this));
  return blocks_.back();
}

void Node::insertBefore(Node* before) {
  TINE_CHECK(before->block_ && before->prev_ && before != this && before->graph_ == graph_);
  unlink();
  block_ = before->block_;
  prev_ = before->prev_;
  next_ = before;
  prev_->next_ = next_->prev_ = this;
  if (!next_->next_) { // at the end: the Return node makes room
    position_ = prev_->position_ + kGap;
    next_->position_ = position_ + kGap;
    return;
  }
  std::int64_t gap = next_->position_ - prev_->position_;
  if (gap < 2)
    block_->makeRoom(this);
  else
    position_ = prev_->position_ + gap / 2;
}

void Node::insertAfter(Node* after) {
  TINE_CHECK(after->next_);
  if (after == this) return;
  insertBefore(after->next_ == this ? next_ : after->next_);
}

void Node::unlink() {
  if (!block_) return;
  TINE_CHECK(prev_ && next_);
  prev_->next_ = next_;
  next_->prev_ = prev_;
  block_ = nullptr;
  next_ = prev_ = nullptr;
}

void Node::destroy() {
  unlink();
  // Everything inside goes with it: first all operands, then the values have no uses.
  std::vector<Node*> inside{this};
  for (std::size_t i = 0; i < inside.size(); ++i)
    for (Block* block : inside[i]->blocks_)
      for (Node* node = block->param_; node; node = node->next_) inside.push_back(node);
  for (Node* node : inside) node->removeAllInputs();
  for (Node* node : inside) {
    for (Value* output : node->outputs_) {
      TINE_CHECK_MSG(!output->hasUses(), "a destroyed node's result has uses");
      output->setName("");
    }
    node->outputs_.clear();
    node->attributes_.clear();
    node->blocks_.clear();
    node->block_ = nullptr;
    node->next_ = node->prev_ = nullptr;
  }
}

bool Node::isBefore(const Node* other) const {
  if (block_ == other->block_) return position_ < other->position_;
  auto depth = [](const Node* node) {
    int levels = 0;
    for (; node->block_ && node->block_->owner_; node = node->block_->owner_) ++levels;
    return levels;
  };
  const Node *a = this, *b = other;
  int depthA = depth(a), depthB = depth(b);
  for (; depthA > depthB; --depthA) a = a->block_->owner_;
  for (; depthB > depthA; --depthB) b = b->block_->owner_;
  if (a == b) return depth(this) < depth(other); // one holds the other: the outer one runs first
  while (a->block_ != b->block_) {
    const Node *ownerA = a->block_->owner_, *ownerB = b->block_->owner_;
    TINE_CHECK_MSG(ownerA && ownerB, "nodes of different graphs");
    if (ownerA == ownerB) { // different blocks of one node, in the order of the blocks
      for (Block* block : ownerA->blocks())
        if (block == a->block_ || block == b->block_) return block == a->block_;
    }
    a = ownerA;
    b = ownerB;
  }
  return a->position_ < b->position_;
}

void Graph::forEachNode(llvm::function_ref<void(Node*)> f) const {
  struct Position {
    Node* next;
    Node* end;
  };
  std::vector<Position> stack{{root_->param_->next_, root_->return_}};
  while (!stack.empty()) {
    auto& [node, end] = stack.back();
    if (node == end) {
      stack.pop_back();
      continue;
    }
    Node* current = node;
    node = node->next_;
    f(current);
    for (std::size_t i = current->blocks_.size(); i-- > 0;) {
      Block* block = current->blocks_[i];
      stack.push_back({block->param_->next_, block->return_});
    }
  }
}

bool Graph::renumber() {
  std::uint32_t next = 0;
  bool changed = false;
  auto number = [&](llvm::ArrayRef<Value*> values) {
    for (Value* value : values) {
      changed |= value->unique_ != next;
      value->unique_ = next++;
    }
  };
  struct Position {
    Node* node; ///< next to be numbered
    Block* block;
  };
  std::vector<Position> stack{{root_->param_, root_}};
  while (!stack.empty()) {
    auto& [node, block] = stack.back();
    if (node == block->return_) {
      stack.pop_back();
      continue;
    }
    Node* current = node;
    node = node->next_;
    number(current->outputs_); // of the Param node: the block's inputs
    for (std::size_t i = current->blocks_.size(); i-- > 0;)
      stack.push_back({current->blocks_[i]->param_, current->blocks_[i]});
  }
  changed |= nextUnique_ != next;
  nextUnique_ = next;
  return changed;
}

std::unique_ptr<Graph> Graph::copy(std::shared_ptr<Context> context) const {
  // A worklist of graphs, and in each a worklist of blocks: neither forks nor blocks recurse.
  struct PendingGraph {
    const Graph* from;
    Graph* to;
  };
  if (!context) context = context_;
  auto result = std::make_unique<Graph>(context);
  std::vector<PendingGraph> graphs{{this, result.get()}};
  while (!graphs.empty()) {
    const Graph* from = graphs.back().from; // no structured binding: clang 14 cannot capture one
    Graph* to = graphs.back().to;
    graphs.pop_back();
    bool sameContext = to->context_ == from->context_;
    auto symbol = [&](Symbol s) {
      return sameContext || s.empty() ? s : to->context_->symbol(s.str());
    };
    auto type = [&](const Type* t) { return sameContext ? t : copyType(*to->context_, t); };
    llvm::DenseMap<const CallSite*, const CallSite*> sites;
    auto copySite = [&](const CallSite* site) -> const CallSite* {
      llvm::SmallVector<const CallSite*, 4> chain; // innermost first
      for (; site && !sites.contains(site); site = site->outer) chain.push_back(site);
      const CallSite* copied = site ? sites[site] : nullptr;
      while (!chain.empty()) {
        CallSite made{symbol(chain.back()->function), chain.back()->location, copied,
                      chain.back()->fork};
        made.location.file = symbol(made.location.file);
        copied = sites[chain.pop_back_val()] = to->addCallSite(made);
      }
      return copied;
    };
    llvm::DenseMap<const Value*, Value*> values;
    auto copyOutput = [&](const Value* value, Node* owner) {
      Value* copied = owner->addOutput(type(value->type_));
      copied->unique_ = value->unique_;
      if (value->hasName()) {
        copied->name_ = symbol(value->name_);
        to->names_[copied->name_.str()] = copied;
      }
      values[value] = copied;
    };
    struct PendingBlock {
      Node* next; ///< of the original; null once the block's outputs are due
      const Block* from;
      Block* to;
    };
    std::vector<PendingBlock> blocks;
    auto enter = [&](const Block* source, Block* target) {
      for (Value* input : source->inputs()) copyOutput(input, target->param_);
      blocks.push_back({source->param_->next_, source, target});
    };
    enter(from->root_, to->root_);
    while (!blocks.empty()) {
      auto& [next, source, target] = blocks.back();
      if (next == source->return_) {
        for (Value* output : source->outputs()) target->addOutput(values.lookup(output));
        target->return_->location_ = source->return_->location_;
        target->return_->location_.file = symbol(source->return_->location_.file);
        blocks.pop_back();
        continue;
      }
      const Node* node = next;
      next = next->next_;
      Node* copied = to->createNode(symbol(node->kind_));
      target->append(copied);
      copied->overload_ = symbol(node->overload_);
      copied->scope_ = symbol(node->scope_);
      copied->location_ = node->location_;
      copied->location_.file = symbol(node->location_.file);
      copied->callSite_ = copySite(node->callSite_);
      for (Value* input : node->inputs()) copied->addInput(values.lookup(input));
      for (Value* output : node->outputs_) copyOutput(output, copied);
      for (const Attribute& attribute : node->attributes_) {
        Attribute copy = attribute.withoutGraphs();
        copy.name = symbol(copy.name);
        for (const Type*& t : copy.types) t = type(t);
        for (const auto& subgraph : attribute.graphs) {
          copy.graphs.push_back(std::make_unique<Graph>(to->context_));
          graphs.push_back({subgraph.get(), copy.graphs.back().get()});
        }
        copied->attributes_.set(std::move(copy));
      }
      // `next`, `source` and `target` dangle from here on. Blocks in reverse, so that the first is
      // copied first.
      for (std::size_t i = 0; i < node->blocks_.size(); ++i) copied->addBlock();
      for (std::size_t i = node->blocks_.size(); i-- > 0;)
        enter(node->blocks_[i], copied->blocks_[i]);
    }
    to->nextUnique_ = std::max(to->nextUnique_, from->nextUnique_);
  }
  return result;
}

} // namespace tine
