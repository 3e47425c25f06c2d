#include "ir/builder.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

#include <utility>

namespace tine {
namespace {

/// Wider tuples are left whole.
constexpr std::size_t kMaxFields = 64;

/// The node that makes the tuple; null when it comes from elsewhere.
Node* constructOf(const Value* tuple) {
  Node* node = tuple->node();
  bool fits = node->op() == Builtin::TupleConstruct && tuple->type()->is(TypeKind::Tuple) &&
              tuple->type()->elements().size() == node->numInputs();
  return fits ? node : nullptr;
}

/// Walks the graph in program order and takes tuples apart where it meets them.
class Tuples {
public:
  explicit Tuples(Graph& graph) : graph_(graph) {}

  bool run() {
    struct Frame {
      Node *next, *end;
      Node* open = nullptr; ///< its blocks are being walked
    };
    std::vector<Frame> stack{{graph_.block()->param()->next(), graph_.block()->ret()}};
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (Node* closed = std::exchange(frame.open, nullptr);
          closed && closed->op() == Builtin::If) {
        splitIf(closed);
        frame.next = closed->next(); // the tuples that it left behind
      }
      if (frame.next == frame.end) {
        stack.pop_back();
        continue;
      }
      Node* node = frame.next;
      if (node->op() == Builtin::Loop) splitLoop(node);
      frame.next = node->next();
      if (!node->blocks().empty()) {
        frame.open = node;
        for (std::size_t i = node->blocks().size(); i-- > 0;) { // `frame` dangles
          Block* block = node->blocks()[i];
          stack.push_back({block->param()->next(), block->ret()});
        }
      } else {
        forward(node);
      }
    }
    return changed_;
  }

private:
  /// Before: `%t = prim::TupleConstruct(%a, %b)  %x, %y = prim::TupleUnpack(%t)  f(%x)`
  /// After:  `%t = prim::TupleConstruct(%a, %b)  f(%a)`; the same for TupleIndex and TupleSlice
  void forward(Node* node) {
    if (node->numInputs() == 0) return;
    Node* tuple = constructOf(node->input(0));
    if (!tuple) return;
    if (node->op() == Builtin::TupleUnpack && node->numOutputs() == tuple->numInputs()) {
      for (std::size_t i = 0; i < node->numOutputs(); ++i)
        replaceValue(node->output(i), tuple->input(i));
    } else if (node->op() == Builtin::TupleIndex && node->numInputs() == 2) {
      std::optional<IValue> index = constantValue(node->input(1));
      if (!index || !index->isInt()) return;
      auto size = static_cast<std::int64_t>(tuple->numInputs());
      std::int64_t i = index->toInt() < 0 ? index->toInt() + size : index->toInt();
      if (i < 0 || i >= size) return; // fails when it runs
      replaceValue(node->output(), tuple->input(static_cast<std::size_t>(i)));
    } else if (node->op() == Builtin::TupleSlice) {
      const Attribute *from = node->attributes().find(Builtin::Beg),
                      *to = node->attributes().find(Builtin::End);
      if (!from || !to || !from->value.isInt() || !to->value.isInt()) return;
      std::int64_t begin = from->value.toInt(), end = to->value.toInt();
      auto size = static_cast<std::int64_t>(tuple->numInputs());
      if (begin < 0 || begin > end || end > size) return;
      llvm::SmallVector<Value*, 8> items;
      for (std::int64_t i = begin; i < end; ++i)
        items.push_back(tuple->input(static_cast<std::size_t>(i)));
      Builder builder(node);
      builder.setLocation(node->location());
      builder.setScope(node->scope());
      Value* slice = builder.tuple(items);
      slice->node()->setCallSite(node->callSite());
      slice->setType(node->output()->type());
      replaceValue(node->output(), slice);
    } else {
      return;
    }
    node->destroy();
    changed_ = true;
  }

