#include "frontend/script/compiler.h"
#include "frontend/script/lex.h"
#include "frontend/script/parser.h"
#include "frontend/script/types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace tine::script {

const Type* Compiler::simpleType(llvm::StringRef name) const {
  return llvm::StringSwitch<const Type*>(name)
      .Case("Tensor", Type::tensorType())
      .Case("int", Type::intType())
      .Case("float", Type::floatType())
      .Case("complex", Type::ComplexType())
      .Case("bool", Type::boolType())
      .Case("str", Type::strType())
      .Cases("None", "NoneType", Type::noneType())
      .Cases("number", "Number", Type::NumberType())
      .Case("Any", Type::AnyType())
      .Cases("Device", "device", Type::DeviceType())
      .Case("Generator", Type::GeneratorType())
      .Case("Stream", Type::StreamType())
      .Cases("List", "list", Type::AnyListType())
      .Cases("Tuple", "tuple", Type::AnyTupleType())
      .Case("Future", futureOf(*context_, Type::AnyType()))
      .Default(nullptr);
}

static std::string nearType(llvm::StringRef word) {
  llvm::StringRef best;
  unsigned distance = word.size() < 4 ? 2 : 3;
  for (llvm::StringRef known : {"Tensor", "int", "float", "bool", "str", "complex", "List", "Dict",
                                "Tuple", "Optional", "Union", "Future", "Any", "number"})
    if (unsigned edits = word.edit_distance_insensitive(known, true, distance); edits < distance)
      best = known, distance = edits;
  return best.empty() || word.empty() ? "" : ", did you mean '" + best.str() + "'?";
}

/// The last word of a type's name: `Tensor` of `torch.Tensor`.
static llvm::StringRef lastWord(const Expr* expr) {
  if (auto* name = llvm::dyn_cast<Name>(expr)) return name->name;
  if (auto* attribute = llvm::dyn_cast<Attribute>(expr)) return attribute->name.text;
  return {};
}

const Type* Compiler::type(const Expr* expr) {
  if (auto* node = llvm::dyn_cast<Constant>(expr); node && node->value == Constant::None)
    return Type::noneType();
  if (auto* node = llvm::dyn_cast<String>(expr)) return quotedType(*node);
  if (auto* node = llvm::dyn_cast<Binary>(expr); node && node->op == BinaryOp::BitOr) {
    llvm::SmallVector<const Type*, 4> members;
    const Expr* at = expr;
    while (auto* inner = llvm::dyn_cast<Binary>(at)) {
      if (inner->op != BinaryOp::BitOr) break;
      members.insert(members.begin(), type(inner->rhs));
      at = inner->lhs;
    }
    members.insert(members.begin(), type(at));
    return makeUnion(*context_, members);
  }
  if (auto* node = llvm::dyn_cast<Subscript>(expr)) return genericType(*node);
  llvm::StringRef word = lastWord(expr);
  if (!word.empty()) {
    if (llvm::isa<Name>(expr))
      if (auto found = file_->imported.find(word); found != file_->imported.end()) {
        if (found->second.kind == Meaning::Poison) throw Stop();
        if (found->second.kind == Meaning::Class) return typeOf(*found->second.klass, expr->range);
        if (found->second.type && found->second.name != "Future") return found->second.type;
      }
    if (auto* attribute = llvm::dyn_cast<Attribute>(expr))
      if (const Type* known = qualifiedType(attribute)) return known;
    if (word == "Future") fail(expr->range, "Future needs the type of its result: Future[int]");
    if (!bareLists_ && (word == "List" || word == "list"))
      fail(expr->range, "List needs the type of its elements: List[int]");
    if (const Type* simple = simpleType(word)) return simple;
  }
  if (word == "Dict" || word == "dict")
    fail(expr->range, "Dict needs the types of its keys and values: Dict[str, int]");
  if (word == "Optional") fail(expr->range, "Optional needs the type it is of: Optional[int]");
  if (word == "Union") fail(expr->range, "Union needs its types: Union[int, str]");
  if (word == "RRef" || word == "Await")
    fail(expr->range, word.str() + " needs the type of its result: " + word.str() + "[int]");
  if (word == "Final") fail(expr->range, "Final needs a type: Final[int]");
  if (!word.empty() && module().lostMore) throw Stop();
  const std::string near = nearType(word);
  if (!word.empty()) fail(expr->range, "unknown type '" + word.str() + "'" + near);
  fail(expr->range,
       std::string("a type is wanted here, not ") + (llvm::isa<Call>(expr)     ? "a call"
                                                     : llvm::isa<Number>(expr) ? "a number"
                                                                               : "a value"));
}

