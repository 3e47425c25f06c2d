#include "support/literal.h"
#include "tests/fixture.h"

#include <bit>
#include <cmath>
#include <random>

using namespace tine;

namespace {

std::string text(double value, Style style) {
  std::string out;
  appendDouble(out, value, style);
  return out;
}
std::string quoted(llvm::StringRef bytes, Style style) {
  std::string out;
  appendQuoted(out, bytes, style);
  return out;
}
std::string complexText(std::complex<double> value, Style style) {
  std::string out;
  appendComplex(out, value, style);
  return out;
}

TEST(Literal, DoublesAsTorchScriptPrintsThem) {
  EXPECT_EQ(text(2, Style::Compat), "2.");
  EXPECT_EQ(text(-0., Style::Compat), "-0.");
  EXPECT_EQ(text(0.1, Style::Compat), "0.10000000000000001");
  EXPECT_EQ(text(9999999999, Style::Compat), "9999999999.");
  EXPECT_EQ(text(1e10, Style::Compat), "10000000000");
  EXPECT_EQ(text(1e17, Style::Compat), "1e+17");
  EXPECT_EQ(text(-HUGE_VAL, Style::Compat), "-inf");
  EXPECT_EQ(text(NAN, Style::Compat), "nan");
}

TEST(Literal, DoublesExactly) {
  EXPECT_EQ(text(2, Style::Lossless), "2.");
  EXPECT_EQ(text(-0., Style::Lossless), "-0.");
  EXPECT_EQ(text(0.1, Style::Lossless), "0.1");
  EXPECT_EQ(text(1e10, Style::Lossless), "1e10");
  EXPECT_EQ(text(1.5e-300, Style::Lossless), "1.5e-300");
  EXPECT_EQ(text(123456, Style::Lossless), "123456.");
  EXPECT_EQ(text(NAN, Style::Lossless), "nan");
  EXPECT_EQ(text(-NAN, Style::Lossless), "nan(0xfff8000000000000)");
  std::string out;
  appendFloat32(out, std::bit_cast<float>(0x7fc00001));
  EXPECT_EQ(out, "nan(0x7fc00001)");
}

TEST(Literal, RandomBitsReadBack) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100000; ++i) {
    std::uint64_t bits = random();
    std::optional<double> d = readDouble(text(std::bit_cast<double>(bits), Style::Lossless));
    ASSERT_TRUE(d);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(*d), bits);
    auto narrow = static_cast<std::uint32_t>(bits);
    std::string out;
    appendFloat32(out, std::bit_cast<float>(narrow));
    std::optional<float> f = readFloat32(out);
    ASSERT_TRUE(f);
    ASSERT_EQ(std::bit_cast<std::uint32_t>(*f), narrow);
  }
}

TEST(Literal, SpellingsOfDoubles) {
  EXPECT_EQ(readDouble("1E5"), 1e5);
  EXPECT_EQ(readDouble("+.5"), .5);
  EXPECT_EQ(readDouble("0x1p3"), 8.);
  EXPECT_EQ(readDouble("1e-400"), 0.);
  EXPECT_EQ(readDouble("1e-99999999999999999999"), 0.);
  EXPECT_TRUE(std::signbit(*readDouble("-1e-400")));
  for (const char* wrong : {"",
                            "-",
                            "+",
                            ".",
                            "e5",
                            "1e",
                            "1e400",
                            "-1e400",
                            "--1",
                            "+-1",
                            "0x",
                            "1x",
                            " 1",
                            "1 ",
                            "inff",
                            "nan(0x)",
                            "nan(0x7ff8000000000001",
                            "nan(0x0000000000000000)",
                            "-nan(0x7ff8000000000001)",
                            "1e99999999999999999999",
                            "0.0001e99999999999999999999"})
    EXPECT_EQ(readDouble(wrong), std::nullopt) << wrong;
  EXPECT_EQ(readFloat32("1e39"), std::nullopt);
  EXPECT_EQ(readFloat32("16777217"), 16777216.f);
}

