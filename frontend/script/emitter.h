#pragma once

#include "frontend/script/compiler.h"
#include "frontend/script/match.h"
#include "frontend/script/scope.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <deque>
#include <map>

namespace tine::script {

/// Writes one function as a graph, in the form in which normalize.h takes it: variables are
/// prim::Store and prim::Load, exits are statements, closures are blocks. Nodes and values are made
/// in TorchScript's order, which is what its numbers and names come from.
class Emitter {
public:
  Emitter(Compiler& compiler, Function& function);
  void run();
  const Type* resultType() const { return definitions_.empty() ? nullptr : definitions_[0].merged; }

private:
  static constexpr std::uint32_t kMaxValues = 4'000'000; ///< of a function
  enum class LoopState : std::uint8_t { None, Loop, Unrolled };
  using Emit = llvm::function_ref<Value*()>;

  // ---- emitter.cpp: places, variables, nodes ----
  Node* insert(llvm::StringRef kind, llvm::ArrayRef<Value*> inputs,
               llvm::ArrayRef<const Type*> results, std::optional<Range> range = std::nullopt);
  Value* constant(IValue value, std::optional<Range> range = std::nullopt,
                  const Type* type = nullptr);
  Value* pooledInt(std::int64_t value, Range range);
  Value* pooledFloat(double value, Range range);
  Value* pooledComplex(std::complex<double> value, Range range);
  template <class K, class V> Value* pooled(std::map<K, Value*>& made, K key, V value, Range range);
  Value* castTo(const Type* type, Value* value); ///< prim::unchecked_cast
  std::optional<IValue> known(const Value* value) const;
  Value* load(llvm::StringRef name, const Type* type);
  std::optional<Meaning> findHere(Frame& frame, llvm::StringRef name);
  std::optional<Meaning> find(Frame* frame, llvm::StringRef name);
  Meaning lookup(llvm::StringRef name, Range range);
  void assign(Range range, llvm::StringRef name, Meaning meaning, const Type* annotated = nullptr,
              std::optional<Range> valueRange = std::nullopt);
  void store(llvm::StringRef name, Value* value, std::optional<Range> range);
  std::string temporary(const char* prefix) { return prefix + std::to_string(temporaries_++); }
  void definition(const FunctionDef& def, const Schema& schema, Block* block);
  Location hiddenLocation();
  [[noreturn]] void fail(Range range, std::string message, const char* kind = error_kind::Type) {
    compiler_.fail(range, std::move(message), kind);
  }
  void scoped(Block* block, llvm::function_ref<void()> body);
  std::unique_ptr<Frame> scopedFrame(Block* block, llvm::function_ref<void()> body);

  // ---- emit_stmt.cpp ----
  void statements(Stmts list);
  void statement(const Stmt* stmt);
  void poison(const Stmt* whole);
  [[noreturn]] void tooLarge(Range range);
  void returnStatement(Range range, const Expr* value, Range valueRange);
  void assignment(const Assign& stmt);
  void assignTo(const Expr* target, Range stmtRange, const Expr* type, const Expr* value);
  void assignTargets(Exprs targets, llvm::ArrayRef<Meaning> values, Range range,
                     std::size_t binders);
  void assignTuple(const Tuple& target, const Meaning& value, Range range);
  [[noreturn]] void notAssignable(const Expr* target);
  std::size_t binders(Exprs targets, Range range, bool& starred);
  static std::string augmentedKind(BinaryOp op, const Type* type);
  void augmented(const AugAssign& stmt);
  void deletion(const Delete& stmt);
  void raise(const Raise& stmt);
  void raiseMessage(const Meaning& exception, Range range);
  void assertion(const Assert& stmt);
  void ifStatement(const If& stmt);
  void branches(Range range, const Condition& condition, llvm::function_ref<void()> yes,
                llvm::function_ref<void()> no);
  void join(Range range, Node* node, Frame& yes, Frame& no, const JoinWords& words);
  void refine(Range range, const Refinements& refinements);
  void whileStatement(const While& stmt);
  void forStatement(const For& stmt);
  void loop(Range range, const Meaning* iterable, Exprs targets, const Expr* condition,
            llvm::function_ref<void()> body);
  void withElse(Range range, Stmts orElse, llvm::function_ref<void()> loop);
  void forEach(Exprs targets, Range targetsRange, const Meaning& iterable, Range range,
               llvm::function_ref<void()> body);
  void nestedFunction(const FunctionDef& def);

