#include "tensor/print.h"
#include "tensor/strided.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace tine {

namespace {

std::string formatted(const char* format, double value) {
  char buffer[400]; // %.0f of the largest double has 309 digits
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

// ---- Tensor::str: as PyTorch's Python prints
// ------------------------------------------------------

constexpr std::int64_t kThreshold = 1000; // more elements than this are summarised
constexpr std::int64_t kEdge = 3;         // ... to so many at each end of a dimension
constexpr int kLineWidth = 80;

std::string elementText(const Tensor& t, std::int64_t at) {
  return dispatch(t.dtype(), [&](auto zero) -> std::string {
    using T = decltype(zero);
    const T value = t.data<T>()[at];
    if constexpr (std::is_same_v<T, bool>)
      return value ? "True" : "False";
    else
      return std::to_string(value);
  });
}

double elementDouble(const Tensor& t, std::int64_t at) {
  return dispatch(t.dtype(),
                  [&](auto zero) { return static_cast<double>(t.data<decltype(zero)>()[at]); });
}

// How the elements of one tensor print: all to one width, floats in one of three modes.
class PythonFormat {
public:
  PythonFormat(const Tensor& t, bool summarize) : t_(t), summarize_(summarize) {
    floating_ = isFloating(t.dtype());
    if (!floating_) {
      visit(0, 0, [&](std::int64_t at) { widen(elementText(t, at)); });
      return;
    }
    double smallest = 0, largest = 0;
    bool any = false;
    visit(0, 0, [&](std::int64_t at) {
      const double value = elementDouble(t, at);
      if (!std::isfinite(value) || value == 0) return;
      const double magnitude = std::fabs(value);
      smallest = any ? std::min(smallest, magnitude) : magnitude;
      largest = any ? std::max(largest, magnitude) : magnitude;
      any = true;
      if (value != std::ceil(value)) whole_ = false;
    });
    if (!any) return;
    scientific_ = largest / smallest > 1000 || largest > 1e8 || (!whole_ && smallest < 1e-4);
    visit(0, 0, [&](std::int64_t at) {
      const double value = elementDouble(t, at);
      if (std::isfinite(value) && value != 0) widen(text(value));
    });
  }

  std::size_t width() const { return width_; }
  std::string element(std::int64_t at) const {
    const std::string s = floating_ ? text(elementDouble(t_, at)) : elementText(t_, at);
    return std::string(s.size() < width_ ? width_ - s.size() : 0, ' ') + s;
  }

private:
  std::string text(double value) const {
    if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    if (scientific_) return formatted("%.4e", value);
    if (whole_) return formatted("%.0f", value) + ".";
    return formatted("%.4f", value);
  }
  void widen(const std::string& s) { width_ = std::max(width_, s.size()); }

  // The elements that are printed; the depth of recursion is the number of dimensions, at most 64.
  template <class F> void visit(std::size_t dim, std::int64_t at, const F& f) {
    if (dim == t_.sizes().size()) return f(at);
    const std::int64_t size = t_.sizes()[dim];
    for (std::int64_t i = 0; i < size; ++i) {
      if (summarize_ && size > 2 * kEdge && i == kEdge) i = size - kEdge;
      visit(dim + 1, at + i * t_.strides()[dim], f);
    }
  }

  const Tensor& t_;
  bool summarize_, floating_ = false, whole_ = true, scientific_ = false;
  std::size_t width_ = 1;
};

class PythonPrinter {
public:
  PythonPrinter(const Tensor& t, bool summarize)
      : t_(t), format_(t, summarize), summarize_(summarize) {}

  // One dimension and what is in it; recursion as deep as there are dimensions, at most 64.
  void print(std::string& out, std::size_t dim, std::int64_t at, std::size_t indent) const {
    const std::size_t ndim = t_.sizes().size();
    if (dim == ndim) {
      out += format_.element(at);
      return;
    }
    const std::int64_t size = t_.sizes()[dim];
    const bool row = dim + 1 == ndim;
    const std::size_t perLine = std::max<std::size_t>(
        1, (kLineWidth - std::min<std::size_t>(indent, kLineWidth)) / (format_.width() + 2));
    const std::string newLine =
        "," + std::string(row ? 1 : ndim - dim - 1, '\n') + std::string(indent + 1, ' ');
    std::size_t printed = 0;
    const auto separate = [&] {
      if (printed) out += row && printed % perLine ? std::string(", ") : newLine;
      ++printed;
    };
    out += '[';
    for (std::int64_t i = 0; i < size; ++i) {
      if (summarize_ && size > 2 * kEdge && i == kEdge) {
        separate();
        out += row ? " ..." : "...";
        i = size - kEdge;
      }
      separate();
      print(out, dim + 1, at + i * t_.strides()[dim], indent + 1);
    }
    out += ']';
  }

private:
  const Tensor& t_;
  PythonFormat format_;
  bool summarize_;
};

} // namespace

std::string Tensor::str() const {
  if (!defined()) return "tensor(<undefined>)";
  std::string out = "tensor(";
  const std::size_t indent = out.size();
  std::vector<std::string> suffixes;
  bool plainType = dtype() == DType::Float32;
  if (numel() == 0) {
    if (dim() != 1) {
      std::string size = "size=(";
      for (const std::int64_t s : sizes()) size += std::to_string(s) + ", ";
      size.resize(size.size() - 2);
      suffixes.push_back(size + ")");
    }
    out += "[]";
  } else {
    plainType |= dtype() == DType::Int64 || dtype() == DType::Bool;
    PythonPrinter(*this, numel() > kThreshold).print(out, 0, 0, indent);
  }
  if (!plainType) suffixes.push_back("dtype=torch." + name(dtype()).str());
  const std::size_t newLine = out.rfind('\n');
  std::size_t lineLength =
      out.size() - (newLine == std::string::npos ? std::size_t(-1) : newLine) + 1;
  for (const std::string& suffix : suffixes) {
    if (lineLength + suffix.size() + 2 > kLineWidth) {
      out += ",\n" + std::string(indent, ' ') + suffix;
      lineLength = indent + suffix.size();
    } else {
      out += ", " + suffix;
      lineLength += suffix.size() + 2;
    }
  }
  return out + ")";
}

// ---- streamStr: as ATen's C++ prints
// --------------------------------------------------------------

namespace {

// Prints a tensor of doubles. The stream's precision deliberately outlives one matrix, as in ATen.
class StreamPrinter {
public:
  StreamPrinter() { out_.imbue(std::locale::classic()); }

