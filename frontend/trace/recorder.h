#pragma once

#include "frontend/trace/call.h"
#include "frontend/trace/example.h"
#include "ir/builder.h"
#include "ir/unit.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "tensor/future.h"

#include <deque>

namespace tine {

class Module;
class ModuleTree;

struct TraceOptions {
  /// Reading a traced number as a C++ one records a guard, with which the graph fails when the
  /// number differs, instead of failing the trace.
  bool specialise = false;
  /// The operators that may be called; null stands for the built-in ones.
  std::shared_ptr<const OpSet> ops = nullptr;
  /// Other inputs, one list for each run, on which the function and its graph must agree: in
  /// results, in what they leave in the inputs, or both in failing. Floats to 1e-5, relative.
  std::vector<std::vector<IValue>> check = {};
};

/// What runs a function's body: operands in the order of its parameters, and its result.
using Body = llvm::function_ref<Operand(llvm::ArrayRef<Operand>)>;

/// Writes down what one C++ call does. Values are known by the address of what they hold: tensors,
/// futures, Made numbers, all kept alive until the trace ends.
///
/// Frames nest: the root, the body of a fork, of a method, of a branch. A value of an outer graph
/// enters an inner one as an input; attributes of modules are fetched where they are used.
/// \thread the one that traces
class Recorder {
public:
  /// The one at work on this thread, or null.
  static Recorder* active();
  /// Takes the recorder off the thread, while code runs that is not to be recorded.
  class Pause {
  public:
    Pause();
    ~Pause();
    Pause(const Pause&) = delete;

  private:
    Recorder* const paused_;
  };

  /// `tree`: of the module that is traced, or null. \errors TraceError when a trace is active
  Recorder(TraceOptions options, const ModuleTree* tree, Where at);
  ~Recorder();
  Recorder(const Recorder&) = delete;

  /// Records `body` on inputs like the examples; the graph lands in the unit as `name`.
  /// `types`: of the parameters, as far as C++ knows them. \errors TraceError, and whatever the
  /// body throws
  CompilationUnit run(std::string name, llvm::ArrayRef<std::string> inputNames,
                      llvm::ArrayRef<MakeType> types, llvm::ArrayRef<IValue> examples, Body body);

  const OpSet& ops() const { return *ops_; }
  Results call(const OpInfo& op, llvm::MutableArrayRef<Operand> operands, Where at);
  /// `prim::NumToTensor`
  Tensor numberToTensor(const Operand& number, Where at);
  /// `parameters` name what has no name yet; there may be fewer.
  Ref<FutureState> fork(llvm::ArrayRef<std::string> parameters, llvm::ArrayRef<Operand> operands,
                        Body body, Where at);
  Operand wait(const Ref<FutureState>& future, Where at);
  /// `tine::wait_timeout`
  Operand wait(const Ref<FutureState>& future, double seconds, Where at);
  /// `tine::then` of a new function of the unit, called `name` if that is free.
  Ref<FutureState> then(const Ref<FutureState>& future, llvm::StringRef name, Body body, Where at);
  /// `tine::collect_all`, or with `settle` `tine::collect_all_settle`
  Ref<FutureState> collectAll(llvm::ArrayRef<Ref<FutureState>> futures, bool settle, Where at);
  /// `tine::any` \pre there is one
  Ref<FutureState> any(llvm::ArrayRef<Ref<FutureState>> futures, Where at);
  /// Only recorded: here the future is done.
  void cancel(const Ref<FutureState>& future, Where at);
  /// `prim::CallMethod` of a new method of the module; inline when it is outside the tree.
  Operand callMethod(const Module& module, llvm::ArrayRef<std::string> parameters,
                     llvm::ArrayRef<Operand> operands, Body body, Where at);
  /// `prim::If`; both bodies run. The results must have the same structure.
  Operand branch(const Operand& condition, Body then, Body otherwise, Where at);
  /// `prim::Loop`; the body maps (trip, state) to the next state.
  Operand loop(const Operand& trips, const Operand& state, Body body, Where at);
  /// Names what the operand stands for.
  void name(llvm::StringRef name, const Operand& operand);
  void readMade(const std::shared_ptr<detail::Made>& made, const IValue& value);
  /// Where a tensor of an active trace was computed; null of others.
  static const Where* markedAt(const Tensor& tensor);

private:
  struct Frame;
  struct Mark;
  class FrameScope;
  class Unfinished;
  class Unmarked;
  class Untaken;
  /// Where a value that is taken apart comes from: lists of inputs and operators may have another
  /// length at another time, which then is an error of the graph.
  enum class Source : std::uint8_t { Input, Operator, Call, Block };

