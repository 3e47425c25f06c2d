#include "tensor/npy.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <sys/stat.h>

namespace tine {
namespace {

constexpr llvm::StringLiteral kMagic("\x93NUMPY");
constexpr std::size_t kMaxHeader = 65536; // NumPy itself stops at 10,000
constexpr std::size_t kMaxDims = 64;
constexpr std::size_t kAlignment = 64; // of the data, from the start of the file
constexpr std::size_t kGrowth = 21;    // digits that NumPy leaves for the growing dimension
static_assert(std::endian::native == std::endian::little);

// The letters of an array-protocol type string that Tine has a dtype for.
constexpr const char* codeOf(DType dtype) {
  switch (dtype) {
  case DType::UInt8:
    return "u1";
  case DType::Int8:
    return "i1";
  case DType::Int16:
    return "i2";
  case DType::Int32:
    return "i4";
  case DType::Int64:
    return "i8";
  case DType::Float32:
    return "f4";
  case DType::Float64:
    return "f8";
  case DType::Bool:
    return "b1";
  case DType::Float16:
  case DType::BFloat16:
  case DType::ComplexHalf:
  case DType::Complex64:
  case DType::Complex128:
  case DType::QInt8:
  case DType::QUInt8:
  case DType::QInt32:
    break;
  }
  return nullptr;
}

std::optional<DType> dtypeOf(llvm::StringRef code) {
#define TINE_DTYPE(id, cpp, name, irName, printName, number)                                       \
  if (code == codeOf(DType::id)) return DType::id;
#include "tensor/dtype.def"
  return std::nullopt;
}

// What an array of another type string holds; empty when no NumPy writes such a string.
std::string describe(llvm::StringRef code) {
  const llvm::StringRef size = code.substr(1); // empty when `code` is
  std::uint64_t bytes = 0;
  if (size.take_until([](char c) { return c == '['; }).getAsInteger(10, bytes)) bytes = 0;
  switch (code.empty() ? '\0' : code.front()) {
  case 'f':
    return bytes == 2  ? "float16"
           : bytes > 8 ? "long double (float" + std::to_string(8 * bytes) + ")"
                       : "";
  case 'u':
    return bytes == 2 || bytes == 4 || bytes == 8 ? "uint" + std::to_string(8 * bytes) : "";
  case 'c':
    return bytes >= 8 ? "complex" + std::to_string(8 * bytes) : "";
  case 'O':
    return "Python objects, stored as a pickle, which is never loaded";
  case 'U':
    return "strings";
  case 'S':
  case 'a':
    return "byte strings";
  case 'V':
    return bytes == 2 ? "raw bytes (V2: bfloat16 is saved so)" : "raw bytes or records";
  case 'M':
    return "dates (datetime64)";
  case 'm':
    return "time spans (timedelta64)";
  default:
    return "";
  }
}

struct Header {
  DType dtype = DType::Float32;
  bool swapped = false;
  bool fortranOrder = false;
  llvm::SmallVector<std::int64_t, 6> sizes;
};

// Reads the Python dict of a header: three keys, each once, in any order; nothing is evaluated.
class HeaderParser {
public:
  HeaderParser(llvm::StringRef file, llvm::StringRef text, std::size_t start)
      : file_(file), text_(text), start_(start) {}

  Result<Header> parse() {
    enum Key { Descr = 1, Fortran = 2, Shape = 4, All = 7 };
    int seen = 0;
    TINE_TRY(Ok(), expect('{'));
    while (!peek('}')) {
      const std::size_t at = at_;
      TINE_TRY(const llvm::StringRef name, string());
      const int key = name == "descr"           ? Descr
                      : name == "fortran_order" ? Fortran
                      : name == "shape"         ? Shape
                                                : 0;
      if (!key)
        return fail(at,
                    "a header has the keys descr, fortran_order and shape; this is another one");
      if (seen & key) return fail(at, "the key occurs twice");
      seen |= key;
      TINE_TRY(Ok(), expect(':'));
      TINE_TRY(Ok(), key == Descr ? descr() : key == Fortran ? fortranOrder() : shape());
      if (!peek(',')) break;
      ++at_;
    }
    TINE_TRY(Ok(), expect('}'));
    skipSpace();
    if (at_ != text_.size()) return fail(at_, "the header goes on after its dict");
    if (seen != All)
      return fail(0,
                  std::string("the header lacks the key ") + (!(seen & Descr)     ? "descr"
                                                              : !(seen & Fortran) ? "fortran_order"
                                                                                  : "shape"));
    return header_;
  }

private:
  Error fail(std::size_t at, std::string message, const char* kind = error_kind::Syntax) const {
    Place place;
    place.file = file_.str();
    place.column = static_cast<std::uint32_t>(at + 1);
    place.text = text_.rtrim().str();
    return Error(kind, std::move(message) + ", at byte " + std::to_string(start_ + at), place);
  }

