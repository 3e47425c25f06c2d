#include "ir/builder.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/memory_kinds.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

namespace tine {
namespace {

/// Longer strings and larger tuples are not worth a place in the graph.
constexpr std::size_t kMaxString = 4096;
constexpr std::size_t kMaxItems = 1024;

/// Is the value small, and made of what never changes?
bool isFoldable(const IValue& value) {
  std::vector<const IValue*> work{&value};
  std::size_t items = 0;
  while (!work.empty()) {
    const IValue* current = work.back();
    work.pop_back();
    if (++items > kMaxItems) return false;
    switch (current->tag()) {
    case Tag::None:
    case Tag::Bool:
    case Tag::Int:
    case Tag::Double:
    case Tag::Complex:
      break;
    case Tag::String:
      if (current->toStringRef().size() > kMaxString) return false;
      break;
    case Tag::Tuple:
      if (current->toTuple().names) return false;
      for (const IValue& item : current->toTuple().items) work.push_back(&item);
      break;
    case Tag::Device:
    case Tag::Function:
    case Tag::Uninitialized:
    case Tag::Tensor:
    case Tag::List:
    case Tag::Dict:
    case Tag::Object:
    case Tag::Future:
    case Tag::RRef:
      return false;
    }
  }
  return true;
}

/// Walks the graph in program order; what it replaces by constants is known to what follows.
class Folder {
public:
  Folder(Graph& graph, const PassContext& context) : graph_(graph), context_(context) {}

  bool run() {
    struct Frame {
      Node *next, *end;
    };
    std::vector<Frame> stack{{graph_.block()->param()->next(), graph_.block()->ret()}};
    bool changed = false;
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.next == frame.end) {
        stack.pop_back();
        continue;
      }
      Node *node = frame.next, *before = node->prev();
      frame.next = node->next();
      bool folded = node->op() == Builtin::If     ? foldIf(node)
                    : node->op() == Builtin::Loop ? foldLoop(node)
                                                  : foldNode(node);
      if (folded) {
        changed = true;
        frame.next = before->next(); // a branch that took the If's place is walked next
        continue;
      }
      for (std::size_t i = node->blocks().size(); i-- > 0;) { // `frame` dangles
        Block* block = node->blocks()[i];
        stack.push_back({block->param()->next(), block->ret()});
      }
    }
    return changed;
  }

private:
  /// Before: `%c = prim::Constant[value=1]()  %a = prim::If(%c)  block0(): ... -> (%x)  block1():
  /// ...` After:  `%c = prim::Constant[value=1]()  ...`, with %x for %a
  bool foldIf(Node* node) {
    std::optional<IValue> condition = constantValue(node->input(0));
    if (!condition || !condition->isBool()) return false;
    Block* taken = node->blocks()[condition->toBool() ? 0 : 1];
    spliceBefore(node, *taken);
    for (std::size_t i = 0; i < node->numOutputs(); ++i)
      replaceValue(node->output(i), taken->outputs()[i]);
    node->destroy();
    return true;
  }

  /// Before: `%n = prim::Constant[value=0]()  %a = prim::Loop(%n, %c, %x)  block0(...): ...`
  /// After:  %x for %a; the same when the condition starts as False
  bool foldLoop(Node* node) {
    std::optional<IValue> trips = constantValue(node->input(0)), go = constantValue(node->input(1));
    bool never =
        (trips && trips->isInt() && trips->toInt() <= 0) || (go && go->isBool() && !go->toBool());
    if (!never) return false;
    for (std::size_t i = 0; i < node->numOutputs(); ++i)
      replaceValue(node->output(i), node->input(i + 2));
    node->destroy();
    return true;
  }

