#pragma once

#include "frontend/script/inlining.h"
#include "frontend/script/vocabulary.h"
#include "ir/unit.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <functional>
#include <memory>
#include <set>
#include <unordered_map>

namespace tine::script {

/// Functions that one of another function's nodes calls, and nobody else: what its local functions
/// and lambdas became. By name.
using LocalFunctions = llvm::StringMap<const NamedGraph*>;

/// Before: `for i < n while c`   After: `while i < n and c`, which counts i itself. Also in
/// subgraphs.
/// \source TorchScript's serializer, which has no other way to write such loops
void splitLoops(Graph& graph);
/// Gives branches, loops and `try` their results in the order of the first uses: source has them in
/// the alphabetical order of its variables.
void orderOutputs(Graph& graph);
/// Does a loop run as often as it counts?
bool isCounted(const Node* loop);

/// Gives a graph a constant of its own in place of an input.
void giveConstant(Graph& inner, Value* input, const Node& constant);
/// A copy of a function's graph that can be written; \p inFile: see Vocabulary::isFile.
std::unique_ptr<Graph> writable(const Graph& graph, bool inFile);

/// What the functions of one text share.
struct CodeText {
  const OpSet& ops;
  const Vocabulary& words;
  const LocalFunctions& locals;
  std::set<std::string> foreign = {}; ///< what TorchScript lacks
  unsigned tensors = 0;               ///< that are only named
  std::vector<Error> errors = {};
};

/// Writes one graph as a function. What a node prints may depend on nodes inside of it, however
/// deep: a stack of steps instead of recursion.
///
///   Printer printer(text, 0);
///   out += printer.function(graph, "main");     // and look at text.errors
class Printer {
public:
  /// `level`: how far the text is indented.
  Printer(CodeText& text, int level)
      : shared_(text), level_(level),
        inlined_([this](const Node* node) { return node->subgraph() || local(node); }) {}

  /// \pre its graph is `writable`
  std::string function(const NamedGraph& function, llvm::StringRef name);

private:
  using Step = std::function<void()>;
  void next(std::vector<Step> steps); ///< they happen next, in this order
  void fail(const Node* node, const std::string& what);

  // ---- names and texts ----
  std::string freshName(llvm::StringRef base);
  void nameAll(llvm::ArrayRef<Value*> values);
  const std::string& use(const Value* value) { return text_[value]; }
  template <class Values> std::string list(const Values& values) {
    std::string out;
    for (const Value* value : values) out += (out.empty() ? "" : ", ") + use(value);
    return out;
  }
  void line(const std::string& text);
  bool isLong(const std::string& text) const {
    return text.size() + 2 * static_cast<std::size_t>(level_) >= 40;
  }
  std::string annotation(const Type* type) const { return shared_.words.spelled(type); }
  std::string parameters(const NamedGraph& function);

  // ---- blocks and statements ----
  void body(Block* block, Step after);
  void nodes(Node* from, Node* end);
  void inside(Block* block, Step assign, Step after);
  void assignment(llvm::ArrayRef<Value*> to, llvm::ArrayRef<Value*> from);
  void annotatedAssignment(const Value* to, const Value* from);
  void definition(const Node* node, const std::string& text);
  void node(Node* node, bool asConstant);
  void results(Node* node, Block* block);
  void ifStatement(Node* node);
  void loop(Node* node);
  void tryStatement(Node* node);
  void fork(Node* node);
  const NamedGraph* local(const Node* node) const;
  void localFunction(Node* node);
  void enter(Node* node);
  void exit(Node* node);
  std::string settersProperty(const Node* node) const;
  void setAttribute(const Node* node);
  void split(const Node* user);

  // ---- expressions ----
  std::string expression(const Node* node);
  std::string container(const Node* node, const std::string& text);
  std::string operand(const Value* value);
  std::string call(const Node* node, const std::string& kind);
  std::string method(const Node* node);
  std::string attribute(const Node* node);
  std::string operatorName(llvm::StringRef kind);
  std::string constant(const Node* node);
  static bool isGradMode(const Node* node);

  CodeText& shared_;
  std::string out_;
  int level_;
  std::vector<Step> steps_;
  Inlining inlined_;
  std::unordered_map<const Value*, std::string> text_; ///< of references that stay valid
  llvm::DenseMap<const Node*, std::int64_t> split_; ///< up to which operand expressions have names
  llvm::DenseSet<const Value*> annotated_;
  std::vector<std::pair<const Node*, std::size_t>> entered_; ///< and where their bodies begin
  std::vector<std::unique_ptr<Graph>> copies_;               ///< of local functions
  llvm::StringSet<> used_;
  llvm::StringMap<std::uint64_t> nextNumber_;
};

} // namespace tine::script
