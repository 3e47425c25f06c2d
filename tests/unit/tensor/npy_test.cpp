#include "support/count.h"
#include "tensor/npy.h"
#include "tensor/npz.h"
#include "tensor/zip.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace tine {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Sizes = std::vector<std::int64_t>;

const fs::path kFiles = fs::path(TINE_SOURCE_DIR) / "tests/files/npy";

const DType kDTypes[] = {
#define TINE_DTYPE(id, cpp, name, irName, printName, number) DType::id,
#include "tensor/dtype.def"
};

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

/// As make_npy.py: element k has these bits, so floats are of every kind.
std::uint64_t elementBits(std::int64_t k, DType dtype) {
  const std::uint64_t scattered = static_cast<std::uint64_t>(k + 1) * 0x9E3779B97F4A7C15u;
  const std::uint64_t bits = scattered >> (64 - 8 * itemSize(dtype));
  return dtype == DType::Bool ? bits & 1 : bits;
}

Tensor patterned(llvm::ArrayRef<std::int64_t> sizes, DType dtype) {
  Tensor t = Tensor::empty(sizes, dtype);
  for (std::int64_t k = 0; k < t.numel(); ++k) {
    const std::uint64_t bits = elementBits(k, dtype);
    std::memcpy(t.bytes() + static_cast<std::size_t>(k) * itemSize(dtype), &bits, itemSize(dtype));
  }
  return t;
}

/// `t` with dimensions a and b exchanged.
Tensor exchanged(const Tensor& t, std::size_t a, std::size_t b) {
  Sizes sizes = t.sizes().vec(), strides = t.strides().vec();
  std::swap(sizes[a], sizes[b]);
  std::swap(strides[a], strides[b]);
  return t.asStrided(sizes, strides, t.offset());
}

/// A directory of the test's own.
struct Directory {
  fs::path path;
  Directory() {
    std::string name = (fs::temp_directory_path() / "tine_npy_XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    path = name;
  }
  ~Directory() { fs::remove_all(path); }
  std::string operator/(const char* name) const { return (path / name).string(); }
};

struct Npy : ::testing::Test {
  std::int64_t before = liveCount(Live::Tensor);
  ~Npy() override { EXPECT_EQ(liveCount(Live::Tensor), before); }
};

TEST_F(Npy, RoundTripsEveryDtypeAndShapeBitwise) {
  const Directory directory;
  const std::string path = directory / "x.npy";
  for (const DType dtype : kDTypes) {
    for (const Sizes& sizes : {Sizes{}, Sizes{0}, Sizes{3, 0, 2}, Sizes{1}, Sizes{7}, Sizes{2, 3},
                               Sizes{2, 1, 3, 1, 2, 2}, Sizes{1, 1, 1, 1, 1, 1, 1, 1, 4}}) {
      for (int version = 1; version <= 3; ++version) {
        const Tensor t = patterned(sizes, dtype);
        const std::string bytes = npyBytes(t, version);
        EXPECT_EQ(bytes[6], version);
        EXPECT_EQ((bytes.size() - static_cast<std::size_t>(t.numel()) * itemSize(dtype)) % 64, 0u);
        const Result<Tensor> back = parseNpy(bytes, "x");
        ASSERT_TRUE(back.ok()) << back.error().str();
        EXPECT_TRUE(identical(*back, t)) << name(dtype).str() << shapeStr(sizes);
        EXPECT_TRUE(back->isContiguous());
      }
      const Tensor t = patterned(sizes, dtype);
      ASSERT_TRUE(writeNpy(path, t).ok());
      EXPECT_EQ(slurp(path), npyBytes(t));
      EXPECT_TRUE(identical(readNpy(path).value(), t));
    }
  }
}

TEST_F(Npy, WritesViews) {
  const Tensor t = patterned({4, 6, 5}, DType::Int32);
  const Tensor fortran = exchanged(t, 0, 2);            // columns first: no copy
  const Tensor mixed = exchanged(t, 1, 2);              // neither order
  const Tensor part = t.asStrided({2, 3}, {60, 2}, 31); // gaps, an offset
  const Tensor tail = t.asStrided({5}, {1}, 115);       // row-major, at an offset
  const Tensor wide = t.asStrided({3, 2}, {0, 1}, 7);   // repeated
  EXPECT_THAT(npyBytes(fortran), HasSubstr("'fortran_order': True, 'shape': (5, 6, 4)"));
  EXPECT_TRUE(npyParts(fortran).data.sharesStorageWith(t));
  EXPECT_THAT(npyBytes(mixed), HasSubstr("'fortran_order': False, 'shape': (4, 5, 6)"));
  EXPECT_TRUE(npyParts(tail).data.sharesStorageWith(t));
  for (const Tensor& view : {fortran, mixed, part, tail, wide}) {
    const Tensor back = parseNpy(npyBytes(view), "x").value();
    EXPECT_TRUE(identical(back, view)) << shapeStr(view.sizes());
  }
  EXPECT_EQ(parseNpy(npyBytes(fortran), "x").value().strides(), fortran.strides());
}

// Names are DTYPE_SHAPE[_FLAG...].npy; see make_npy.py.
TEST_F(Npy, ReadsWhatNumpyWrote) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(kFiles)) {
    if (entry.path().extension() != ".npy") continue;
    ++files;
    const std::string stem = entry.path().stem().string();
    llvm::SmallVector<llvm::StringRef> words, numbers;
    llvm::StringRef(stem).split(words, '_');
    ASSERT_GE(words.size(), 2u) << stem;
    Sizes sizes;
    if (words[1] != "scalar") words[1].split(numbers, 'x');
    for (const llvm::StringRef number : numbers) sizes.push_back(std::stoll(number.str()));

    const Result<Tensor> read = readNpy(entry.path().string());
    ASSERT_TRUE(read.ok()) << read.error().str();
    EXPECT_EQ(name(read->dtype()), words[0]);
    EXPECT_TRUE(identical(*read, patterned(sizes, *dtypeFromName(words[0])))) << stem;
    if (stem.find("fortran") != std::string::npos) {
      EXPECT_EQ(read->strides()[0], 1);
      EXPECT_FALSE(read->isContiguous());
    } else {
      EXPECT_TRUE(read->isContiguous());
    }
    if (stem.find("big") == std::string::npos && stem.find("_v") == std::string::npos) {
      EXPECT_EQ(npyBytes(*read), slurp(entry.path())) << stem << ": other bytes than NumPy's";
    }
  }
  EXPECT_EQ(files, 8 * 7 + 3);
}