  void print(const Tensor& t, const std::vector<double>& values) {
    const auto sizes = t.sizes();
    if (sizes.empty()) {
      out_ << std::defaultfloat << values[0] << '\n';
    } else if (values.empty()) {
    } else if (sizes.size() == 1) {
      const auto [scale, width] = chooseFormat(values.data(), values.size());
      if (scale != 1) printScale(scale);
      for (const double value : values) {
        pad(width);
        out_ << value / scale << '\n';
      }
    } else if (sizes.size() == 2) {
      printMatrix(values.data(), sizes[0], sizes[1], 0);
    } else {
      printMatrices(sizes, values.data());
    }
    out_ << "[ CPU" << printName(t.dtype()).str() << "Type{";
    for (std::size_t i = 0; i < sizes.size(); ++i) out_ << (i ? "," : "") << sizes[i];
    out_ << "} ]";
  }
  std::string take() { return std::move(out_).str(); }

private:
  struct Format {
    double scale = 1;
    int width = 11;
  };

  // Chooses scale and width, and sets the stream's notation and precision.
  Format chooseFormat(const double* values, std::size_t count) {
    bool whole = true, any = false;
    double smallest = 0, largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!std::isfinite(values[i])) continue;
      const double magnitude = std::fabs(values[i]);
      if (values[i] != std::ceil(values[i])) whole = false;
      smallest = any ? std::min(smallest, magnitude) : magnitude;
      if (!any || values[i] > largest) largest = magnitude; // ATen overlooks negative ones
      any = true;
    }
    const auto exponent = [&](double magnitude) {
      return any && magnitude != 0 ? static_cast<int>(std::floor(std::log10(magnitude))) + 1 : 1;
    };
    const int low = exponent(smallest), high = exponent(largest);
    Format format;
    const auto scientific = [&] { out_ << std::scientific; };
    if (whole) {
      if (high > 9) {
        scientific();
        out_.precision(4);
      } else {
        format.width = high + 1;
        out_ << std::defaultfloat;
      }
      return format;
    }
    out_.precision(4);
    if (high - low > 4) {
      if (std::abs(high) > 99 || std::abs(low) > 99) format.width = 12;
      scientific();
      return format;
    }
    out_ << std::fixed;
    if (high > 5 || high < 0) {
      format.width = 7;
      format.scale = std::pow(10.0, high - 1);
    } else {
      format.width = high == 0 ? 7 : high + 6;
    }
    return format;
  }

