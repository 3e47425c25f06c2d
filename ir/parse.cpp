#include "ir/parse.h"

#include "ir/parse_parts.h"
#include "ir/verify.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Twine.h"
#include "support/lines.h"
#include "support/literal.h"

#include <deque>

namespace tine {
namespace {

constexpr std::int64_t kVersion = 1;         // of the text, as `# tine 1` says
constexpr std::size_t kMaxName = 1000;       // of a bare name with blanks in it
constexpr std::size_t kMaxAttributes = 1000; // of a node: they are searched one by one
constexpr llvm::StringLiteral kByteOrderMark = "\xEF\xBB\xBF"; // some editors begin a file so

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isKindChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_' || c == '.' ||
         c == ':' || c == '$';
}

/// A namespace and a name, and perhaps an overload.
bool isKind(llvm::StringRef text) {
  const auto [space, rest] = text.split("::");
  const auto [name, overload] = rest.split('.');
  return !space.empty() && !name.empty() && (!overload.empty() || name.size() == rest.size());
}

/// `prim::fork` of `prim::fork_3`; empty when no number follows.
llvm::StringRef withoutNumber(llvm::StringRef label) {
  llvm::StringRef base = label.rtrim("0123456789");
  return base.size() < label.size() && base.size() > 1 && base.consume_back("_")
             ? base
             : llvm::StringRef();
}

/// The number that digits write, but no more than 2^32: all limits are below.
std::uint64_t cappedNumber(llvm::StringRef digits) {
  std::uint64_t value = 0;
  for (char c : digits)
    value = std::min(10 * value + static_cast<std::uint64_t>(c - '0'), std::uint64_t(1) << 32);
  return value;
}

/// Drops `:12` from the end.
bool takeNumberBack(llvm::StringRef& text, std::uint64_t& value) {
  std::size_t start = text.size();
  while (start > 0 && isDigit(text[start - 1])) --start;
  if (start == 0 || start == text.size() || text[start - 1] != ':') return false;
  value = cappedNumber(text.drop_front(start));
  text = text.take_front(start - 1);
  return true;
}

/// Reads units. A graph's body is flat in the text: its groups follow it, so only blocks nest, and
/// those are kept on a stack. One function per rule of docs/ir.md.
class Parser {
public:
  Parser(llvm::StringRef text, llvm::StringRef file, const ParseOptions& options,
         std::shared_ptr<Context> context)
      : lex_(text, file), options_(options), unit_(std::move(context)), context_(*unit_.context()),
        types_(lex_, context_), literals_(lex_, types_), file_(context_.symbol(file)),
        maxUnique_(std::clamp<std::size_t>(text.size(), 1 << 24, 1u << 31)) {}

  Result<CompilationUnit> unit() {
    lex_.take(kByteOrderMark);
    version();
    for (lex_.skipSpace(); !lex_.atEnd() && !stopped(); lex_.skipSpace()) {
      if (lex_.looksAt("with ") && !lex_.looksAt("with ("))
        group();
      else
        function();
    }
    while (!open_.empty() && !stopped()) closeGroups();
    if (!lex_.failed() && unit_.empty()) lex_.expected("a graph");
    if (lex_.failed()) return lex_.takeErrors();
    if (options_.verify) {
      // A graph alone may name functions that are elsewhere.
      Result<Ok> verified = unit_.functions().size() == 1
                                ? verify(unit_.front(), unit_.functions().front().name)
                                : verify(unit_);
      if (!verified) {
        std::vector<Error> errors = placedInText(verified.takeErrors());
        SourceLines lines(SourceLines::Files::Leave);
        lines.add(lex_.file(), lex_.text());
        for (Error& error : errors) error = lines.shown(std::move(error));
        return errors;
      }
    }
    return std::move(unit_);
  }

private:
  /// The verifier says where nodes come from, which may be a program that the text was made of. The
  /// errors are in the text: it is read once more, with its own places for all nodes.
  std::vector<Error> placedInText(std::vector<Error> errors) const {
    if (!otherPlaces_) return errors;
    Parser again(lex_.text(), lex_.file(), options_, Context::create());
    again.ownPlaces_ = true;
    std::vector<Error> placed = again.unit().takeErrors();
    TINE_CHECK(placed.size() == errors.size());
    for (std::size_t i = 0; i < errors.size(); ++i)
      if (errors[i].place.str() != placed[i].place.str())
        placed[i].notes.push_back({"made from this", std::move(errors[i].place)});
    return placed;
  }

