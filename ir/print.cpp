#include "ir/print.h"

#include "ir/print_parts.h"
#include "llvm/ADT/Twine.h"

#include <ostream>

namespace tine {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Does a name read back without quotes, and not as a number?
bool isBareName(llvm::StringRef name) {
  bool number = true;
  for (char c : name) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
    if (!letter && !isDigit(c)) return false;
    number &= isDigit(c);
  }
  return !number;
}

/// Is this attribute the value that a constant node stands for?
bool isConstantValue(const Node& node, const Attribute& attribute) {
  return attribute.name.is(Builtin::Value) && node.kind().unqualified() == "Constant" &&
         node.numOutputs() > 0;
}

class Printer {
public:
  Printer(std::string& out, const PrintOptions& options)
      : out_(out), options_(options), lossless_(options.style == Style::Lossless) {}

  /// The graph and then its groups, each followed by its own. \source spec/torchscript B.1
  void graph(const Graph& graph, llvm::StringRef name) {
    if (lossless_ && !isFunctionName(name))
      appendQuoted(out_, name, Style::Lossless);
    else
      out_ += name;
    body(graph);
    groups();
  }

  void groups() {
    while (!pending_.empty()) {
      Group group = std::move(pending_.back());
      pending_.pop_back();
      out_ += "with ";
      out_ += group.label;
      out_ += " = graph";
      body(*group.graph);
    }
  }

  /// The node's line and its blocks. \param groups are subgraphs printed after it, not in place?
  void nodeWithBlocks(const Node& node, bool groups) {
    std::size_t firstGroup = pending_.size();
    groups_ = groups;
    index_ = 0;
    nodeLine(node, 0);
    std::vector<Open> open;
    if (!node.blocks().empty()) enter(open, node, 0, 0);
    blocks(open);
    std::reverse(pending_.begin() + static_cast<std::ptrdiff_t>(firstGroup), pending_.end());
  }

  void loneAttribute(const Attribute& attribute) {
    groups_ = false;
    attributeValue(attribute, nullptr);
  }

  void attributeValue(const Attribute& attribute, const Type* type) {
    if (attribute.isVerbatim()) return verbatim(attribute.verbatim);
    switch (attribute.kind) {
    case AttrKind::g:
    case AttrKind::gs:
      return graphs(attribute);
    case AttrKind::ty:
      if (!attribute.types.empty()) return this->type(attribute.types[0]);
      break;
    case AttrKind::tys:
      out_ += '[';
      for (std::size_t i = 0; i < attribute.types.size(); ++i) {
        if (i) out_ += ", ";
        this->type(attribute.types[i]);
      }
      out_ += ']';
      return;
    case AttrKind::f:
    case AttrKind::fs:
    case AttrKind::c:
    case AttrKind::cs:
    case AttrKind::i:
    case AttrKind::is:
    case AttrKind::s:
    case AttrKind::ss:
    case AttrKind::t:
    case AttrKind::ts:
    case AttrKind::ival:
      break;
    }
    const IValue& value = attribute.value;
    bool annotated = !attribute.types.empty();
    if (annotated) type = attribute.types[0];
    if (!lossless_) {
      // On their own TorchScript writes a bool as an int and a device as a string.
      if (value.isBool()) return static_cast<void>(out_ += value.toBool() ? '1' : '0');
      if (value.isDevice()) return device(value);
      if (attribute.kind == AttrKind::ts) return static_cast<void>(out_ += "[<Tensors>]");
      llvm::StringRef element = elementName(attribute.kind);
      if (!element.empty() && value.isList() && value.toList().items.empty()) {
        (out_ += "annotate(List[").append(element).append("], [])");
        return;
      }
    } else if (annotated) {
      out_ += "annotate(";
      type->print(out_, Style::Lossless);
      out_ += ", ";
    }
    printValue(out_, value, type, options_.style);
    if (lossless_ && annotated) out_ += ')';
  }

private:
  struct Group {
    std::string label;
    const Graph* graph;
  };
  /// A block that is being printed. \param level of its nodes
  struct Open {
    const Block* block;
    const Node* next;
    unsigned index;
    std::size_t level;
  };

  static bool isFunctionName(llvm::StringRef name) {
    return !name.empty() && !isDigit(name[0]) && name.find_if_not([](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_' || c == '.';
    }) == llvm::StringRef::npos &&
           name != "return" && name != "with";
  }

