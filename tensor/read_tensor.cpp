#include "support/literal.h"
#include "tensor/print.h"
#include "tensor/strided.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tine {

namespace {

// A printed number: its digits and the power of ten that the scale line asks for.
struct Printed {
  llvm::StringRef text;
  int exponent = 0;

  bool finite() const { return !text.contains('n'); } // not nan, inf
  std::string scaled() const {
    if (exponent == 0 || !finite()) return text.str();
    const auto [mantissa, own] = text.split('e');
    int total = exponent;
    if (int parsed = 0; !own.empty() && !own.ltrim('+').getAsInteger(10, parsed)) total += parsed;
    return mantissa.str() + "e" + std::to_string(total);
  }
  // What the last printed digit stands for. Without a dot, trailing zeros of six digits are
  // dropped.
  double quantum() const {
    const auto [mantissa, own] = text.split('e');
    int power = exponent;
    if (int parsed = 0; !own.empty() && !own.ltrim('+').getAsInteger(10, parsed)) power += parsed;
    const auto [whole, fraction] = mantissa.split('.');
    if (fraction.empty() && !own.empty()) return std::pow(10.0, power - 6);
    return std::pow(10.0, power - static_cast<int>(fraction.size()));
  }
};

class StreamReader {
public:
  explicit StreamReader(llvm::StringRef text) : text_(text) {}

  Result<Tensor> read(std::optional<DType> wanted) {
    const std::size_t at = text_.rfind("[ CPU");
    if (at == llvm::StringRef::npos)
      return fail("expected '[ CPU...Type{...} ]' after the numbers");
    body_ = text_.take_front(at);
    llvm::StringRef tail = text_.drop_front(at + 5).rtrim();
    if (!tail.consume_back("} ]")) return fail("expected '} ]' at the end of a tensor");
    const auto [typeName, sizesText] = tail.split("Type{");
    const std::optional<DType> dtype = dtypeFromIrName(typeName);
    if (!dtype) return fail("unknown element type '" + typeName.str() + "'");
    if (wanted && *wanted != *dtype)
      return fail("expected a tensor of " + name(*wanted).str() + ", not " + name(*dtype).str());
    if (!hasKernels(*dtype)) return fail(name(*dtype).str() + " tensors cannot be held");
    TINE_TRY(const auto sizes, readSizes(sizesText));
    if (!readBody(sizes)) return fail(message_);
    return build(sizes, *dtype);
  }

private:
  Error fail(std::string message) const {
    return Error(error_kind::Syntax, std::move(message) + " in the text of a tensor");
  }

  Result<llvm::SmallVector<std::int64_t, 6>> readSizes(llvm::StringRef text) const {
    llvm::SmallVector<std::int64_t, 6> sizes;
    while (!text.empty()) {
      const auto [size, rest] = text.split(',');
      std::int64_t value = 0;
      if (size.getAsInteger(10, value) || value < 0 || sizes.size() == 64 ||
          (rest.empty() && text.ends_with(",")))
        return fail("malformed sizes '" + text.str() + "'");
      sizes.push_back(value);
      text = rest;
    }
    return sizes;
  }

  // ---- the numbers ----

  bool readBody(llvm::ArrayRef<std::int64_t> sizes) {
    std::size_t count = 1; // each number takes a byte, so more of them cannot follow
    for (const std::int64_t size : sizes)
      if (size == 0) count = 0;
    for (const std::int64_t size : sizes)
      if (count && (static_cast<std::uint64_t>(size) > body_.size() / count ||
                    (count *= static_cast<std::size_t>(size)) > body_.size()))
        return stop("more elements than numbers");
    numbers_.resize(count);
    if (count == 0) return atEnd();
    if (sizes.size() < 2) return readMatrix(0, static_cast<std::int64_t>(count), 1) && atEnd();
    const std::int64_t rows = sizes[sizes.size() - 2], columns = sizes.back();
    if (sizes.size() == 2) return readMatrix(0, rows, columns) && atEnd();
    const auto outer = sizes.drop_back(2);
    llvm::SmallVector<std::int64_t, 4> index(outer.size(), 0);
    for (;;) {
      std::string header = "(";
      std::int64_t at = 0;
      for (std::size_t i = 0; i < outer.size(); ++i) {
        header += std::to_string(index[i] + 1) + ",";
        at = at * outer[i] + index[i];
      }
      header += ".,.)";
      if (!consume(header) || !consume("=")) return stop("expected '" + header + " ='");
      if (!readMatrix(static_cast<std::size_t>(at * rows * columns), rows, columns)) return false;
      std::size_t i = 0; // the first dimension runs fastest
      while (i < index.size() && ++index[i] == outer[i]) index[i++] = 0;
      if (i == index.size()) return atEnd();
    }
  }

