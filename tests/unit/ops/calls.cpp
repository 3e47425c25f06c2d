#include "calls.h"

#include "ir/parse.h"
#include "llvm/ADT/StringExtras.h"
#include "tensor/device.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace tine::calls {

using nlohmann::json;

namespace {

Tensor readTensor(const json& j) {
  const auto sizes = j[1].get<std::vector<std::int64_t>>();
  const auto strides = j[2].get<std::vector<std::int64_t>>();
  const Tensor dense = Tensor::empty(sizes, dtypeFromName(j[0].get<std::string>()).value());
  const std::string bytes = llvm::fromHex(j[3].get<std::string>());
  TINE_CHECK(bytes.size() == static_cast<std::size_t>(dense.numel()) * itemSize(dense.dtype()));
  if (!bytes.empty()) std::memcpy(dense.bytes(), bytes.data(), bytes.size());
  if (dense.strides() == llvm::ArrayRef(strides)) return dense;
  std::int64_t last = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    last += (std::max<std::int64_t>(sizes[i], 1) - 1) * strides[i];
  const Tensor t = Tensor::empty({last + 1}, dense.dtype()).asStrided(sizes, strides, 0);
  dispatch(t.dtype(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<std::int64_t> index(sizes.size(), 0);
    for (std::int64_t n = 0; n < t.numel(); ++n) {
      t.at<T>(index) = dense.data<T>()[n];
      for (std::size_t i = sizes.size(); i-- > 0 && ++index[i] == sizes[i];) index[i] = 0;
    }
  });
  return t;
}

// The values of a row: operands refer to earlier ones.
IValue read(const json& j, const std::vector<IValue>& before = {}) {
  if (j.is_null()) return IValue();
  if (j.is_boolean()) return j.get<bool>();
  if (j.is_number_integer()) return j.get<std::int64_t>();
  if (j.is_string()) return j.get<std::string>();
  if (j.contains("T")) return readTensor(j["T"]);
  if (j.contains("f"))
    return std::bit_cast<double>(std::stoull(j["f"].get<std::string>(), nullptr, 16));
  if (j.contains("device"))
    return IValue::device(deviceFromName(j["device"].get<std::string>()).value().code());
  if (j.contains("S")) return before.at(j["S"].get<std::size_t>());
  if (j.contains("K")) return before.at(j["K"][0]).toDict().items.at(j["K"][1]).first;
  if (j.contains("V")) {
    const json& view = j["V"];
    const Tensor& of = before.at(view[0].get<std::size_t>()).asTensor();
    return of.asStrided(view[1].get<std::vector<std::int64_t>>(),
                        view[2].get<std::vector<std::int64_t>>(),
                        of.offset() + view[3].get<std::int64_t>());
  }
  std::vector<IValue> items;
  if (j.contains("d")) {
    auto dict = makeRef<Dict>();
    for (const json& item : j["d"]) dict->set(read(item[0]), read(item[1]));
    return dict;
  }
  for (const json& item : j.contains("l") ? j["l"] : j["t"]) items.push_back(read(item, before));
  return j.contains("l") ? IValue::list(std::move(items)) : IValue::tuple(std::move(items));
}

std::vector<IValue> readAll(const json& list) {
  std::vector<IValue> out;
  for (const json& item : list) out.push_back(read(item, out));
  return out;
}

struct Tolerance {
  double relative = 0;
  bool zeros = false;  // 0.0 may be -0.0
  bool random = false; // numbers may be any
};

class Task final : public CallingTask {
public:
  RandomStream random() override { return stream_.split(); }
  TaskContext context() const override { return {}; }

private:
  RandomStream stream_{1};
};

bool isClose(double a, double b, Tolerance tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b); // any NaN is as good
  return a == b ? tolerance.zeros || std::signbit(a) == std::signbit(b)
                : std::fabs(a - b) <= tolerance.relative * std::max(1.0, std::fabs(b));
}

// Equal in everything that a program can see: kinds, dtypes, sizes, strides, values.
bool same(const IValue& a, const IValue& b, Tolerance tolerance) {
  if (a.tag() != b.tag()) return false;
  if (a.isDouble()) return isClose(a.toDouble(), b.toDouble(), tolerance);
  if (a.isList() || a.isTuple()) {
    const auto& x = a.isList() ? a.toList().items : a.toTuple().items;
    const auto& y = b.isList() ? b.toList().items : b.toTuple().items;
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [&](const IValue& i, const IValue& k) { return same(i, k, tolerance); });
  }
  if (a.isDict()) {
    const auto &x = a.toDict().items, &y = b.toDict().items;
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [&](const auto& i, const auto& k) {
      return same(i.first, k.first, tolerance) && same(i.second, k.second, tolerance);
    });
  }
  if (!a.isTensor()) return identical(a, b);
  const Tensor &x = a.asTensor(), &y = b.asTensor();
  if (x.dtype() != y.dtype() || x.sizes() != y.sizes() || x.strides() != y.strides()) return false;
  if (tolerance.random) return true;
  const Tensor p = x.contiguous(), q = y.contiguous();
  return dispatch(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t i = 0; i < p.numel(); ++i)
      if (!isClose(static_cast<double>(p.data<T>()[i]), static_cast<double>(q.data<T>()[i]),
                   tolerance))
        return false;
    return true;
  });
}

