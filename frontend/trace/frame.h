#pragma once

#include "frontend/trace/module.h"
#include "frontend/trace/recorder.h"
#include "support/lines.h"

// What the sources of the recorder share; traceError is for whoever records.

namespace tine {

/// A TraceError with the line of the C++ file, when it lies where it was compiled.
inline Error traceError(const std::string& message, Where at) {
  Error error(error_kind::Trace, message, placeOf(at));
  error.place.column = at.column(); // dumps have none: compilers differ
  SourceLines lines(SourceLines::Files::Leave);
  lines.addFile(error.place.file, at.file_name());
  return lines.shown(std::move(error));
}

/// The address that stands for what a value holds; null for what has none of its own.
inline const void* idOf(const IValue& value) {
  if (value.isTensor()) return value.asTensor().impl();
  if (value.isFuture()) return value.toFuture().get();
  return nullptr;
}

inline void forEachTensor(const IValue& value, llvm::function_ref<void(const Tensor&)> f) {
  if (value.isTensor()) return f(value.asTensor());
  if (value.isList())
    for (const IValue& item : value.toList().items) forEachTensor(item, f);
  if (value.isTuple())
    for (const IValue& item : value.toTuple().items) forEachTensor(item, f);
  if (value.isDict())
    for (const auto& [key, item] : value.toDict().items) forEachTensor(item, f);
}

/// The same elements under an address of their own.
inline Tensor viewOf(const Tensor& tensor) {
  return tensor.asStrided(tensor.sizes(), tensor.strides(), tensor.offset());
}

struct Recorder::Frame {
  enum class Kind : std::uint8_t { Root, Fork, Method, Callback, Block };

  Kind kind;
  std::unique_ptr<Graph> graph; // null of a Block frame, which adds to the graph around it
  Block* block;
  const ModuleTree::Part* part; // whose attributes are at hand; null outside modules
  Value* self = nullptr;        // the object, of a Root or Method frame
  std::size_t numFixed = 0;     // inputs that are not captured: the object, a callback's value
  Symbol scope;
  llvm::DenseMap<const void*, Value*> values;           // by address of what they hold
  llvm::DenseMap<const void*, Value*> attributes;       // fetched in this graph
  llvm::DenseMap<Value*, Value*> inputs;                // of the frame outside -> of this graph
  std::vector<std::pair<Value*, Value*>> captured = {}; // the same, in order of first use
  llvm::StringMap<unsigned> suffixes = {};
  llvm::DenseSet<const Node*> mustStay = {}; // of the graph's nodes, even when nobody uses them
};

/// A frame on top of the others while the scope lasts. When an exception ends it, the methods that
/// were recorded meanwhile go.
class Recorder::FrameScope {
public:
  FrameScope(Recorder& recorder, Frame::Kind kind, Block* block = nullptr)
      : recorder_(recorder), methods_(recorder.methods_.size()) {
    auto frame = std::make_unique<Frame>();
    frame->kind = kind;
    if (!block) frame->graph = std::make_unique<Graph>(recorder.context_);
    frame->block = block ? block : frame->graph->block();
    frame->part = recorder.frames_.empty() ? nullptr : recorder.top().part;
    if (!recorder.frames_.empty()) frame->scope = recorder.top().scope;
    recorder.frames_.push_back(std::move(frame));
  }
  ~FrameScope() {
    if (done_) return;
    recorder_.abandon(**this);
    pop();
    for (std::size_t i = methods_; i < recorder_.methods_.size(); ++i)
      --recorder_.calls_[llvm::StringRef(recorder_.methods_[i].name).rsplit('.').first];
    recorder_.methods_.resize(methods_);
  }
  FrameScope(const FrameScope&) = delete;

  Frame& operator*() const { return *recorder_.frames_.back(); }
  Frame* operator->() const { return recorder_.frames_.back().get(); }
  /// The frame, off the stack.
  std::unique_ptr<Frame> pop() {
    if (done_) return nullptr;
    done_ = true;
    std::unique_ptr<Frame> frame = std::move(recorder_.frames_.back());
    recorder_.frames_.pop_back();
    return frame;
  }

private:
  Recorder& recorder_;
  std::size_t methods_;
  bool done_ = false;
};

/// Destroys a node whose blocks are being recorded, unless they are finished.
class Recorder::Unfinished {
public:
  explicit Unfinished(Node* node) : node_(node) {}
  ~Unfinished() {
    if (node_) node_->destroy();
  }
  Unfinished(const Unfinished&) = delete;
  void finish() { node_ = nullptr; }

private:
  Node* node_;
};

/// Keeps C++ from reading a tensor of the trace.
struct Recorder::Mark : TraceMark {
  Mark(Tensor t, Where at, bool isUnknown) : tensor(std::move(t)), where(at), unknown(isUnknown) {
    error = [](const TraceMark& self) {
      return traceError(
          "the program reads what is known of the tensor that is computed here, and the graph "
          "would hold it as a constant: use size(x, d), dim(x), numel(x), dtype(x), toInt(x), "
          "toFloat(x), or cond(...) and loop(...) to branch",
          static_cast<const Mark&>(self).where);
    };
  }
  Tensor tensor;
  Where where;
  bool unknown; ///< see detail::Made
};

/// Takes the marks off the operands while a kernel runs.
class Recorder::Unmarked {
public:
  explicit Unmarked(llvm::ArrayRef<Operand> operands) {
    for (const Operand& operand : operands)
      forEachTensor(operand.value, [&](const Tensor& tensor) {
        if (!tensor.impl()->mark) return;
        taken_.push_back({tensor.impl(), tensor.impl()->mark});
        tensor.impl()->mark = nullptr;
      });
  }
  ~Unmarked() {
    for (const auto& [impl, mark] : taken_) impl->mark = mark;
  }
  Unmarked(const Unmarked&) = delete;

private:
  llvm::SmallVector<std::pair<TensorImpl*, const TraceMark*>, 4> taken_;
};

/// While it lasts, code runs that the example does not reach: its writes are undone in the end, and
/// what cannot be computed is unknown instead of an error.
class Recorder::Untaken {
public:
  Untaken(Recorder& recorder, bool isUntaken) : recorder_(recorder), before_(recorder.untaken_) {
    if (isUntaken && !before_) recorder.untaken_ = &written_;
  }
  ~Untaken() { recorder_.untaken_ = before_; }
  Untaken(const Untaken&) = delete;

private:
  Recorder& recorder_;
  SavedBytes* before_;
  SavedBytes written_;
};

} // namespace tine
