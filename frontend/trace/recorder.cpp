#include "frontend/trace/recorder.h"

#include "frontend/trace/example.h"
#include "frontend/trace/frame.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

namespace tine {

namespace {
thread_local Recorder* activeRecorder = nullptr;

void refuseKey(const IValue& key, Where at) {
  if (key.isTensor())
    throw RuntimeError(traceError("a tensor as a key of a dict, which would be a constant", at));
}

} // namespace

// ---- beginning and end --------------------------------------------------------------------------

Recorder* Recorder::active() { return activeRecorder; }
Recorder::Pause::Pause() : paused_(std::exchange(activeRecorder, nullptr)) {}
Recorder::Pause::~Pause() { activeRecorder = paused_; }

Recorder::Recorder(TraceOptions options, const ModuleTree* tree, Where at)
    : options_(std::move(options)), ops_(options_.ops ? options_.ops : OpSet::sharedBuiltin()),
      tree_(tree), where_(at) {
  if (activeRecorder)
    throw RuntimeError(
        traceError("a trace inside the trace that began here", activeRecorder->where_));
  activeRecorder = this;
}

Recorder::~Recorder() {
  activeRecorder = nullptr;
  for (const Mark& mark : marks_) mark.tensor.impl()->mark = nullptr;
  for (const auto& made : made_) made->recorder = nullptr;
}

CompilationUnit Recorder::run(std::string name, llvm::ArrayRef<std::string> inputNames,
                              llvm::ArrayRef<MakeType> types, llvm::ArrayRef<IValue> examples,
                              Body body) {
  for (const llvm::StringRef taken : {llvm::StringRef(name), llvm::StringRef("return"),
                                      llvm::StringRef("with")}) // the text's own words
    functions_.insert(taken);
  FrameScope frame(*this, Frame::Kind::Root);
  if (tree_) {
    frame->part = &tree_->root();
    frame->self = frame->graph->addInput("self", classOf(*context_, tree_->root().className));
  }
  std::vector<std::pair<Value*, Operand>> inputs;
  try {
    for (std::size_t i = 0; i < examples.size(); ++i) {
      const Type* wanted = i < types.size() ? types[i](*context_) : nullptr;
      const Operand example = copyExample(Operand::of(examples[i]), wanted);
      const Operand operand = traced(example.value, where_);
      const llvm::StringRef input = i < inputNames.size() ? llvm::StringRef(inputNames[i]) : "";
      const Type* type = inputType(*context_, example, typeOfOperand(operand), wanted);
      inputs.emplace_back(frame->graph->addInput(input, type), operand);
    }
  } catch (const RuntimeError& e) {
    Error error = e.error();
    if (!error.place.known()) error.place = placeOf(where_);
    throw RuntimeError(std::move(error));
  }
  std::vector<Operand> operands;
  for (const auto& [value, operand] : inputs)
    operands.push_back(adopt(value, operand, Source::Input, where_));
  const Operand result = body(operands);
  if (abandonedEffects_)
    throw RuntimeError(
        traceError("the program catches an exception that leaves the body of a fork, "
                   "method, branch or loop which has written tensors or started "
                   "forks: a graph cannot catch",
                   where_));
  frame->graph->addOutput(valueOf(result, nullptr, where_));
  finish(*frame);

  CompilationUnit unit(context_);
  const auto add = [&](std::string function, std::unique_ptr<Graph> graph) {
    const bool added = unit.add(std::move(function), std::move(graph));
    TINE_CHECK(added);
  };
  add(std::move(name), std::move(frame.pop()->graph));
  for (NamedGraph& method : methods_) add(std::move(method.name), std::move(method.graph));
  methods_.clear();
  return unit;
}

/// Removes what nobody sees, gives the graph its inputs in the order of first use, and numbers its
/// values in the order in which they stand.
void Recorder::finish(Frame& frame) {
  eliminateDead(frame);
  if (frame.kind != Frame::Kind::Root) orderInputs(frame);
  frame.graph->renumber();
}

void Recorder::orderInputs(Frame& frame) {
  llvm::DenseMap<Value*, std::size_t> rank;
  const auto see = [&](const Node* node) {
    for (Value* input : node->inputs()) rank.try_emplace(input, rank.size());
  };
  frame.graph->forEachNode([&](Node* node) { see(node); });
  see(frame.graph->block()->ret());
  auto& captured = frame.captured;
  llvm::erase_if(captured, [&](const auto& c) { return !c.second->hasUses(); });
  llvm::stable_sort(captured, [&](const auto& a, const auto& b) {
    return rank.lookup(a.second) < rank.lookup(b.second);
  });
  Node* param = frame.graph->block()->param();
  const std::size_t before = param->numOutputs();
  for (auto& [outer, inner] : captured) {
    Value* input = frame.graph->block()->addInput(inner->type());
    const std::string name = inner->name().str().str();
    inner->replaceAllUsesWith(input);
    if (!name.empty()) {
      inner->setName("");
      input->setName(name);
    }
    inner = input;
  }
  for (std::size_t i = before; i-- > frame.numFixed;) param->removeOutput(i);
}

void Recorder::eliminateDead(Frame& frame) {
  std::vector<Node*> nodes;
  frame.graph->forEachNode([&](Node* node) { nodes.push_back(node); });
  for (Node* node : llvm::reverse(nodes)) {
    if (frame.mustStay.contains(node)) {
      if (Node* around = node->block()->owner()) frame.mustStay.insert(around);
    } else if (llvm::none_of(node->outputs(), [](Value* v) { return v->hasUses(); })) {
      node->destroy();
    }
  }
}

/// An exception ends the frame, and what it did goes; the C++ that catches it must not go on as if
/// it had been.
void Recorder::abandon(const Frame& frame) {
  std::size_t home = frames_.size() - 1;
  while (!frames_[home]->graph) --home;
  const auto& mustStay = frames_[home]->mustStay;
  std::vector<const Block*> blocks{frame.block};
  while (!blocks.empty()) {
    const Block* block = blocks.back();
    blocks.pop_back();
    for (const Node* node : block->nodes()) {
      abandonedEffects_ |= mustStay.contains(node);
      blocks.insert(blocks.end(), node->blocks().begin(), node->blocks().end());
    }
  }
}

/// The node stays, used or not.
void Recorder::keep(const Node* node) {
  std::size_t home = frames_.size() - 1;
  while (!frames_[home]->graph) --home;
  frames_[home]->mustStay.insert(node);
}

// ---- values -------------------------------------------------------------------------------------

Builder Recorder::builder(Where at, bool printed, bool scoped) {
  Builder b(top().block);
  if (at.line() != 0) {
    Location location;
    Symbol& file = files_[at.file_name()];
    if (file.empty()) {
      file = context_->symbol(placeOf(at).file);
      context_->setPath(file, at.file_name());
    }
    location.file = file;
    location.line = at.line();
    location.printed = printed;
    b.setLocation(location);
  }
  if (scoped) b.setScope(top().scope);
  return b;
}

/// The value in the innermost frame that stands for an address, or null.
Value* Recorder::find(const void* id) {
  for (std::size_t i = frames_.size(); i-- > 0;) {
    const auto it = frames_[i]->values.find(id);
    if (it != frames_[i]->values.end()) return bring(it->second, i, frames_.size() - 1);
  }
  return findAttribute(id);
}

/// Makes a value of one frame visible in a frame inside it: graphs in between get an input.
Value* Recorder::bring(Value* value, std::size_t from, std::size_t to) {
  for (std::size_t i = from + 1; i <= to; ++i) {
    Frame& frame = *frames_[i];
    if (!frame.graph) continue;
    const auto [it, fresh] = frame.inputs.try_emplace(value, nullptr);
    if (fresh) {
      it->second = frame.graph->block()->addInput(value->type());
      if (value->hasName()) it->second->setName(value->name().str());
      frame.captured.emplace_back(value, it->second);
    }
    value = it->second;
  }
  return value;
}

/// A parameter or part of a module: a chain of prim::GetAttr at the top of the innermost graph
/// whose object leads to it, so that the chains stand in reverse order of first use.
/// \source TorchScript's fixup of traced modules
Value* Recorder::findAttribute(const void* id) {
  const ModuleTree::Owner* owner = tree_ ? tree_->owner(id) : nullptr;
  if (!owner) return nullptr;
  const auto leadsTo = [&](const ModuleTree::Part* from) {
    const ModuleTree::Part* part = owner->part;
    while (part && part != from) part = part->parent;
    return part != nullptr;
  };
  std::size_t home = frames_.size() - 1;
  while (!frames_[home]->graph || !leadsTo(frames_[home]->part)) --home; // the root leads anywhere
  Frame& frame = *frames_[home];
  Value*& attribute = frame.attributes[id];
  if (!attribute) {
    llvm::SmallVector<const ModuleTree::Part*, 4> path;
    for (const ModuleTree::Part* part = owner->part; part != frame.part; part = part->parent)
      path.push_back(part);
    Value* object = selfOf(home);
    Builder b(frame.graph->block()->param()->next());
    for (const ModuleTree::Part* part : llvm::reverse(path))
      object = b.getAttr(object, part->name, classOf(*context_, part->className));
    const ModuleTree::Part* module = tree_->find(static_cast<const Module*>(id));
    attribute = b.getAttr(object, owner->name,
                          module ? classOf(*context_, module->className) : Type::tensorType());
  }
  return bring(attribute, home, frames_.size() - 1);
}

/// The object of the module whose code the frame runs.
Value* Recorder::selfOf(std::size_t frame) {
  std::size_t from = frame;
  while (!frames_[from]->self) --from;
  return bring(frames_[from]->self, from, frame);
}

Value* Recorder::tensorValue(const Tensor& tensor, Where at) {
  if (Value* value = find(tensor.impl())) return value;
  if (tensor.impl()->mark)
    throw RuntimeError(
        traceError("a tensor that belongs to the body of a fork, method, branch or loop, or to "
                   "another trace, is used outside of it; let it be part of the result",
                   static_cast<const Mark*>(tensor.impl()->mark)->where)
            .note("used here", placeOf(at)));
  const Tensor held = tensor.isWrappedNumber() ? tensor : copyLike(tensor);
  Value* constant = builder(at).constant(held);
  constants_.insert(tensor.impl()->storage);
  define(tensor, constant);
  return constant;
}

/// The value of an operand, with the nodes that make it: constants, lists, tuples, dicts.
Value* Recorder::valueOf(const Operand& operand, const Type* wanted, Where at) {
  const IValue& value = operand.value;
  if (operand.made && operand.made->recorder) {
    if (Value* made = find(operand.made.get())) return made;
    throw RuntimeError(
        traceError("a number that belongs to the body of a fork, method, branch or "
                   "loop, or to another trace, is used outside of it; let it be part "
                   "of the result",
                   operand.made->where)
            .note("used here", placeOf(at)));
  }
  if (value.isTensor()) return tensorValue(value.asTensor(), at);
  if (value.isFuture()) {
    if (Value* future = find(idOf(value))) return future;
    heldBy(value.toFuture(), at);
  }
  if (!operand.isContainer()) {
    if (value.isFunction() || value.isObject() || value.isFuture() || value.tag() == Tag::RRef ||
        value.tag() == Tag::Uninitialized)
      throw RuntimeError(traceError("a value of type " + tine::name(value.tag()).str() +
                                        " cannot be a constant of a graph",
                                    at));
    return builder(at).constant(value);
  }
  if (operand.items.empty() && operand.size()) {
    Operand whole = Operand::of(value);
    whole.type = operand.type;
    return valueOf(whole, wanted, at);
  }
  const Type* type = wanted && wanted->is(TypeKind::Optional) ? wanted->element() : wanted;
  const Type* element = type && type->is(TypeKind::List) ? type->element() : nullptr;
  llvm::SmallVector<Value*, 4> items;
  for (std::size_t i = 0; i < operand.size(); ++i) {
    if (value.isDict()) {
      const IValue& key = value.toDict().items[i].first;
      refuseKey(key, at);
      items.push_back(builder(at).constant(key));
    }
    items.push_back(valueOf(operand.items[i], element, at));
  }
  if (value.isTuple()) return builder(at, false).tuple(items);
  if (value.isDict())
    return builder(at, false).call("prim::DictConstruct", items, plainType(*context_, operand));
  if (!element || element->is(TypeKind::Var) || element->is(TypeKind::SymInt))
    element = plainType(*context_, operand)->element();
  return builder(at, false).list(element, items);
}

const Type* Recorder::typeOfOperand(const Operand& operand) {
  const IValue& value = operand.value;
  if (value.isTensor()) {
    if (isUnknown(operand)) return Type::tensorType();
    const Unmarked unmarked(operand);
    return typeOfTensor(*context_, value.asTensor());
  }
  if (value.isFuture()) {
    if (Value* future = find(idOf(value))) return future->type();
    const auto held = futures_.find(idOf(value));
    return futureOf(*context_,
                    held == futures_.end() ? Type::AnyType() : typeOfOperand(held->second));
  }
  if (!value.isTuple()) return plainType(*context_, operand);
  llvm::SmallVector<const Type*, 4> items;
  for (std::size_t i = 0; i < operand.size(); ++i) items.push_back(typeOfOperand(operand.item(i)));
  return tupleOf(*context_, items);
}

/// What it is whatever its shapes; of a future, with what it holds.
const Type* Recorder::unrefinedType(const Operand& operand) {
  if (!operand.value.isFuture()) return plainType(*context_, operand);
  const auto held = futures_.find(idOf(operand.value));
  return futureOf(*context_,
                  held == futures_.end() ? Type::AnyType() : unrefinedType(held->second));
}

/// From here on the address of a tensor or future stands for the value.
void Recorder::define(const IValue& holder, Value* value) {
  top().values[idOf(holder)] = value;
  const bool isMarked = holder.isTensor() && holder.asTensor().impl()->mark;
  if (!isMarked) alive_.push_back(holder); // marks keep theirs alive
}

/// The operand that a value stands for: `like`, with its tensors and numbers bound to the value;
/// tuples, lists and dicts are taken apart.
Operand Recorder::adopt(Value* value, const Operand& like, Source source, Where at) {
  if (like.made) {
    auto made = std::make_shared<detail::Made>(detail::Made{at, this, like.made->unknown});
    top().values[made.get()] = value;
    made_.push_back(made);
    return {like.value, std::move(made)};
  }
  if (like.value.isTensor() || like.value.isFuture()) {
    define(like.value, value);
    return like;
  }
  if (!like.isContainer()) return like;
  const TypeKind kind = like.value.isTuple()  ? TypeKind::Tuple
                        : like.value.isList() ? TypeKind::List
                                              : TypeKind::Dict;
  if (!value->type()->is(kind))
    throw RuntimeError(traceError("a list or dict whose items are of different kinds cannot be "
                                  "taken apart in a trace: use a tuple",
                                  at));
  const bool mayDiffer = source == Source::Input || source == Source::Operator;
  const bool isTuple = like.value.isTuple();
  llvm::SmallVector<Value*, 4> parts;
  if (like.value.isDict()) {
    const Dict& dict = like.value.toDict();
    if (mayDiffer) requireKeys(value, dict, at);
    Builder b = builder(at, false);
    for (const auto& [key, item] : dict.items) {
      refuseKey(key, at);
      parts.push_back(
          b.call("aten::__getitem__", {value, b.constant(key)}, value->type()->elements().back()));
      if (mayDiffer) keep(parts.back()->node());
    }
  } else if (like.size() || (mayDiffer && !isTuple)) {
    llvm::SmallVector<const Type*, 4> types;
    for (std::size_t i = 0; i < like.size(); ++i)
      types.push_back(source == Source::Block && isTuple      ? value->type()->elements()[i]
                      : isTuple || source == Source::Operator ? typeOfOperand(like.item(i))
                                                              : value->type()->element());
    Node* unpack =
        builder(at, false).node(isTuple ? "prim::TupleUnpack" : "prim::ListUnpack", value, types);
    if (mayDiffer && !isTuple) keep(unpack);
    parts.assign(unpack->outputs().begin(), unpack->outputs().end());
  }
  std::vector<Operand> items;
  for (std::size_t i = 0; i < parts.size(); ++i)
    items.push_back(adopt(parts[i], like.item(i), source, at));
  return like.with(std::move(items));
}

/// A value that the trace follows: its tensors are marked; its numbers, strings and so on made.
Operand Recorder::traced(const IValue& value, Where at, bool unknown) {
  if (value.isNone()) return Operand(value);
  if (value.isTensor()) {
    mark(value.asTensor(), at, unknown);
    return Operand(value);
  }
  if (value.isFuture()) {
    if (value.asFuture().done() && !value.asFuture().failed())
      futures_.try_emplace(idOf(value), traced(value.asFuture().value(), at, unknown));
    return Operand(value);
  }
  const Operand plain(value);
  if (!plain.isContainer())
    return {value, std::make_shared<detail::Made>(detail::Made{at, this, unknown})};
  std::vector<Operand> items;
  for (std::size_t i = 0; i < plain.size(); ++i)
    items.push_back(traced(plain.item(i).value, at, unknown));
  return plain.with(std::move(items));
}

/// As traced, with tensors that no other value stands for: a kernel may give back an operand
/// itself, where with other shapes it would give a copy.
Operand Recorder::tracedResult(const IValue& value, llvm::ArrayRef<Operand> operands, Where at) {
  const Operand plain(value);
  if (value.isTensor()) {
    const TensorImpl* impl = value.asTensor().impl();
    bool isKnown = impl->mark || (tree_ && tree_->owner(impl));
    for (const Operand& operand : operands)
      forEachTensor(operand.value, [&](const Tensor& tensor) { isKnown |= tensor.impl() == impl; });
    return isKnown ? renewed(plain, at) : traced(value, at);
  }
  if (!plain.isContainer()) return traced(value, at);
  std::vector<Operand> items;
  for (std::size_t i = 0; i < plain.size(); ++i)
    items.push_back(tracedResult(plain.item(i).value, operands, at));
  return plain.with(std::move(items));
}

/// The value, of which C++ must read nothing.
Operand Recorder::markedAll(const IValue& value, Where at) {
  forEachTensor(value, [&](const Tensor& tensor) { mark(tensor, at); });
  return Operand(value);
}

void Recorder::mark(const Tensor& tensor, Where at, bool unknown) {
  if (tensor.impl()->mark) return;
  tensor.impl()->mark = &marks_.emplace_back(tensor, at, unknown);
}

const Where* Recorder::markedAt(const Tensor& tensor) {
  const TraceMark* mark = tensor.impl()->mark;
  return mark ? &static_cast<const Mark*>(mark)->where : nullptr;
}

bool Recorder::isUnknown(const Operand& operand) {
  if (operand.made && operand.made->unknown) return true;
  if (operand.value.isTensor()) {
    const TraceMark* mark = operand.value.asTensor().impl()->mark;
    return mark && static_cast<const Mark*>(mark)->unknown;
  }
  return llvm::any_of(operand.items, isUnknown);
}

/// Names values that have none after the parameters they are passed to.
void Recorder::nameOperands(llvm::ArrayRef<std::string> names, llvm::ArrayRef<Operand> operands) {
  for (std::size_t i = 0; i < std::min(names.size(), operands.size()); ++i) {
    const Operand& operand = operands[i];
    const void* id = operand.made ? operand.made.get() : idOf(operand.value);
    if (!id || names[i].empty()) continue;
    const auto it = top().values.find(id);
    if (it != top().values.end() && !it->second->hasName()) it->second->setName(freeName(names[i]));
  }
}

void Recorder::name(llvm::StringRef name, const Operand& operand) {
  if (muted_ || name.empty()) return;
  for (const Operand& item : operand.items) this->name(name, item);
  const void* id = operand.made ? operand.made.get() : idOf(operand.value);
  Value* value = id ? find(id) : nullptr;
  if (value && value->name().str() != name) value->setName(freeName(name));
}

std::string Recorder::freeName(llvm::StringRef base) {
  const Graph& graph = top().block->graph();
  std::string name = base.str();
  while (graph.find(name)) name = (base + "." + llvm::Twine(++top().suffixes[base])).str();
  return name;
}

/// A name for one more function, of letters, digits and _ alone, as text can hold it.
std::string Recorder::freeFunction(llvm::StringRef base) {
  std::string name = base.empty() ? "then" : base.str();
  for (char& c : name)
    if (!llvm::isAlnum(c)) c = '_';
  if (llvm::isDigit(name[0])) name = "_" + name;
  const std::size_t length = name.size();
  for (unsigned i = 1; !functions_.insert(name).second; ++i)
    name = name.substr(0, length) + std::to_string(i);
  return name;
}

} // namespace tine