TEST_F(Npy, ReadsNumpysArchives) {
  for (const char* file : {"stored.npz", "deflated.npz"}) {
    const std::vector<NamedTensor> arrays = readNpz(kFiles / file).value();
    ASSERT_EQ(arrays.size(), 9u);
    const DType order[] = {DType::UInt8, DType::Int8,    DType::Int16,   DType::Int32,
                           DType::Int64, DType::Float32, DType::Float64, DType::Bool};
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_EQ(arrays[i].name, name(order[i]).str() + "_2x3");
      EXPECT_TRUE(identical(arrays[i].tensor, patterned({2, 3}, order[i])));
    }
    EXPECT_EQ(arrays[8].name, "deep/er/float32_5");
    EXPECT_TRUE(identical(arrays[8].tensor, patterned({5}, DType::Float32)));
    const std::string bytes = slurp(kFiles / file);
    EXPECT_EQ(parseNpz(bytes, "x").value().size(), 9u);
  }
  const auto unnamed = readNpz(kFiles / "unnamed.npz").value();
  ASSERT_EQ(unnamed.size(), 2u);
  EXPECT_EQ(unnamed[0].name, "arr_0");
  EXPECT_EQ(unnamed[1].name, "arr_1");
  const auto unicode = readNpz(kFiles / "unicode.npz").value();
  ASSERT_EQ(unicode.size(), 1u);
  EXPECT_EQ(unicode[0].name, "größe_π");
  EXPECT_TRUE(readNpz(kFiles / "none.npz").value().empty());
}

TEST_F(Npy, KnowsAFileByItsContent) {
  const Directory directory;
  const std::string odd = directory / "archive.npy";
  fs::copy_file(kFiles / "unnamed.npz", odd);
  EXPECT_EQ(readArrays(odd).value().size(), 2u);
  const auto one = readArrays(kFiles / "int8_5.npy").value();
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].name, "");
  EXPECT_TRUE(identical(one[0].tensor, patterned({5}, DType::Int8)));
  EXPECT_EQ(readArrays(directory / "none").error().kind, error_kind::Io);
}

