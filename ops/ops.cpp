#include "ops/ops.h"

#include "ops/arguments.h"

#include <algorithm>
#include <mutex>

namespace tine {

namespace {

// The words of ops.def's column of effects: reads, writes, external, raises, nondeterministic,
// suspends.
namespace effects {
constexpr Effects Pure{false, false, false, false, false, false};
constexpr Effects Fails{false, false, false, true, false, false};
constexpr Effects Reads{true, false, false, true, false, false};
constexpr Effects Writes{true, true, false, true, false, false};
constexpr Effects Unique{false, false, false, false, true, false};
constexpr Effects External{true, false, true, true, false, false};
constexpr Effects Gathers{true, false, false, true, true, false};
constexpr Effects Suspends{true, false, false, true, false, true};
constexpr Effects Draws{true, false, true, true, true, false};
constexpr Effects Rolls{true, true, true, true, true, false};
constexpr Effects Asks{true, false, true, true, true, false};
constexpr Effects Anything{true, true, true, true, true, true};
} // namespace effects

struct Row {
  const char* schema;
  void (*kernel)(const KernelCall&);
  Effects effects;
  const char* doc;
};

constexpr Row kRows[] = {
#define TINE_OP(kernel, schema, effect, doc) {schema, opkernel::kernel, effects::effect, doc},
#define TINE_INTERPRETED(schema, effect, doc) {schema, nullptr, effects::effect, doc},
#include "ops/ops.def"
};

[[noreturn]] void raiseSchema(llvm::StringRef schema, const std::string& what) {
  raise(error_kind::Schema, what + ": " + schema.str());
}

} // namespace

OpSet::OpSet()
    : context_(Context::create()), classes_(std::make_unique<NativeClasses>(*context_)) {}

OpSet OpSet::builtin() {
  OpSet ops;
  for (const Row& row : kRows)
    ops.insert(row.schema, row.kernel ? Kernel(row.kernel) : Kernel(), row.effects, row.doc);
  return ops;
}

std::shared_ptr<const OpSet> OpSet::sharedBuiltin() {
  static std::mutex mutex;
  static std::weak_ptr<const OpSet> shared; // nothing stays alive once nobody uses it
  const std::lock_guard lock(mutex);
  auto ops = shared.lock();
  if (!ops) shared = ops = std::make_shared<const OpSet>(builtin());
  return ops;
}

void OpSet::addKernel(llvm::StringRef text, Kernel kernel, Effects effects, llvm::StringRef doc) {
  const llvm::StringRef name = text.take_until([](char c) { return c == '(' || c == '.'; }).trim();
  if (!name.contains("::")) raiseSchema(text, "an operator's name is namespace::name");
  if (context_->symbol(name).builtin() != Builtin::None)
    raiseSchema(text, "what " + name.str() + " does is the language's, not an operator's");
  insert(text, std::move(kernel), effects, doc);
}

void OpSet::insert(llvm::StringRef text, Kernel kernel, Effects effects, llvm::StringRef doc) {
  Result<Schema> parsed = parseSchema(*context_, text);
  if (!parsed) {
    const Error& error = parsed.error();
    throw RuntimeError(Error(error_kind::Schema, error.message, error.place));
  }
  Schema schema = *std::move(parsed);
  if (find(schema.name, schema.overload)) raiseSchema(text, "the operator exists already");
  if (std::string misfit = kernel.misfit(schema); !misfit.empty()) raiseSchema(text, misfit);
  auto info =
      std::make_unique<OpInfo>(OpInfo{std::move(schema), effects, std::move(kernel), doc.str()});
  byName_[info->schema.name].push_back(info.get());
  infos_.push_back(std::move(info));
}

llvm::ArrayRef<const OpInfo*> OpSet::find(llvm::StringRef name) const {
  const auto found = byName_.find(name);
  if (found == byName_.end()) return {};
  return found->second;
}

const OpInfo* OpSet::find(llvm::StringRef name, llvm::StringRef overload) const {
  for (const OpInfo* info : find(name))
    if (info->schema.overload == overload) return info;
  return nullptr;
}

std::vector<const OpInfo*> OpSet::all() const {
  std::vector<const OpInfo*> out;
  for (const auto& info : infos_) out.push_back(info.get());
  std::stable_sort(out.begin(), out.end(), [](const OpInfo* a, const OpInfo* b) {
    return a->schema.name < b->schema.name;
  });
  return out;
}

} // namespace tine
