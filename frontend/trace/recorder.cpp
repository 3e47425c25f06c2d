#include "frontend/trace/recorder.h"

#include "frontend/trace/frame.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <cstring>

namespace tine {

namespace {
thread_local Recorder* activeRecorder = nullptr;

constexpr int kMaxNesting = 100; // of lists and tuples in example inputs

/// A copy with the same strides, so that it has the same type.
Tensor cloneLike(const Tensor& tensor) {
  std::int64_t extent = tensor.numel() ? 1 : 0;
  if (extent)
    for (std::size_t i = 0; i < tensor.sizes().size(); ++i)
      extent += (tensor.sizes()[i] - 1) * tensor.strides()[i];
  const Tensor flat = Tensor::empty({extent}, tensor.dtype());
  if (extent)
    std::memcpy(flat.bytes(), tensor.bytes(),
                static_cast<std::size_t>(extent) * itemSize(tensor.dtype()));
  return flat.asStrided(tensor.sizes(), tensor.strides(), 0);
}

/// Copies tensors and the containers around them.
IValue cloneExample(const IValue& value, int depth = 0) {
  if (depth > kMaxNesting) raise(error_kind::Trace, "an example input is nested too deeply");
  if (value.isTensor()) return cloneLike(value.asTensor());
  if (!value.isList() && !value.isTuple()) return value;
  std::vector<IValue> items;
  for (const IValue& item : value.isList() ? value.toList().items : value.toTuple().items)
    items.push_back(cloneExample(item, depth + 1));
  return value.isList() ? IValue::list(std::move(items)) : IValue::tuple(std::move(items));
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
  for (const Written& written : written_)
    std::memcpy(written.tensor.impl()->storage->data, written.bytes.data(), written.bytes.size());
}

CompilationUnit Recorder::run(std::string name, llvm::ArrayRef<std::string> inputNames,
                              llvm::ArrayRef<IValue> examples, Body body) {
  for (const llvm::StringRef taken : {llvm::StringRef(name), llvm::StringRef("return"),
                                      llvm::StringRef("with")}) // the text's own words
    functions_.insert(taken);
  FrameScope frame(*this, Frame::Kind::Root);
  if (tree_) {
    frame->part = &tree_->root();
    frame->self = frame->graph->addInput("self", classOf(*context_, tree_->root().className));
  }
  std::vector<Operand> operands;
  std::vector<std::pair<Value*, Operand>> inputs;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    Operand operand = traced(cloneExample(examples[i]), where_);
    const llvm::StringRef input = i < inputNames.size() ? llvm::StringRef(inputNames[i]) : "";
    inputs.emplace_back(frame->graph->addInput(input, typeOfOperand(operand)), operand);
  }
  for (const auto& [value, operand] : inputs) operands.push_back(adopt(value, operand, where_));
  const Operand result = body(operands);
  frame->graph->addOutput(valueOf(result, nullptr, where_));
  finish(*frame);