  void skipSpace() {
    while (at_ < text_.size() && std::strchr(" \t\r\n\f\v", text_[at_]) && text_[at_]) ++at_;
  }
  bool peek(char c) {
    skipSpace();
    return at_ < text_.size() && text_[at_] == c;
  }
  Result<Ok> expect(char c) {
    if (!peek(c)) return fail(at_, std::string("expected '") + c + "' in the header");
    ++at_;
    return Ok();
  }

  Result<llvm::StringRef> string() {
    skipSpace();
    const std::size_t at = at_;
    if (at_ == text_.size() || (text_[at_] != '\'' && text_[at_] != '"'))
      return fail(at, "expected a string in the header");
    const std::size_t end = text_.find(text_[at], at + 1);
    if (end == llvm::StringRef::npos) return fail(at, "the string does not end");
    const llvm::StringRef inside = text_.slice(at + 1, end);
    if (inside.contains('\\')) return fail(at, "a string of a header has no escapes");
    at_ = end + 1;
    return inside;
  }

  Result<Ok> fortranOrder() {
    skipSpace();
    const llvm::StringRef rest = text_.drop_front(at_);
    header_.fortranOrder = rest.starts_with("True");
    if (!header_.fortranOrder && !rest.starts_with("False"))
      return fail(at_, "fortran_order is True or False");
    at_ += header_.fortranOrder ? 4 : 5;
    return Ok();
  }

  Result<Ok> shape() {
    TINE_TRY(Ok(), expect('('));
    bool comma = false;
    while (!peek(')')) {
      const std::size_t at = at_;
      while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
      const llvm::StringRef digits = text_.slice(at, at_);
      std::int64_t size = 0;
      if (digits.empty()) return fail(at, "a size is a number that is not negative");
      if (digits.getAsInteger(10, size)) return fail(at, "the size does not fit 64 bits");
      if (header_.sizes.size() == kMaxDims)
        return fail(at, "an array has at most " + std::to_string(kMaxDims) + " dimensions");
      header_.sizes.push_back(size);
      if (peek('L')) ++at_; // Python 2 wrote 3L
      comma = peek(',');
      if (!comma) break;
      ++at_;
    }
    if (header_.sizes.size() == 1 && !comma) return fail(at_, "a shape is a tuple: (n,)");
    return expect(')');
  }

  Result<Ok> descr() {
    skipSpace();
    const std::size_t at = at_;
    if (peek('[') || peek('('))
      return fail(at,
                  "an array of records or sub-arrays is not supported; save its fields one by one",
                  error_kind::Unsupported);
    TINE_TRY(const llvm::StringRef text, string());
    llvm::StringRef code = text;
    const char order = code.empty() ? '\0' : code.front();
    if (order && std::strchr("<>=|", order)) code = code.drop_front(1);
    const std::optional<DType> dtype = dtypeOf(code);
    if (!dtype) {
      const std::string what = describe(code);
      if (what.empty()) return fail(at, "the descr is no type of NumPy's");
      return fail(at, "an array of " + what + " (descr '" + text.str() + "') is not supported",
                  error_kind::Unsupported);
    }
    header_.dtype = *dtype;
    header_.swapped = order == '>' && itemSize(*dtype) > 1;
    return Ok();
  }