std::string describe(const IValue& v) {
  if (!v.isTensor()) return v.str();
  const Tensor& t = v.asTensor();
  return v.str() + " " + name(t.dtype()).str() + " sizes " + shapeStr(t.sizes()) + " strides " +
         shapeStr(t.strides());
}

struct Outcome {
  IValue result; // a tuple when there are several
  std::string error;
};

Outcome call(const OpInfo& op, std::vector<IValue>& registers, std::uint64_t dying) {
  std::vector<IValue*> arguments, results;
  for (IValue& value : registers) arguments.push_back(&value);
  std::vector<IValue> values(op.schema.results.size());
  for (IValue& value : values) results.push_back(&value);
  Outcome outcome;
  Task task;
  try {
    op.kernel(KernelCall(arguments.data(), static_cast<std::uint32_t>(arguments.size()),
                         results.data(), static_cast<std::uint32_t>(results.size()), dying, &task));
    if (values.size() == 1) outcome.result = std::move(values[0]);
    if (values.size() > 1) outcome.result = IValue::tuple(std::move(values));
  } catch (const RuntimeError& e) {
    outcome.error = e.kind() + ": " + e.message();
  }
  return outcome;
}

// TorchScript's text, or it and more: shapes, which it leaves out.
bool says(llvm::StringRef error, llvm::StringRef expected) {
  return error.split(": ").second.starts_with(expected);
}

Verdict compare(const json& row, const OpInfo& op, bool dies) {
  std::vector<IValue> registers = readAll(row["args"]);
  const std::vector<IValue> kept = dies ? std::vector<IValue>() : registers;
  const IValue aliased =
      row.contains("alias") ? registers[row["alias"].get<std::size_t>()] : IValue();
  const Outcome outcome = call(op, registers, dies ? ~std::uint64_t{0} : 0);
  if (row.contains("died")) return {};
  if (row.contains("error")) {
    if (outcome.error.empty()) return {Verdict::Differs, describe(outcome.result)};
    if (says(outcome.error, row["error"].get<std::string>())) return {};
    return {Verdict::Text, outcome.error};
  }
  if (!outcome.error.empty()) return {Verdict::Differs, outcome.error};
  const Tolerance tolerance{row.value("tolerance", 0.0), false, row.contains("random")};
  const IValue wanted = read(row["result"]);
  if (!same(outcome.result, wanted, tolerance))
    return {Verdict::Differs, (same(outcome.result, wanted, {tolerance.relative, true, false})
                                   ? "the sign of a zero: "
                                   : "") +
                                  describe(outcome.result)};
  if (aliased.isTensor() && !outcome.result.asTensor().sharesStorageWith(aliased.asTensor()))
    return {Verdict::Differs, "a copy"};
  json after = row.contains("after") ? row["after"] : row["args"];
  for (json& value : after)
    if (value.contains("K")) value = nullptr; // the key may be gone
  const std::vector<IValue> expected = readAll(after);
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (!row["args"][i].contains("K") && !same(kept[i], expected[i], tolerance))
      return {Verdict::Differs, "operand " + std::to_string(i) + " becomes " + describe(kept[i])};
  return {};
}

} // namespace

Verdict run(const OpSet& ops, const json& row) {
  const std::string full = row["op"];
  const auto [name, overload] = llvm::StringRef(full).split('.');
  std::vector<const Type*> types;
  for (const json& type : row["types"])
    types.push_back(parseType(ops.context(), type.get<std::string>()).value());
  const Result<const OpInfo*> op = resolve(ops, name, "", types);
  if (!op) return {Verdict::Differs, op.error().str()};
  if ((*op)->schema.overload != overload)
    return {Verdict::Differs, "another overload: " + (*op)->schema.overload};
  if (*resolve(ops, name, overload, types) != *op)
    return {Verdict::Differs, "another overload, by name"};
  const Verdict verdict = compare(row, **op, false);
  return verdict.kind == Verdict::Same ? compare(row, **op, true) : verdict;
}

} // namespace tine::calls