  /// `%x` in the text. A number when it is all digits and not quoted.
  struct Name {
    llvm::StringRef text;
    std::size_t offset = 0, length = 0;
    bool quoted = false;
    bool isNumber = false;
    std::uint64_t number = 0;

    void readNumber() {
      for (char c : text)
        if (!isDigit(c)) return;
      isNumber = true;
      number = cappedNumber(text);
    }
  };
  struct Definition {
    Name name;
    const Type* type = nullptr;
  };
  /// A node, or an attribute of it, whose graph a group may hold.
  struct Candidate {
    llvm::StringRef label;
    std::size_t offset;
    Node* node;
    Symbol attribute; ///< of `<Graph 3>`; empty for `prim::fork_3`
    std::size_t index = 0;
  };
  /// A graph whose groups may still follow.
  struct OpenGraph {
    std::vector<Candidate> candidates;
    std::size_t next = 0;
  };
  struct OpenBlock {
    Block* block;
    Node* last; ///< the node that the next block belongs to
    std::size_t offset;
  };

  bool stopped() const { return stopped_ || lex_.tooMany(); }

  /// `# tine 1`, the first line of the lossless style.
  void version() {
    if (!lex_.take("# tine ")) return;
    std::size_t start = lex_.offset();
    llvm::StringRef number = lex_.digits();
    if (number.empty()) return;
    std::optional<std::int64_t> value = readInt64(number);
    if (value && *value <= kVersion) return;
    lex_.error(start, number.size(),
               "text of version " + number.str() + "; this Tine reads up to version " +
                   std::to_string(kVersion));
    stopped_ = true;
  }

  // Graphs and groups.

  void function() {
    std::size_t start = lex_.offset();
    std::string name;
    if (lex_.peek() == '"') {
      std::optional<std::string> quoted = lex_.string();
      if (!quoted) return lex_.skipLine();
      name = std::move(*quoted);
    } else {
      llvm::StringRef word = lex_.restOfLine().take_until(
          [](char c) { return c == '(' || c == ' ' || c == '\t' || c == '%' || c == '#'; });
      name = word.str();
      if (!name.empty()) lex_.advance(name.size());
    }
    std::size_t length = lex_.offset() - start;
    lex_.skipBlanks();
    if (name.empty() || lex_.peek() != '(') {
      if (!name.empty() && lex_.atLineEnd()) lex_.moveTo(start);
      lex_.expected(name.empty() || lex_.offset() == start
                        ? "a graph, such as 'graph(%x : Tensor):'"
                        : "'('");
      // The statements up to the next graph would be errors as well.
      return skipToGraph();
    }
    while (!open_.empty()) closeGroups();
    auto graph = std::make_unique<Graph>(unit_.context());
    body(*graph);
    if (unit_.find(name)) {
      lex_.error(start, length, "a second function named '" + name + "'");
      discarded_.push_back(std::move(graph));
    } else {
      unit_.add(std::move(name), std::move(graph));
    }
  }

  void group() {
    lex_.advance(sizeof "with " - 1);
    lex_.skipBlanks();
    std::size_t start = lex_.offset();
    llvm::StringRef label = lex_.restOfLine().take_while(isKindChar);
    lex_.advance(label.size());
    lex_.skipBlanks();
    bool ok = !label.empty() && lex_.take('=');
    if (ok) lex_.skipBlanks();
    llvm::StringRef word = ok ? lex_.identifier() : llvm::StringRef();
    if (!ok || word.empty() || lex_.peek() != '(') {
      lex_.expected(label.empty()  ? "the name of a group"
                    : !ok          ? "'='"
                    : word.empty() ? "'graph'"
                                   : "'('");
      return skipToGraph();
    }
    auto graph = std::make_unique<Graph>(unit_.context());
    Graph& inner = *graph;
    if (Candidate* user = resolve(label)) {
      attach(*user, std::move(graph));
    } else {
      lex_.error(start, label.size(),
                 ("no node uses the group '" + llvm::Twine(label) + "'").str());
      discarded_.push_back(std::move(graph));
    }
    if (open_.size() >= static_cast<std::size_t>(options_.maxDepth)) {
      lex_.error(start, label.size(),
                 "groups nested deeper than " + std::to_string(options_.maxDepth));
      stopped_ = true;
      return;
    }
    body(inner);
  }