  /// The type of the elements that TorchScript writes for an empty list of these kinds, else empty.
  static llvm::StringRef elementName(AttrKind kind) {
    return kind == AttrKind::is   ? "int"
           : kind == AttrKind::fs ? "float"
           : kind == AttrKind::ss ? "str"
           : kind == AttrKind::cs ? "complex"
                                  : "";
  }

  void body(const Graph& graph) {
    std::size_t firstGroup = pending_.size();
    groups_ = true;
    if (!lossless_) index_ = 0;
    out_ += '(';
    for (std::size_t i = 0; i < graph.inputs().size(); ++i) {
      if (i) out_ += ",\n      ";
      typed(graph.inputs()[i]);
    }
    out_ += "):\n";
    std::vector<Open> open{{graph.block(), graph.block()->param()->next(), 0, 1}};
    blocks(open);
    std::reverse(pending_.begin() + static_cast<std::ptrdiff_t>(firstGroup), pending_.end());
  }

  void blocks(std::vector<Open>& open) {
    while (!open.empty()) {
      Open& top = open.back();
      const Node* node = top.next;
      if (node && node != top.block->ret()) {
        std::size_t level = top.level;
        top.next = node->next();
        nodeLine(*node, level);
        if (!node->blocks().empty()) enter(open, *node, 0, level);
        continue;
      }
      auto [block, next, index, level] = top;
      open.pop_back();
      const Node* owner = block->owner();
      indent(level);
      out_ += owner ? "-> (" : "return (";
      operands(block->outputs());
      out_ += ")\n";
      if (owner && index + 1 < owner->blocks().size()) enter(open, *owner, index + 1, level - 2);
    }
  }

  void enter(std::vector<Open>& open, const Node& owner, unsigned index, std::size_t level) {
    const Block* block = owner.blocks()[index];
    indent(level + 1);
    out_ += "block";
    appendInt(out_, index);
    out_ += '(';
    typedList(block->inputs());
    out_ += "):\n";
    open.push_back({block, block->param()->next(), index, level + 2});
  }

  void nodeLine(const Node& node, std::size_t level) {
    indent(level);
    typedList(node.outputs());
    out_ += " = ";
    head(node);
    out_ += '(';
    operands(node.inputs());
    out_ += ')';
    if (!node.scope().empty()) {
      out_ += ", scope: ";
      out_ += node.scope().str();
    }
    const Location& location = node.location();
    if (options_.locations && location.printed && !location.file.empty()) {
      out_ += " # ";
      out_ += location.file.str();
      out_ += ':';
      appendInt(out_, location.line);
      out_ += ':';
      appendInt(out_, location.column);
    }
    out_ += '\n';
  }

  void head(const Node& node) {
    const Attributes& attributes = node.attributes();
    if (!lossless_ && node.op() == Builtin::PythonOp && attributes.has(Builtin::PyName)) {
      const Attribute* scalars = attributes.find(Builtin::PyScalars);
      out_ += '^';
      out_ += textOf(attributes.find(Builtin::PyName));
      attributeList(node,
                    [](Symbol n) { return !n.is(Builtin::PyName) && !n.is(Builtin::PyScalars); });
      out_ += scalars ? textOf(scalars) : "()";
      return;
    }
    const Graph* subgraph = groups_ ? node.subgraph() : nullptr;
    std::size_t labelStart = out_.size();
    out_ += node.kind().str();
    if (lossless_ && !node.overload().empty()) (out_ += '.').append(node.overload().str());
    if (!subgraph) {
      if (!attributes.empty()) attributeList(node, [](Symbol) { return true; });
      return;
    }
    out_ += '_';
    appendInt(out_, index_++);
    pending_.push_back({out_.substr(labelStart), subgraph});
    if (attributes.size() > 1 && (lossless_ || node.op() != Builtin::DifferentiableGraph))
      attributeList(node, [](Symbol n) { return !n.is(Builtin::Subgraph); });
  }

  static llvm::StringRef textOf(const Attribute* attribute) {
    return attribute->value.isString() ? attribute->value.toStringRef() : "";
  }

