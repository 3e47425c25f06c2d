#include "frontend/script/declarations.h"

#include "frontend/script/normalize.h"
#include "frontend/script/types.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

namespace tine::script {
namespace {

/// Adds what graphs tell of classes that nobody declared.
class Search {
public:
  Search(std::vector<ClassDeclaration>& classes, llvm::ArrayRef<const NamedGraph*> functions,
         const OpSet& ops)
      : classes_(classes), functions_(functions), ops_(ops), declared_(classes.size()) {
    for (std::size_t i = 0; i < declared_; ++i) indices_.try_emplace(classes[i].type, i);
  }

  void run() {
    for (const NamedGraph* function : functions_)
      forEachGraph(*function->graph, [&](const Graph& graph) { types(graph); });
    if (classes_.size() == declared_) return;
    for (const NamedGraph* function : functions_)
      forEachGraph(*function->graph, [&](const Graph& graph) { uses(graph); });
  }

private:
  static void forEachGraph(const Graph& whole, llvm::function_ref<void(const Graph&)> f) {
    std::vector<const Graph*> todo{&whole};
    while (!todo.empty()) {
      const Graph* graph = todo.back();
      todo.pop_back();
      f(*graph);
      graph->forEachNode([&](const Node* node) {
        if (node->subgraph()) todo.push_back(node->subgraph());
      });
    }
  }

  void types(const Graph& graph) {
    for (const Value* input : graph.inputs()) add(input->type());
    graph.forEachNode([&](const Node* node) {
      for (const Value* output : node->outputs()) add(output->type());
      for (const Block* block : node->blocks())
        for (const Value* input : block->inputs()) add(input->type());
      if (const Attribute* attribute = node->attributes().find(Builtin::Types))
        for (const Type* type : attribute->types) add(type);
    });
  }

  void add(const Type* whole) {
    llvm::SmallVector<const Type*, 4> todo{whole};
    while (!todo.empty()) {
      const Type* type = todo.pop_back_val();
      todo.append(type->elements().begin(), type->elements().end());
      const bool named = type->is(TypeKind::Tuple) && !type->names().empty();
      const bool isClass = type->is(TypeKind::Class);
      if (!named && !isClass && !type->is(TypeKind::Enum) && !type->is(TypeKind::Interface))
        continue;
      if (isClass && isForeignClass(type->name(), ops_)) continue;
      if (!indices_.try_emplace(type, classes_.size()).second) continue;
      ClassDeclaration made;
      made.type = type;
      made.kind = named                           ? ClassDeclaration::NamedTuple
                  : isClass                       ? ClassDeclaration::Object
                  : type->is(TypeKind::Interface) ? ClassDeclaration::Interface
                                                  : ClassDeclaration::Enum;
      made.name = named ? "NamedTuple" + std::to_string(tuples_++) : type->name().str();
      for (std::size_t i = 0; named && i < type->names().size(); ++i)
        made.fields.push_back({type->names()[i].str().str(), type->elements()[i], std::nullopt});
      classes_.push_back(std::move(made));
    }
  }

  /// The class when it is one that only graphs tell of; else null.
  ClassDeclaration* found(const Type* type) {
    const auto known = indices_.find(type);
    return known == indices_.end() || known->second < declared_ ? nullptr
                                                                : &classes_[known->second];
  }

  void uses(const Graph& graph) {
    graph.forEachNode([&](const Node* node) {
      if (node->op() == Builtin::GetAttr)
        attribute(node, node->output()->type(), true);
      else if (node->op() == Builtin::SetAttr && node->numInputs() == 2)
        attribute(node, plain(node->input(1)->type()), false);
      else if (node->op() == Builtin::CallMethod)
        call(node);
      else if (node->op() == Builtin::Constant && node->numOutputs() == 1)
        if (auto value = knownValue(node->output())) members(*value);
    });
  }