  /// The first node that waits for a group of this name, in the innermost graph that has one:
  /// nested graphs number their groups from 0 again, and a graph's groups come right after it. Null
  /// when there is none.
  Candidate* resolve(llvm::StringRef label) {
    for (std::size_t level = open_.size(); level-- > 0;) {
      OpenGraph& graph = open_[level];
      for (std::size_t i = graph.next; i < graph.candidates.size(); ++i) {
        if (graph.candidates[i].label != label) continue;
        while (open_.size() > level + 1) closeGroups();
        for (std::size_t k = graph.next; k < i; ++k) unresolved(graph.candidates[k]);
        graph.next = i + 1;
        return &graph.candidates[i];
      }
    }
    return nullptr;
  }

  void attach(const Candidate& user, std::unique_ptr<Graph> graph) {
    if (!user.attribute.empty()) {
      Attribute* attribute = user.node->attributes().find(user.attribute);
      if (attribute->graphs.size() <= user.index) attribute->graphs.resize(user.index + 1);
      attribute->graphs[user.index] = std::move(graph);
      return;
    }
    setKind(*user.node, withoutNumber(user.label));
    user.node->attributes().setGraph(context_.symbol(Builtin::Subgraph), std::move(graph));
  }

  /// Of the innermost open graph no group comes any more.
  void closeGroups() {
    OpenGraph graph = std::move(open_.back());
    open_.pop_back();
    for (std::size_t i = graph.next; i < graph.candidates.size() && !stopped(); ++i)
      unresolved(graph.candidates[i]);
  }

  /// Operators may have names such as `my::op_2`; those of the namespace prim have not.
  void unresolved(const Candidate& candidate) {
    if (candidate.attribute.empty() && !candidate.label.starts_with("prim::")) return;
    lex_.error(candidate.offset, candidate.label.size(),
               ("undefined group: no 'with " + llvm::Twine(candidate.label) +
                " = graph(...)' follows the graph")
                   .str());
  }

  /// Moves to the next line that may begin a graph or group: one without a blank in front.
  void skipToGraph() {
    do lex_.skipLine();
    while (!lex_.atEnd() &&
           (lex_.peek() == ' ' || lex_.peek() == '\t' || lex_.peek() == '%' || lex_.atLineEnd()));
  }

  // Bodies.

  /// `(inputs): nodes return (outputs)`. After errors the graph is incomplete.
  void body(Graph& graph) {
    graph_ = &graph;
    graphStart_ = lex_.offset();
    blocks_.clear();
    byNumber_.clear();
    farNumbers_.clear();
    defined_.clear();
    reported_.clear();
    holes_ = false;
    open_.emplace_back();

    bool ok = blockInputs(graph.block());
    if (!ok) holes_ = true;
    if (!ok) lex_.skipLine();
    blocks_.push_back({graph.block(), nullptr, graphStart_});
    while (!stopped()) {
      lex_.skipSpace();
      if (lex_.atEnd()) {
        unclosed("expected 'return', found the end of the text");
        break;
      }
      bool lineStart = lex_.offset() == 0 || lex_.text()[lex_.offset() - 1] == '\n';
      if (lineStart && startsGraph()) {
        unclosed("expected 'return' before the next graph");
        break;
      }
      std::size_t start = lex_.offset();
      if (lex_.peek() == 'r' && lex_.takeWord("return")) {
        if (blocks_.size() > 1) unclosed("expected '->' before 'return'");
        results(graph.block(), start);
        break;
      }
      statement();
    }
    numberValues();
  }

  /// A word and a parenthesis, or `with`, where a line begins.
  bool startsGraph() {
    if (lex_.looksAt("with ")) return true;
    llvm::StringRef word = lex_.peekIdentifier();
    if (word.empty() || word == "return") return false;
    llvm::StringRef line = lex_.restOfLine();
    llvm::StringRef after =
        line.drop_while([](char c) { return isKindChar(c) && c != ':'; }).ltrim(' ');
    return after.starts_with("(");
  }

