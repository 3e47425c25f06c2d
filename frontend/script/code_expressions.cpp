#include "frontend/script/code_printer.h"
#include "frontend/script/normalize.h"
#include "ir/print_parts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tine::script {
namespace {

bool sameDefault(const IValue& a, const IValue& b) {
  if (a.tag() != b.tag()) return false;
  if (a.isString()) return a.toStringRef() == b.toStringRef();
  if (a.isList()) return a.toList().items.empty() && b.toList().items.empty();
  return a.isSame(b);
}

} // namespace

std::string Printer::expression(const Node* node) {
  const std::string kind = node->kind().str().str();
  switch (node->op()) {
  case Builtin::Constant:
    return constant(node);
  case Builtin::TupleConstruct: {
    const Type* type = node->output()->type();
    std::string text = "(";
    for (std::size_t i = 0; i < node->numInputs(); ++i) {
      // None alone would not say what else it might be.
      const Type* element = i < type->elements().size() ? type->elements()[i] : nullptr;
      const bool isNone = shared_.words.isFile() && element && type->names().empty() &&
                          element->is(TypeKind::Optional) &&
                          Inlining::isConstant(node->input(i)->node()) &&
                          node->input(i)->type()->is(TypeKind::None);
      text += (i ? ", " : "") +
              (isNone ? "annotate(" + annotation(element) + ", None)" : use(node->input(i)));
    }
    text += node->numInputs() == 1 ? ",)" : ")";
    return type->names().empty() ? text : annotation(type) + text;
  }
  case Builtin::TupleIndex:
    return "(" + use(node->input(0)) + ")[" + use(node->input(1)) + "]";
  case Builtin::TupleSlice:
    return "(" + use(node->input(0)) + ")[" +
           std::to_string(node->attributes().integer(Builtin::Beg)) + ":" +
           std::to_string(node->attributes().integer(Builtin::End)) + "]";
  case Builtin::ListConstruct:
    return container(node, "[" + list(node->inputs()) + "]");
  case Builtin::DictConstruct: {
    std::string items;
    for (std::size_t i = 0; i + 1 < node->numInputs(); i += 2)
      items += (i ? ", " : "") + use(node->input(i)) + ": " + use(node->input(i + 1));
    return container(node, "{" + items + "}");
  }
  case Builtin::UncheckedCast:
    return "unchecked_cast(" + annotation(node->output()->type()) + ", " + use(node->input(0)) +
           ")";
  case Builtin::Uninitialized:
    return "uninitialized(" + annotation(node->output()->type()) + ")";
  case Builtin::IsInstance: {
    std::string types;
    const auto& all = node->attributes().find(Builtin::Types)->types;
    for (const Type* type : all) types += (types.empty() ? "" : ", ") + annotation(type);
    return "isinstance(" + use(node->input(0)) + ", " +
           (all.size() == 1 ? types : "(" + types + ")") + ")";
  }
  case Builtin::CallFunction: {
    std::string text = use(node->input(0)) + "(";
    for (std::size_t i = 1; i < node->numInputs(); ++i) text += use(node->input(i)) + ", ";
    return text + ")";
  }
  case Builtin::CallMethod:
    return method(node);
  case Builtin::GetAttr:
    return attribute(node);
  case Builtin::CreateObject: {
    const std::string type = annotation(node->output()->type());
    return type + ".__new__(" + type + ")";
  }
  case Builtin::Print:
    return "print(" + list(node->inputs()) + ")";
  case Builtin::Reraise: // a call, as it ends no block here
  case Builtin::None:
  case Builtin::Param:
  case Builtin::Return:
  case Builtin::If:
  case Builtin::Loop:
  case Builtin::Try:
  case Builtin::Fork:
  case Builtin::Wait:
  case Builtin::TupleUnpack:
  case Builtin::ListUnpack:
  case Builtin::SetAttr:
  case Builtin::HasAttr:
  case Builtin::RaiseException:
  case Builtin::UncheckedUnwrapOptional:
  case Builtin::Enter:
  case Builtin::Exit:
  case Builtin::Closure:
  case Builtin::DifferentiableGraph:
  case Builtin::PythonOp:
  case Builtin::Value:
  case Builtin::PyName:
  case Builtin::PyScalars:
  case Builtin::Name:
  case Builtin::Subgraph:
  case Builtin::Types:
  case Builtin::Beg:
  case Builtin::End:
    break;
  }
  if (!node->attributes().empty())
    fail(node, kind + "[" + node->attributes().begin()->name.str().str() + "=...]");
  if (kind == "aten::__getitem__" && node->numInputs() == 2)
    return operand(node->input(0)) + "[" + use(node->input(1)) + "]";
  for (const auto& [name, word] : {std::pair("aten::Int", "int"), std::pair("aten::Float", "float"),
                                   std::pair("aten::Bool", "bool"), std::pair("aten::str", "str"),
                                   std::pair("aten::sorted", "sorted")})
    if (kind == name) return std::string(word) + "(" + list(node->inputs()) + ")";
  for (const auto& [name, word] :
       {std::pair("prim::EnumName", "name"), std::pair("prim::EnumValue", "value")})
    if (kind == name) return "(" + use(node->input(0)) + ")." + word;
  if (kind == "aten::ScalarImplicit" || kind == "aten::FloatImplicit" ||
      kind == "aten::IntImplicit")
    return "annotate(" + annotation(node->output()->type()) + ", " + use(node->input(0)) + ")";
  if (kind == "prim::tolist")
    return "annotate(" + annotation(node->output()->type()) + ", " + use(node->input(0)) +
           ".tolist())";
  return call(node, kind);
}