TEST_F(Npy, ReadsFromAPipe) {
  for (const bool whole : {true, false}) {
    const Tensor t = patterned({100}, DType::Float64);
    const std::string bytes = npyBytes(t).substr(0, whole ? std::string::npos : 900);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    ASSERT_EQ(write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    close(ends[1]);
    const Result<std::vector<NamedTensor>> back = readArrays("/dev/fd/" + std::to_string(ends[0]));
    close(ends[0]);
    ASSERT_EQ(back.ok(), whole);
    if (whole) {
      EXPECT_TRUE(identical(back->front().tensor, t));
    } else {
      EXPECT_THAT(back.error().message, HasSubstr("the file ends at byte 900"));
    }
  }
}

TEST_F(Npy, RoundTripsArchives) {
  const Directory directory;
  const std::string path = directory / "x.npz", again = directory / "y.npz";
  std::vector<NamedTensor> arrays;
  for (const DType dtype : kDTypes) arrays.push_back({name(dtype).str(), patterned({3, 5}, dtype)});
  arrays.push_back({"a/b/../c", exchanged(patterned({2, 3, 4}, DType::Int16), 0, 2)});
  arrays.push_back({"mixed", exchanged(patterned({2, 3, 4}, DType::Int16), 0, 1)});
  arrays.push_back({"größe", patterned({}, DType::Float64)});
  arrays.push_back({"empty", patterned({0, 4}, DType::Bool)});
  arrays.push_back({"zeros", Tensor::empty({1000}, DType::UInt8)});
  std::memset(arrays.back().tensor.bytes(), 0, 1000);
  for (const bool deflate : {false, true}) {
    const Result<Ok> written = writeNpz(path, arrays, deflate);
    ASSERT_TRUE(written.ok()) << written.error().str();
    const std::vector<NamedTensor> back = readNpz(path).value();
    ASSERT_EQ(back.size(), arrays.size());
    for (std::size_t i = 0; i < back.size(); ++i) {
      EXPECT_EQ(back[i].name, arrays[i].name);
      EXPECT_TRUE(identical(back[i].tensor, arrays[i].tensor)) << back[i].name;
    }
    ASSERT_TRUE(writeNpz(again, arrays, deflate).ok());
    EXPECT_EQ(slurp(path), slurp(again));
    EXPECT_EQ(fs::file_size(path) < 3800, deflate) << fs::file_size(path);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(directory.path), {}), 2) << "no file is left over";
}

TEST_F(Npy, WritesOnlyWhereItMay) {
  const Directory directory;
  const Tensor t = patterned({3}, DType::Int8);
  const auto error = [](Result<Ok> result) {
    return result.ok() ? Error("none", "") : result.error();
  };
  EXPECT_EQ(error(writeNpy(directory / "no/x.npy", t)).str(),
            (directory / "no/x.npy") +
                ": error: cannot write the file: No such file or directory\n");
  EXPECT_EQ(error(writeNpz(directory / "no/x.npz", {{"a", t}})).kind, error_kind::Io);
  EXPECT_EQ(error(writeNpz(directory.path, {{"a", t}})).kind, error_kind::Io);
  EXPECT_EQ(error(writeNpz("/dev/null", {{"a", t}})).kind, error_kind::Io);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(error(writeNpz(directory / "x.npz", {})).kind, error_kind::Value);
  EXPECT_THAT(error(writeNpz(directory / "x.npz", {{"a", t}, {"a", t}})).message,
              HasSubstr("'a.npy'"));
  EXPECT_EQ(error(writeNpz(directory / "x.npz", {{"\xFF", t}})).kind, error_kind::Value);
  EXPECT_EQ(error(writeNpz(directory / "x.npz", {{std::string("a\0b", 3), t}})).kind,
            error_kind::Value);
  EXPECT_EQ(error(writeNpz(directory / "x.npz", {{std::string(70000, 'n'), t}})).kind,
            error_kind::Value);
  if (fs::exists("/dev/full")) {
    EXPECT_THAT(error(writeNpy("/dev/full", t)).message, HasSubstr("No space left"));
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
  }
  EXPECT_TRUE(fs::is_empty(directory.path)) << "what failed left a file";
}

// ---- hostile files ------------------------------------------------------------------------------

std::string number(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
  return out;
}