/// A type in quotes: its text is read where it stands.
const Type* Compiler::quotedType(const String& expr) {
  llvm::StringRef whole = module().source.text(expr.range);
  const std::size_t quote = whole.find_first_of("'\"");
  llvm::StringRef inside = whole.substr(quote + 1);
  if (quote == llvm::StringRef::npos || inside.size() < 2 || !inside.starts_with(expr.value) ||
      inside.size() != expr.value.size() + 1)
    fail(expr.range, "a quoted type is one plain string");
  const auto begin = expr.range.begin + static_cast<std::uint32_t>(quote) + 1;
  const Range range{begin, begin + static_cast<std::uint32_t>(expr.value.size())};
  if (++quotes_ > 1) {
    quotes_ = 0;
    fail(expr.range, "a type in quotes in quotes");
  }
  std::vector<Error> errors;
  Parser parser(module(), lexPart(module().source, range, errors), errors);
  const Expr* parsed = parser.expression();
  const Type* found = nullptr;
  if (parsed && errors.empty()) found = type(parsed);
  quotes_ = 0;
  for (Error& error : errors) report(std::move(error));
  if (!found) throw Stop();
  return found;
}

const Type* Compiler::genericType(const Subscript& expr) {
  llvm::StringRef word = lastWord(expr.object);
  if (llvm::isa<Name>(expr.object))
    if (auto found = file_->imported.find(word);
        found != file_->imported.end() && !found->second.name.empty())
      word = found->second.name;
  word = word.rsplit('.').second.empty() ? word : word.rsplit('.').second;
  const auto only = [&](const Type* (*make)(Context&, const Type*)) {
    if (expr.indices.size() != 1)
      fail(expr.range, word.str() + " takes 1 type, not " + std::to_string(expr.indices.size()));
    return make(*context_, type(expr.indices[0]));
  };
  if (word == "List" || word == "list") return only(listOf);
  if (word == "Optional")
    return only(+[](Context& context, const Type* type) {
      return type->is(TypeKind::Union) ? makeUnion(context, {type, Type::noneType()})
                                       : optionalOf(context, type);
    });
  if (word == "Future") return only(futureOf);
  if (word == "RRef") return only(rrefOf);
  if (word == "Await") return only(awaitOf);
  if (word == "Final") {
    if (expr.indices.size() != 1) fail(expr.range, "Final has one type");
    return type(expr.indices[0]);
  }
  llvm::SmallVector<const Type*, 4> parts;
  const bool isTuple = word == "Tuple" || word == "tuple";
  for (const Expr* index : expr.indices) {
    auto* inner = llvm::dyn_cast<Tuple>(index);
    if (inner && inner->items.empty() && isTuple && expr.indices.size() == 1) break; // Tuple[()]
    if (llvm::isa<Slice>(index)) fail(index->range, "this is no type");
    if (auto* dots = llvm::dyn_cast<Constant>(index);
        dots && dots->value == Constant::Ellipsis && isTuple)
      fail(expr.range, "a tuple's length is part of its type; List[" +
                           (parts.empty() ? "int" : spelled(parts[0])) + "] is for any length");
    parts.push_back(type(index));
  }
  if (isTuple) return tupleOf(*context_, parts);
  if (word == "Dict" || word == "dict") {
    if (parts.size() != 2)
      fail(expr.range, "Dict takes 2 types, not " + std::to_string(parts.size()));
    constexpr TypeKind kKeys[] = {TypeKind::Int,     TypeKind::Bool, TypeKind::Float,
                                  TypeKind::Complex, TypeKind::Str,  TypeKind::Tensor,
                                  TypeKind::Device,  TypeKind::Any};
    if (!llvm::is_contained(kKeys, parts[0]->kind()))
      fail(expr.indices[0]->range,
           "a dict's key is int, bool, float, complex, str or Tensor, not " + spelled(parts[0]));
    return dictOf(*context_, parts[0], parts[1]);
  }
  if (word == "Union") return makeUnion(*context_, parts);
  fail(expr.object->range, "unknown type '" + word.str() + "'" + nearType(word));
}

} // namespace tine::script