  // ---- emit_iterate.cpp ----
  Meaning iterator(const Meaning& meaning, Range range, std::optional<Range> blame = std::nullopt);
  Value* length(const Meaning& meaning, Range range);
  Meaning item(const Meaning& meaning, Value* index, Range range);
  Meaning rangeOf(llvm::ArrayRef<Value*> inputs, Range range,
                  std::optional<std::int64_t> length = std::nullopt);
  void leaves(const Meaning& meaning, std::vector<const Meaning*>& out);
  std::vector<Meaning> asTuple(const Meaning& meaning, Range range,
                               std::optional<std::size_t> hint = std::nullopt);
  llvm::SmallVector<Value*, 4> unpack(Value* tuple);

  // ---- emit_expr.cpp ----
  Value* value(const Expr* expr, const Type* hint = nullptr);
  Value* asValue(const Meaning& meaning, Range range);
  Meaning meaning(const Expr* expr, const Type* hint = nullptr);
  Meaning primary(const Expr* expr, const Type* hint);
  Value* simple(const Expr* expr, const Type* hint);
  Value* binary(const Binary& expr);
  Value* binaryOf(BinaryOp op, Range range, Given lhs, Given rhs);
  Value* unary(const Unary& expr);
  Value* comparison(const Compare& expr);
  Value* compareOf(CompareOp op, Range range, Given lhs, Given rhs);
  Condition comparisonCondition(const Compare& expr);
  static bool isSimple(const Expr* expr);
  static bool isRepeatable(const Expr* expr);
  Condition joined(bool isAnd, const Condition& left, Range range,
                   llvm::function_ref<Condition()> right);
  Value* chained(const Compare& expr, std::size_t i, Value* lhs);
  Value* listLiteral(const List& expr, const Type* hint);
  Value* dictLiteral(const Dict& expr, const Type* hint);
  Value* comprehension(const Comprehension& expr, const Type* hint);
  void clauses(const Comprehension& expr, std::size_t loop, llvm::function_ref<void()> body);
  Value* ternary(const Ternary& expr, const Type* hint);
  Value* branchValue(Range range, const Condition& condition, Emit yes, Emit no,
                     const Type* hint = nullptr);
  Value* choiceOf(Range range, Node* node, const Type* hint);
  Value* formatted(const FString& expr);
  llvm::SmallVector<Value*, 6> values(Exprs list, bool unpackStarred);
  Givens givens(Exprs list, bool unpackStarred);
  Condition condition(const Expr* expr);
  Condition logical(const Logical& expr);
  Condition identity(const Compare& expr);
  Condition isInstance(const Expr* object, const Expr* types);
  Condition constantCondition(bool value, Range range);
  Value* truth(Range range, Value* value);

  // ---- emit_call.cpp ----
  Meaning memberOf(const Meaning& object, llvm::StringRef name, Range range, Range nameRange);
  Meaning call(const Meaning& callee, const Call& expr, const Type* hint);
  Meaning apply(const Meaning& callee, Range range, const Givens& args, const Givens& keywords);
  Meaning special(const Meaning& callee, const Call& expr, const Type* hint);
  Meaning fork(const Call& expr);
  Meaning then(const Meaning& future, const Call& expr);
  bool takesFuture(const Meaning& callee, const Type* element);
  Meaning annotate(const Call& expr);
  Value* again(const Expr* expr, Value* before);
  Value* toList(Value* tensor, Range range, const Type* type);
  Meaning enumerate(const Call& expr);
  Meaning listCall(const Call& expr, const Type* hint);
  Meaning dictCall(const Call& expr, const Type* hint);
  Value* callFunction(Function& callee, Range range, const Givens& args, const Givens& keywords);
  [[noreturn]] void notForkable(const Expr& expr, const std::string& type);
  void arity(const Call& expr, std::size_t count, const char* name);
  void addIterable(Meaning& zip, Meaning child, Range range);
  Value* filled(const Meaning& iterable, Range range, const Type* hint);
  Node* closure(llvm::function_ref<Value*()> body);
  void keepDefaults(ClosureInfo& info);
  Value* closureBody(ClosureInfo& info, Range range, const Givens& args, const Givens& keywords);
  Meaning forkOf(const Meaning& callee, Range range, const Givens& args, const Givens& keywords);
  Meaning callClosure(const Meaning& callee, const Call& expr);