/// A version 1 file of this header, whose length is right.
std::string npy(const std::string& dict, const std::string& data = "", char major = 1) {
  return std::string("\x93NUMPY") + major + '\0' + number(dict.size(), major == 1 ? 2 : 4) + dict +
         data;
}
std::string dict(const std::string& descr, const std::string& shape,
                 const std::string& order = "False") {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

TEST_F(Npy, ReadsHeadersOfOthers) {
  const std::string data = number(1, 4) + number(2, 4);
  for (const std::string& header :
       {dict("'<i4'", "(2,)"), dict("\"<i4\"", "(2L,)"), dict("'=i4'", "( 2 , )"),
        dict("'i4'", "(2,)"), dict("'|i4'", "(1,2)"),
        std::string("{'shape':(2,),'descr':'<i4','fortran_order':False}"),
        std::string(
            "  { 'fortran_order' : False ,\n 'shape'\t: ( 2 , 1, ) , 'descr' : '<i4' }   ")}) {
    const Result<Tensor> t = parseNpy(npy(header, data), "x");
    ASSERT_TRUE(t.ok()) << t.error().str();
    EXPECT_EQ(t->dtype(), DType::Int32);
    EXPECT_EQ(t->data<std::int32_t>()[0], 1);
    EXPECT_EQ(t->data<std::int32_t>()[1], 2);
  }
  // A bool is 0 or 1 in memory, whatever byte the file has.
  const Tensor bools =
      parseNpy(npy(dict("'|b1'", "(3,)"), std::string("\0\x01\x80", 3)), "x").value();
  EXPECT_EQ(std::memcmp(bools.bytes(), "\0\1\1", 3), 0);
}

struct Hostile {
  std::string bytes;
  const char* kind;
  const char* message;
};

TEST_F(Npy, HostileFilesGiveLocatedErrors) {
  const std::string fine = dict("'<f4'", "(2,)");
  const auto shape = [](const std::string& sizes) {
    return npy(dict("'<f4'", sizes), std::string(8, '\0'));
  };
  const auto descr = [](const std::string& text) {
    return npy(dict(text, "(2,)"), std::string(8, '\0'));
  };
  const char *syntax = error_kind::Syntax, *unsupported = error_kind::Unsupported,
             *memory = error_kind::Memory;
  std::string many = "(", deep(1000, '(');
  for (int i = 0; i < 65; ++i) many += "1, ";
  const Hostile hostile[] = {
      // The start
      {"", syntax, "not a .npy file"},
      {"\x93NUMP", syntax, "not a .npy file"},
      {"numpy\1\0", syntax, "not a .npy file"},
      {"PK\3\4 and so on", syntax, "perhaps a .npz file"},
      {"\x93NUMPY", syntax, "ends at byte 6, inside its magic and version"},
      {std::string("\x93NUMPY\0\0\x10\0", 10), unsupported, "format 0.0 is unknown"},
      {npy(fine, "12345678", 4), unsupported, "format 4.0 is unknown"},
      {std::string("\x93NUMPY\1\1\x10\0", 10), unsupported, "format 1.1 is unknown"},
      {std::string("\x93NUMPY\1\0\x10", 9), syntax,
       "ends at byte 9, inside its header's length of 2 bytes at byte 8"},
      {std::string("\x93NUMPY\2\0\x10\0", 10), syntax,
       "ends at byte 10, inside its header's length of 4 bytes"},
      {std::string("\x93NUMPY\1\0\xFF\xFF{", 11), syntax,
       "ends at byte 11, inside its header of 65535 bytes at byte 10"},
      {std::string("\x93NUMPY\3\0\xFF\xFF\xFF\xFF{", 13), syntax,
       "header of 4294967295 bytes is longer than the limit"},
      {npy(std::string(65537, ' '), "", 2), syntax, "header of 65537 bytes"},
      // The dict
      {npy(""), syntax, "expected '{' in the header, at byte 10"},
      {npy("{}"), syntax, "lacks the key descr"},
      {npy("[1]"), syntax, "expected '{'"},
      {npy("{'descr': '<f4', 'shape': (2,)}"), syntax, "lacks the key fortran_order"},
      {npy("{'descr': '<f4', 'fortran_order': False}"), syntax, "lacks the key shape"},
      {npy("{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (2,)}"), syntax,
       "occurs twice, at byte 27"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}"), syntax,
       "this is another one"},
      {npy("{'descr': '<f4' 'fortran_order': False, 'shape': (2,)}"), syntax,
       "expected '}' in the header, at byte 26"},
      {npy("{'descr' '<f4', 'fortran_order': False, 'shape': (2,)}"), syntax, "expected ':'"},
      {npy("{descr: '<f4', 'fortran_order': False, 'shape': (2,)}"), syntax, "expected a string"},
      {npy("{'descr: <f4, fortran_order: False, shape: (2,)}"), syntax, "does not end"},
      {npy("{'\\x64escr': '<f4', 'fortran_order': False, 'shape': (2,)}"), syntax, "no escapes"},
      {npy(std::string("{'descr\0': '<f4'}", 17)), syntax, "another one"},
      {npy(fine + "x", "12345678"), syntax, "goes on after its dict"},
      {npy(fine + std::string(1, '\0'), "12345678"), syntax, "goes on after its dict"},
      {npy(dict("'<f4'", "(2,)", "0")), syntax, "True or False"},
      {npy(dict("'<f4'", "(2,)", "'True'")), syntax, "True or False"},
      {npy(dict("'<f4'", "(2,)", "Falsehood")), syntax, "expected '}'"},
      {npy(dict("__import__('os').abort()", "(2,)")), syntax, "expected a string"},
      // The shape
      {shape("2"), syntax, "expected '('"},
      {shape("[2]"), syntax, "expected '('"},
      {shape("(2)"), syntax, "a shape is a tuple"},
      {shape("(-2,)"), syntax, "not negative"},
      {shape("(2, -1)"), syntax, "not negative"},
      {shape("(+2,)"), syntax, "not negative"},
      {shape("(2.0,)"), syntax, "a shape is a tuple"},
      {shape("(0x2,)"), syntax, "a shape is a tuple"},
      {shape("(2**3,)"), syntax, "a shape is a tuple"},
      {shape("(2,,3)"), syntax, "not negative"},
      {shape("(,)"), syntax, "not negative"},
      {shape("(None,)"), syntax, "not negative"},
      {shape("(" + deep), syntax, "not negative"},
      {shape("(9223372036854775808,)"), syntax, "does not fit 64 bits"},
      {shape("(" + std::string(5000, '9') + ",)"), syntax, "does not fit 64 bits"},
      {shape(many + ")"), syntax, "at most 64 dimensions"},
      {shape("(9223372036854775807,)"), memory, "more bytes than 64 bits count"},
      {shape("(4294967296, 4294967296)"), memory, "more bytes than 64 bits count"},
      {shape("(4611686018427387905, 1)"), memory, "more bytes than 64 bits count"},
      {shape("(9223372036854775807, 0, 9223372036854775807)"), memory,
       "more bytes than 64 bits count"},
      {shape("(0, 9223372036854775807)"), memory, "more bytes than 64 bits count"},
      {shape("(1099511627776,)"), memory, "4398046511104 bytes, above the limit of 8589934592"},
      {shape("(1000000000,)"), syntax,
       "needs 4000000000 bytes at byte 77, but the file ends at byte 85"},
      {shape("(3,)"), syntax,
       "of shape [3] and type float32 needs 12 bytes at byte 68, but the file ends at byte 76"},
      {shape("()"), syntax, "the file goes on after an array of shape []"},
      {shape("(1,)"), syntax,
       "the file goes on after an array of shape [1] and type float32, which ends at byte 72"},
      {shape("(0,)"), syntax, "the file goes on after"},
      {npy(dict("'<f4'", "(2,)", "True"), "1234567"), syntax, "needs 8 bytes"},
      // The type
      {descr("''"), syntax, "no type of NumPy's"},
      {descr("'<'"), syntax, "no type of NumPy's"},
      {descr("'<f'"), syntax, "no type of NumPy's"},
      {descr("'<f3'"), syntax, "no type of NumPy's"},
      {descr("'<<f4'"), syntax, "no type of NumPy's"},
      {descr("'<f4 '"), syntax, "no type of NumPy's"},
      {descr("'<i16'"), syntax, "no type of NumPy's"},
      {descr("'<f99999999999999999999'"), syntax, "no type of NumPy's"},
      {descr("'" + std::string(3000, '<') + "'"), syntax, "no type of NumPy's"},
      {descr("4"), syntax, "expected a string"},
      {descr("('<f4', (2,))"), unsupported, "records or sub-arrays"},
      {descr("'<f2'"), unsupported,
       "an array of float16 (descr '<f2') is not supported, at byte 20"},
  };
  EXPECT_GE(std::size(hostile), 40u);
  for (const Hostile& h : hostile) {
    const Result<Tensor> t = parseNpy(h.bytes, "dir/bad.npy");
    ASSERT_FALSE(t.ok()) << h.message;
    EXPECT_EQ(t.error().kind, h.kind) << t.error().str();
    EXPECT_THAT(t.error().message, HasSubstr(h.message));
    EXPECT_EQ(t.error().place.str(), "dir/bad.npy");
  }
  EXPECT_EQ(parseNpy(npy("{'descr': '<f4', 'order': 'C'}"), "bad.npy").error().str(),
            "bad.npy: error: a header has the keys descr, fortran_order and shape; this is another "
            "one, at byte 27\n"
            "{'descr': '<f4', 'order': 'C'}\n"
            "                 ^\n");
}