  // A matrix, in groups of columns when it is wide.
  bool readMatrix(std::size_t at, std::int64_t rows, std::int64_t columns) {
    for (std::int64_t first = 0; first < columns;) {
      std::int64_t last = columns;
      if (consume("Columns")) {
        std::int64_t from = 0;
        if (!readIndex(from) || !consume("to") || !readLastColumn(last) || from != first + 1 ||
            last < from || last > columns)
          return stop("expected 'Columns' from " + std::to_string(first + 1));
      }
      int exponent = 0;
      if (!readScale(exponent)) return false;
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = first; c < last; ++c) {
          Printed& number = numbers_[at + static_cast<std::size_t>(r * columns + c)];
          if (!readNumber(number.text)) return stop("expected a number");
          number.exponent = exponent;
        }
      first = last;
    }
    return true;
  }

  // `1e-05 *`, if there is one.
  bool readScale(int& exponent) {
    const llvm::StringRef before = body_;
    llvm::StringRef text;
    if (!readNumber(text) || !consume("*")) {
      body_ = before;
      return true;
    }
    const auto scale = readDouble(text);
    if (!scale || !(*scale > 0) || !std::isfinite(*scale)) return stop("malformed scale");
    exponent = static_cast<int>(std::lround(std::log10(*scale)));
    return true;
  }

  bool readNumber(llvm::StringRef& text) {
    body_ = body_.ltrim();
    std::size_t n = 0;
    const auto digits = [&] {
      const std::size_t start = n;
      while (n < body_.size() && body_[n] >= '0' && body_[n] <= '9') ++n;
      return n > start;
    };
    if (body_.starts_with("-")) ++n;
    if (const auto word = body_.drop_front(n); word.starts_with("nan") || word.starts_with("inf")) {
      n += 3;
    } else {
      if (!digits()) return false;
      if (n < body_.size() && body_[n] == '.') {
        ++n;
        if (!digits()) return false;
      }
      if (n + 1 < body_.size() && body_[n] == 'e' && (body_[n + 1] == '+' || body_[n + 1] == '-')) {
        n += 2;
        if (!digits()) return false;
      }
    }
    text = body_.take_front(n);
    body_ = body_.drop_front(n);
    return true;
  }

  // A scale may follow without a space: `to 101e-08 *` is 10 and 1e-08, `to 100.01 *` 10 and 0.01.
  bool readLastColumn(std::int64_t& value) {
    const llvm::StringRef before = body_.ltrim();
    if (!readIndex(value)) return false;
    if (body_.starts_with("e") || body_.starts_with(".")) {
      value /= 10;
      body_ = before.drop_front(before.size() - body_.size() - 1);
    }
    return true;
  }

  bool readIndex(std::int64_t& value) {
    body_ = body_.ltrim();
    return !body_.consumeInteger(10, value);
  }
  bool consume(llvm::StringRef token) {
    body_ = body_.ltrim();
    return body_.consume_front(token);
  }
  bool atEnd() { return body_.ltrim().empty() || stop("more numbers than elements"); }
  bool stop(std::string message) {
    if (message_.empty()) message_ = std::move(message);
    return false;
  }

  // ---- their values ----

  Result<Tensor> build(llvm::ArrayRef<std::int64_t> sizes, DType dtype) const {
    Tensor t = Tensor::empty(sizes, dtype);
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      if (!store(t, i))
        return fail("'" + numbers_[i].text.str() + "' is not a value of " + name(dtype).str());
    if (isFloating(dtype)) makeReprint(t);
    return t;
  }

