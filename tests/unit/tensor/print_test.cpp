#include "llvm/ADT/StringExtras.h"
#include "tensor/print.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace tine;

namespace {

struct Row {
  Tensor tensor;
  std::string repr, stream;
};

std::string unescaped(llvm::StringRef text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
    } else {
      out += text[++i] == 'n' ? '\n' : text[i];
    }
  }
  return out;
}

// The rows of print_table.tsv, which tests/oracle/tensor_print.py writes.
std::vector<Row> table() {
  std::ifstream in(TINE_SOURCE_DIR "/tests/unit/tensor/print_table.tsv");
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) {
    llvm::SmallVector<llvm::StringRef, 5> columns;
    llvm::StringRef(line).split(columns, '\t');
    EXPECT_EQ(columns.size(), 5u) << line;
    llvm::SmallVector<std::int64_t, 6> sizes;
    llvm::SmallVector<llvm::StringRef, 6> dims;
    columns[1].split(dims, 'x', -1, false);
    for (const llvm::StringRef dim : dims) EXPECT_FALSE(dim.getAsInteger(10, sizes.emplace_back()));
    const Tensor t = Tensor::empty(sizes, dtypeFromName(columns[0]).value());
    const std::string bytes = llvm::fromHex(columns[2]);
    EXPECT_EQ(bytes.size(), static_cast<std::size_t>(t.numel()) * itemSize(t.dtype()));
    if (!bytes.empty()) std::memcpy(t.bytes(), bytes.data(), bytes.size());
    rows.push_back({t, unescaped(columns[3]), unescaped(columns[4])});
  }
  return rows;
}

// A view with the elements in another order in memory.
Tensor scattered(const Tensor& t) {
  std::vector<std::int64_t> sizes(t.sizes().begin(), t.sizes().end()), strides(sizes.size());
  std::int64_t stride = 2;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    strides[i] = stride;
    stride *= std::max<std::int64_t>(sizes[i], 1);
  }
  if (t.numel() == 0 || stride > 100'000) return t;
  const Tensor base = Tensor::empty({stride + 1}, t.dtype());
  const Tensor view = base.asStrided(sizes, strides, 1);
  dispatch(t.dtype(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<std::int64_t> index(sizes.size(), 0);
    for (std::int64_t n = 0; n < t.numel(); ++n) {
      view.at<T>(index) = t.data<T>()[n];
      for (std::size_t i = sizes.size(); i-- > 0 && ++index[i] == sizes[i];) index[i] = 0;
    }
  });
  return view;
}

TEST(Print, TableIsLarge) { EXPECT_GE(table().size(), 600u); }

TEST(Print, ReprEqualsPyTorch) {
  for (const Row& row : table()) {
    EXPECT_EQ(row.tensor.str(), row.repr);
    EXPECT_EQ(scattered(row.tensor).str(), row.repr);
  }
}

TEST(Print, StreamEqualsATen) {
  for (const Row& row : table()) {
    EXPECT_EQ(streamStr(row.tensor), row.stream);
    EXPECT_EQ(streamStr(scattered(row.tensor)), row.stream);
  }
}

TEST(Print, StreamReadsBack) {
  for (const Row& row : table()) {
    std::string spaces = row.stream;
    std::replace(spaces.begin(), spaces.end(), '\n', ' ');
    for (const std::string& text : {row.stream, spaces}) {
      const Result<Tensor> read = readStreamStr(text);
      ASSERT_TRUE(read) << text << read.error().str();
      EXPECT_EQ(read->dtype(), row.tensor.dtype());
      EXPECT_EQ(read->sizes(), row.tensor.sizes());
      EXPECT_EQ(streamStr(*read), row.stream);
    }
  }
}

// Random small tensors, near the borders between the modes of printing, as graphs may hold them.
TEST(Print, SmallTensorsReprintAfterReading) {
  std::mt19937_64 random(20240501);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int round = 0; round < 3000; ++round) {
    const auto n = static_cast<std::int64_t>(1 + random() % 10);
    const bool single = random() % 2;
    const Tensor t = Tensor::empty(random() % 2 ? llvm::ArrayRef<std::int64_t>({n})
                                                : llvm::ArrayRef<std::int64_t>({1, n, 1}),
                                   single ? DType::Float32 : DType::Float64);
    const double spread = uniform(0, 3);
    const int center = static_cast<int>(random() % 14) - 6;
    for (std::int64_t i = 0; i < n; ++i) {
      double value = uniform(-1, 1) * std::pow(10, center + uniform(-spread, spread));
      if (random() % 4 == 0) // 0.99999, 10.00001, ...
        value = std::pow(10, center) * (1 + uniform(-1e-5, 1e-5));
      if (random() % 16 == 0) value = std::round(value);
      if (single)
        t.data<float>()[i] = static_cast<float>(value);
      else
        t.data<double>()[i] = value;
    }
    const std::string text = streamStr(t);
    const Result<Tensor> read = readStreamStr(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(streamStr(*read), text);
  }
}

