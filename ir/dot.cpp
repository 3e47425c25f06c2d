#include "ir/dot.h"

#include "ir/print.h"
#include "llvm/ADT/DenseMap.h"

namespace tine {
namespace {

constexpr std::size_t kLongestLabel = 60; // of a constant's value

class Writer {
public:
  std::string take() && { return "digraph {\n  node [shape=box]\n" + std::move(out_) + "}\n"; }

  void function(const Graph& graph, llvm::StringRef name) {
    enter(*graph.block(), name);
    while (!frames_.empty()) step();
  }

private:
  /// A block that is being written; then the blocks of its node `node`, one after the other.
  struct Frame {
    const Node* next;
    const Node* end;
    llvm::SmallVector<std::pair<const Block*, std::string>, 0> inside;
    std::size_t entered = 0;
  };

  void enter(const Block& block, llvm::StringRef label) {
    line("subgraph cluster_" + std::to_string(clusters_++) + " {");
    frames_.push_back({block.param()->next(), block.ret(), {}});
    line("label=" + quoted(label));
    if (!block.inputs().empty()) node(*block.param(), "inputs");
  }

  void step() {
    Frame& frame = frames_.back();
    if (frame.entered < frame.inside.size()) {
      auto [block, label] = std::move(frame.inside[frame.entered++]);
      return enter(*block, label); // `frame` may have moved
    }
    if (frame.next == frame.end) {
      node(*frame.end, "return");
      frames_.pop_back();
      return line("}");
    }
    const Node& at = *frame.next;
    frame.next = at.next();
    frame.inside.clear();
    frame.entered = 0;
    for (std::size_t i = 0; i < at.blocks().size(); ++i)
      frame.inside.emplace_back(at.blocks()[i], "block" + std::to_string(i));
    if (const Graph* body = at.subgraph())
      frame.inside.emplace_back(body->block(), at.kind().str());
    node(at, labelOf(at));
  }

  /// A box, and the arrows to it.
  void node(const Node& node, const std::string& label) {
    const std::string id = idOf(node);
    line(id + " [label=" + quoted(label) + "]");
    for (const Value* value : node.inputs()) {
      if (!value) continue;
      const std::string type = value->type() ? value->type()->str() : "";
      line(idOf(*value->node()) + " -> " + id + " [label=" + quoted("%" + value->displayName()) +
           " tooltip=" + quoted(type) + "]");
    }
  }

  static std::string labelOf(const Node& node) {
    std::string label = node.kind().str().str();
    for (const Attribute& attribute : node.attributes()) {
      if (!attribute.graphs.empty()) continue;
      std::string value;
      print(value, attribute);
      if (value.size() > kLongestLabel) {
        std::size_t end = kLongestLabel;
        while (end > 0 && (value[end] & 0xC0) == 0x80) --end; // not inside a character
        value = value.substr(0, end) + "...";
      }
      label += "\n" + attribute.name.str().str() + "=" + value;
    }
    return label;
  }

  std::string idOf(const Node& node) {
    return "n" + std::to_string(ids_.try_emplace(&node, ids_.size()).first->second);
  }

  static std::string quoted(llvm::StringRef text) {
    std::string out = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      if (c == '\n')
        out += "\\n";
      else
        out += c == '\0' ? ' ' : c;
    }
    return out + '"';
  }

  void line(const std::string& text) {
    // Deep nesting would make indentation larger than what it indents.
    out_.append(2 + 2 * std::min<std::size_t>(frames_.size(), 20), ' ');
    (out_ += text) += '\n';
  }

  std::string out_;
  std::vector<Frame> frames_;
  llvm::DenseMap<const Node*, std::size_t> ids_;
  std::size_t clusters_ = 0;
};

} // namespace

std::string dot(const CompilationUnit& unit) {
  Writer writer;
  for (const NamedGraph& function : unit.functions())
    writer.function(*function.graph, function.name);
  return std::move(writer).take();
}

std::string dot(const Graph& graph, llvm::StringRef name) {
  Writer writer;
  writer.function(graph, name);
  return std::move(writer).take();
}

} // namespace tine