  bool store(const Tensor& t, std::size_t i) const {
    const std::string text = numbers_[i].scaled();
    return dispatch(t.dtype(), [&](auto zero) {
      using T = decltype(zero);
      T& to = t.data<T>()[i];
      if constexpr (std::is_floating_point_v<T>) {
        if (!numbers_[i].finite()) {
          to = static_cast<T>(nonFinite(text));
          return true;
        }
        std::optional<T> value; // rounded once
        if constexpr (std::is_same_v<T, float>)
          value = readFloat32(text);
        else
          value = readDouble(text);
        // The largest number prints as one just above it.
        constexpr T kMost = std::numeric_limits<T>::max();
        if (!value && numbers_[i].text.ends_with("e+308"))
          value = text.front() == '-' ? -kMost : kMost;
        if (value) to = *value;
        return value.has_value();
      } else {
        std::int64_t value = 0;
        if (llvm::StringRef(text).getAsInteger(10, value)) {
          // 1.2346e+10: rounded, so perhaps to just outside the type.
          if (!numbers_[i].finite()) return false;
          const double real = readDouble(text).value_or(std::nan(""));
          constexpr auto kLeast = static_cast<double>(std::numeric_limits<T>::min());
          constexpr auto kMost = static_cast<double>(std::numeric_limits<T>::max());
          const double slack = numbers_[i].quantum();
          if (!(real >= kLeast - slack && real <= kMost + slack)) return false;
          value = real <= kLeast  ? static_cast<std::int64_t>(std::numeric_limits<T>::min())
                  : real >= kMost ? static_cast<std::int64_t>(std::numeric_limits<T>::max())
                                  : static_cast<std::int64_t>(real);
        }
        to = convert<T>(value);
        return static_cast<std::int64_t>(to) == value;
      }
    });
  }

  static double nonFinite(llvm::StringRef text) {
    const double sign = text.consume_front("-") ? -1 : 1;
    const bool nan = text == "nan";
    return std::copysign(nan ? std::nan("") : std::numeric_limits<double>::infinity(), sign);
  }

  // 9.99999 prints as `10.0000`, and 10. prints differently. Looks for values within the last
  // printed digit that print as the text: all a little smaller or larger, and perhaps one of them
  // different.
  void makeReprint(const Tensor& t) const {
    constexpr std::size_t kMost = 16; // elements; graphs print tensors of at most ten
    if (numbers_.size() > kMost || reprints(t)) return;
    std::vector<double> read(numbers_.size());
    for (std::size_t i = 0; i < read.size(); ++i) read[i] = element(t, i);
    // Steps towards and away from zero that make few numbers whole; `whole` rounds them.
    constexpr double kSteps[] = {0, -0.412345, 0.412345, -0.305, 0.305};
    const auto move = [&](std::size_t i, double step, bool whole) {
      if (!numbers_[i].finite()) return;
      const double away = read[i] == 0 ? std::fabs(step) : step; // -0.0000 keeps its sign
      const double moved = read[i] + std::copysign(away, read[i] * away) * numbers_[i].quantum();
      setElement(t, i, whole ? std::round(moved) : moved);
    };
    for (const bool whole : {false, true})
      for (const double common : kSteps) {
        for (std::size_t i = 0; i < read.size(); ++i) move(i, common, whole);
        if (reprints(t)) return;
        for (std::size_t i = 0; i < read.size(); ++i) {
          for (const double step : kSteps) {
            move(i, step, whole);
            if (reprints(t)) return;
          }
          move(i, common, whole);
        }
      }
    for (std::size_t i = 0; i < read.size(); ++i) setElement(t, i, read[i]);
  }

  static double element(const Tensor& t, std::size_t i) {
    return t.dtype() == DType::Float32 ? static_cast<double>(t.data<float>()[i])
                                       : t.data<double>()[i];
  }
  static void setElement(const Tensor& t, std::size_t i, double value) {
    if (t.dtype() == DType::Float32)
      t.data<float>()[i] = static_cast<float>(value);
    else
      t.data<double>()[i] = value;
  }

  bool reprints(const Tensor& t) const {
    const std::string printed = streamStr(t);
    return std::equal(printed.begin(), printed.end(), text_.begin(), text_.end(),
                      [](char a, char b) { return a == b || (a == '\n' && b == ' '); });
  }

  llvm::StringRef text_, body_;
  std::vector<Printed> numbers_;
  std::string message_;
};

} // namespace

Result<Tensor> readStreamStr(llvm::StringRef text, std::optional<DType> dtype) {
  return StreamReader(text).read(dtype);
}

} // namespace tine