/// A list or dict, with its type where the parts do not tell it.
std::string Printer::container(const Node* node, const std::string& text) {
  const Type* type = node->output()->type();
  const bool told = node->numInputs() && llvm::none_of(type->elements(), [](const Type* element) {
                      return element->is(TypeKind::Optional) || element->is(TypeKind::Union) ||
                             element->is(TypeKind::Interface) || element->is(TypeKind::Any);
                    });
  return told ? text : "annotate(" + annotation(type) + ", " + text + ")";
}

/// In parentheses when it is more than a name.
std::string Printer::operand(const Value* value) {
  const bool part = inlined_.contains(value->node()) && !Inlining::isConstant(value->node()) &&
                    llvm::any_of(use(value), [](char c) { return !llvm::isAlnum(c) && c != '_'; });
  return part ? "(" + use(value) + ")" : use(value);
}

std::string Printer::call(const Node* node, const std::string& kind) {
  auto op = resolve(shared_.ops, *node);
  const Schema* schema = op ? &(*op)->schema : nullptr;
  std::size_t count = node->numInputs();
  while (schema && !schema->varargs && count && count <= schema->arguments.size()) {
    const auto& preset = schema->arguments[count - 1].defaultValue;
    const auto given = knownValue(node->input(count - 1));
    if (!preset || !given || !sameDefault(*preset, *given)) break;
    --count;
  }
  if (node->op() == Builtin::RaiseException && count == 2) {
    const auto cls = knownValue(node->input(1));
    if (cls && cls->isNone()) count = 1;
  }
  std::string text = operatorName(kind) + "(";
  bool named = false; // as one before it was left out
  for (std::size_t i = 0; i < count; ++i) {
    const Argument* argument =
        schema && i < schema->arguments.size() ? &schema->arguments[i] : nullptr;
    if (shared_.words.isFile() && argument && !schema->varargs && argument->defaultValue) {
      // Written, an empty list would be made anew.
      const auto given = knownValue(node->input(i));
      if (given && given->isList() && sameDefault(*argument->defaultValue, *given)) {
        named = true;
        continue;
      }
    }
    if (text.back() != '(') text += ", ";
    if (argument && (named || argument->keywordOnly)) text += argument->name + "=";
    text += use(node->input(i));
  }
  return text + ")";
}

std::string Printer::operatorName(llvm::StringRef kind) {
  auto [space, name] = kind.split("::");
  if (space == "aten") return "torch." + name.str();
  if (space != "prim") shared_.foreign.insert(kind.str());
  return "ops." + space.str() + "." + name.str();
}

// ---- objects ------------------------------------------------------------------------------------

/// The object of torch.no_grad() or its like, or the call of its __init__, which make one call.
bool Printer::isGradMode(const Node* node) {
  const bool isCall = node->op() == Builtin::CallMethod;
  if (!isCall && node->op() != Builtin::CreateObject) return false;
  const Value* object = isCall ? node->input(0) : node->output();
  if (!object->type()->is(TypeKind::Class) ||
      !object->type()->name().starts_with("__torch__.torch.autograd.grad_mode.") ||
      object->node()->op() != Builtin::CreateObject)
    return false;
  const auto isInit = [&](const Node* user) {
    return user->op() == Builtin::CallMethod && user->input(0) == object &&
           user->attributes().string(Builtin::Name) == "__init__" &&
           user->block() == object->node()->block() && !user->output()->hasUses();
  };
  if (isCall) return isInit(node);
  for (const Use& use : object->uses())
    if (isInit(use.user)) return true;
  return false;
}

std::string Printer::method(const Node* node) {
  const std::string name = node->attributes().string(Builtin::Name).str();
  if (shared_.words.isFile() && isGradMode(node)) {
    const llvm::StringRef type = node->input(0)->type()->name();
    std::string arguments;
    for (std::size_t i = 1; i < node->numInputs(); ++i)
      arguments += (i > 1 ? ", " : "") + use(node->input(i));
    return "torch." + type.rsplit('.').second.str() + "(" + arguments + ")";
  }
  if (const std::string property = Vocabulary::propertyOf(name, "_getter");
      shared_.words.isFile() && !property.empty() && node->numInputs() == 1)
    return operand(node->input(0)) + "." + property;
  std::string text = "(" + use(node->input(0)) + ")." + name + "(";
  for (std::size_t i = 1; i < node->numInputs(); ++i) text += use(node->input(i)) + ", ";
  return text + ")";
}

std::string Printer::attribute(const Node* node) {
  const std::string name = node->attributes().string(Builtin::Name).str();
  if (Vocabulary::isWord(name)) return use(node->input(0)) + "." + name;
  std::string out = "getattr(" + use(node->input(0)) + ", ";
  appendQuoted(out, name, Style::Compat);
  return out + ")";
}

// ---- constants ----------------------------------------------------------------------------------

std::string Printer::constant(const Node* node) {
  if (node->attributes().has(Builtin::Name))
    return shared_.words.function(node->attributes().string(Builtin::Name));
  const auto value = knownValue(node->output());
  const bool isMember = value && value->isObject() && value->toObject().layout->isEnum;
  if (!value || value->isTensor() || (value->isObject() && !isMember))
    return "CONSTANTS.c" + std::to_string(shared_.tensors++);
  const Type* type = node->output()->type();
  if (value->isNone() && shared_.words.isFile() && !type->is(TypeKind::None))
    return "annotate(" + annotation(type) + ", None)";
  std::string text;
  shared_.words.literal(text, *value, node->output()->type());
  return text;
}

} // namespace tine::script