  /// Before: `%a = prim::Constant[value=1]()  %b = prim::Constant[value=2]()  %c = aten::add(%a,
  /// %b)` After:  `... %c = prim::Constant[value=3]()`
  bool foldNode(Node* node) {
    if (node->op() == Builtin::Constant || node->numOutputs() == 0 || node->subgraph())
      return false;
    for (Value* output : node->outputs())
      if (types_.isMutable(output->type())) return false;
    llvm::SmallVector<IValue, 6> arguments;
    for (Value* input : node->inputs()) {
      std::optional<IValue> known = operand(input);
      if (!known) return false;
      arguments.push_back(std::move(*known));
    }
    llvm::SmallVector<IValue, 2> results(node->numOutputs());
    if (!compute(node, arguments, results)) return false;
    llvm::SmallVector<const Type*, 2> types;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const Type* wanted = node->output(i)->type();
      if (!isFoldable(results[i])) return false;
      const Type* type = typeOf(graph_.context(), results[i]);
      if (!isSubtype(type, wanted)) return false;
      bool loose = wanted->is(TypeKind::Optional) || wanted->is(TypeKind::Any) ||
                   wanted->is(TypeKind::Number) || wanted->is(TypeKind::Union);
      types.push_back(loose && !results[i].isNone() ? type : wanted);
      if (results[i].isNone() && !wanted->is(TypeKind::Optional) && !wanted->is(TypeKind::None))
        return false;
    }
    Builder builder(node);
    builder.setLocation(node->location());
    builder.setScope(node->scope());
    for (std::size_t i = 0; i < results.size(); ++i) {
      Value* constant = builder.constant(std::move(results[i]), types[i]);
      constant->node()->setCallSite(node->callSite());
      replaceValue(node->output(i), constant);
    }
    node->destroy();
    return true;
  }

  /// What an operand is known to be. A list counts only while nobody else has it.
  std::optional<IValue> operand(const Value* value) {
    const Node* node = value->node();
    if (types_.isMutable(value->type()) && !value->hasOneUse()) return std::nullopt;
    if (node->op() == Builtin::Constant) return constantValue(*node);
    if (node->op() != Builtin::ListConstruct || node->numInputs() > kMaxItems) return std::nullopt;
    std::vector<IValue> items;
    for (Value* input : node->inputs()) {
      std::optional<IValue> item = constantValue(input);
      if (!item || types_.isMutable(input->type())) return std::nullopt;
      items.push_back(std::move(*item));
    }
    return IValue::list(std::move(items));
  }

  /// Runs the node on known operands. False when it may not be run now, or fails.
  bool compute(const Node* node, llvm::MutableArrayRef<IValue> arguments,
               llvm::MutableArrayRef<IValue> results) {
    if (node->op() == Builtin::TupleConstruct) {
      results[0] = IValue::tuple(std::vector<IValue>(arguments.begin(), arguments.end()));
      return node->output()->type()->names().empty();
    }
    if (node->op() == Builtin::TupleUnpack) {
      if (!arguments[0].isTuple() || arguments[0].toTuple().items.size() != results.size())
        return false;
      llvm::copy(arguments[0].toTuple().items, results.begin());
      return true;
    }
    if (node->op() == Builtin::TupleIndex) {
      if (arguments.size() != 2 || !arguments[0].isTuple() || !arguments[1].isInt()) return false;
      const std::vector<IValue>& items = arguments[0].toTuple().items;
      std::int64_t i = arguments[1].toInt();
      if (i < 0) i += static_cast<std::int64_t>(items.size());
      if (i < 0 || i >= static_cast<std::int64_t>(items.size())) return false;
      results[0] = items[static_cast<std::size_t>(i)];
      return true;
    }
    if (node->op() == Builtin::UncheckedCast ||
        (node->op() == Builtin::UncheckedUnwrapOptional && !arguments[0].isNone())) {
      results[0] = arguments[0];
      return true;
    }
    const OpInfo* op = node->op() == Builtin::None ? context_.find(*node) : nullptr;
    if (!op || !op->kernel || results.size() != op->schema.results.size()) return false;
    const Effects& effects = op->effects;
    bool builtin = node->kind().ns() == "prim" || node->kind().ns() == "aten";
    if (effects.writes || effects.external || effects.nondeterministic || effects.suspends ||
        (effects.reads && !builtin) || mayBeHuge(node, arguments))
      return false;
    return call(*op, arguments, results);
  }

  /// `"".ljust(10 ** 12)`: not even tried.
  static bool mayBeHuge(const Node* node, llvm::ArrayRef<IValue> arguments) {
    auto isText = [](const Value* value) { return value->type()->is(TypeKind::Str); };
    return llvm::any_of(node->outputs(), isText) &&
           llvm::any_of(arguments,
                        [](const IValue& value) {
                          return value.isInt() &&
                                 value.toInt() > static_cast<std::int64_t>(kMaxString);
                        }) &&
           llvm::any_of(node->inputs(), isText);
  }

  static bool call(const OpInfo& op, llvm::ArrayRef<IValue> arguments,
                   llvm::MutableArrayRef<IValue> results) {
    std::vector<IValue> all(arguments.begin(), arguments.end());
    for (std::size_t i = all.size(); i < op.schema.arguments.size(); ++i) {
      if (!op.schema.arguments[i].defaultValue) return false;
      all.push_back(*op.schema.arguments[i].defaultValue);
    }
    llvm::SmallVector<IValue*, 8> in, out;
    for (IValue& value : all) in.push_back(&value);
    for (IValue& value : results) out.push_back(&value);
    try {
      op.kernel(KernelCall(in.data(), static_cast<std::uint32_t>(in.size()), out.data(),
                           static_cast<std::uint32_t>(out.size())));
      return true;
    } catch (const std::exception&) {
      return false; // it fails when it runs, if it runs
    }
  }

  Graph& graph_;
  const PassContext& context_;
  MemoryTypes types_;
};

} // namespace

bool foldConstants(Graph& graph, const PassContext& context) {
  return onEachGraph(graph, [&](Graph& inner) { return Folder(inner, context).run(); });
}

} // namespace tine