TEST_F(Npy, RefusesWhatNumpyWroteAndTineHasNot) {
  const std::pair<const char*, const char*> refused[] = {
      {"float16", "float16 (descr '<f2')"},
      {"uint16", "uint16 (descr '<u2')"},
      {"uint32", "uint32"},
      {"uint64", "uint64"},
      {"complex64", "complex64"},
      {"complex128", "complex128"},
      {"longdouble", "long double (float128)"},
      {"datetime64_ns", "dates (datetime64) (descr '<M8[ns]')"},
      {"timedelta64_s", "time spans (timedelta64)"},
      {"S3", "byte strings (descr '|S3')"},
      {"U3", "strings (descr '<U3')"},
      {"V4", "raw bytes or records (descr '|V4')"},
      {"records", "records or sub-arrays"},
      {"objects", "Python objects, stored as a pickle, which is never loaded (descr '|O')"},
  };
  for (const auto& [file, message] : refused) {
    const std::string path = (kFiles / "refused" / file).string() + ".npy";
    const Result<Tensor> t = readNpy(path);
    ASSERT_FALSE(t.ok()) << file;
    EXPECT_EQ(t.error().kind, error_kind::Unsupported);
    EXPECT_THAT(t.error().message, HasSubstr(message));
    EXPECT_EQ(t.error().place.file, path);
  }
  const std::string archive = (kFiles / "refused/objects.npz").string();
  const auto arrays = readNpz(archive);
  ASSERT_FALSE(arrays.ok());
  EXPECT_EQ(arrays.error().kind, error_kind::Unsupported);
  EXPECT_EQ(arrays.error().place.file, archive + "/bad.npy");
}