  void unclosed(std::string message) {
    std::size_t offset = lex_.offset();
    Error error(error_kind::Syntax, std::move(message), lex_.place(offset, 1));
    std::size_t start = blocks_.back().offset;
    lex_.error(std::move(error).note(blocks_.size() > 1 ? "the block begins here"
                                                        : "the graph begins here",
                                     lex_.place(start, 1)));
    blocks_.resize(1);
  }

  void statement() {
    if (lex_.take("->")) {
      if (blocks_.size() == 1) {
        lex_.error(lex_.offset() - 2, 2, "'->' outside of a block");
        lex_.skipLine();
        return;
      }
      results(blocks_.back().block, lex_.offset() - 2);
      blocks_.pop_back();
      return;
    }
    llvm::StringRef word = lex_.peekIdentifier();
    if (!word.empty() && lex_.peek(word.size()) == '(') return block();
    node();
  }

  /// `block0(%i : int):`, whose nodes follow.
  void block() {
    std::size_t start = lex_.offset();
    llvm::StringRef word = lex_.identifier();
    Node* owner = blocks_.back().last;
    if (!owner) {
      lex_.error(start, word.size(), "a block without a node before it");
      owner = errorNode({});
    }
    if (blocks_.size() > static_cast<std::size_t>(options_.maxDepth)) {
      lex_.error(start, word.size(),
                 "blocks nested deeper than " + std::to_string(options_.maxDepth));
      stopped_ = true;
      return;
    }
    Block* inner = owner->addBlock();
    if (!blockInputs(inner)) {
      holes_ = true;
      lex_.skipLine();
    }
    blocks_.push_back({inner, nullptr, start});
  }

  /// `(%x : Tensor, ...):`
  bool blockInputs(Block* block) {
    if (!lex_.take('(')) return lex_.expected("'('");
    lex_.skipSpace();
    for (bool first = true; !lex_.take(')'); first = false) {
      if (!first) {
        if (!lex_.take(',')) return lex_.expected("',' or ')'");
        lex_.skipSpace();
      }
      Definition input;
      if (!definition(input)) return false;
      define(block->addInput(input.type), input.name);
      lex_.skipSpace();
    }
    lex_.skipBlanks();
    return lex_.take(':') ? lineEnd() : lex_.expected("':'");
  }

  /// `(%x, %y)` at the end of a graph or block. \param start where `return` or `->` is
  void results(Block* block, std::size_t start) {
    lex_.skipBlanks();
    bool ok = references(*block->ret());
    block->ret()->setLocation(placeInText(start));
    if (!ok || !lineEnd()) recover(start);
  }

  Location placeInText(std::size_t offset) {
    std::uint32_t column = 0, line = lex_.lineOf(offset, &column);
    return {file_, line, (column - 1) & 0x7fffffff, 0};
  }

  /// After an error in a statement: moves to the next one. That may be where the cursor is, when a
  /// parenthesis that does not close led it there.
  void recover(std::size_t start) {
    llvm::StringRef line = lex_.since(start).rsplit('\n').second;
    if (lex_.since(start).contains('\n') && line.trim(" \t").empty()) return;
    lex_.skipLine();
  }

  bool lineEnd() {
    lex_.skipBlanks();
    return lex_.atLineEnd() || lex_.peek() == '#' || lex_.expected("the end of the line");
  }

  // Nodes.

  void node() {
    std::size_t start = lex_.offset();
    definitions_.clear();
    Node* made = nullptr;
    if (!readNode(start, made)) {
      if (!made) made = errorNode(definitions_);
      recover(start);
    }
  }

  /// Stands for a node with errors, so that its results are known and blocks have an owner.
  Node* errorNode(llvm::ArrayRef<Definition> outputs) {
    Node* node = graph_->createNode("tine::error");
    for (const Definition& output : outputs) define(node->addOutput(output.type), output.name);
    append(node);
    if (outputs.empty()) holes_ = true;
    return node;
  }

  void append(Node* node) {
    blocks_.back().block->append(node);
    blocks_.back().last = node;
  }

