#include "llvm/ADT/STLExtras.h"
#include "passes/alias_data.h"

namespace tine {

/// Walks a graph once, in program order: gives every value that has memory a location, unifies what
/// may alias, and notes who writes. Order does not matter for the locations, it does for the
/// writes.
class AliasBuilder {
public:
  AliasBuilder(AliasAnalysis& alias, const Graph& graph)
      : alias_(alias), data_(*alias.data_), graph_(graph), locations_(data_.locations) {}

  void run() {
    data_.ofValue.assign(graph_.numValues(), kNone);
    for (Value* input : graph_.inputs()) mark(of(input), Locations::kInput);
    walk();
    for (Value* output : graph_.outputs()) mark(of(output), Locations::kReturned);
    finish();
  }

private:
  using Role = AliasAnalysis::Role;
  static constexpr std::uint32_t kNone = AliasAnalysis::kNone;

  std::uint32_t of(const Value* value) {
    std::uint32_t& location = data_.ofValue[value->unique()];
    if (location == kNone) location = locations_.makeChain(data_.types->of(value->type()));
    return location;
  }
  std::uint32_t contents(std::uint32_t location) {
    return location == kNone ? kNone : locations_.contentsOf(location);
  }
  void unify(const Value* a, const Value* b) { locations_.unify(of(a), of(b)); }
  /// `held` is in `container`.
  void hold(const Value* container, const Value* held) {
    if (std::uint32_t inner = of(held); inner != kNone)
      locations_.unify(contents(of(container)), inner);
  }
  void mark(std::uint32_t location, std::uint8_t flag) {
    if (location != kNone) locations_[locations_.find(location)].flags |= flag;
  }

  // The walk.

  struct Frame {
    const Block* block;
    const Node* next;
    const Node* open = nullptr; ///< its blocks are being walked
  };

