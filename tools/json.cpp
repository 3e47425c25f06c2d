#include "tools/json.h"

#include "tensor/device.h"

#include <cmath>

namespace tine::tools {
namespace {

constexpr int kMaxDepth = 500;
constexpr std::size_t kMaxItems = std::size_t(1) << 27;

Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

/// The recursion follows the value and is bounded by kMaxDepth.
class Writer {
public:
  std::optional<Error> error;

  Json write(const IValue& value, int depth) {
    if (depth > kMaxDepth) return fail("the result is nested more than 500 deep");
    if (++items_ > kMaxItems) return fail("the result has more than 2^27 items");
    switch (value.tag()) {
    case Tag::None:
    case Tag::Uninitialized:
      return nullptr;
    case Tag::Bool:
      return value.toBool();
    case Tag::Int:
      return value.toInt();
    case Tag::Double:
      return number(value.toDouble());
    case Tag::Complex: {
      std::complex<double> z = value.toComplex();
      return Json::array({number(z.real()), number(z.imag())});
    }
    case Tag::String:
      return value.toStringRef().str();
    case Tag::Tensor:
      return {{"tensor", tensor(value.asTensor())}};
    case Tag::List:
      return items(value.toList().items, depth);
    case Tag::Tuple:
      return {{"tuple", items(value.toTuple().items, depth)}};
    case Tag::Dict: {
      Json pairs = Json::array();
      for (const auto& [key, mapped] : value.toDict().items) {
        if (error) break;
        Json pair = Json::array();
        pair.push_back(write(key, depth + 1));
        pair.push_back(write(mapped, depth + 1));
        pairs.push_back(std::move(pair));
      }
      return {{"dict", std::move(pairs)}};
    }
    case Tag::Object:
      if (value.toObject().layout->isEnum) return value.str();
      return {{"object", value.toObject().layout->name}};
    case Tag::Device:
    case Tag::Function:
    case Tag::Future:
    case Tag::RRef:
      return value.str();
    }
    TINE_UNREACHABLE("tag");
  }

private:
  Json fail(const char* message) {
    if (!error) error.emplace(error_kind::Value, message);
    return nullptr;
  }

  Json items(const std::vector<IValue>& values, int depth) {
    Json out = Json::array();
    for (const IValue& value : values) {
      if (error) break;
      out.push_back(write(value, depth + 1));
    }
    return out;
  }

  Json tensor(const Tensor& t) {
    if (!t.defined()) return nullptr;
    Json out;
    out["dtype"] = name(t.dtype()).str();
    out["shape"] = Json::array();
    for (std::int64_t size : t.sizes()) out["shape"].push_back(size);
    Json data = Json::array();
    items_ += static_cast<std::size_t>(t.numel());
    if (items_ > kMaxItems) return fail("the result has more than 2^27 items");
    Tensor rows = t.contiguous();
    dispatch(t.dtype(), [&](auto zero) {
      using T = decltype(zero);
      for (std::int64_t i = 0; i < rows.numel(); ++i) {
        T element = rows.data<T>()[i];
        if constexpr (std::is_floating_point_v<T>)
          data.push_back(number(static_cast<double>(element)));
        else
          data.push_back(element);
      }
    });
    out["data"] = std::move(data);
    return out;
  }

  std::size_t items_ = 0;
};

} // namespace

Result<Json> toJson(const IValue& value) {
  Writer writer;
  Json json = writer.write(value, 0);
  if (writer.error) return *std::move(writer.error);
  return json;
}

Json toJson(const Error& error) {
  Json out;
  out["kind"] = error.kind;
  out["message"] = error.message;
  out["traceback"] = Json::array();
  for (const TraceEntry& entry : error.traceback) {
    Json line;
    line["function"] = entry.function;
    line["place"] = entry.place.known() ? Json(entry.place.str()) : Json(nullptr);
    line["edge"] = entry.edge == TraceEntry::Edge::Fork ? "fork" : "call";
    out["traceback"].push_back(std::move(line));
  }
  return out;
}

std::string text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace tine::tools