  bool readNode(std::size_t start, Node*& made) {
    if (lex_.peek() == '%') {
      do {
        lex_.skipSpace();
        Definition output;
        if (!definition(output)) return false;
        definitions_.push_back(output);
        lex_.skipBlanks();
      } while (lex_.take(','));
      if (!lex_.take('=')) return lex_.expected("'='");
    } else {
      lex_.take('=');
    }
    lex_.skipBlanks();
    Node* node;
    if (lex_.take('^')) {
      node = pythonOp();
      if (!node) return false;
    } else {
      std::size_t kindStart = lex_.offset();
      llvm::StringRef kind = lex_.rest().take_while(isKindChar);
      if (!isKind(kind)) return lex_.expected("an operator, such as aten::add");
      lex_.advance(kind.size());
      node = graph_->createNode(Symbol());
      setKind(*node, kind);
      if (isDigit(kind.back()) && !withoutNumber(kind).empty())
        open_.back().candidates.push_back({kind, kindStart, node, {}, 0});
      if (lex_.take('[') && !attributes(*node)) return false;
    }
    lex_.skipBlanks();
    if (!references(*node)) return false;
    for (const Definition& output : definitions_) define(node->addOutput(output.type), output.name);
    append(made = node);
    lex_.skipBlanks();
    if (lex_.take(',')) {
      lex_.skipBlanks();
      if (!lex_.take("scope:")) return lex_.expected("'scope:' or the end of the line");
      lex_.take(' ');
      llvm::StringRef scope = lex_.restOfLine();
      scope = scope.take_front(scope.find(" # "));
      lex_.advance(scope.size());
      if (!scope.empty()) node->setScope(context_.symbol(scope));
    }
    return location(*node, start);
  }

  void setKind(Node& node, llvm::StringRef text) {
    std::size_t dot = text.find('.', text.find("::"));
    node.setKind(context_.symbol(text.take_front(dot)));
    if (dot != llvm::StringRef::npos) node.setOverload(context_.symbol(text.drop_front(dot + 1)));
  }

  /// ` # file:line:column`, or any other comment; then the place is that of the node in this text.
  bool location(Node& node, std::size_t start) {
    lex_.skipBlanks();
    if (lex_.peek() == '#') {
      llvm::StringRef comment = lex_.restOfLine();
      std::size_t offset = lex_.offset();
      lex_.advance(comment.size());
      comment = comment.drop_front();
      comment.consume_front(" ");
      llvm::StringRef file = comment;
      std::uint64_t lineNumber, columnNumber;
      if (takeNumberBack(file, columnNumber) && takeNumberBack(file, lineNumber) && !file.empty()) {
        if (lineNumber > ~0u || columnNumber > 0x7fffffff)
          return lex_.error(offset, comment.size() + 2, "a line or column out of range");
        if (ownPlaces_) {
          node.setLocation(placeInText(start));
          return true;
        }
        otherPlaces_ = true;
        if (file != lastFile_.str()) lastFile_ = context_.symbol(file);
        node.setLocation({lastFile_, static_cast<std::uint32_t>(lineNumber),
                          static_cast<std::uint32_t>(columnNumber) & 0x7fffffff, 1});
        return true;
      }
    } else if (!lex_.atLineEnd()) {
      return lex_.expected("the end of the line");
    }
    node.setLocation(placeInText(start));
    return true;
  }

  /// `^Name[attributes](Python arguments)`, before the operands. The arguments are any text.
  Node* pythonOp() {
    llvm::StringRef name =
        lex_.restOfLine().take_until([](char c) { return c == '[' || c == '(' || c == ' '; });
    if (name.empty()) {
      lex_.expected("the name of a Python operator");
      return nullptr;
    }
    lex_.advance(name.size());
    Node* node = graph_->createNode(context_.symbol(Builtin::PythonOp));
    node->attributes().setString(context_.symbol(Builtin::PyName), name);
    Symbol scalars = context_.symbol(Builtin::PyScalars);
    node->attributes().setString(scalars, "()");
    if (lex_.take('[') && !attributes(*node)) return nullptr;
    llvm::StringRef line = lex_.restOfLine();
    std::size_t split = std::min(line.find(")(%"), line.find(")()"));
    if (!line.starts_with("(") || split == llvm::StringRef::npos) {
      lex_.expected("'(' and the Python arguments, then the operands");
      return nullptr;
    }
    node->attributes().setString(scalars, line.take_front(split + 1));
    lex_.advance(split + 1);
    return node;
  }

