#include "tools/arrays.h"

#include "tensor/npy.h"

namespace tine::tools {
namespace {

constexpr int kMaxDepth = 100;
constexpr std::size_t kMaxItems = 100'000; // shared lists may stand for 2^100 items

/// Gathers arrays; the recursion follows the value and is bounded by kMaxDepth.
class Gatherer {
public:
  Result<Ok> add(const IValue& value, const std::string& name, int depth) {
    if (depth > kMaxDepth)
      return Error(error_kind::Value, "the result is nested more than 100 deep, at " + name);
    if (++items_ > kMaxItems)
      return Error(error_kind::Value, "the result has more than 100,000 items");
    const std::string prefix = depth ? name + "/" : "";
    switch (value.tag()) {
    case Tag::None:
      return Ok();
    case Tag::Tensor:
      found.push_back({depth ? name : "arr_0", value.toTensor()});
      return Ok();
    case Tag::Bool:
      return add(Tensor::scalar(std::int64_t{value.toBool()}, DType::Bool), name, depth);
    case Tag::Int:
      return add(Tensor::scalar(value.toInt()), name, depth);
    case Tag::Double:
      return add(Tensor::scalar(value.toDouble(), DType::Float64), name, depth);
    case Tag::List:
      return addAll(value.toList().items, nullptr, prefix, depth);
    case Tag::Tuple:
      return addAll(value.toTuple().items, value.toTuple().names.get(), prefix, depth);
    case Tag::Dict:
      for (const auto& [key, mapped] : value.toDict().items) {
        const std::string own = key.isString() ? key.toStringRef().str() : key.str();
        TINE_TRY(Ok(), add(mapped, prefix + own, depth + 1));
      }
      return Ok();
    case Tag::Device:
    case Tag::Function:
    case Tag::Uninitialized:
    case Tag::String:
    case Tag::Complex:
    case Tag::Object:
    case Tag::Future:
    case Tag::RRef:
      return Error(error_kind::Type,
                   "the result cannot be saved: " + (depth ? name + " in it" : std::string("it")) +
                       " is a " + tine::name(value.tag()).str() + ", which is no array");
    }
    TINE_UNREACHABLE("tag");
  }

  std::vector<NamedTensor> found;

private:
  std::size_t items_ = 0;

  Result<Ok> addAll(const std::vector<IValue>& items, const std::vector<std::string>* names,
                    const std::string& prefix, int depth) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string own = names && i < names->size() ? (*names)[i] : "arr_" + std::to_string(i);
      TINE_TRY(Ok(), add(items[i], prefix + own, depth + 1));
    }
    return Ok();
  }
};

} // namespace

Result<std::vector<NamedTensor>> arraysOf(const IValue& result) {
  Gatherer gatherer;
  TINE_TRY(Ok(), gatherer.add(result, "", 0));
  return std::move(gatherer.found);
}

Result<Ok> saveResult(const std::string& path, const IValue& result) {
  TINE_TRY(const std::vector<NamedTensor> arrays, arraysOf(result));
  if (!llvm::StringRef(path).ends_with(".npy")) return writeNpz(path, arrays);
  if (arrays.size() != 1)
    return Error(error_kind::Value,
                 "a .npy file holds one array, and the result has " +
                     std::to_string(arrays.size()) + "; save it as .npz",
                 wholeFile(path));
  return writeNpy(path, arrays[0].tensor);
}

} // namespace tine::tools
