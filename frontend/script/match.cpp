#include "frontend/script/emitter.h"
#include "frontend/script/types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace tine::script {
namespace {

/// `int[2]` takes one int for two.
bool repeats(const Type* actual, const Argument& argument) {
  const Type* formal = withoutOptional(argument.type);
  return (actual->is(TypeKind::Int) || actual->is(TypeKind::Float)) && argument.listSize &&
         formal->is(TypeKind::List) && formal->element() == actual;
}

/// A tuple of one type may stand for a list.
bool listLike(const Type* type, const Type* list) {
  if (!list->is(TypeKind::List)) return false;
  if (isSubtype(type, list)) return true;
  if (!type->is(TypeKind::Tuple)) return false;
  for (const Type* element : type->elements())
    if (!isSubtype(element, list->element())) return false;
  return true;
}

/// `zeros(2, 3)` for `zeros([2, 3])`: the last argument that has no name is a list.
bool takesRest(const Schema& schema, std::size_t i) {
  const Argument& argument = schema.arguments[i];
  return (i + 1 == schema.arguments.size() || schema.arguments[i + 1].keywordOnly) &&
         argument.type->is(TypeKind::List) && !argument.listSize &&
         !argument.type->element()->is(TypeKind::Var);
}

bool isSelfAlias(const Schema& schema, llvm::StringRef formal, llvm::StringRef given) {
  return formal == "self" && given == "input" && llvm::StringRef(schema.name).starts_with("aten::");
}

/// `a list` of List[t].
std::string formOf(const Type* type) {
  type = withoutOptional(type);
  return type->is(TypeKind::Future) ? "a Future"
         : type->is(TypeKind::List) ? "a list"
         : type->is(TypeKind::Dict) ? "a dict"
                                    : "";
}

std::string nearArgument(const Schema& schema, llvm::StringRef word) {
  for (const Argument& argument : schema.arguments)
    if (word.size() > 2 && word.edit_distance(argument.name, true, 2) <= 2)
      return ", did you mean '" + argument.name + "'?";
  return "";
}

} // namespace

Value* Emitter::materialize(Given& given) {
  if (!given.value) given.value = constant(*given.constant);
  return given.value;
}

Value* Emitter::convert(Range range, const Type* wanted, Value* value, bool conversions) {
  const Type* type = value->type();
  if (wanted->is(TypeKind::Optional) && !type->is(TypeKind::Optional) && !type->is(TypeKind::None))
    return convert(range, wanted->element(), value, conversions);
  if (value->node()->kind().str() == "prim::EmptyListLiteral" && wanted->is(TypeKind::List))
    value = insert("prim::ListConstruct", {}, wanted)->output();
  type = value->type();
  if (type->is(TypeKind::Tuple)) {
    const Type* list = withoutOptional(wanted);
    if (listLike(type, list)) value = insert("prim::ListConstruct", unpack(value), list)->output();
    const auto from = type->elements(), to = wanted->elements();
    if (wanted->is(TypeKind::Tuple) && !isSubtype(type, wanted) && from.size() == to.size()) {
      llvm::SmallVector<Value*, 4> parts = unpack(value);
      llvm::SmallVector<const Type*, 4> types;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        parts[i] = convert(range, to[i], parts[i], conversions);
        types.push_back(parts[i]->type());
      }
      value = insert("prim::TupleConstruct", parts, tupleOf(context_, types))->output();
    }
  }
  if (!conversions) return value;
  type = value->type();
  const auto call = [&](const char* name) { return builtin(name, range, {given(value)}); };
  if (isTensor(type)) {
    if (wanted->is(TypeKind::Float)) return call("aten::FloatImplicit");
    if (wanted->is(TypeKind::Complex)) return call("aten::ComplexImplicit");
    if (wanted->is(TypeKind::Int)) return call("aten::IntImplicit");
    if (wanted->is(TypeKind::Number)) return call("aten::ScalarImplicit");
  } else if (type->is(TypeKind::Number)) {
    if (wanted->is(TypeKind::Float)) return call("aten::Float");
    if (wanted->is(TypeKind::Complex)) return call("aten::Complex");
    if (wanted->is(TypeKind::Int)) return call("aten::Int");
  }
  if (type->is(TypeKind::Str) && wanted->is(TypeKind::Device)) return call("aten::device");
  return value;
}