  CompilationUnit unit(context_);
  const auto add = [&](std::string function, std::unique_ptr<Graph> graph) {
    if (!inOrder_) graph = graph->copy(); // which numbers its values anew
    const bool added = unit.add(std::move(function), std::move(graph));
    TINE_CHECK(added);
  };
  add(std::move(name), std::move(frame->graph));
  for (NamedGraph& method : methods_) add(std::move(method.name), std::move(method.graph));
  return unit;
}

/// Removes what nobody sees, then gives the graph its inputs in the order of first use.
void Recorder::finish(Frame& frame) {
  eliminateDead(*frame.graph);
  if (frame.kind == Frame::Kind::Root) return;
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
  inOrder_ = false;
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

void Recorder::eliminateDead(Graph& graph) {
  std::vector<Node*> nodes;
  graph.forEachNode([&](Node* node) { nodes.push_back(node); });
  for (Node* node : llvm::reverse(nodes)) {
    if (mustStay_.contains(node)) {
      if (Node* around = node->block()->owner()) mustStay_.insert(around);
    } else if (llvm::none_of(node->outputs(), [](Value* v) { return v->hasUses(); })) {
      node->destroy();
      inOrder_ = false;
    }
  }
}

// ---- values -------------------------------------------------------------------------------------

Builder Recorder::builder(Where at, bool printed, bool scoped) {
  Builder b(top().block);
  if (at.line() != 0) {
    Location location;
    Symbol& file = files_[at.file_name()];
    if (file.empty()) file = context_->symbol(placeOf(at).file);
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
    inOrder_ = false;
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
        traceError("a tensor that belongs to a fork, a method or another trace is used outside of "
                   "it; let it be part of the result",
                   static_cast<const Mark*>(tensor.impl()->mark)->where)
            .note("used here", placeOf(at)));
  const Tensor held = tensor.isWrappedNumber() ? tensor : cloneLike(tensor);
  Value* constant = builder(at).constant(held);
  constants_.insert(tensor.impl()->storage);
  define(tensor, constant);
  return constant;
}

/// The value of an operand, with the nodes that make it: constants, lists, tuples.
Value* Recorder::valueOf(const Operand& operand, const Type* wanted, Where at) {
  const IValue& value = operand.value;
  if (operand.made) {
    if (Value* made = find(operand.made.get())) return made;
    throw RuntimeError(traceError("a number that belongs to a fork, a method or another trace is "
                                  "used outside of it; let it be part of the result",
                                  operand.made->where)
                           .note("used here", placeOf(at)));
  }
  if (value.isTensor()) return tensorValue(value.asTensor(), at);
  if (value.isFuture()) {
    if (Value* future = find(idOf(value))) return future;
    throw RuntimeError(traceError("a future from outside the trace cannot be part of it", at));
  }
  if (!value.isList() && !value.isTuple()) return builder(at).constant(value);
  const Type* type = wanted && wanted->is(TypeKind::Optional) ? wanted->element() : wanted;
  const Type* element = type && type->is(TypeKind::List) ? type->element() : nullptr;
  llvm::SmallVector<Value*, 4> items;
  for (const Operand& item : operand.items) items.push_back(valueOf(item, element, at));
  if (value.isTuple()) return builder(at, false).tuple(items);
  if (!element || element->is(TypeKind::Var) || element->is(TypeKind::SymInt))
    element = typeOfOperand(operand)->element();
  return builder(at, false).list(element, items);
}

const Type* Recorder::typeOfOperand(const Operand& operand) {
  const IValue& value = operand.value;
  if (value.isTensor()) {
    const Unmarked unmarked(operand);
    return typeOfTensor(*context_, value.asTensor());
  }
  if (value.isFuture()) {
    Value* future = find(idOf(value));
    return future ? future->type() : futureOf(*context_, Type::AnyType());
  }
  if (value.isList()) return plainType(*context_, operand);
  if (!value.isTuple()) return typeOf(*context_, value);
  llvm::SmallVector<const Type*, 4> items;
  for (const Operand& item : operand.items) items.push_back(typeOfOperand(item));
  return tupleOf(*context_, items);
}

/// From here on the address of a tensor or future stands for the value.
void Recorder::define(const IValue& holder, Value* value) {
  top().values[idOf(holder)] = value;
  const bool isMarked = holder.isTensor() && holder.asTensor().impl()->mark;
  if (!isMarked) alive_.push_back(holder); // marks keep theirs alive
}

/// The operand that a value stands for: `like`, with its tensors and numbers bound to the value;
/// tuples and lists are taken apart.
Operand Recorder::adopt(Value* value, const Operand& like, Where at, bool refineLists) {
  if (like.made) {
    auto made = std::make_shared<detail::Made>(detail::Made{at, this});
    top().values[made.get()] = value;
    made_.push_back(made);
    return {like.value, std::move(made)};
  }
  if (like.value.isTensor() || like.value.isFuture()) {
    define(like.value, value);
    return like;
  }
  if (!like.value.isTuple() && !like.value.isList()) return like;
  llvm::SmallVector<const Type*, 4> types;
  for (const Operand& item : like.items)
    types.push_back(like.value.isTuple() || refineLists ? typeOfOperand(item)
                                                        : value->type()->element());
  const char* kind = like.value.isTuple() ? "prim::TupleUnpack" : "prim::ListUnpack";
  Node* unpack = builder(at, false).node(kind, value, types);
  std::vector<Operand> items;
  for (std::size_t i = 0; i < like.items.size(); ++i)
    items.push_back(adopt(unpack->output(i), like.items[i], at, refineLists));
  return like.value.isTuple() ? Operand::tuple(std::move(items))
                              : Operand::list(std::move(items), like.element);
}

/// A value that the trace follows: its tensors are marked, its numbers made.
Operand Recorder::traced(const IValue& value, Where at) {
  if (value.isNumber()) return {value, std::make_shared<detail::Made>(detail::Made{at, this})};
  if (value.isTensor()) {
    mark(value.asTensor(), at);
    return Operand(value);
  }
  if (!value.isList() && !value.isTuple()) return Operand(value);
  std::vector<Operand> items;
  for (const IValue& item : value.isList() ? value.toList().items : value.toTuple().items)
    items.push_back(traced(item, at));
  if (value.isTuple()) return Operand::tuple(std::move(items));
  const Tag element = items.empty() ? Tag::None : items.front().value.tag();
  return Operand::list(std::move(items), element);
}

void Recorder::mark(const Tensor& tensor, Where at) {
  if (tensor.impl()->mark) return;
  tensor.impl()->mark = &marks_.emplace_back(tensor, at);
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