  Frame& top() { return *frames_.back(); }
  Builder builder(Where at, bool printed = true, bool scoped = true);

  Value* find(const void* id);
  Value* findAttribute(const void* id);
  Value* selfOf(std::size_t frame);
  Value* bring(Value* value, std::size_t from, std::size_t to);
  Value* valueOf(const Operand& operand, const Type* wanted, Where at);
  Value* tensorValue(const Tensor& tensor, Where at);
  const Type* typeOfOperand(const Operand& operand);
  const Type* unrefinedType(const Operand& operand);

  void define(const IValue& holder, Value* value);
  void keep(const Node* node);
  Operand adopt(Value* value, const Operand& like, Source source, Where at);
  Operand renewed(const Operand& operand, Where at);
  Operand bindLeaves(const Operand& result, Node* node, Where at);
  Operand traced(const IValue& value, Where at, bool unknown = false);
  Operand markedAll(const IValue& value, Where at);
  Operand tracedResult(const IValue& value, llvm::ArrayRef<Operand> operands, Where at);
  void mark(const Tensor& tensor, Where at, bool unknown = false);
  static bool isUnknown(const Operand& operand);
  void nameOperands(llvm::ArrayRef<std::string> names, llvm::ArrayRef<Operand> operands);
  std::string freeName(llvm::StringRef base);
  std::string freeFunction(llvm::StringRef base);
  Operand heldBy(const Ref<FutureState>& future, Where at);
  Ref<FutureState> futureWith(const Operand& result, Value* value);
  Value* listOfFutures(llvm::ArrayRef<Ref<FutureState>> futures, Where at);
  void beforeWrite(const OpInfo& op, const Tensor& tensor, Where at);
  Results addNode(const OpInfo& op, llvm::ArrayRef<Value*> inputs, Results results,
                  llvm::MutableArrayRef<const Type*> types, Where at);
  Results unknownCall(const OpInfo& op, llvm::ArrayRef<Operand> operands,
                      llvm::ArrayRef<Value*> inputs, const Error* why, Where at);
  Operand inBlock(Block* block, Body body, bool isTaken, Where at);

  void raiseIf(Value* wrong, const std::string& message, Where at);
  void requireNone(Value* value, bool isNone, Where at);
  void requireKeys(Value* dict, const Dict& now, Where at);

  void finish(Frame& frame);
  void abandon(const Frame& frame);
  void orderInputs(Frame& frame);
  void eliminateDead(Frame& frame);

  TraceOptions options_;
  std::shared_ptr<const OpSet> ops_;
  const ModuleTree* tree_;
  Where where_;
  std::shared_ptr<Context> context_ = Context::create();
  std::vector<NamedGraph> methods_;
  std::vector<std::unique_ptr<Frame>> frames_;
  bool abandonedEffects_ = false;
  bool muted_ = false; // operators run and are not recorded: later turns of a loop
  SavedBytes* untaken_ =
      nullptr; // what code wrote that the example does not reach, while there is any
  llvm::DenseMap<const void*, Operand> futures_; // what each holds
  llvm::StringMap<int> calls_;                   // of each class's forward
  llvm::StringSet<> functions_;                  // names that are taken in the unit
  llvm::DenseMap<const char*, Symbol> files_;    // by the compiler's constant
  std::vector<IValue> alive_;
  std::vector<std::shared_ptr<detail::Made>> made_;
  std::deque<Mark> marks_;
  llvm::DenseSet<const Storage*> constants_;
  SavedBytes written_; // of the module
};

} // namespace tine