TEST_F(Npy, EveryPrefixIsAnError) {
  const std::string fine = slurp(kFiles / "int16_2x3x4_fortran_big.npy");
  for (std::size_t n = 0; n < fine.size(); ++n) {
    const Result<Tensor> t = parseNpy(llvm::StringRef(fine).take_front(n), "x.npy");
    ASSERT_FALSE(t.ok()) << n;
    EXPECT_EQ(t.error().kind, error_kind::Syntax);
    EXPECT_EQ(t.error().place.file, "x.npy");
  }
  for (const char* file : {"stored.npz", "deflated.npz"}) {
    const std::string archive = slurp(kFiles / file);
    for (std::size_t n = 0; n < archive.size(); ++n) {
      const auto arrays = parseNpz(llvm::StringRef(archive).take_front(n), "x.npz");
      ASSERT_FALSE(arrays.ok()) << n;
      EXPECT_THAT(arrays.error().place.file, ::testing::StartsWith("x.npz"));
    }
  }
}

// A changed byte is an error or, outside of what a checksum covers (dates, flags), without effect.
TEST_F(Npy, NoChangedByteOfAnArchiveGoesUnseen) {
  const auto wanted = readNpz(kFiles / "deflated.npz").value();
  const std::string archive = slurp(kFiles / "deflated.npz");
  for (std::size_t i = 0; i < archive.size(); ++i) {
    for (const int flip : {0x01, 0x80, 0xFF}) {
      std::string changed = archive;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      const auto arrays = parseNpz(changed, "x.npz");
      if (!arrays.ok()) continue;
      for (std::size_t k = 0; k < arrays->size() && k < wanted.size(); ++k)
        EXPECT_TRUE(identical((*arrays)[k].tensor, wanted[k].tensor)) << "byte " << i;
    }
  }
}

// ---- hostile archives ---------------------------------------------------------------------------

std::uint32_t crc32(llvm::StringRef bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  return ~crc;
}

/// What an archive says of one entry; a test changes one thing.
struct Member {
  std::string name;
  std::string data; ///< as it lies there
  int method = 0, flags = 0;
  std::uint64_t size = data.size();
  std::uint64_t packed = data.size();
  std::uint32_t crc = crc32(data);
  std::int64_t offset = -1; ///< of the local header; -1: where it is
};

std::string zipOf(const std::vector<Member>& members, int claimed = -1) {
  std::string out, directory;
  for (const Member& m : members) {
    const std::string common = number(20, 2) + number(static_cast<std::uint64_t>(m.flags), 2) +
                               number(static_cast<std::uint64_t>(m.method), 2) + number(0, 2) +
                               number(0x21, 2) + number(m.crc, 4) + number(m.packed, 4) +
                               number(m.size, 4) + number(m.name.size(), 2) + number(0, 2);
    const std::uint64_t offset = m.offset < 0 ? out.size() : static_cast<std::uint64_t>(m.offset);
    directory += "PK\1\2" + number(20, 2) + common + number(0, 2) + number(0, 2) + number(0, 2) +
                 number(0, 4) + number(offset, 4) + m.name;
    out += "PK\3\4" + common + m.name + m.data;
  }
  const std::uint64_t count = claimed < 0 ? members.size() : static_cast<std::uint64_t>(claimed);
  return out + directory + "PK\5\6" + number(0, 4) + number(count, 2) + number(count, 2) +
         number(directory.size(), 4) + number(out.size(), 4) + number(0, 2);
}

/// Deflated without compression: one stored block.
std::string deflated(const std::string& data) {
  return "\1" + number(data.size(), 2) + number(~data.size(), 2) + data;
}

