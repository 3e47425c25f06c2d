#include "ir/parse.h"
#include "llvm/ADT/StringExtras.h"
#include "ops/ops.h"
#include "tensor/device.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace tine;
using nlohmann::json;

namespace {

Tensor readTensor(const json& j) {
  const auto sizes = j[1].get<std::vector<std::int64_t>>();
  const auto strides = j[2].get<std::vector<std::int64_t>>();
  const Tensor dense = Tensor::empty(sizes, dtypeFromName(j[0].get<std::string>()).value());
  const std::string bytes = llvm::fromHex(j[3].get<std::string>());
  EXPECT_EQ(bytes.size(), static_cast<std::size_t>(dense.numel()) * itemSize(dense.dtype()));
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

IValue read(const json& j) {
  if (j.is_null()) return IValue();
  if (j.is_boolean()) return j.get<bool>();
  if (j.is_number_integer()) return j.get<std::int64_t>();
  if (j.is_string()) return j.get<std::string>();
  if (j.contains("T")) return readTensor(j["T"]);
  if (j.contains("f"))
    return std::bit_cast<double>(std::stoull(j["f"].get<std::string>(), nullptr, 16));
  if (j.contains("device"))
    return IValue::device(deviceFromName(j["device"].get<std::string>()).value().code());
  std::vector<IValue> items;
  if (j.contains("d")) {
    auto dict = makeRef<Dict>();
    for (const json& item : j["d"]) dict->set(read(item[0]), read(item[1]));
    return dict;
  }
  for (const json& item : j.contains("l") ? j["l"] : j["t"]) items.push_back(read(item));
  return j.contains("l") ? IValue::list(std::move(items)) : IValue::tuple(std::move(items));
}

bool isClose(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b); // any NaN is as good
  return a == b ? std::signbit(a) == std::signbit(b)
                : std::fabs(a - b) <= tolerance * std::max(1.0, std::fabs(b));
}

// Equal in everything that a program can see: kinds, dtypes, sizes, strides, values.
bool same(const IValue& a, const IValue& b, double tolerance) {
  if (a.tag() != b.tag()) return false;
  if (a.isDouble()) return isClose(a.toDouble(), b.toDouble(), tolerance);
  if (a.isList() || a.isTuple()) {
    const auto& x = a.isList() ? a.toList().items : a.toTuple().items;
    const auto& y = b.isList() ? b.toList().items : b.toTuple().items;
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [&](const IValue& i, const IValue& k) { return same(i, k, tolerance); });
  }
  if (!a.isTensor()) return identical(a, b);
  const Tensor &x = a.asTensor(), &y = b.asTensor();
  if (x.dtype() != y.dtype() || x.sizes() != y.sizes() || x.strides() != y.strides()) return false;
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
  return v.str() + " strides " + shapeStr(v.asTensor().strides());
}

// What a call of one overload does to its operands.
struct Outcome {
  IValue result;
  std::string error;
};

Outcome call(const OpInfo& op, std::vector<IValue>& registers, std::uint64_t dying) {
  std::vector<IValue*> arguments;
  for (IValue& value : registers) arguments.push_back(&value);
  Outcome outcome;
  IValue* results[] = {&outcome.result};
  const auto count = static_cast<std::uint32_t>(op.schema.results.size());
  try {
    op.kernel(KernelCall(arguments.data(), static_cast<std::uint32_t>(arguments.size()), results,
                         count, dying));
  } catch (const RuntimeError& e) {
    outcome.error = e.message();
    EXPECT_FALSE(e.kind().empty());
    EXPECT_FALSE(outcome.error.empty());
  }
  return outcome;
}

class Table : public testing::Test {
protected:
  static void check(const json& row) {
    SCOPED_TRACE(row.dump());
    const std::string full = row["op"];
    const auto [name, overload] = llvm::StringRef(full).split('.');
    std::vector<const Type*> types;
    for (const json& type : row["types"])
      types.push_back(parseType(ops_->context(), type.get<std::string>()).value());

    const Result<const OpInfo*> op = resolve(*ops_, name, "", types);
    ASSERT_TRUE(op) << op.error().str();
    EXPECT_EQ((*op)->schema.overload, overload.str());
    EXPECT_EQ(*resolve(*ops_, name, overload, types), *op);

    const double tolerance = row.value("tolerance", 0.0);
    const bool changes = row.contains("after");
    for (const std::uint64_t dying : {std::uint64_t{0}, ~std::uint64_t{0}}) {
      std::vector<IValue> registers;
      for (const json& argument : row["args"]) registers.push_back(read(argument));
      const std::vector<IValue> kept = dying ? std::vector<IValue>() : registers;
      const Outcome outcome = call(**op, registers, dying);
      if (row.contains("error")) {
        EXPECT_TRUE(llvm::StringRef(outcome.error).starts_with(row["error"].get<std::string>()))
            << "error: " << outcome.error << "\nresult: " << describe(outcome.result);
        continue;
      }
      ASSERT_EQ(outcome.error, "");
      EXPECT_TRUE(same(outcome.result, read(row["result"]), tolerance))
          << "result:   " << describe(outcome.result)
          << "\nexpected: " << describe(read(row["result"]));
      for (std::size_t i = 0; i < kept.size(); ++i) {
        const IValue expected = read(changes ? row["after"][i] : row["args"][i]);
        EXPECT_TRUE(same(kept[i], expected, tolerance))
            << "operand " << i << ": " << describe(kept[i]) << "\nexpected: " << describe(expected);
      }
    }
  }
  static void SetUpTestSuite() { ops_ = OpSet::sharedBuiltin(); }
  static void TearDownTestSuite() { ops_ = nullptr; }
  static std::shared_ptr<const OpSet> ops_;
};
std::shared_ptr<const OpSet> Table::ops_;

// Every call of table.jsonl, which tests/oracle/operators.py writes, chooses TorchScript's overload
// and does what TorchScript does.
TEST_F(Table, EqualsTorchScript) {
  std::ifstream in(TINE_SOURCE_DIR "/tests/unit/ops/table.jsonl");
  int rows = 0;
  for (std::string line; std::getline(in, line); ++rows) check(json::parse(line));
  EXPECT_GE(rows, 4000);
}

} // namespace
