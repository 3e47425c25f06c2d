#pragma once

#include "interpreter/code.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tine {

/// An operator that has an instruction of its own when its first operand is of this type.
struct OwnInstr {
  const char* name;
  TypeKind type;
  Opcode op;
};
/// What is said of a call with a wrong number of arguments.
std::string arityMessage(const FunctionCode& function, std::size_t given);

/// What the compilation of one unit's functions shares. Internal to compile*.cpp.
class UnitCompiler {
public:
  UnitCompiler(std::shared_ptr<const OpSet> ops, std::shared_ptr<Context> context);
  /// A function that others find by name. All are declared before any is compiled.
  void declare(const Graph& graph, llvm::StringRef name);
  Result<std::shared_ptr<const Code>> run();

  /// A function without a name to be found by: the body of a fork.
  FunctionCode& addFunction(const Graph& graph, std::string name);
  const FunctionCode* function(llvm::StringRef name) const;
  /// The operator's overload, looked up once per combination of operand types; null with `why`.
  const OpInfo* resolve(const Node& node, Error& why);
  /// A method of a class written in C++, or null.
  const OpInfo* nativeMethod(llvm::StringRef className, llvm::StringRef method) const;
  /// The attributes that the unit reads and writes of a class.
  std::shared_ptr<const ClassLayout> layout(llvm::StringRef className);
  void addError(Error error) { errors_.push_back(std::move(error)); }

  /// The instruction that the operator has of its own for a first operand of this type, or null.
  const OwnInstr* ownInstr(Symbol op, TypeKind type) const;

private:
  struct Resolved {
    llvm::SmallVector<const void*, 10> key;
    const OpInfo* op;
    std::unique_ptr<Error> error;
  };
  std::shared_ptr<Code> code_;
  std::vector<std::pair<const Graph*, FunctionCode*>> graphs_;
  std::vector<Error> errors_;
  llvm::DenseMap<std::size_t, std::vector<Resolved>> resolved_;
  llvm::DenseMap<std::pair<const void*, unsigned>, const OwnInstr*> own_;
  bool scannedClasses_ = false;
  llvm::StringMap<std::vector<std::string>> classes_;
  llvm::StringMap<std::shared_ptr<const ClassLayout>> layouts_;
};

/// Compiles one graph: one pass that finds how long values live, one that assigns registers and
/// emits. Nested blocks are on a stack of our own.
class FunctionCompiler {
public:
  FunctionCompiler(UnitCompiler& unit, const Graph& graph, FunctionCode& code);
  void run();

private:
  static constexpr std::uint32_t kNone = ~0u;

  struct ValueInfo {
    std::uint32_t lastUser = 0; ///< position of the last node that uses it
    std::uint32_t diesAt = 0;   ///< that node, or its ancestor in the value's own block
    std::uint32_t depth = 0;
    std::uint32_t reg = kNone;
    std::uint32_t constant = kNone;
    std::uint32_t hint = kNone; ///< a result's register that it should be computed in
    std::uint32_t nextDying = kNone;
    std::uint32_t occurrences = 0;          ///< scratch: among the operands at hand
    bool pinned = false;                    ///< a loop's index: its register is the loop's
    bool owned = false;                     ///< its register is an If's or Loop's result
    bool gone = false;                      ///< released already
    bool inPlace = false;                   ///< already where its loop carries it
    bool simple = false;                    ///< never a counted reference
    const FunctionCode* function = nullptr; ///< of a function constant
    Node* missing = nullptr;                ///< function constant without a function
    bool used() const { return lastUser != 0; }
  };
  struct Control {        ///< a block that is being compiled
    Node* node = nullptr; ///< its owner; null for the function
    Block* block = nullptr;
    Node* next = nullptr;
    std::uint32_t position = 0;                  ///< of the owner
    std::uint32_t index = 0;                     ///< of the block
    llvm::SmallVector<std::uint32_t, 4> results; ///< registers of the owner's results
    llvm::SmallVector<std::uint32_t, 2> jumps;   ///< that land behind the owner
    std::uint32_t jump = 0;                      ///< If: lands at the second block
    std::uint32_t trip = 0;                      ///< Loop: registers of index and limit
    std::uint32_t start = 0;                     ///< Loop, Try: first instruction of the body
  };
  struct ParallelMove {
    std::uint32_t to, from;
    bool dies;
  };

  ValueInfo& info(const Value* v) { return values_[v->unique()]; }
  std::uint32_t pc() const { return static_cast<std::uint32_t>(code_.instrs.size()); }
  void analyse();