  llvm::StringRef file_, text_;
  std::size_t start_, at_ = 0;
  Header header_;
};

template <class T> void swapBytes(void* data, std::int64_t n) {
  T* words = static_cast<T*>(data);
  for (std::int64_t i = 0; i < n; ++i) {
    if constexpr (sizeof(T) == 2) words[i] = __builtin_bswap16(words[i]);
    if constexpr (sizeof(T) == 4) words[i] = __builtin_bswap32(words[i]);
    if constexpr (sizeof(T) == 8) words[i] = __builtin_bswap64(words[i]);
  }
}

void fixElements(std::byte* data, const Header& header, std::int64_t n) {
  if (header.dtype == DType::Bool) // another byte than 0 and 1 would be undefined behaviour
    for (std::int64_t i = 0; i < n; ++i) data[i] = std::byte{data[i] != std::byte{0}};
  if (!header.swapped) return;
  const std::size_t size = itemSize(header.dtype);
  if (size == 2) swapBytes<std::uint16_t>(data, n);
  if (size == 4) swapBytes<std::uint32_t>(data, n);
  if (size == 8) swapBytes<std::uint64_t>(data, n);
}

llvm::SmallVector<std::int64_t, 6> reversed(llvm::ArrayRef<std::int64_t> list) {
  return {list.rbegin(), list.rend()};
}

// The same elements with the dimensions in reverse.
Tensor transposed(const Tensor& t) {
  return t.asStrided(reversed(t.sizes()), reversed(t.strides()), t.offset());
}

std::uint64_t littleEndian(const unsigned char* bytes, int n) {
  std::uint64_t value = 0;
  for (int i = n; i-- > 0;) value = value << 8 | bytes[i];
  return value;
}

} // namespace

Result<Tensor> readNpyStream(const ByteStream& stream, const ReadLimits& limits) {
  const auto fail = [&](const char* kind, std::string message) {
    return Error(kind, std::move(message), wholeFile(stream.file));
  };
  std::uint64_t at = 0;
  const auto truncated = [&](std::size_t got, std::size_t wanted, const char* what) {
    return fail(error_kind::Syntax, std::string("the file ends at byte ") +
                                        std::to_string(at + got) + ", inside its " + what + " of " +
                                        std::to_string(wanted) + " bytes at byte " +
                                        std::to_string(at));
  };

  unsigned char start[12];
  TINE_TRY(std::size_t got, stream.read(start, 8));
  const llvm::StringRef magic(reinterpret_cast<char*>(start), std::min(got, kMagic.size()));
  if (magic != kMagic)
    return fail(error_kind::Syntax, magic.starts_with("PK")
                                        ? "not a .npy file but a zip archive, perhaps a .npz file"
                                        : "not a .npy file: it does not begin with \\x93NUMPY");
  if (got < 8) return truncated(got, 8, "magic and version");
  const int major = start[6], minor = start[7];
  if (major < 1 || major > 3 || minor != 0)
    return fail(error_kind::Unsupported, ".npy format " + std::to_string(major) + "." +
                                             std::to_string(minor) +
                                             " is unknown; known are 1.0, 2.0 and 3.0, at byte 6");
  at = 8;
  const int lengthBytes = major == 1 ? 2 : 4;
  TINE_TRY(got, stream.read(start + 8, static_cast<std::size_t>(lengthBytes)));
  if (got < static_cast<std::size_t>(lengthBytes))
    return truncated(got, static_cast<std::size_t>(lengthBytes), "header's length");
  const std::uint64_t length = littleEndian(start + 8, lengthBytes);
  if (length > kMaxHeader)
    return fail(error_kind::Syntax, "a header of " + std::to_string(length) +
                                        " bytes is longer than the limit of " +
                                        std::to_string(kMaxHeader) + ", at byte 8");
  at += static_cast<std::uint64_t>(lengthBytes);
  std::string text(length, '\0');
  TINE_TRY(got, stream.read(text.data(), text.size()));
  if (got < text.size()) return truncated(got, text.size(), "header");
  TINE_TRY(const Header header, HeaderParser(stream.file, text, at).parse());
  at += length;

  const auto what = [&] {
    return "an array of shape " + shapeStr(header.sizes) + " and type " + name(header.dtype).str();
  };
  std::uint64_t bytes = itemSize(header.dtype);
  bool overflow = false;
  for (const std::int64_t size : header.sizes)
    if (size != 0)
      overflow |= __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes);
  if (!overflow && llvm::is_contained(header.sizes, 0)) bytes = 0;
  if (overflow) return fail(error_kind::Memory, what() + " has more bytes than 64 bits count");
  if (bytes > limits.maxBytes)
    return fail(error_kind::Memory, what() + " has " + std::to_string(bytes) +
                                        " bytes, above the limit of " +
                                        std::to_string(limits.maxBytes));
  if (stream.size != ByteStream::kUnknown && stream.size - std::min(at, stream.size) < bytes)
    return fail(error_kind::Syntax, what() + " needs " + std::to_string(bytes) + " bytes at byte " +
                                        std::to_string(at) + ", but the file ends at byte " +
                                        std::to_string(stream.size));