  /// A tuple of new values in front of `before`, in the place of the old one.
  static void rebuild(Value* old, llvm::ArrayRef<Value*> items, Node* before, const Node* place) {
    Builder builder(before);
    builder.setLocation(place->location());
    builder.setScope(place->scope());
    Value* tuple = builder.tuple(items);
    tuple->node()->setCallSite(place->callSite());
    tuple->setType(old->type());
    replaceValue(old, tuple);
  }

  /// Before: `%t = prim::If(%c)  block0(): %p = prim::TupleConstruct(%a, %b) -> (%p)
  ///                             block1(): %q = prim::TupleConstruct(%d, %e) -> (%q)`
  /// After:  `%x, %y = prim::If(%c)  block0(): ... -> (%a, %b)  block1(): ... -> (%d, %e)
  ///          %t = prim::TupleConstruct(%x, %y)`
  void splitIf(Node* node) {
    for (std::size_t i = node->numOutputs(); i-- > 0;) {
      Value* tuple = node->output(i);
      if (!tuple->type()->is(TypeKind::Tuple) || tuple->type()->elements().size() > kMaxFields)
        continue;
      std::size_t fields = tuple->type()->elements().size();
      bool made = true;
      for (Block* block : node->blocks()) {
        Node* construct = constructOf(block->outputs()[i]);
        made &= construct && construct->numInputs() == fields;
      }
      if (!made) continue;
      llvm::SmallVector<Value*, 8> items;
      for (const Type* type : tuple->type()->elements()) items.push_back(node->addOutput(type));
      for (Block* block : node->blocks()) {
        Node* construct = constructOf(block->outputs()[i]);
        for (Value* item : construct->inputs()) block->addOutput(item);
        block->ret()->removeInput(i);
      }
      rebuild(tuple, items, node->next(), node);
      node->removeOutput(i);
      changed_ = true;
    }
  }

  /// Before: `%t = prim::TupleConstruct(%a, %b)
  ///          %u = prim::Loop(%n, %c, %t)  block0(%i, %p): ... -> (%d, %q)`
  /// After:  `%x, %y = prim::Loop(%n, %c, %a, %b)
  ///            block0(%i, %r, %s): %p = prim::TupleConstruct(%r, %s) ...
  ///              %j, %k = prim::TupleUnpack(%q) -> (%d, %j, %k)
  ///          %u = prim::TupleConstruct(%x, %y)`
  /// The body's own constructs and unpacks then meet in `forward`.
  void splitLoop(Node* node) {
    Block* body = node->blocks()[0];
    for (std::size_t i = node->numOutputs(); i-- > 0;) {
      Value *tuple = node->output(i), *carried = body->inputs()[i + 1];
      Node* start = constructOf(node->input(i + 2));
      if (!start || !tuple->type()->is(TypeKind::Tuple)) continue;
      llvm::ArrayRef<const Type*> types = tuple->type()->elements();
      if (types.size() != start->numInputs() || types.size() > kMaxFields ||
          carried->type() != tuple->type())
        continue;
      llvm::SmallVector<Value*, 8> results, items;
      Builder end(body);
      end.setLocation(node->location());
      end.setScope(node->scope());
      Node* unpack = end.node("prim::TupleUnpack", body->outputs()[i + 1], types);
      unpack->setCallSite(node->callSite());
      for (std::size_t k = 0; k < types.size(); ++k) {
        node->addInput(start->input(k));
        results.push_back(node->addOutput(types[k]));
        items.push_back(body->addInput(types[k]));
        body->addOutput(unpack->output(k));
      }
      rebuild(carried, items, body->param()->next(), node);
      rebuild(tuple, results, node->next(), node);
      node->removeInput(i + 2);
      body->ret()->removeInput(i + 1);
      body->param()->removeOutput(i + 1);
      node->removeOutput(i);
      changed_ = true;
    }
  }

  Graph& graph_;
  bool changed_ = false;
};

} // namespace

bool lowerTuples(Graph& graph, const PassContext&) {
  return onEachGraph(graph, [](Graph& inner) { return Tuples(inner).run(); });
}

} // namespace tine