  /// What is read has the attribute's type, what is written may have a narrower one.
  void attribute(const Node* node, const Type* type, bool isRead) {
    ClassDeclaration* owner = found(node->input(0)->type());
    if (!owner || owner->kind != ClassDeclaration::Object) return;
    const std::string name = node->attributes().string(Builtin::Name).str();
    const auto field = llvm::find_if(owner->fields, [&](const auto& f) { return f.name == name; });
    if (field == owner->fields.end()) {
      owner->fields.push_back({name, type, std::nullopt});
    } else if (isRead) {
      field->type = type;
    } else if (!isSubtype(type, field->type)) {
      if (const Type* both = unify(node->graph().context(), field->type, type)) field->type = both;
    }
  }

  void call(const Node* node) {
    ClassDeclaration* owner = found(node->input(0)->type());
    if (!owner || owner->kind != ClassDeclaration::Interface) return;
    Schema method;
    method.name = node->attributes().string(Builtin::Name).str();
    if (llvm::any_of(owner->methods, [&](const Schema& m) { return m.name == method.name; }))
      return;
    const NamedGraph* like = implementation(node, method.name);
    for (std::size_t i = 0; i < node->numInputs(); ++i) {
      Argument argument;
      argument.name = i ? "arg" + std::to_string(i) : "self";
      argument.type = node->input(i)->type();
      if (const Value* input = like && i ? like->graph->inputs()[i] : nullptr) {
        argument.type = input->type();
        if (input->hasName()) argument.name = input->name().str().split('.').first.str();
      }
      method.arguments.push_back(std::move(argument));
    }
    Argument result;
    result.type = node->numOutputs() ? node->output()->type() : Type::noneType();
    method.results.push_back(std::move(result));
    owner->methods.push_back(std::move(method));
  }

  /// A method that the call may mean, for its parameters' names.
  const NamedGraph* implementation(const Node* node, llvm::StringRef name) const {
    for (const NamedGraph* function : functions_) {
      const auto inputs = function->graph->inputs();
      if (llvm::StringRef(function->name).rsplit('.').second == name &&
          inputs.size() == node->numInputs() && inputs[0]->type()->is(TypeKind::Class))
        return function;
    }
    return nullptr;
  }

  void members(const IValue& whole) {
    llvm::SmallVector<const IValue*, 8> todo{&whole};
    while (!todo.empty()) {
      const IValue& value = *todo.pop_back_val();
      if (value.isTuple())
        for (const IValue& item : value.toTuple().items) todo.push_back(&item);
      if (value.isList())
        for (const IValue& item : value.toList().items) todo.push_back(&item);
      if (!value.isObject() || !value.toObject().layout->isEnum) continue;
      const Object& object = value.toObject();
      for (std::size_t i = declared_; i < classes_.size(); ++i) {
        ClassDeclaration& owner = classes_[i];
        const std::string name = object.slots[0].toStringRef().str();
        if (owner.kind != ClassDeclaration::Enum || owner.name != object.layout->name ||
            llvm::any_of(owner.fields, [&](const auto& field) { return field.name == name; }))
          continue;
        owner.fields.push_back({name, nullptr, IValue(object.slots[1])});
      }
    }
  }

  std::vector<ClassDeclaration>& classes_;
  llvm::ArrayRef<const NamedGraph*> functions_;
  const OpSet& ops_;
  const std::size_t declared_;
  std::map<const Type*, std::size_t> indices_;
  int tuples_ = 0;
};

} // namespace

bool isForeignClass(llvm::StringRef name, const OpSet& ops) {
  return name.starts_with("__torch__.torch.autograd.grad_mode.") || ops.classes().find(name);
}

std::vector<ClassDeclaration> declarations(llvm::ArrayRef<ClassDeclaration> declared,
                                           llvm::ArrayRef<const NamedGraph*> functions,
                                           const OpSet& ops) {
  std::vector<ClassDeclaration> classes(declared.begin(), declared.end());
  Search(classes, functions, ops).run();
  return classes;
}

} // namespace tine::script