  /// `name=value, ...]`
  bool attributes(Node& node) {
    lex_.skipSpace();
    for (bool first = true; !lex_.take(']'); first = false) {
      if (!first) {
        if (!lex_.take(',')) return lex_.expected("',' or ']'");
        lex_.skipSpace();
      }
      std::size_t start = lex_.offset();
      std::string quoted;
      llvm::StringRef name = lex_.dotted();
      if (name.empty() && lex_.peek() == '"') {
        std::optional<std::string> text = lex_.string();
        if (!text) return false;
        name = quoted = std::move(*text);
      }
      if (name.empty()) return lex_.expected("an attribute's name");
      std::size_t length = lex_.offset() - start;
      Attribute attribute;
      attribute.name = context_.symbol(name);
      if (node.attributes().size() == kMaxAttributes)
        return lex_.error(start, length,
                          "more than " + std::to_string(kMaxAttributes) + " attributes");
      if (node.attributes().find(attribute.name))
        return lex_.error(start, length,
                          ("a second attribute named '" + llvm::Twine(name) + "'").str());
      std::optional<AttrKind> kind;
      if (lex_.take(':')) {
        std::size_t kindStart = lex_.offset();
        llvm::StringRef word = lex_.identifier();
        kind = attrKindFromName(word);
        if (!kind)
          return lex_.error(kindStart, word.size(),
                            ("unknown kind of attribute '" + llvm::Twine(word) + "'").str());
      }
      if (!lex_.take('=')) return lex_.expected("'='");
      bool constant = attribute.name.is(Builtin::Value) && !definitions_.empty() &&
                      node.kind().unqualified() == "Constant";
      references_.clear();
      if (!literals_.value(attribute, constant ? definitions_[0].type : nullptr, kind, references_))
        return false;
      Symbol symbol = attribute.name;
      attribute.graphs.resize(references_.size());
      node.attributes().set(std::move(attribute));
      for (std::size_t i = 0; i < references_.size(); ++i) {
        labels_.push_back(std::move(references_[i].label));
        open_.back().candidates.push_back(
            {labels_.back(), references_[i].offset, &node, symbol, i});
      }
      lex_.skipSpace();
    }
    return true;
  }

  // Values.

  /// `%name : type`; Tensor without a type.
  bool definition(Definition& out) {
    if (!definitionName(out.name)) return false;
    lex_.skipBlanks();
    out.type = Type::tensorType();
    if (!lex_.take(':')) return true;
    lex_.skipBlanks();
    out.type = types_.type();
    return out.type;
  }

  /// The name after `%`. TorchScript prints any name as it is; here ` : ` ends it. For `%x:int` and
  /// `%x=f::g()`, which people write, the sign ends it too.
  bool definitionName(Name& out) {
    if (!startName(out)) return false;
    if (out.quoted) return true;
    llvm::StringRef run = run_;
    std::size_t end = run.size();
    llvm::StringRef after = lex_.rest().drop_front(end);
    if (after.starts_with(" : ")) return finishName(out, end);
    after = after.drop_while([](char c) { return c == ' '; });
    if (!after.starts_with(":")) {
      std::size_t colon = 0;
      while ((colon = run.find(':', colon)) != llvm::StringRef::npos &&
             run.substr(colon, 2) == "::")
        colon += 2;
      if (colon != llvm::StringRef::npos) {
        end = colon;
      } else if (std::size_t equals = run.find('='); equals != llvm::StringRef::npos) {
        end = equals;
      } else if (!after.starts_with(",") && !after.starts_with(")") && !after.starts_with("=")) {
        // A name with blanks and brackets reaches to ` : `.
        llvm::StringRef line = lex_.rest().take_front(kMaxName);
        llvm::StringRef longer = line.take_front(line.find(" : "));
        if (longer.size() < line.size() &&
            longer.find_first_of("%,()[]=\n") == llvm::StringRef::npos)
          end = longer.size();
      }
    }
    return finishName(out, end);
  }