  // Only now is memory taken. A Fortran-ordered array is the transpose of a row-major one.
  try {
    Tensor tensor =
        Tensor::empty(header.fortranOrder ? reversed(header.sizes) : header.sizes, header.dtype);
    TINE_TRY(got, stream.read(tensor.bytes(), bytes));
    if (got < bytes)
      return fail(error_kind::Syntax, what() + " needs " + std::to_string(bytes) +
                                          " bytes at byte " + std::to_string(at) +
                                          ", but the file ends at byte " +
                                          std::to_string(at + got));
    char beyond;
    TINE_TRY(got, stream.read(&beyond, 1)); // an archive compares its checksum here
    if (got)
      return fail(error_kind::Syntax, "the file goes on after " + what() + ", which ends at byte " +
                                          std::to_string(at + bytes));
    fixElements(tensor.bytes(), header, tensor.numel());
    return header.fortranOrder ? transposed(tensor) : tensor;
  } catch (const RuntimeError& error) { // no memory, or strides beyond 64 bits
    return fail(error.kind().c_str(), error.message());
  }
}

Result<Tensor> readNpy(const std::string& path, const ReadLimits& limits) {
  TINE_TRY(const ByteStream stream, openStream(path));
  return readNpyStream(stream, limits);
}

Result<Tensor> parseNpy(llvm::StringRef bytes, llvm::StringRef file, const ReadLimits& limits) {
  return readNpyStream(streamOf(bytes, file), limits);
}

std::string npyHeader(DType dtype, llvm::ArrayRef<std::int64_t> sizes, bool fortranOrder,
                      int version) {
  TINE_CHECK(version >= 1 && version <= 3);
  TINE_CHECK_MSG(codeOf(dtype), "a tensor has a dtype with kernels");
  std::string dict = std::string("{'descr': '") + (itemSize(dtype) > 1 ? '<' : '|') +
                     codeOf(dtype) + "', 'fortran_order': " + (fortranOrder ? "True" : "False") +
                     ", 'shape': (";
  for (std::size_t i = 0; i < sizes.size(); ++i) dict += (i ? ", " : "") + std::to_string(sizes[i]);
  dict += sizes.size() == 1 ? ",), }" : "), }";
  if (!sizes.empty()) // room for appending to the array in place
    dict.append(kGrowth - std::to_string(fortranOrder ? sizes.back() : sizes.front()).size(), ' ');
  const std::size_t lengthBytes = version == 1 ? 2 : 4;
  const std::size_t before = kMagic.size() + 2 + lengthBytes;
  dict.append(kAlignment - (before + dict.size() + 1) % kAlignment, ' ');
  dict += '\n';

  std::string out = kMagic.str();
  out += static_cast<char>(version);
  out += '\0';
  for (std::size_t i = 0; i < lengthBytes; ++i)
    out += static_cast<char>(dict.size() >> (8 * i) & 0xFF);
  return out + dict;
}

llvm::StringRef NpyParts::bytes() const {
  return {reinterpret_cast<const char*>(data.bytes()),
          static_cast<std::size_t>(data.numel()) * itemSize(data.dtype())};
}

NpyParts npyParts(const Tensor& tensor, int version) {
  Tensor data = tensor;
  bool fortranOrder = false;
  if (!tensor.isContiguous()) {
    data = transposed(tensor);
    fortranOrder = data.isContiguous();
    if (!fortranOrder) data = tensor.clone();
  }
  return {npyHeader(tensor.dtype(), tensor.sizes(), fortranOrder, version), data};
}

std::string npyBytes(const Tensor& tensor, int version) {
  const NpyParts parts = npyParts(tensor, version);
  return parts.header + parts.bytes().str();
}

Result<Ok> writeNpy(const std::string& path, const Tensor& tensor) {
  const NpyParts parts = npyParts(tensor);
  const auto fail = [&] {
    const int code = errno;
    return Error(error_kind::Io, std::string("cannot write the file: ") + std::strerror(code),
                 wholeFile(path));
  };
  std::FILE* file = std::fopen(path.c_str(), "wbe");
  if (!file) return fail();
  bool ok = true;
  for (const llvm::StringRef part : {llvm::StringRef(parts.header), parts.bytes()})
    ok = ok && std::fwrite(part.data(), 1, part.size(), file) == part.size();
  const int code = errno;
  const bool closed = std::fclose(file) == 0;
  if (ok && closed) return Ok();
  if (!ok) errno = code;
  Error error = fail();
  struct stat status;
  if (::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) std::remove(path.c_str());
  return error;
}

} // namespace tine
