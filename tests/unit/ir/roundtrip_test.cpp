// TorchScript's own dumps: read, printed, compared byte for byte.

#include "ir/builder.h"
#include "tensor/device.h"
#include "tests/unit/ir/text_fixture.h"

#include <bit>
#include <cstring>
#include <random>

using namespace tine;
using namespace tine::testing;

namespace {

void everyDumpRoundTrips(const std::vector<std::filesystem::path>& dumps) {
  for (const auto& path : dumps) {
    SCOPED_TRACE(path.filename().string());
    std::string text = readFile(path);
    expectRoundTrip(text);
    Result<CompilationUnit> verified = read(text, true);
    EXPECT_TRUE(verified) << errorsOf(verified);
  }
}

TEST(RoundTrip, CommittedDumps) {
  std::vector<std::filesystem::path> dumps = committedDumps();
  EXPECT_GE(dumps.size(), 250u);
  everyDumpRoundTrips(dumps);
}

TEST(RoundTrip, SharedDumps) {
  if (sharedDumps().empty()) GTEST_SKIP() << "no shared data";
  EXPECT_GE(sharedDumps().size(), 90u);
  everyDumpRoundTrips(sharedDumps());
}

/// Any beginning of a dump is a unit or gives errors with places in it.
void checkPrefix(llvm::StringRef text) {
  Result<CompilationUnit> unit = parse(text, "cut.ir");
  if (unit) {
    EXPECT_FALSE(unit->empty());
    return;
  }
  auto lines = static_cast<std::uint32_t>(text.count('\n') + 1);
  for (const Error& error : unit.errors()) {
    EXPECT_FALSE(error.message.empty()) << error.str() << text.str();
    if (error.kind != error_kind::Syntax) continue; // the program's own place
    EXPECT_EQ(error.place.file, "cut.ir");
    EXPECT_GE(error.place.line, 1u);
    EXPECT_LE(error.place.line, lines);
    EXPECT_GE(error.place.column, 1u);
    EXPECT_LE(error.place.column, error.place.skipped + error.place.text.size() + 1);
  }
}

/// Cut at every line, and at 200 seeded positions.
void cutEverywhere(const std::vector<std::filesystem::path>& dumps) {
  std::mt19937 random(7);
  for (const auto& path : dumps) {
    std::string text = readFile(path);
    SCOPED_TRACE(path.filename().string());
    for (std::size_t end = text.find('\n'); end != std::string::npos;
         end = text.find('\n', end + 1))
      checkPrefix(llvm::StringRef(text).take_front(end));
    for (int i = 0; i < 200; ++i)
      checkPrefix(llvm::StringRef(text).take_front(random() % text.size()));
  }
}

TEST(RoundTrip, PrefixesOfCommittedDumps) { cutEverywhere(committedDumps()); }

TEST(RoundTrip, PrefixesOfSharedDumps) {
  if (sharedDumps().empty()) GTEST_SKIP() << "no shared data";
  cutEverywhere(sharedDumps());
}

TEST(RoundTrip, DamagedDumps) {
  std::mt19937 random(11);
  constexpr llvm::StringLiteral signs = "()[]{}<>%=:,.#\"'\\-+*?^ \n\tx0e\xC3\0";
  for (const auto& path : committedDumps()) {
    std::string text = readFile(path);
    if (text.size() > 4000) continue;
    SCOPED_TRACE(path.filename().string());
    for (int i = 0; i < 40; ++i) {
      std::string damaged = text;
      for (unsigned k = 0; k <= random() % 3; ++k) {
        std::size_t at = random() % damaged.size();
        switch (random() % 3) {
        case 0:
          damaged[at] = signs[random() % signs.size()];
          break;
        case 1:
          damaged.erase(at, 1 + random() % 4);
          break;
        default:
          damaged.insert(at, 1, signs[random() % signs.size()]);
        }
        if (damaged.empty()) damaged = " ";
      }
      checkPrefix(damaged);
      // What reads has a lossless text that reads back.
      if (Result<CompilationUnit> unit = read(damaged)) {
        std::string lossless = str(*unit, kLossless);
        Result<CompilationUnit> again = read(lossless);
        ASSERT_TRUE(again) << errorsOf(again) << lossless << "\nof\n" << damaged;
        std::string why;
        ASSERT_TRUE(equal(*unit, *again, &why)) << why << "\n" << lossless;
      }
    }
  }
}

/// Random values with the types that hold them.
class Values {
public:
  explicit Values(Context& context, std::uint32_t seed) : context_(context), random_(seed) {}