Value* Emitter::matchArgument(const Argument& argument, Range range, Given given, bool conversions,
                              llvm::StringMap<const Type*>& variables, WhyNot* why) {
  const Type* list = withoutOptional(argument.type); // an empty default is of its argument's type
  const bool isEmpty = !given.value && given.constant->isList() &&
                       given.constant->toList().items.empty() && list->is(TypeKind::List);
  Value* value = isEmpty ? constant(*given.constant, std::nullopt, list) : materialize(given);
  if (repeats(value->type(), argument)) {
    llvm::SmallVector<Value*, 4> repeated(static_cast<std::size_t>(*argument.listSize), value);
    value = insert("prim::ListConstruct", repeated, listOf(context_, value->type()))->output();
  }
  std::string reason;
  if (!bindVariables(context_, argument.type, value->type(), variables, why ? &reason : nullptr)) {
    const Type* wanted = why ? substitute(context_, argument.type, variables) : nullptr;
    const bool fits = wanted && isSubtype(value->type(), wanted); // but something else does not
    const std::string instead = ", not " + spelled(value->type());
    if (why && wanted && !fits)
      *why = {"must be " + spelled(wanted) + instead, given.range, spelled(wanted)};
    else if (why)
      *why = {"does not fit: " + reason, given.range, formOf(argument.type)};
    return nullptr;
  }
  const Type* wanted = substitute(context_, argument.type, variables);
  if (!wanted) {
    if (why) *why = {"has a type that is not known", given.range};
    return nullptr;
  }
  value = convert(range, wanted, value, conversions);
  std::string lacks;
  if (isSubtype(value->type(), wanted) && compiler_.implements(value->type(), wanted, lacks))
    return value;
  if (why)
    *why = {"must be " + spelled(wanted) + ", not " + spelled(value->type()) + lacks, given.range,
            spelled(wanted)};
  return nullptr;
}

std::optional<Match> Emitter::tryMatch(const Schema& schema, Range range, const Givens& args,
                                       const Givens& keywords, std::optional<Given> self,
                                       bool conversions, WhyNot* why) {
  if (schema.name == "aten::view" && schema.overload == "dtype") return std::nullopt;
  const auto no = [&](std::string reason, std::optional<Range> blame = std::nullopt) {
    if (why) *why = {std::move(reason), blame, ""};
    return std::nullopt;
  };
  const llvm::StringRef rest = llvm::StringRef(schema.name).rsplit(':').second;
  const std::string name = rest.empty() ? schema.name : rest.str();
  const auto unknownKeyword = [&](const Given& keyword) {
    return no(name + " has no argument '" + keyword.name.str() + "'" +
                  nearArgument(schema, keyword.name),
              keyword.nameRange);
  };
  llvm::StringMap<const Type*> variables;
  Match match;
  match.schema = &schema;
  llvm::SmallVector<bool, 4> used(keywords.size(), false);
  std::size_t next = 0;
  for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
    const Argument& argument = schema.arguments[i];
    Given given;
    if (argument.name == "self" && self) {
      given = *std::exchange(self, std::nullopt);
    } else if (!argument.keywordOnly && next < args.size()) {
      if (conversions && takesRest(schema, i)) {
        Given first = args[next];
        const Type* actual = materialize(first)->type();
        if (!actual->is(TypeKind::List) && !listLike(actual, argument.type)) {
          llvm::SmallVector<Value*, 4> items;
          Argument element;
          element.name = argument.name;
          element.type = argument.type->element();
          for (; next < args.size(); ++next) {
            Value* item = matchArgument(element, range, args[next], conversions, variables, why);
            if (!item) return std::nullopt;
            items.push_back(item);
          }
          match.inputs.push_back(insert("prim::ListConstruct", items, argument.type)->output());
          continue;
        }
      }
      given = args[next++];
    } else {
      std::size_t k = 0;
      while (k < keywords.size() && keywords[k].name != argument.name &&
             !isSelfAlias(schema, argument.name, keywords[k].name))
        ++k;
      if (k < keywords.size()) {
        used[k] = true;
        given = keywords[k];
      } else if (argument.defaultValue) {
        given.constant = argument.defaultValue;
        given.range = range;
      } else {
        for (const Given& keyword : keywords) // which may be the one that is missing, misspelled
          if (schema.find(keyword.name) < 0 && !isSelfAlias(schema, "self", keyword.name))
            return unknownKeyword(keyword);
        if (argument.name == "self")
          return no(name + " takes " + std::to_string(schema.arguments.size()) +
                    (schema.arguments.size() == 1 ? " argument" : " arguments") + ", not " +
                    std::to_string(args.size()));
        return no(name + " is missing argument '" + argument.name + "'");
      }
    }
    Value* value = matchArgument(argument, range, given, conversions, variables, why);
    if (!value) {
      if (why) {
        why->argument = argument.name;
        why->position = i;
        const bool form = !why->wanted.empty() && argument.name == "self";
        why->message =
            form ? name + " takes " + why->wanted + ", not " + spelled(materialize(given)->type())
                 : "argument '" + argument.name + "' of " + name + " " + why->message;
      }
      return std::nullopt;
    }
    match.inputs.push_back(value);
  }
  if (schema.varargs)
    for (; next < args.size(); ++next) {
      Given given = args[next];
      match.inputs.push_back(materialize(given));
    }
  if (next < args.size()) {
    const bool named = next < schema.arguments.size();
    return no(name + " takes " + std::to_string(next) + (next == 1 ? " argument" : " arguments") +
              (named ? " without a name" : "") + ", not " + std::to_string(args.size()));
  }
  for (std::size_t k = 0; k < keywords.size(); ++k)
    if (!used[k]) {
      if (schema.find(keywords[k].name) < 0) return unknownKeyword(keywords[k]);
      return no("argument '" + keywords[k].name.str() + "' of " + name + " is given twice",
                keywords[k].nameRange);
    }
  for (const Argument& result : schema.results) {
    const Type* type = substitute(context_, result.type, variables);
    if (!type) return no("the type of the result is not known");
    match.results.push_back(type);
  }
  return match;
}