TEST_F(Npy, HostileArchivesGiveLocatedErrors) {
  const std::string array = npyBytes(patterned({3}, DType::Int16));
  const Member fine{"a.npy", array};
  const auto with = [&](auto change) {
    Member m = fine;
    change(m);
    return zipOf({fine, m});
  };
  const auto packed = [&](const std::string& data) {
    Member m{"b.npy", data};
    m.method = 8;
    m.size = array.size();
    m.crc = crc32(array);
    return m;
  };
  ASSERT_EQ(parseNpz(zipOf({fine, packed(deflated(array))}), "x").value().size(), 2u);
  Member directory{"dir/", ""};
  ASSERT_EQ(parseNpz(zipOf({directory, fine}), "x").value().size(), 1u);
  ASSERT_EQ(parseNpz(zipOf({{"../../etc/a.npy", array}}), "x").value()[0].name, "../../etc/a");

  const char *syntax = error_kind::Syntax, *unsupported = error_kind::Unsupported,
             *memory = error_kind::Memory;
  struct {
    std::string bytes;
    const char *kind, *place, *message;
  } hostile[] = {
      {"", syntax, "x.npz", "cannot read the zip archive"},
      {"PK\3\4", syntax, "x.npz", "cannot read the zip archive"},
      {array, syntax, "x.npz", "Not a zip archive"},
      {zipOf({fine}, 2), syntax, "x.npz", ""},
      {zipOf({fine, fine}), syntax, "x.npz/a.npy", "two entries of this name"},
      {with([](Member& m) { m.name = "a"; }), syntax, "x.npz/a", "two arrays of the name 'a'"},
      {with([](Member& m) { m.name = "b.npy", m.method = 12; }), unsupported, "x.npz/b.npy",
       "method 12"},
      {with([](Member& m) { m.name = "b.npy", m.method = 99; }), syntax, "x.npz", "inconsistent"},
      {with([](Member& m) { m.name = "b.npy", m.flags = 1; }), unsupported, "x.npz/b.npy",
       "encrypted"},
      {with([](Member& m) { m.name = "b.npy", ++m.crc; }), syntax, "x.npz/b.npy",
       "damaged: CRC error"},
      {with([](Member& m) { m.name = "b.npy", --m.size; }), syntax, "x.npz/b.npy",
       "which cannot be"},
      {with([](Member& m) { m.name = "b.npy", m.size = m.packed = 0xFFFFFFF0; }), syntax,
       "x.npz/b.npy", "which cannot be"},
      {with([](Member& m) { m.name = "b.npy", m.size = m.packed += 100; }), syntax, "x.npz", ""},
      {with([](Member& m) { m.name = "b.npy", m.offset = 0x7FFFFFFF; }), syntax, "x.npz", ""},
      {with([](Member& m) { m.name = "b.npy", m.offset = 3; }), syntax, "x.npz", ""},
      {with([](Member& m) {
         m.name = "b.txt", m.data = "hello", m.size = m.packed = 5, m.crc = crc32("hello");
       }),
       syntax, "x.npz/b.txt", "not a .npy file"},
      {with([](Member& m) { m.name = "b.npy", m.data = "", m.size = m.packed = 0, m.crc = 0; }),
       syntax, "x.npz/b.npy", "not a .npy file"},
      {zipOf({packed("garbage")}), syntax, "x.npz/b.npy", "damaged"},
      {zipOf({packed(deflated(array).substr(0, 50))}), syntax, "x.npz/b.npy", "damaged"},
      {zipOf({packed(deflated(array.substr(0, array.size() - 1)))}), syntax, "x.npz/b.npy", ""},
      {zipOf({packed(deflated(array + "more"))}), syntax, "x.npz/b.npy", "goes on after"},
      {zipOf({packed("")}), syntax, "x.npz/b.npy", "which cannot be"},
      {slurp(kFiles / "refused/bomb.npz"), memory, "x.npz/zeros.npy",
       "16777344 bytes, above the limit of 1048576"},
  };
  // Claims 4 GB from 1 kB.
  Member bomb = packed(std::string(1000, '\0'));
  bomb.size = 0xFFFFFFF0;
  hostile[0].bytes = zipOf({bomb});
  hostile[0].place = "x.npz/b.npy";
  hostile[0].message = "claims 4294967280 bytes from 1000";
  ReadLimits limits;
  limits.maxBytes = 1 << 20;
  for (const auto& h : hostile) {
    const auto arrays = parseNpz(h.bytes, "x.npz", limits);
    ASSERT_FALSE(arrays.ok()) << h.place << h.message;
    EXPECT_EQ(arrays.error().kind, h.kind) << arrays.error().str();
    EXPECT_THAT(arrays.error().message, HasSubstr(h.message));
    EXPECT_THAT(arrays.error().place.file, ::testing::StartsWith(h.place));
  }
  EXPECT_EQ(parseNpz("", "x.npz").error().kind, error_kind::Syntax);
}