  void printScale(double scale) {
    const std::ios_base::fmtflags notation = out_.flags();
    out_ << std::defaultfloat << scale << " *\n";
    out_.flags(notation);
  }

  void pad(int width) { out_.width(width); }
  void printIndent(int indent) { out_ << std::string(static_cast<std::size_t>(indent), ' '); }

  void printMatrix(const double* values, std::int64_t rows, std::int64_t columns, int indent) {
    const auto [scale, width] = chooseFormat(values, static_cast<std::size_t>(rows * columns));
    printIndent(indent);
    const std::int64_t perLine = (kLineWidth - indent) / (width + 1);
    for (std::int64_t first = 0; first < columns; first += perLine) {
      const std::int64_t last = std::min(first + perLine, columns) - 1;
      if (perLine < columns) {
        if (first) out_ << '\n';
        out_ << "Columns " << first + 1 << " to " << last + 1;
        printIndent(indent);
      }
      if (scale != 1) {
        printScale(scale);
        printIndent(indent);
      }
      for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t c = first; c <= last; ++c) {
          pad(width);
          out_ << values[r * columns + c] / scale;
          if (c < last) out_ << ' ';
        }
        out_ << '\n';
        if (r + 1 < rows) {
          printIndent(indent);
          if (scale != 1) out_ << ' ';
        }
      }
    }
  }

  void printMatrices(llvm::ArrayRef<std::int64_t> sizes, const double* values) {
    const std::int64_t rows = sizes[sizes.size() - 2], columns = sizes.back();
    llvm::SmallVector<std::int64_t, 4> index(sizes.size() - 2, 0);
    for (bool start = true;; start = false) {
      if (!start) out_ << '\n';
      out_ << '(';
      std::int64_t at = 0;
      for (std::size_t i = 0; i < index.size(); ++i) {
        at = at * sizes[i] + index[i];
        out_ << index[i] + 1 << ',';
      }
      out_ << ".,.) = \n";
      printMatrix(values + at * rows * columns, rows, columns, 1);
      std::size_t i = 0; // the first dimension runs fastest
      while (i < index.size() && ++index[i] == sizes[i]) index[i++] = 0;
      if (i == index.size()) return;
    }
  }

  std::ostringstream out_;
};

} // namespace

std::string streamStr(const Tensor& t) {
  if (!t.defined()) return "[ Tensor (undefined) ]";
  std::vector<double> values(static_cast<std::size_t>(t.numel()));
  if (!values.empty())
    dispatch(t.dtype(), [&](auto zero) {
      const auto* data = t.data<decltype(zero)>();
      std::size_t next = 0;
      strided<1>(t.sizes(), {t.strides()}, [&](auto at, auto step, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i)
          values[next++] = static_cast<double>(data[at[0] + i * step[0]]);
      });
    });
  StreamPrinter printer;
  printer.print(t, values);
  return printer.take();
}

} // namespace tine