Match Emitter::match(const Schema& schema, Range range, const Givens& args,
                     const Givens& keywords) {
  WhyNot why;
  if (auto found = tryMatch(schema, range, args, keywords, std::nullopt, true, &why))
    return *std::move(found);
  compiler_.fail(why.range && why.range->size() ? *why.range : wholeCall(range), why.message,
                 error_kind::Type);
}

bool Emitter::hasMethod(llvm::StringRef name, const Type* self) {
  for (const Overload& overload : compiler_.overloads(name)) {
    const int i = overload.schema.find("self");
    if (i < 0) continue;
    llvm::StringMap<const Type*> variables;
    const Type* formal = overload.schema.arguments[static_cast<std::size_t>(i)].type;
    if (!bindVariables(context_, formal, self, variables, nullptr)) continue;
    const Type* wanted = substitute(context_, formal, variables);
    if (wanted && isSubtype(self, wanted)) return true;
  }
  return false;
}

Value* Emitter::builtin(llvm::StringRef name, Range range, const Givens& args,
                        const Givens& keywords, std::optional<Given> self, bool located) {
  if (Value* made = magic(name, range, args, keywords, self)) return made;
  if (name == "aten::sort" || name == "aten::sorted" || name == "prim::min" ||
      name == "prim::max") {
    Givens all = args;
    if (self) all.insert(all.begin(), *self);
    if (Value* made = ordered(name, range, std::move(all), keywords)) return made;
  }
  llvm::ArrayRef<Overload> overloads = compiler_.overloads(name);
  if (overloads.empty()) {
    auto unknown = resolve(compiler_.ops(), name, "", {});
    std::string notes;
    if (!unknown && !unknown.error().notes.empty()) notes = ", " + unknown.error().notes[0].message;
    compiler_.fail(range, "there is no operator " + name.str() + notes);
  }
  std::optional<Match> found;
  const Overload* chosen = nullptr;
  for (const bool conversions : {false, true}) {
    if (!conversions && overloads.size() == 1) continue;
    for (const Overload& overload : overloads) {
      found = tryMatch(overload.schema, range, args, keywords, self, conversions, nullptr);
      if (!found) continue;
      chosen = &overload;
      break;
    }
    if (found) break;
    if (!conversions)
      if (Value* value = swapped(name, range, args, keywords, self)) return value;
  }
  if (!found) noOverload(name, range, overloads, args, keywords, self);
  Node* node = insert(name, found->inputs, found->results,
                      located ? std::optional<Range>(range) : std::nullopt);
  if (chosen->op) node->setOverload(context_.symbol(chosen->schema.overload));
  if (node->numOutputs() == 1) return node->output();
  llvm::SmallVector<Symbol, 2> names;
  for (const Argument& result : chosen->schema.results)
    if (!result.name.empty()) names.push_back(context_.symbol(result.name));
  const Type* type = !names.empty() && names.size() == found->results.size()
                         ? namedTupleOf(context_, names, found->results)
                         : tupleOf(context_, found->results);
  llvm::SmallVector<Value*, 4> outputs(node->outputs().begin(), node->outputs().end());
  return insert("prim::TupleConstruct", outputs, type)->output();
}