  std::uint32_t allocate();
  std::uint32_t allocatePair();
  void release(ValueInfo& value);
  std::uint32_t define(Value* output);
  std::uint32_t defineAll(Node* node);
  void dropUnused(Value* output);
  void dropAllUnused(Node* node);
  void dropDying(Operands inputs);
  bool diesHere(const ValueInfo& value) const;

  Instr& emit(Opcode op, std::uint32_t a);
  void emitABC(Opcode op, std::uint32_t a, std::uint32_t b, std::uint32_t c);
  void emitAX(Opcode op, std::uint32_t a, std::uint32_t x);
  std::uint32_t emitJump(Opcode op, std::uint32_t a);
  void land(std::uint32_t jump);
  void landAt(std::uint32_t jump, std::uint32_t target);
  void emitMoves(std::vector<ParallelMove> moves);
  std::uint32_t source(Value* v);
  std::uint32_t constant(IValue v);
  std::uint32_t constantSource(IValue v);
  std::uint32_t constantAt(std::uint32_t index);
  void releaseLoaded();
  std::uint32_t name(llvm::StringRef text);
  bool isTrue(std::uint32_t source) const;
  Site& addSite(Operands inputs, std::size_t skip, bool takes);
  Site& addSiteOf(std::uint32_t source);
  void setResults(Site& site, Node* node);
  std::uint32_t lastSite() const;

  std::uint32_t inlinedAt(const CallSite* site);
  void emit(Node* node);
  void emitTaking(Opcode op, Node* node, std::size_t skip = 0);
  void emitList(Node* node);
  void emitPlain(Opcode op, Node* node, std::uint32_t c);
  void emitConstant(Node* node);
  void emitOperator(Node* node);
  void emitKernel(Node* node, const OpInfo* op);
  std::uint32_t operatorSite(Node* node, const OpInfo* op);
  bool emitOwn(Node* node, std::uint32_t site, std::uint32_t b, std::uint32_t c);
  std::uint32_t emitJumpIfNot(Value* condition, std::uint32_t from);
  void emitCallFunction(Node* node);
  void emitClosure(Node* node);
  void emitCall(Node* node, const FunctionCode* target, std::size_t skip);
  void emitUnpackOf(std::uint32_t reg, Node* node);
  void emitCallMethod(Node* node, llvm::StringRef method);
  static bool isNativeScope(const Node* node);
  void emitNothing(Node* node);
  void emitEnter(Node* node);
  void emitExit(Node* node);
  void callExit(std::uint32_t result, llvm::ArrayRef<Source> object);
  void emitGroup(Node* node);
  void emitFork(Node* node);
  bool emitForkOfCall(Node* node, const Graph& body);
  void emitWait(Node* node);
  void emitWaitOf(std::uint32_t future, Node* node);
  bool emitFutures(Node* node);
  void emitThen(Node* node);
  void emitTuple(Node* node);
  void emitUnpack(Opcode op, Node* node);
  void emitTupleSlice(Node* node);
  void emitNamed(Opcode op, Node* node);
  void emitSetAttr(Node* node);
  void emitCreateObject(Node* node);
  void emitCast(Node* node);
  void emitIsInstance(Node* node);
  void emitFailing(Node* node, Error error);
  void emitReturn();

  void enterBlock(Node* node, std::uint32_t index);
  void endBlock();
  Control controlOf(Node* node);
  void beginIf(Node* node);
  void endIfBlock(Control& control);
  void beginTry(Node* node);
  void enterHandler(Control& control);
  void beginLoop(Node* node);
  void endLoopBlock(Control& control);

  UnitCompiler& unit_;
  const Graph& graph_;
  FunctionCode& code_;
  std::vector<ValueInfo> values_;         ///< by Value::unique
  std::vector<std::uint32_t> dyingAfter_; ///< by position, the first value that dies after it
  std::vector<Control> controls_;
  std::uint32_t position_ = 0, depth_ = 0; ///< of the node at hand
  Location location_;
  llvm::DenseMap<const CallSite*, std::uint32_t> callSites_; ///< into FunctionCode::inlined
  const Value* compared_ = nullptr; ///< the result of the last comparison, made at comparedAt_
  std::uint32_t comparedAt_ = 0;
  llvm::DenseMap<const Node*, std::uint32_t> entered_; ///< Exit: the instruction after its Enter
  std::uint32_t numRegisters_ = 0;
  bool overflowed_ = false;
  std::vector<std::uint32_t> free_, freePairs_;
  std::vector<std::uint32_t> loaded_; ///< registers of constants, for the node at hand alone
  std::vector<bool> vacant_;          ///< by register: a result's, with nothing in it
  llvm::DenseMap<std::pair<unsigned, std::uint64_t>, std::uint32_t> constants_;
  llvm::StringMap<std::uint32_t> names_;
};

} // namespace tine