TEST(Literal, Ints) {
  EXPECT_EQ(readInt64("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(readInt64("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(readInt64("0x10"), 16);
  EXPECT_EQ(readInt64("-0x8000000000000000"), INT64_MIN);
  for (const char* wrong : {"", "-", "9223372036854775808", "-9223372036854775809", "0x", "1.",
                            "1 ", "0x8000000000000000", "--1", "99999999999999999999999999"})
    EXPECT_EQ(readInt64(wrong), std::nullopt) << wrong;
}

TEST(Literal, ComplexNumbers) {
  EXPECT_EQ(complexText({0, 1}, Style::Compat), "0.+1.j");
  EXPECT_EQ(complexText({1, -.5}, Style::Compat), "1.-0.5j");
  EXPECT_EQ(complexText({1e17, 1e19}, Style::Compat), "100000000000000000.+1e+19j");
  EXPECT_EQ(complexText({-0., -0.}, Style::Compat), "0.+0.j");
  EXPECT_EQ(complexText({0, NAN}, Style::Compat), "0.-nanj");
  EXPECT_EQ(complexText({-0., -0.}, Style::Lossless), "-0.-0.j");
  EXPECT_EQ(complexText({1e10, NAN}, Style::Lossless), "1e10+nanj");
}

TEST(Literal, StringsAsTorchScriptPrintsThem) {
  EXPECT_EQ(quoted("a\"'\\\a\b\f\n\r\t\v", Style::Compat), R"("a\"\'\\\a\b\f\n\r\t\v")");
  EXPECT_EQ(quoted(llvm::StringRef("\0\x1b\x7f", 3), Style::Compat), R"("\000\033\177")");
  EXPECT_EQ(quoted("é", Style::Compat), R"x("\0)+\/.)")x"); // D-11
}

TEST(Literal, StringsExactly) {
  EXPECT_EQ(quoted("é'中\n", Style::Lossless), "\"é'中\\n\"");
  EXPECT_EQ(quoted("\xC3(\x80\x01", Style::Lossless), R"("\xc3(\x80\x01")");
  EXPECT_EQ(quoted("\xED\xA0\x80", Style::Lossless), R"("\xed\xa0\x80")"); // a surrogate
  EXPECT_EQ(quoted("\xF4\x90\x80\x80", Style::Lossless), R"("\xf4\x90\x80\x80")");
}

TEST(Literal, RandomBytesReadBack) {
  std::mt19937 random(5);
  for (int i = 0; i < 100000; ++i) {
    std::string bytes;
    for (unsigned k = random() % 8; k-- > 0;) bytes += static_cast<char>(random());
    for (Style style : {Style::Compat, Style::Lossless}) {
      std::string literal = quoted(bytes, style);
      std::optional<std::string> back =
          unescape(llvm::StringRef(literal).drop_front().drop_back(), nullptr, nullptr);
      ASSERT_TRUE(back) << literal;
      ASSERT_EQ(*back, bytes) << literal;
    }
  }
}

TEST(Literal, Escapes) {
  auto read = [](llvm::StringRef inside) {
    return unescape(inside, nullptr, nullptr).value_or("?");
  };
  EXPECT_EQ(read(R"(\x41\u00e9\U0001f600\101\0)"), std::string("Aé😀A\0", 9));
  EXPECT_EQ(read("a\\\nb"), "ab");
  std::string message;
  std::size_t at = 0;
  EXPECT_FALSE(unescape(R"(ab\q)", &message, &at));
  EXPECT_EQ(at, 2u);
  EXPECT_EQ(message, "an unknown escape");
  for (const char* wrong :
       {"\\", "\\x4", "\\xg0", "\\u12", "\\ud800", "\\U00110000", "\\777", "\\8"})
    EXPECT_FALSE(unescape(wrong, &message, &at)) << wrong;
}

} // namespace