/// `2 - x` of a number and a tensor: TorchScript has these as functions of its own, which it
/// inlines.
Value* Emitter::swapped(llvm::StringRef name, Range range, const Givens& args,
                        const Givens& keywords, const std::optional<Given>& self) {
  if (args.size() != 2 || !keywords.empty() || self || !args[0].value || !args[1].value)
    return nullptr;
  if (name == "aten::__contains__" && args[0].value->type()->is(TypeKind::Str) &&
      args[1].value->type()->is(TypeKind::Str)) {
    Value* end = builtin("aten::len", range, {args[0]});
    Value* start = constant(std::int64_t(0), range);
    Value* found = builtin("aten::find", range, {args[0], args[1], given(start), given(end)});
    return builtin("aten::ne", range, {given(found), given(constant(std::int64_t(-1), range))});
  }
  const auto isNumber = [](const Type* type) {
    return type->is(TypeKind::Int) || type->is(TypeKind::Float) || type->is(TypeKind::Complex);
  };
  const Type* number = args[0].value->type();
  if (name == "aten::floordiv" && isTensor(number) &&
      (isTensor(args[1].value->type()) || isNumber(args[1].value->type())))
    return builtin("aten::floor_divide", range, args);
  if (!isTensor(args[1].value->type()) || !isNumber(number)) return nullptr;
  const char* other = llvm::StringSwitch<const char*>(name)
                          .Case("aten::add", "aten::add")
                          .Case("aten::mul", "aten::mul")
                          .Case("aten::eq", "aten::eq")
                          .Case("aten::ne", "aten::ne")
                          .Case("aten::lt", "aten::gt")
                          .Case("aten::le", "aten::ge")
                          .Case("aten::gt", "aten::lt")
                          .Case("aten::ge", "aten::le")
                          .Default(nullptr);
  if (other) return builtin(other, range, {args[1], args[0]});
  if (name == "aten::sub") {
    Value* negative = builtin("aten::neg", range, {args[1]});
    return builtin("aten::add", range, {given(negative), args[0]});
  }
  if (name == "aten::div") {
    Value* inverse = builtin("aten::reciprocal", range, {args[1]});
    return builtin("aten::mul", range, {given(inverse), args[0]});
  }
  return nullptr;
}