  void walk() {
    std::vector<Frame> stack{{graph_.block(), graph_.block()->param()->next()}};
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.open) close(frame.open);
      frame.open = nullptr;
      const Node* node = frame.next;
      if (node == frame.block->ret()) {
        stack.pop_back();
        continue;
      }
      frame.next = node->next();
      data_.positions.set(node, ++position_);
      for (const Value* output : node->outputs()) of(output); // also of those that nobody uses
      if (node->blocks().empty()) {
        visit(node);
        continue;
      }
      frame.open = node;
      openBlocks(node);
      for (std::size_t i = node->blocks().size(); i-- > 0;) {
        const Block* block = node->blocks()[i];
        for (const Value* input : block->inputs()) of(input);
        stack.push_back({block, block->param()->next()});
      }
    }
  }

  void openBlocks(const Node* node) {
    if (node->op() == Builtin::Loop) {
      if (openLoops_++ == 0) loopBegin_ = position_;
      const Block* body = node->blocks()[0];
      for (std::size_t i = 2; i < node->numInputs(); ++i) {
        if (i - 1 < body->inputs().size()) unify(node->input(i), body->inputs()[i - 1]);
        if (i - 1 < body->outputs().size()) unify(node->input(i), body->outputs()[i - 1]);
        if (i - 2 < node->numOutputs()) unify(node->input(i), node->output(i - 2));
      }
    } else if (node->op() == Builtin::If) {
      for (const Block* block : node->blocks())
        for (std::size_t i = 0; i < block->outputs().size() && i < node->numOutputs(); ++i)
          unify(node->output(i), block->outputs()[i]);
    } else { // a kind that we do not know: anything may flow anywhere
      opaque(node, false);
      for (const Block* block : node->blocks()) {
        for (const Value* input : block->inputs()) mark(of(input), Locations::kUnknown);
        for (const Value* output : block->outputs()) mark(of(output), Locations::kUnknown);
      }
    }
  }

  void close(const Node* node) {
    data_.positions.setEnd(node, position_);
    if (node->op() == Builtin::Loop && --openLoops_ == 0) loopBegin_ = kNone;
  }

  // Nodes.

  void visit(const Node* node) {
    switch (node->op()) {
    case Builtin::Constant:
      for (const Value* output : node->outputs()) mark(of(output), Locations::kUnknown);
      return;
    case Builtin::Fork:
      return node->subgraph() ? fork(node) : opaque(node, true);
    case Builtin::Wait:
      return wait(node);
    case Builtin::TupleConstruct:
    case Builtin::ListConstruct:
    case Builtin::DictConstruct:
      for (const Value* input : node->inputs()) hold(node->output(), input);
      return;
    case Builtin::TupleUnpack:
    case Builtin::TupleIndex:
    case Builtin::ListUnpack:
    case Builtin::GetAttr:
      for (const Value* output : node->outputs()) hold(node->input(0), output);
      return;
    case Builtin::TupleSlice:
    case Builtin::UncheckedCast:
    case Builtin::UncheckedUnwrapOptional:
      return unify(node->output(), node->input(0));
    case Builtin::SetAttr:
      hold(node->input(0), node->input(1));
      return write(node, of(node->input(0)), memory::Object);
    case Builtin::CreateObject:
    case Builtin::Uninitialized:
    case Builtin::IsInstance:
    case Builtin::HasAttr:
      return;
    case Builtin::RaiseException:
    case Builtin::Reraise:
      alias_.mustRun_ = true;
      return setRole(node, Role::Root);
    case Builtin::Print:
      alias_.mustRun_ = true;
      return setRole(node, Role::Root);
    case Builtin::CallFunction:
    case Builtin::CallMethod:
      return opaque(node, mayLeaveWriters(node));
    case Builtin::None:
    case Builtin::Param:
    case Builtin::Return:
    case Builtin::If:
    case Builtin::Loop:
    case Builtin::Enter:
    case Builtin::Exit:
    case Builtin::Try:
    case Builtin::Closure:
    case Builtin::DifferentiableGraph:
    case Builtin::PythonOp:
    case Builtin::Value:
    case Builtin::PyName:
    case Builtin::PyScalars:
    case Builtin::Name:
    case Builtin::Subgraph:
    case Builtin::Types:
    case Builtin::Beg:
    case Builtin::End:
      break;
    }
    const OpInfo* op = node->subgraph() ? nullptr : data_.context->find(*node);
    if (op) return operation(node, *op);
    Effects effects = node->subgraph() ? Effects::all() : data_.context->effects(*node);
    if (effects.writes || effects.suspends) return opaque(node, node->subgraph());
    if (effects.external) {
      alias_.mustRun_ = true;
      setRole(node, Role::Root);
    }
    // Without a schema: the results may be any of the operands, or what is in them.
    for (const Value* output : node->outputs())
      for (const Value* input : node->inputs())
        if (of(output) != kNone && of(input) != kNone) {
          unify(output, input);
          hold(input, output);
        }
  }

  /// Something that may do anything with what it is given and with what the outside knows, and,
  /// with `leaves`, go on doing so.
  void opaque(const Node* node, bool leaves) {
    for (const Value* input : node->inputs()) mark(of(input), Locations::kUnknown);
    for (const Value* output : node->outputs()) mark(of(output), Locations::kUnknown);
    alias_.mustRun_ = true;
    setRole(node, Role::Root);
    data_.waits.push_back(position_);
    data_.writes.all().push_back({kOutsideLocation, leaves ? startOfLife() : position_,
                                  leaves ? Positions::kEnd : position_, position_, memory::All});
  }

  /// A call may leave tasks behind when a function that it reaches forks or is not known.
  bool mayLeaveWriters(const Node* call) {
    const Graph* callee = data_.context->callee(*call);
    if (!callee) return true;
    const CallFacts& facts = data_.context->facts(*callee);
    return facts.forks || facts.unknown;
  }

  /// An operator of the table.
  void operation(const Node* node, const OpInfo& op) {
    const Schema& schema = op.schema;
    auto argument = [&](std::size_t i) {
      return i < schema.arguments.size() ? &schema.arguments[i] : nullptr;
    };
    bool declared = false; // a write with a place
    for (std::size_t i = 0; i < node->numInputs(); ++i)
      declared |= argument(i) && argument(i)->written;
    const Effects effects = effectsOf(op, *node);
    if (effects.suspends || (effects.writes && (effects.external || !declared)))
      return opaque(node, effects.suspends);
    if (effects.external) {
      alias_.mustRun_ = true;
      setRole(node, Role::Root);
    }
    for (std::size_t i = 0; i < node->numInputs(); ++i) {
      if (!argument(i) || !argument(i)->written) continue;
      const Value* written = node->input(i);
      write(node, of(written), data_.kinds(written));
      if (data_.kinds(written) &
          ~memory::Tensor) // a container: what else is given may be put in it
        for (std::size_t j = 0; j < node->numInputs(); ++j)
          if (j != i) pour(contents(of(written)), node->input(j), argument(j));
    }
    for (std::size_t i = 0; i < node->numOutputs(); ++i)
      if (of(node->output(i)) != kNone)
        result(node, schema, node->output(i),
               i < schema.results.size() ? &schema.results[i] : nullptr);
    if (node->kind().unqualified() == "__is__" || node->kind().unqualified() == "__isnot__")
      compareIdentity(node);
  }

  static bool isContainer(const Type* type) {
    return type->is(TypeKind::List) || type->is(TypeKind::Dict) || type->is(TypeKind::AnyList);
  }
  static bool isVariable(const Type* type) {
    return type->is(TypeKind::Var) || type->is(TypeKind::Any);
  }

  /// `value`, or what is in it, may end up at the location.
  void pour(std::uint32_t location, const Value* value, const Argument* argument) {
    std::uint32_t given = of(value);
    if (given == kNone) return;
    bool items = argument && isContainer(argument->type); // t[]: extend; t: append
    if (!items || !argument) locations_.unify(location, given);
    if (items || !argument) locations_.unify(location, contents(given));
  }

  /// Do `b|a` and `a` have a name in common?
  static bool shareName(llvm::StringRef a, llvm::StringRef b) {
    llvm::SmallVector<llvm::StringRef, 4> names, others;
    a.split(names, '|');
    b.split(others, '|');
    return llvm::any_of(names, [&](llvm::StringRef name) {
      return !name.trim().empty() && llvm::any_of(others, [&](llvm::StringRef other) {
        return name.trim() == other.trim();
      });
    });
  }

  /// Who the result of an operator may alias, from the alias sets of its schema. Results of type
  /// `t`, and lists, may come out of the arguments whether it says so or not.
  void result(const Node* node, const Schema& schema, const Value* value, const Argument* result) {
    const Type* type = result ? plain(result->type) : nullptr;
    bool container = isContainer(value->type());
    bool variable = type && isVariable(type);
    bool inside = type && !variable && mentionsVariable(type);
    bool anything = !result || schema.varargs || schema.varresults ||
                    llvm::StringRef(result->aliasSet).contains('*');
    if (!anything && !variable && !inside && !container && result->aliasSet.empty())
      return; // fresh
    bool linked = false;
    auto each = [&](bool all) {
      for (std::size_t i = 0; i < node->numInputs(); ++i) {
        const Argument* argument = i < schema.arguments.size() ? &schema.arguments[i] : nullptr;
        const Value* input = node->input(i);
        if (of(input) == kNone) continue;
        bool declared = result && argument && shareName(argument->aliasSet, result->aliasSet);
        bool written = argument && argument->written; // add_ of lists: the list itself
        if (!all && !declared && !written) continue;
        linked = true;
        link(value, input, declared || written, variable);
        if (inside && !isPlainList(type)) { // (t, u)[] and its like: one location for all levels
          locations_.unify(of(value), contents(of(value)));
          locations_.unify(of(value), contents(of(input)));
        }
      }
    };
    each(anything || variable || inside || container);
    if (!linked) each(true);
  }

  /// `result` may be `given`, when both are the same kind of thing and `same` says so; may come out
  /// of it (an `item` always does); may have the same things inside, or `given` itself.
  void link(const Value* result, const Value* given, bool same, bool item) {
    bool into = isContainer(result->type()), from = isContainer(given->type());
    if (same && (data_.kinds(result) & data_.kinds(given))) return unify(result, given);
    if (from && into && !item) return locations_.unify(contents(of(result)), contents(of(given)));
    if (from) return hold(given, result);
    if (into && !item) return hold(result, given);
    unify(result, given);
  }

  static const Type* plain(const Type* type) {
    while (type->is(TypeKind::Optional)) type = type->element();
    return type;
  }
  static bool isPlainList(const Type* type) {
    return type->is(TypeKind::List) && type->element()->is(TypeKind::Var);
  }
  static bool mentionsVariable(const Type* type) {
    llvm::SmallVector<const Type*, 8> work{type};
    for (int i = 0; !work.empty(); ++i) {
      const Type* current = work.pop_back_val();
      if (isVariable(current) || i > 100) return true;
      work.append(current->elements().begin(), current->elements().end());
    }
    return false;
  }

  /// `a is b` of two things with memory can tell equal objects apart.
  void compareIdentity(const Node* node) {
    if (node->numInputs() != 2 || of(node->input(0)) == kNone || of(node->input(1)) == kNone)
      return;
    for (const Value* input : node->inputs()) mark(of(input), Locations::kIdentity);
  }

  // Fork and wait.

  /// Where something that has no certain end may begin to act: loops bring it back to their start.
  std::uint32_t startOfLife() const { return loopBegin_ == kNone ? position_ : loopBegin_; }

  static const Node* firstWait(const Node* fork) {
    const Node* first = nullptr;
    for (const Use& use : fork->output()->uses())
      if (use.user->op() == Builtin::Wait && use.user->block() == fork->block() &&
          (!first || use.user->isBefore(first)))
        first = use.user;
    return first;
  }

  /// Carries over what the body's analysis found: its inputs are our operands, its result is in our
  /// future, and what it writes it writes from here to the first wait.
  void fork(const Node* node) {
    const AliasAnalysis& body = (*data_.bodies)[*node->subgraph()];
    const Graph& graph = *node->subgraph();
    llvm::DenseMap<std::uint32_t, std::uint32_t> ours; // its locations, as ours
    auto link = [&](std::uint32_t theirs, std::uint32_t mine) {
      while (theirs != kNone && mine != kNone) {
        auto [it, fresh] = ours.try_emplace(theirs, mine);
        if (!fresh) return locations_.unify(it->second, mine);
        theirs = body.contents(theirs);
        if (theirs != kNone) mine = contents(mine);
      }
    };
    for (std::size_t i = 0; i < graph.inputs().size() && i < node->numInputs(); ++i)
      link(body.location(graph.inputs()[i]), of(node->input(i)));
    if (std::uint32_t future = of(node->output()); future != kNone) {
      std::uint32_t held = contents(future);
      if (graph.outputs().size() > 1) held = contents(held); // a tuple of them
      for (const Value* output : graph.outputs()) link(body.location(output), held);
    }
    for (auto [theirs, mine] : ours)
      mark(mine,
           body.data_->locations[theirs].flags & (Locations::kUnknown | Locations::kIdentity));

    const Node* until = firstWait(node);
    bool leaves = body.leavesWriters() || !until;
    if (leaves)
      for (const Value* input : node->inputs()) mark(of(input), Locations::kLingering);
    Role role = body.mustRun() ? Role::Root : Role::Pure;
    std::uint32_t begin = leaves ? startOfLife() : position_;
    auto add = [&](std::uint32_t location, MemoryKinds kinds) {
      if (!leaves) ends_.push_back({data_.writes.all().size(), until});
      data_.writes.all().push_back(
          {location, begin, leaves ? Positions::kEnd : begin, position_, kinds});
      if (role == Role::Pure) role = Role::LocalWriter;
      writers_.push_back({location, node});
    };
    for (auto [location, kinds] : body.data_->written) {
      auto mine = location == kOutsideLocation ? ours.end() : ours.find(location);
      add(mine == ours.end() ? kOutsideLocation : mine->second, kinds);
    }
    alias_.mustRun_ |= body.mustRun();
    if (role != Role::Pure) setRole(node, role);
  }

  void wait(const Node* node) {
    data_.waits.push_back(position_);
    const Node* forked = node->input(0)->node();
    bool known = forked->op() == Builtin::Fork && forked->subgraph() && node->numInputs() == 1 &&
                 !(*data_.bodies)[*forked->subgraph()].mustRun();
    for (const Value* output : node->outputs()) hold(node->input(0), output);
    if (known) return setRole(node, Role::Wait);
    // Somebody else's task, or one that may itself let others run: they may have written anything.
    alias_.mustRun_ = true;
    setRole(node, Role::Root);
    data_.writes.all().push_back({kOutsideLocation, position_, position_, position_, memory::All});
  }

  // Writes.

  void setRole(const Node* node, Role role) { data_.roles[node] = role; }

  void write(const Node* node, std::uint32_t location, MemoryKinds kinds) {
    if (location == kNone) return setRole(node, Role::Root); // of a type that never changes: odd
    data_.writes.all().push_back({location, position_, position_, position_, kinds});
    data_.roles.try_emplace(node, Role::LocalWriter);
    writers_.push_back({location, node});
  }

  void finish() {
    locations_.spreadOutside();
    for (auto [index, node] : ends_) data_.writes.all()[index].end = data_.positions.begin(node);
    llvm::DenseMap<std::uint64_t, bool> seen;
    for (Write& write : data_.writes.all()) {
      if (write.location != kOutsideLocation) write.location = locations_.find(write.location);
      bool outside = write.location == kOutsideLocation || data_.isOutside(write.location);
      std::uint64_t key = std::uint64_t(write.location) << 8 | write.kinds;
      if (outside && seen.try_emplace(key, true).second)
        data_.written.push_back({write.location, write.kinds});
      alias_.writesOutside_ |= outside;
      alias_.leavesWriters_ |= outside && write.end == Positions::kEnd;
      if (outside) write.location = kOutsideLocation;
    }
    data_.writes.finish();

    // Who writes what the outside knows must run.
    for (auto [location, node] : writers_) {
      if (location != kOutsideLocation) location = locations_.find(location);
      if (location == kOutsideLocation || data_.isOutside(location))
        setRole(node, Role::Root);
      else
        data_.writers[location].push_back(node);
    }
  }

  AliasAnalysis& alias_;
  AliasAnalysis::Data& data_;
  const Graph& graph_;
  Locations& locations_;
  std::uint32_t position_ = 0;
  int openLoops_ = 0;
  std::uint32_t loopBegin_ = kNone; ///< position of the outermost loop that is open
  std::vector<std::pair<std::uint32_t, const Node*>> writers_;
  std::vector<std::pair<std::size_t, const Node*>> ends_; ///< of writes: the wait that ends them
};

AliasAnalysis::AliasAnalysis(const Graph& graph, std::size_t nodes, const PassContext& context,
                             MemoryTypes& types, const AliasAnalyses& bodies)
    : data_(std::make_unique<Data>()) {
  data_->context = &context;
  data_->types = &types;
  data_->bodies = &bodies;
  data_->positions.reserve(nodes);
  AliasBuilder(*this, graph).run();
}

} // namespace tine