  template <class F> void attributeList(const Node& node, F wanted) {
    out_ += '[';
    bool first = true;
    for (const Attribute& attribute : node.attributes()) {
      if (!wanted(attribute.name)) continue;
      if (!first) out_ += ", ";
      first = false;
      bool constant = isConstantValue(node, attribute);
      const Type* type = constant ? node.output()->type() : nullptr;
      if (lossless_ && !isBareName(attribute.name.str()))
        appendQuoted(out_, attribute.name.str(), Style::Lossless);
      else
        out_ += attribute.name.str();
      if (lossless_ && (inferredKind(attribute, constant) != attribute.kind ||
                        (constant && typeConverts(attribute.value, type)))) {
        out_ += ':';
        out_ += name(attribute.kind);
      }
      out_ += '=';
      attributeValue(attribute, type);
    }
    out_ += ']';
  }

  void verbatim(const std::string& text) {
    if (!lossless_) {
      out_ += text;
      return;
    }
    out_ += "verbatim(";
    appendQuoted(out_, text, Style::Lossless);
    out_ += ')';
  }

  void graphs(const Attribute& attribute) {
    bool list = attribute.kind == AttrKind::gs;
    if (!lossless_ || !groups_) {
      out_ += list ? "[<Graphs>]" : "<Graph>";
      return;
    }
    if (list) out_ += '[';
    for (std::size_t i = 0; i < attribute.graphs.size(); ++i) {
      if (i) out_ += ", ";
      std::string number = std::to_string(index_++);
      out_ += "<Graph " + number + ">";
      pending_.push_back({"Graph_" + number, attribute.graphs[i].get()});
    }
    if (list) out_ += ']';
  }

  void device(const IValue& value) {
    std::string text;
    printValue(text, value, nullptr, options_.style);
    out_ += llvm::StringRef(text).drop_front(sizeof "torch.device(" - 1).drop_back();
  }

  void type(const Type* type) {
    if (type)
      type->print(out_, options_.style);
    else
      out_ += "<<null>>";
  }

  void name(const Value* value) {
    out_ += '%';
    if (!value)
      out_ += "<<null>>";
    else if (!value->hasName())
      appendInt(out_, value->unique());
    else if (lossless_ && !isBareName(value->name().str()))
      appendQuoted(out_, value->name().str(), Style::Lossless);
    else
      out_ += value->name().str();
  }
  static llvm::StringRef name(AttrKind kind) { return tine::name(kind); }

  void typed(const Value* value) {
    name(value);
    out_ += " : ";
    type(value ? value->type() : nullptr);
  }

  void typedList(llvm::ArrayRef<Value*> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i) out_ += ", ";
      typed(values[i]);
    }
  }

  void operands(Operands values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i) out_ += ", ";
      name(values[i]);
    }
  }

  void indent(std::size_t level) { out_.append(2 * level, ' '); }

  std::string& out_;
  const PrintOptions& options_;
  bool lossless_;
  bool groups_ = true;
  unsigned index_ = 0;         ///< of the next group; restarts with every graph in the compat style
  std::vector<Group> pending_; ///< the next one last
};

} // namespace

void print(std::string& out, const Graph& graph, const PrintOptions& options,
           llvm::StringRef name) {
  Printer(out, options).graph(graph, name);
}

void print(std::string& out, const CompilationUnit& unit, const PrintOptions& options) {
  if (options.style == Style::Lossless) out += "# tine 1\n";
  Printer printer(out, options);
  bool first = true;
  for (const NamedGraph& function : unit.functions()) {
    if (!first) out += '\n';
    first = false;
    printer.graph(*function.graph, function.name);
  }
}

void print(std::string& out, const Node& node, const PrintOptions& options) {
  Printer printer(out, options);
  printer.nodeWithBlocks(node, options.style == Style::Lossless);
  printer.groups();
}

void print(std::string& out, const Attribute& attribute, const PrintOptions& options) {
  Printer(out, options).loneAttribute(attribute);
}

std::string str(const Graph& graph, const PrintOptions& options) {
  std::string out;
  print(out, graph, options);
  return out;
}

std::string str(const CompilationUnit& unit, const PrintOptions& options) {
  std::string out;
  print(out, unit, options);
  return out;
}

std::ostream& operator<<(std::ostream& stream, const Graph& graph) { return stream << str(graph); }

} // namespace tine