namespace {

/// What all overloads that get furthest through the arguments say of one argument.
void blameArgument(llvm::StringRef name, llvm::ArrayRef<WhyNot> reasons, std::string& message,
                   Range& blame) {
  std::size_t furthest = 0;
  for (const WhyNot& why : reasons)
    if (why.position && *why.position > furthest) furthest = *why.position;
  const WhyNot* first = nullptr;
  std::vector<std::string> wanted;
  for (const WhyNot& why : reasons) {
    if (!why.position && !why.range) continue; // another number of arguments
    if (!why.position) return;
    if (*why.position != furthest) continue;
    if (!why.range || why.range->size() == 0 || why.wanted.empty()) return;
    if (first && first->range->begin != why.range->begin) return;
    if (!first) first = &why;
    if (!llvm::is_contained(wanted, why.wanted)) wanted.push_back(why.wanted);
  }
  if (!first || wanted.size() > 5) return;
  blame = *first->range;
  std::string types;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    types += (i == 0 ? "" : i + 1 == wanted.size() ? " or " : ", ") + wanted[i];
  const llvm::StringRef given = llvm::StringRef(first->message).rsplit(", not ").second;
  const std::string function = name.rsplit(':').second.str();
  message = (first->argument == "self"
                 ? function + " takes "
                 : "argument '" + first->argument + "' of " + function + " must be ") +
            types + ", not " + given.str();
}

/// What helps when it is not the operator that is wrong.
const char* hintFor(const Givens& args, const std::optional<Given>& self) {
  const auto isMaybe = [](const Given& given) {
    return given.value && (given.value->type()->is(TypeKind::Optional) ||
                           (given.value->type()->is(TypeKind::Union) &&
                            withoutNone(given.value->node()->context(), given.value->type())));
  };
  if ((self && isMaybe(*self)) || llvm::any_of(args, isMaybe))
    return "a value that may be None is tested before it is used: if x is not None: ...";
  const bool ofTensors = self && self->value && self->value->type()->is(TypeKind::List) &&
                         isTensor(self->value->type()->element());
  const auto isOther = [](const Given& given) {
    return given.value && !isTensor(given.value->type()) &&
           !given.value->type()->is(TypeKind::List);
  };
  if (ofTensors && llvm::any_of(args, isOther))
    return "[] is a List[Tensor] unless it has a type: x: List[int] = []";
  return nullptr;
}

} // namespace

/// Of the name of what is being called: the whole call.
Range Emitter::wholeCall(Range range) const {
  const bool isCallee = range.begin == callee_.begin && range.end == callee_.end;
  return isCallee ? call_ : range;
}

void Emitter::noOverload(llvm::StringRef name, Range range, llvm::ArrayRef<Overload> overloads,
                         const Givens& args, const Givens& keywords,
                         const std::optional<Given>& self) {
  std::string given;
  const auto describe = [&](const Given& argument, bool named = false) {
    given += given.empty() ? "" : ", ";
    if (named) given += argument.name.str() + "=";
    given += argument.value ? spelled(argument.value->type()) : "a constant";
  };
  if (self) describe(*self);
  for (const Given& argument : args) describe(argument);
  for (const Given& argument : keywords) describe(argument, true);
  std::vector<WhyNot> reasons(overloads.size());
  for (std::size_t i = 0; i < overloads.size(); ++i)
    tryMatch(overloads[i].schema, range, args, keywords, self, true, &reasons[i]);
  std::string message = "no overload of " + name.str() + " takes (" + given + ")";
  Range blame = wholeCall(range);
  const bool isCall = blame.size() != range.size();
  if (overloads.size() == 1) {
    message = reasons[0].message;
    if (reasons[0].range && reasons[0].range->size()) blame = *reasons[0].range;
  } else if (isCall || name == "aten::__getitem__") {
    blameArgument(name, reasons, message, blame);
  }
  Error error(error_kind::Type, message, compiler_.module().source.place(blame));
  if (const char* hint = hintFor(args, self)) error = std::move(error).note(hint);
  for (std::size_t i = 0; i < std::min<std::size_t>(overloads.size(), 12); ++i)
    error = std::move(error).note(overloads[i].schema.str() + ": " + reasons[i].message);
  if (overloads.size() > 12)
    error = std::move(error).note("and " + std::to_string(overloads.size() - 12) + " more");
  compiler_.report(std::move(error));
  throw Stop();
}

Value* Emitter::callFunction(Function& callee, Range range, const Givens& args,
                             const Givens& keywords) {
  const Schema& schema = compiler_.signature(callee, range);
  Match found = match(schema, range, args, keywords);
  Node* name = insert("prim::Constant", {}, Type::FunctionType());
  name->attributes().setString(context_.symbol(Builtin::Name), callee.name);
  llvm::SmallVector<Value*, 6> inputs{name->output()};
  inputs.append(found.inputs.begin(), found.inputs.end());
  return insert("prim::CallFunction", inputs, found.results[0], range)->output();
}

} // namespace tine::script