  /// The name after `%` where a value is used.
  bool referenceName(Name& out) {
    if (!startName(out)) return false;
    if (out.quoted) return true;
    std::size_t end = run_.size();
    llvm::StringRef after = lex_.rest().drop_front(end);
    if (after.starts_with(",") || after.starts_with(")")) return finishName(out, end);
    after = after.ltrim(" \t\r\n");
    if (!after.starts_with(",") && !after.starts_with(")")) {
      llvm::StringRef line = lex_.rest().take_front(kMaxName);
      llvm::StringRef longer =
          line.take_until([](char c) { return c == ',' || c == ')' || c == '\n'; });
      if (longer.size() < line.size() && graph_->find(longer)) end = longer.size();
    }
    return finishName(out, end);
  }

  /// `%` and a quoted name, or in run_ all that could belong to a bare one.
  bool startName(Name& out) {
    out.offset = lex_.offset();
    if (!lex_.take('%')) return lex_.expected("a value, such as %x");
    if (lex_.peek() == '"') {
      std::optional<std::string> text = lex_.string();
      if (!text) return false;
      if (text->empty()) return lex_.error(out.offset, 3, "an empty name");
      labels_.push_back(std::move(*text));
      out.text = labels_.back();
      out.quoted = true;
      out.length = lex_.offset() - out.offset;
      return true;
    }
    const char *begin = lex_.rest().begin(), *end = lex_.rest().end(), *p = begin;
    while (p != end && static_cast<unsigned char>(*p) > ' ' && *p != ',' && *p != '(' &&
           *p != ')' && *p != '[' && *p != ']' && *p != '"' && *p != '%')
      ++p;
    run_ = llvm::StringRef(begin, static_cast<std::size_t>(p - begin));
    return true;
  }

  bool finishName(Name& out, std::size_t end) {
    out.text = lex_.rest().take_front(end);
    if (out.text.empty()) return lex_.expected("a name");
    lex_.advance(end);
    out.length = end + 1;
    out.readNumber();
    return true;
  }

  /// `(%x, %y)`
  bool references(Node& node) {
    if (!lex_.take('(')) return lex_.expected("'('");
    for (;;) {
      if (lex_.take(')')) return true;
      if (node.numInputs() > 0) {
        if (!lex_.take(',')) {
          lex_.skipSpace();
          if (lex_.take(')')) return true;
          if (!lex_.take(',')) return lex_.expected("',' or ')'");
        }
        lex_.take(' ');
      }
      if (lex_.peek() != '%') {
        lex_.skipSpace();
        if (node.numInputs() == 0 && lex_.take(')')) return true;
      }
      Name name;
      if (!referenceName(name)) return false;
      Value* value = find(name);
      if (!value) undefined(name);
      if (!value && stopped()) return false;
      node.addInput(value);
    }
  }

  Value* find(const Name& name) {
    if (!name.isNumber) return graph_->find(name.text);
    if (name.number >= maxUnique_) return nullptr;
    if (name.number < byNumber_.size() && byNumber_[name.number]) return byNumber_[name.number];
    return farNumbers_.empty() ? nullptr
                               : farNumbers_.lookup(static_cast<std::uint32_t>(name.number));
  }

  void define(Value* value, const Name& name) {
    std::int64_t number = -1;
    if (find(name)) {
      duplicate(name);
    } else if (name.isNumber) {
      auto unique = static_cast<std::uint32_t>(name.number);
      if (name.number >= maxUnique_) {
        lex_.error(name.offset, name.length, "a value's number out of range");
      } else {
        number = unique;
        if (unique < 1024 + 8 * defined_.size()) {
          if (byNumber_.size() <= unique)
            byNumber_.resize(std::max<std::size_t>(2 * byNumber_.size(), unique + 1));
          byNumber_[unique] = value;
        } else {
          farNumbers_[unique] = value;
        }
      }
    } else {
      value->setName(name.text);
    }
    defined_.push_back({value, number});
  }

  /// Values without a number in the text get those that it leaves free.
  void numberValues() {
    std::vector<bool> used(defined_.size());
    for (const auto& [value, number] : defined_)
      if (number >= 0 && static_cast<std::size_t>(number) < used.size())
        used[static_cast<std::size_t>(number)] = true;
    std::uint32_t free = 0;
    for (const auto& [value, number] : defined_) {
      if (number >= 0) {
        graph_->setUnique(value, static_cast<std::uint32_t>(number));
        continue;
      }
      while (used[free]) ++free;
      graph_->setUnique(value, free++);
    }
  }