  struct Typed {
    IValue value;
    const Type* type;
  };

  Typed next(int depth = 0) {
    switch (pick(depth < 3 ? 12 : 8)) {
    case 0:
      return {integer(), Type::intType()};
    case 1:
      return {number(), Type::floatType()};
    case 2:
      return {std::complex<double>(number(), number()), Type::ComplexType()};
    case 3:
      return {text(), Type::strType()};
    case 4:
      return tensor();
    case 5:
      return {IValue::device(deviceFromName(pick(2) ? "cuda:1" : "cpu")->code()),
              Type::DeviceType()};
    case 6:
      return depth ? Typed{pick(2) == 0, Type::boolType()} : Typed{pick(2), Type::boolType()};
    case 7:
      return {IValue(), Type::noneType()};
    case 8:
      return list(depth);
    case 9:
      return optionalList(depth);
    case 10:
      return tuple(depth);
    default:
      return dict(depth);
    }
  }

private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  template <class T> T bits() {
    T out;
    std::uint64_t word = std::uint64_t(random_()) << 32 | random_();
    if (pick(4) == 0) word >>= pick(64);
    std::memcpy(&out, &word, sizeof out);
    return out;
  }
  std::int64_t integer() {
    constexpr std::int64_t special[] = {INT64_MIN, INT64_MIN + 1, INT64_MAX, -1, 10'000'000'000};
    return pick(3) ? bits<std::int64_t>() : special[pick(std::size(special))];
  }
  double number() {
    constexpr double special[] = {0., -0., 1e10, -1e10, 1e17, 0.1, 5e-324, HUGE_VAL, -HUGE_VAL};
    switch (pick(4)) {
    case 0:
      return special[pick(std::size(special))];
    case 1: // a NaN of either sign, quiet or not, with a payload
      return std::bit_cast<double>(bits<std::uint64_t>() | 0x7FF0'0000'0000'0001);
    default:
      return bits<double>();
    }
  }
  std::string text() {
    using namespace std::string_view_literals;
    constexpr std::string_view special[] = {"\0"sv, "é",  "\U0001F600", "\xE2\x82", "\xED\xA0\x80",
                                            "\\",   "\"", "'",          "\r\n",     "\0007"sv};
    std::string out;
    for (int i = pick(12); i-- > 0;) switch (pick(4)) {
      case 0:
        out += special[pick(std::size(special))];
        break;
      case 1:
        out += static_cast<char>(pick(256));
        break;
      default:
        out += static_cast<char>(32 + pick(95));
      }
    return out;
  }
  /// A value of the type of another, for lists; the refinement of tensors is theirs.
  Typed tensor() {
    constexpr DType dtypes[] = {DType::UInt8, DType::Int8,    DType::Int16,   DType::Int32,
                                DType::Int64, DType::Float32, DType::Float64, DType::Bool};
    llvm::SmallVector<std::int64_t, 6> sizes;
    for (int i = pick(7); i-- > 0;) sizes.push_back(pick(8) ? 1 + pick(3) : 0);
    Tensor t = Tensor::empty(sizes, dtypes[pick(std::size(dtypes))]);
    for (std::int64_t i = 0; i < t.numel(); ++i)
      dispatch(t.dtype(), [&](auto zero) {
        using T = decltype(zero);
        if constexpr (std::is_same_v<T, bool>)
          t.data<T>()[i] = pick(2);
        else if constexpr (std::is_same_v<T, float>)
          t.data<T>()[i] =
              pick(2) ? bits<T>() : std::bit_cast<T>(bits<std::int32_t>() | 0x7F800001);
        else if constexpr (std::is_same_v<T, double>)
          t.data<T>()[i] = number();
        else
          t.data<T>()[i] = pick(2) ? bits<T>() : static_cast<T>(pick(100));
      });
    if (t.dim() == 0) t.impl()->wrapped = pick(2);
    return {t, typeOfTensor(context_, t)};
  }
  Typed list(int depth) {
    Typed first = next(depth + 1);
    std::vector<IValue> items;
    for (int i = pick(4); i-- > 0;) items.push_back(first.value);
    return {IValue::list(std::move(items)), listOf(context_, first.type)};
  }
  Typed optionalList(int depth) {
    Typed first = next(depth + 1);
    std::vector<IValue> items;
    for (int i = pick(4); i-- > 0;) items.push_back(pick(2) ? first.value : IValue());
    return {IValue::list(std::move(items)), listOf(context_, optionalOf(context_, first.type))};
  }
  Typed tuple(int depth) {
    std::vector<IValue> items;
    llvm::SmallVector<const Type*, 4> types;
    for (int i = pick(4); i-- > 0;) {
      Typed item = next(depth + 1);
      items.push_back(item.value);
      types.push_back(item.type);
    }
    return {IValue::tuple(std::move(items)), tupleOf(context_, types)};
  }
  Typed dict(int depth) {
    auto out = makeRef<Dict>();
    Typed first = next(depth + 1);
    bool words = pick(2);
    for (int i = pick(4); i-- > 0;)
      out->set(words ? IValue(text()) : IValue(bits<std::int64_t>()), first.value);
    return {IValue(std::move(out)),
            dictOf(context_, words ? Type::strType() : Type::intType(), first.type)};
  }

  Context& context_;
  std::mt19937 random_;
};

TEST(RoundTrip, TenThousandRandomConstantsOfEveryType) {
  std::string all;
  for (std::uint32_t round = 0; round < 100; ++round) {
    SCOPED_TRACE(round);
    auto context = Context::create();
    CompilationUnit unit(context);
    auto graph = std::make_unique<Graph>(context);
    Builder builder(*graph);
    Values values(*context, round);
    for (int i = 0; i < 100; ++i) {
      Values::Typed constant = values.next();
      builder.constant(constant.value, constant.type);
    }
    unit.add("graph", std::move(graph));

    std::string lossless = str(unit, kLossless);
    Result<CompilationUnit> exact = read(lossless);
    ASSERT_TRUE(exact) << errorsOf(exact);
    std::string why;
    ASSERT_TRUE(equal(unit, *exact, &why)) << why << "\n" << lossless;
    ASSERT_EQ(str(*exact, kLossless), lossless);

    std::string compat = str(unit);
    Result<CompilationUnit> rounded = read(compat);
    ASSERT_TRUE(rounded) << errorsOf(rounded);
    ASSERT_EQ(str(*rounded), compat);
    all += lossless;
  }
  // What is hard was among them.
  for (const char* hard : {"value=-9223372036854775808]",
                           "value=9223372036854775807]",
                           "value=-0.]",
                           "value=1e10]",
                           "value=5e-324]",
                           "value=inf]",
                           "value=nan(0x7ff",
                           "value=nan(0xfff",
                           "\\x00",
                           "\\xed",
                           "é",
                           "\U0001F600",
                           "tensor<Byte>",
                           "tensor<Char>",
                           "tensor<Short>",
                           "tensor<Int>",
                           "tensor<Long>",
                           "tensor<Float>",
                           "tensor<Double>",
                           "tensor<Bool>",
                           ">([]",
                           ">([0]",
                           ", 0, ",
                           "nan(0x7fc",
                           ": complex =",
                           ": Device =",
                           ": NoneType =",
                           ": bool =",
                           "Dict(str, ",
                           "?[] ="})
    EXPECT_TRUE(llvm::StringRef(all).contains(hard)) << hard;
}

} // namespace
