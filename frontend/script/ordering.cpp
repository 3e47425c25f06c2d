#include "frontend/script/emitter.h"
#include "frontend/script/parse.h"
#include "frontend/script/types.h"

namespace tine::script {
namespace {

/// What sorts objects of a class C by its `__lt__`, and finds the first of the least or greatest:
/// source, as methods are called from graphs alone. Of equal ones none passes another.
constexpr llvm::StringLiteral kOrdering = R"(def __sort__(items: List[C], reverse: bool) -> List[C]:
    items = items[:]
    width = 1
    while width < len(items):
        merged: List[C] = []
        for start in range(0, len(items), 2 * width):
            middle = min(start + width, len(items))
            end = min(start + 2 * width, len(items))
            i = start
            j = middle
            while i < middle and j < end:
                if reverse:
                    other = items[i] < items[j]
                else:
                    other = items[j] < items[i]
                if other:
                    merged.append(items[j])
                    j += 1
                else:
                    merged.append(items[i])
                    i += 1
            merged.extend(items[i:middle])
            merged.extend(items[j:end])
        items = merged
        width *= 2
    return items

def __first__(items: List[C], greatest: bool) -> C:
    if len(items) == 0:
        raise ValueError("the list is empty")
    best = items[0]
    for item in items[1:]:
        if greatest:
            better = best < item
        else:
            better = item < best
        if better:
            best = item
    return best
)";

} // namespace

Function& Compiler::ordering(ClassInfo& info, llvm::StringRef name) {
  File*& file = orderings_[&info];
  if (!file) {
    auto module = parseModule(kOrdering.str(), "<sort>");
    TINE_CHECK_MSG(module, "the text above is source");
    loaded_.push_back(*std::move(module));
    loaded_.back()->prefix = info.qualified + ".";
    file = &addFile(*loaded_.back(), nullptr);
    for (const auto& entry : file->functions) {
      Function& function = *entry.getValue();
      names_.erase(function.name);
      function.name = info.qualified + "." + entry.getKey().str();
      names_[function.name] = &function;
    }
    Meaning meaning = Meaning::of(Meaning::Class, info.name);
    meaning.type = info.type;
    meaning.klass = &info;
    file->imported["C"] = std::move(meaning);
  }
  return *file->functions.lookup(name);
}

/// `sorted(objects)`, `objects.sort()`, `min(objects)`, `max(a, b)`; null of what is no object.
Value* Emitter::ordered(llvm::StringRef name, Range range, Givens args, const Givens& keywords) {
  const bool sorts = name == "aten::sort" || name == "aten::sorted";
  Value* first = args.empty() ? nullptr : args[0].value;
  if (!first) return nullptr;
  const bool isList = first->type()->is(TypeKind::List);
  const Type* element = isList ? first->type()->element() : first->type();
  ClassInfo* info = sorts && !isList ? nullptr : compiler_.classOf(element);
  if (!info || info->kind == ClassInfo::Enum) {
    // Of others TorchScript's sorted has no order but the one: sort has.
    const bool reverses = keywords.size() == 1 && keywords[0].name == "reverse";
    if (name != "aten::sorted" || !isList || args.size() != 1 || !reverses) return nullptr;
    Value* copy = builtin("aten::list", range, {given(first)});
    builtin("aten::sort", range, {}, keywords, given(copy));
    return copy;
  }
  compiler_.complete(*info);
  Function* less = info->method("__lt__");
  if (!less) fail(range, "'" + info->name + "' has no __lt__, which says what comes first");
  if (!compiler_.signature(*less, range).results[0].type->is(TypeKind::Bool))
    fail(range, "__lt__ of '" + info->name + "' does not give a bool");
  const llvm::ArrayRef<Given> rest = llvm::ArrayRef<Given>(args).drop_front();
  if (!sorts) {
    llvm::SmallVector<Value*, 4> items{first};
    for (const Given& given : rest) {
      if (!given.value || !isSubtype(given.value->type(), element)) return nullptr;
      items.push_back(given.value);
    }
    if (!keywords.empty() || isList != rest.empty()) return nullptr;
    if (!isList) first = insert("prim::ListConstruct", items, listOf(context_, element))->output();
    Value* greatest = constant(name == "prim::max", range);
    return callFunction(compiler_.ordering(*info, "__first__"), range,
                        {given(first), given(greatest)}, {});
  }
  if (rest.size() + keywords.size() > 1 || (!keywords.empty() && keywords[0].name != "reverse"))
    return nullptr;
  Given reverse = !rest.empty()       ? rest[0]
                  : !keywords.empty() ? keywords[0]
                                      : given(constant(false, range));
  reverse.name = {};
  Value* sorted =
      callFunction(compiler_.ordering(*info, "__sort__"), range, {given(first), reverse}, {});
  if (name == "aten::sorted") return sorted;
  builtin("aten::clear", range, {}, {}, given(first));
  return builtin("aten::extend", range, {given(sorted)}, {}, given(first));
}

} // namespace tine::script