  /// Where in `text` the value is defined: its name and a colon or equals sign; npos when nowhere.
  std::size_t findDefinition(const Name& name, std::size_t from, std::size_t to) const {
    std::string wanted = ("%" + llvm::Twine(name.text)).str();
    llvm::StringRef text = lex_.text().take_front(to);
    for (std::size_t at = from; (at = text.find(wanted, at)) != llvm::StringRef::npos; ++at) {
      llvm::StringRef after = text.substr(at + wanted.size()).ltrim(" \t");
      if (after.starts_with(":") && !after.starts_with("::")) return at;
    }
    return llvm::StringRef::npos;
  }

  void duplicate(const Name& name) {
    if (stopped()) return;
    Error error(error_kind::Syntax, ("a second value named %" + llvm::Twine(name.text)).str(),
                lex_.place(name.offset, name.length));
    std::size_t first = findDefinition(name, graphStart_, name.offset);
    if (first != llvm::StringRef::npos)
      error.notes.push_back({"the first is here", lex_.place(first, name.length)});
    lex_.error(std::move(error));
  }

  /// Reports a name once. After a broken definition it may be that one: nothing to say.
  void undefined(const Name& name) {
    if (holes_ || stopped() || !reported_.insert({name.text, true}).second) return;
    std::string message = ("undefined value %" + llvm::Twine(name.text)).str();
    std::size_t later = findDefinition(name, name.offset, lex_.text().size());
    std::size_t end = lex_.text().find("\n  return (", name.offset);
    bool here = later != llvm::StringRef::npos && later < end;
    if (!here && !name.isNumber)
      message += didYouMean(
          name.text, [&](std::size_t i) { return defined_[i].value->name().str(); },
          std::min<std::size_t>(defined_.size(), 10000), "%");
    Error error(error_kind::Syntax, std::move(message), lex_.place(name.offset, name.length));
    if (here) error.notes.push_back({"it is defined later, here", lex_.place(later, name.length)});
    lex_.error(std::move(error));
  }

  struct Defined {
    Value* value;
    std::int64_t number; ///< in the text, or -1
  };

  Lexer lex_;
  const ParseOptions& options_;
  CompilationUnit unit_;
  Context& context_;
  TypeReader types_;
  LiteralReader literals_;
  Symbol file_, lastFile_;
  std::size_t maxUnique_; ///< S6: a short text cannot make others allocate by a large number
  bool stopped_ = false;
  bool ownPlaces_ = false;   ///< nodes are where this text has them, whatever it says
  bool otherPlaces_ = false; ///< a node is where the text says
  std::vector<std::unique_ptr<Graph>> discarded_; ///< graphs of errors, whose nodes are looked at
  std::deque<std::string> labels_;                ///< unquoted names, which views point into
  std::vector<OpenGraph> open_; ///< graphs whose groups may follow, innermost last

  // The graph that is read.
  Graph* graph_ = nullptr;
  std::size_t graphStart_ = 0;
  std::vector<OpenBlock> blocks_;
  std::vector<Value*> byNumber_;
  llvm::DenseMap<std::uint32_t, Value*> farNumbers_;
  std::vector<Defined> defined_;
  llvm::StringMap<bool> reported_;
  bool holes_ = false; ///< a definition was lost to an error

  // Of the node that is read.
  llvm::SmallVector<Definition, 4> definitions_;
  std::vector<LiteralReader::GraphReference> references_;
  llvm::StringRef run_;
};

} // namespace

Result<CompilationUnit> parse(llvm::StringRef text, llvm::StringRef file,
                              const ParseOptions& options, std::shared_ptr<Context> context) {
  return Parser(text, file, options, std::move(context)).unit();
}

Result<std::unique_ptr<Graph>> parseGraph(llvm::StringRef text, llvm::StringRef file,
                                          const ParseOptions& options) {
  TINE_TRY(CompilationUnit unit, parse(text, file, options));
  if (unit.functions().size() != 1)
    return Error(error_kind::Syntax,
                 "expected one graph, found " + std::to_string(unit.functions().size()),
                 placeAt(file, text, 0));
  return unit.takeFront();
}

} // namespace tine