TEST(Print, WholeNumbersReadBackExactly) {
  int exact = 0;
  for (const Row& row : table()) {
    if (llvm::StringRef(row.stream).split("[ CPU").first.find_first_of(".*e") !=
        llvm::StringRef::npos)
      continue;
    const Result<Tensor> read = readStreamStr(row.stream, row.tensor.dtype());
    ASSERT_TRUE(read);
    if (!llvm::StringRef(row.stream).contains("nan")) {
      EXPECT_TRUE(identical(*read, row.tensor)) << row.stream;
      ++exact;
    }
  }
  EXPECT_GE(exact, 190);
}

TEST(Print, ReaderRefuses) {
  const std::pair<const char*, const char*> rows[] = {
      {"", "expected '[ CPU...Type{...} ]' after the numbers in the text of a tensor"},
      {" 1\n 2\n", "expected '[ CPU...Type{...} ]' after the numbers in the text of a tensor"},
      {" 1 [ CPUFloatType{1} ", "expected '} ]' at the end of a tensor in the text of a tensor"},
      {" 1 [ CPUFlotType{1} ]", "unknown element type 'Flot' in the text of a tensor"},
      {" 1 [ CPUHalfType{1} ]", "float16 tensors cannot be held in the text of a tensor"},
      {" 1 [ CPUFloatType{x} ]", "malformed sizes 'x' in the text of a tensor"},
      {" 1 [ CPUFloatType{1,} ]", "malformed sizes '1,' in the text of a tensor"},
      {" 1 [ CPUFloatType{-1} ]", "malformed sizes '-1' in the text of a tensor"},
      {" 1 [ CPUFloatType{2} ]", "expected a number in the text of a tensor"},
      {" 1 2 [ CPUFloatType{1} ]", "more numbers than elements in the text of a tensor"},
      {" 1 [ CPUFloatType{0} ]", "more numbers than elements in the text of a tensor"},
      {" 1 [ CPUFloatType{9223372036854775807,9223372036854775807} ]",
       "more elements than numbers in the text of a tensor"},
      {" a [ CPUFloatType{1} ]", "expected a number in the text of a tensor"},
      {" 256 [ CPUByteType{1} ]", "'256' is not a value of uint8 in the text of a tensor"},
      {" 2 [ CPUBoolType{1} ]", "'2' is not a value of bool in the text of a tensor"},
      {" nan [ CPULongType{1} ]", "'nan' is not a value of int64 in the text of a tensor"},
      {" 1 2 [ CPUFloatType{1,1,2} ]", "expected '(1,.,.) =' in the text of a tensor"},
      {"Columns 2 to 2 1 2 [ CPUFloatType{1,2} ]",
       "expected 'Columns' from 1 in the text of a tensor"},
      {"-1 * 1 2 [ CPUFloatType{2} ]", "malformed scale in the text of a tensor"},
  };
  for (const auto& [text, message] : rows) {
    const Result<Tensor> read = readStreamStr(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().kind, "SyntaxError");
    EXPECT_EQ(read.error().message, message) << text;
  }
  EXPECT_EQ(readStreamStr(" 1 [ CPUFloatType{1} ]", DType::Int64).error().message,
            "expected a tensor of int64, not float32 in the text of a tensor");
}

TEST(Print, ReaderSurvivesEveryCut) {
  for (const Row& row : table()) {
    if (row.stream.size() > 300) continue;
    for (std::size_t n = 0; n < row.stream.size(); ++n)
      EXPECT_FALSE(readStreamStr(llvm::StringRef(row.stream).take_front(n)));
  }
}

TEST(Print, ValuesPrintAsTorchScriptPrintsThem) {
  const auto text = [](const IValue& v) {
    std::string out;
    appendStream(out, v);
    return out;
  };
  const std::pair<IValue, const char*> rows[] = {
      {3, "3"},
      {0.1, "0.10000000000000001"},
      {1.0, "1."},
      {-0.0, "0."},
      {1e10, "10000000000."},
      {1e17, "100000000000000000."},
      {9.3e18, "9.3e+18"},
      {1e19, "1e+19"},
      {-9223372036854775808.0, "-9223372036854775808."},
      {1e-5, "1.0000000000000001e-05"},
      {std::nan(""), "nan"},
      {-std::numeric_limits<double>::infinity(), "-inf"},
      {true, "True"},
      {IValue(), "None"},
      {"a'b\n", "a'b\n"},
      {IValue::list({1.0, 0.1}), "[1., 0.10000000000000001]"},
      {IValue::list({"a", "b"}), "[a, b]"},
      {IValue::tuple({1, "a"}), "(1, a)"},
      {IValue::tuple({1}), "(1,)"},
      {IValue::list({IValue::list({1}), IValue::list({})}), "[[1], []]"},
      {std::complex<double>(1, 2), "1.+2.j"},
      {std::complex<double>(-1, -2.5), "-1.-2.5j"},
      {std::complex<double>(-0., -0.), "0.+0.j"},
      {IValue::device(0), "cpu"},
      {IValue::list({*readStreamStr(" 1 2 [ CPULongType{2} ]")}), "[ 1\n 2\n[ CPULongType{2} ]]"},
  };
  for (const auto& [value, expected] : rows) EXPECT_EQ(text(value), expected);
  auto dict = makeRef<Dict>();
  dict->set("a", 1);
  dict->set("b", IValue::list({2}));
  EXPECT_EQ(text(IValue(dict)), "{a: 1, b: [2]}");
}

} // namespace