  // ---- emit_class.cpp ----
  Meaning classMember(ClassInfo& info, llvm::StringRef name, Range range);
  Function* objectMethod(const Type* type, llvm::StringRef name);
  std::optional<Meaning> objectMember(Value* self, llvm::StringRef name, Range range);
  [[noreturn]] void noMember(const ClassInfo& info, llvm::StringRef name, Range range,
                             const char* what = "attribute");
  Value* construct(const Meaning& callee, Range range, const Givens& args, const Givens& keywords);
  Value* callMethod(Value* self, Function& method, Range range, const Givens& args,
                    const Givens& keywords);
  Function* calledMethod(const Type* type);
  Value* magic(llvm::StringRef kind, Range range, const Givens& args, const Givens& keywords,
               const std::optional<Given>& self);
  void assignAttribute(const Attribute& target, Value* object, Given value,
                       const Type* annotated = nullptr);
  void augmentedAttribute(const AugAssign& stmt, const Attribute& target);
  Value* augmentedOf(const AugAssign& stmt, Value* old, Given rhs);
  Meaning attributeCall(const Call& expr, bool asks);

  // ---- emit_try.cpp ----
  void withStatement(const With& stmt);
  Meaning gradMode(const Meaning& callee, const Call& expr);
  void tryStatement(const Try& stmt);
  void attempt(const Try& stmt, llvm::function_ref<void()> body,
               llvm::function_ref<void(Value*)> handler);
  void handlers(const Try& stmt, std::size_t i, Value* error);
  Value* matches(const Expr* type, Value* error);
  void finally(const Try& stmt);
  void finallyBody(const Try& stmt);
  void reraise(Value* error);
  void reload(Range range);
  void keep(llvm::StringRef name, Value* value, Range range);

  // ---- emit_index.cpp ----
  Meaning subscript(const Meaning& object, const Subscript& expr);
  Value* indexed(Range range, Value* object, Exprs indices, Value* first = nullptr);
  Value* indexAndSlice(Range range, Value* object, Exprs indices,
                       llvm::SmallVectorImpl<Value*>& tensors, Value* first = nullptr);
  Value* slice(Range range, Value* object, Value* dim, const Slice& expr);
  Value* tupleIndex(Range range, Value* tuple, Value* index);
  Value* tupleSlice(Range range, Value* tuple, Value* start, Value* stop, Value* step);
  void assignSubscript(Range range, const Subscript& target, Given value);
  void augmentedSubscript(const AugAssign& stmt, const Subscript& target);

  // ---- match.cpp ----
  Value* builtin(llvm::StringRef name, Range range, const Givens& args, const Givens& keywords = {},
                 std::optional<Given> self = std::nullopt, bool located = true);
  Value* ordered(llvm::StringRef name, Range range, Givens args, const Givens& keywords);
  Value* swapped(llvm::StringRef name, Range range, const Givens& args, const Givens& keywords,
                 const std::optional<Given>& self);
  [[noreturn]] void noOverload(llvm::StringRef name, Range range,
                               llvm::ArrayRef<Overload> overloads, const Givens& args,
                               const Givens& keywords, const std::optional<Given>& self);
  std::string nearMethod(const Type* type, llvm::StringRef name);
  bool hasMethod(llvm::StringRef name, const Type* self);
  std::optional<Match> tryMatch(const Schema& schema, Range range, const Givens& args,
                                const Givens& keywords, std::optional<Given> self, bool conversions,
                                WhyNot* why);
  Range wholeCall(Range range) const;
  Match match(const Schema& schema, Range range, const Givens& args, const Givens& keywords);
  Value* matchArgument(const Argument& argument, Range range, Given given, bool conversions,
                       llvm::StringMap<const Type*>& variables, WhyNot* why);
  Value* convert(Range range, const Type* wanted, Value* value, bool conversions);
  Value* materialize(Given& given);
  Given given(Value* value, Range range = {}, llvm::StringRef name = {}) {
    return {range, name, value, std::nullopt};
  }
  Given keywordGiven(const Keyword& keyword);

  Compiler& compiler_;
  Context& context_;
  Function& function_;
  Graph& graph_;
  Node* before_; ///< new nodes come in front of it
  Frame* frame_ = nullptr;
  std::deque<Definition> definitions_; ///< of closures inside of each other
  LoopState loop_ = LoopState::None;
  llvm::DenseSet<Block*> exits_; ///< blocks that end in return or raise
  std::map<std::int64_t, Value*> ints_;
  std::map<double, Value*> floats_;
  std::map<std::pair<double, double>, Value*> complexes_;
  std::map<std::string, std::string, std::less<>> reasons_; ///< why a variable is not defined
  Range statement_, callee_, call_;                         ///< at work
  llvm::DenseSet<const Type*> collected_; ///< types of the results that collect_all gave
  int temporaries_ = 0, closureDepth_ = 0, finallyDepth_ = 0;
  bool stopped_ = false;                            ///< a statement of the function was wrong
  std::string broken_;                              ///< of the loop: was it left by break?
  Value* caught_ = nullptr;                         ///< what an except clause has caught
  std::vector<std::map<std::string, Value*>> kept_; ///< emit_try.cpp
};

} // namespace tine::script