TEST_F(Npy, LimitsHoldForTheWholeArchive) {
  const std::string array = npyBytes(patterned({1000}, DType::UInt8));
  std::vector<Member> members;
  for (int i = 0; i < 20; ++i) members.push_back({std::to_string(i), array});
  const std::string archive = zipOf(members);
  ReadLimits limits;
  limits.maxBytes = 20 * array.size();
  EXPECT_EQ(parseNpz(archive, "x", limits).value().size(), 20u);
  --limits.maxBytes;
  EXPECT_EQ(parseNpz(archive, "x", limits).error().str(),
            "x/19: error: with this entry the archive has 22560 bytes, above the limit of 22559\n");
  limits = {};
  limits.maxEntries = 19;
  EXPECT_EQ(parseNpz(archive, "x", limits).error().message,
            "the archive has 20 entries, above the limit of 19");
  // One stretch of bytes that many entries claim counts for each.
  for (Member& m : members) m.offset = 0, m.name = "0";
  for (std::size_t i = 1; i < members.size(); ++i)
    members[i].name = std::string(1, static_cast<char>('a' + i));
  limits = {};
  limits.maxBytes = 3 * array.size();
  EXPECT_EQ(parseNpz(zipOf(members), "x", limits).error().kind, error_kind::Memory);
  EXPECT_EQ(parseNpy(array, "x", {.maxBytes = 999}).error().kind, error_kind::Memory);
  EXPECT_TRUE(parseNpy(array, "x", {.maxBytes = 1000}).ok());
}

TEST_F(Npy, FilesThatAreNot) {
  const Directory directory;
  EXPECT_EQ(readNpy(directory / "x.npy").error().str(),
            (directory / "x.npy") + ": error: cannot open the file: No such file or directory\n");
  EXPECT_EQ(readNpz(directory / "x.npz").error().kind, error_kind::Io);
  EXPECT_EQ(readNpy(directory.path).error().kind, error_kind::Io);
  EXPECT_EQ(readNpz(directory.path).error().kind, error_kind::Io);
  EXPECT_EQ(readArrays(directory.path).error().kind, error_kind::Io);
  EXPECT_EQ(readNpz("/dev/null").error().kind, error_kind::Io);
  EXPECT_EQ(readNpy("/dev/null").error().kind, error_kind::Syntax);
}

// tests/oracle/npy_test.py sets the directory and reads what this writes with NumPy.
TEST_F(Npy, WritesForNumpy) {
  const char* out = std::getenv("TINE_NPY_OUT");
  if (!out) GTEST_SKIP() << "only as part of the comparison with NumPy";
  std::vector<NamedTensor> all;
  for (const DType dtype : kDTypes) {
    const std::string type = name(dtype).str();
    all.push_back({type + "_scalar", patterned({}, dtype)});
    all.push_back({type + "_0x3", patterned({0, 3}, dtype)});
    all.push_back({type + "_5", patterned({5}, dtype)});
    all.push_back({type + "_1x2x1x3x2x1", patterned({1, 2, 1, 3, 2, 1}, dtype)});
    // The same logical values through other layouts.
    const Tensor t = patterned({3, 4}, dtype);
    const Tensor columns = exchanged(exchanged(t, 0, 1).clone(), 0, 1);
    all.push_back({type + "_3x4_fortran", columns});
    Tensor gaps = Tensor::empty({3, 8}, dtype).asStrided({3, 4}, {8, 2}, 1);
    for (std::int64_t k = 0; k < 12; ++k)
      std::memcpy(gaps.bytes() + static_cast<std::size_t>(k / 4 * 8 + k % 4 * 2) * itemSize(dtype),
                  t.bytes() + static_cast<std::size_t>(k) * itemSize(dtype), itemSize(dtype));
    all.push_back({type + "_3x4_gaps", gaps});
  }
  const std::string directory = std::string(out) + "/";
  for (const NamedTensor& array : all)
    for (int version = 1; version <= 3; ++version) {
      std::ofstream file(directory + array.name + "_v" + std::to_string(version) + ".npy",
                         std::ios::binary);
      file << npyBytes(array.tensor, version);
      ASSERT_TRUE(file.good());
    }
  all.push_back({"größe/../float32_5", patterned({5}, DType::Float32)});
  ASSERT_TRUE(writeNpz(directory + "stored.npz", all).ok());
  ASSERT_TRUE(writeNpz(directory + "deflated.npz", all, true).ok());
}

} // namespace
} // namespace tine
