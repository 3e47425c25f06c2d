#include "support/lines.h"
#include "tests/fixture.h"

#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace tine {
namespace {

Place at(std::string file, std::uint32_t line, std::uint32_t column = 1) {
  Place place;
  place.file = std::move(file);
  place.line = line;
  place.column = column;
  return place;
}

/// The line that is found for a place.
std::string lineOf(SourceLines& lines, Place place) {
  return lines.shown(Error("E", "m", std::move(place))).place.text;
}

/// Files in a folder of the test's own.
class Lines : public ::testing::Test {
protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("tine_lines." + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return (folder_ / name).string(); }
  std::string write(const char* name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  std::string found(const std::string& file, std::uint32_t line, std::uint32_t column = 1) {
    return lineOf(lines_, at(file, line, column));
  }
  SourceLines lines_;

private:
  std::filesystem::path folder_;
};

TEST_F(Lines, AreThoseOfTextsAtHandAndOfFiles) {
  std::string text = "one\ntwo\r\n\nfour";
  lines_.add("t.ir", text);
  EXPECT_EQ(found("t.ir", 1), "one");
  EXPECT_EQ(found("t.ir", 2), "two");
  EXPECT_EQ(found("t.ir", 3), "");
  EXPECT_EQ(found("t.ir", 4), "four");
  std::string file = write("a.py", "def f(x):\n  return x[9]\n");
  EXPECT_EQ(found(file, 2), "  return x[9]");
  SourceLines texts(SourceLines::Files::Leave);
  EXPECT_EQ(lineOf(texts, at(file, 2)), "");
}

TEST_F(Lines, OfWholeErrors) {
  std::string text = "a\nb\nc\n";
  lines_.add("t", text);
  Error error("IndexError", "no", at("t", 1, 1));
  error.notes.push_back({"because", at("t", 2, 2)});
  error.traceback.push_back({TraceEntry::Edge::Call, "f", at("t", 3, 1)});
  error.traceback.push_back({TraceEntry::Edge::Fork, "g", at("t", 4, 1)});
  EXPECT_EQ(lines_.shown(error).str(), "t:1:1: error: no\n"
                                       "a\n"
                                       "^\n"
                                       "t:2:2: note: because\n"
                                       "b\n"
                                       " ^\n"
                                       "traceback (outermost first):\n"
                                       "  in f, at t:3:1\n"
                                       "    c\n"
                                       "    ^\n"
                                       "  in g, started by a fork, at t:4:1\n");
}

TEST_F(Lines, FarDown) {
  std::string text;
  for (int i = 1; i <= 100'000; ++i) text += std::to_string(i) + "\n";
  lines_.add("t", text);
  for (std::uint32_t line : {1u, 2u, 255u, 256u, 257u, 512u, 513u, 65'535u, 99'999u, 100'000u})
    EXPECT_EQ(found("t", line), std::to_string(line));
  for (std::uint32_t line : {0u, 100'001u, 100'002u, 100'257u, 1'000'000u, ~0u})
    EXPECT_EQ(found("t", line), "");
}

TEST_F(Lines, PlacesOutsideOfTheirTextHaveNone) {
  std::string text = "abc\n";
  lines_.add("t", text);
  EXPECT_EQ(found("t", 1, 4), "abc"); // at its end
  EXPECT_EQ(found("t", 1, 5), "");
  EXPECT_EQ(found("t", 1, ~0u), "");
  EXPECT_EQ(found("t", 1, 0), "abc");
  EXPECT_EQ(found("elsewhere", 1), "");
}

TEST_F(Lines, OnlyRegularFilesOfTextAreRead) {
  std::filesystem::create_directories(path("folder"));
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  std::filesystem::create_symlink(path("fifo"), path("link"));
  std::filesystem::create_symlink(path("loop"), path("loop"));
  std::string binary = write("binary", std::string("ELF\0\1\nsecond\n", 13));
  std::string secret = write("unreadable", "text\n");
  std::filesystem::permissions(secret, std::filesystem::perms::none);
  for (const std::string& file :
       {path("folder"), path("fifo"), path("link"), path("loop"), path("missing"), binary,
        write("empty", ""), std::string("/dev/zero"), std::string("/dev/tty"),
        std::string("/proc/self/status"), std::string("/proc/kmsg"), std::string("a\0b", 3),
        std::string(100'000, 'a'), path("folder") + "/../folder"})
    EXPECT_EQ(found(file, 1), "") << file.substr(0, 100);
  EXPECT_EQ(found(binary, 2), "second");
  if (geteuid() != 0) {
    EXPECT_EQ(found(secret, 1), "");
  }
}

TEST_F(Lines, LargeFilesAreLeftAloneAndOfLongLinesAPartIsKept) {
  std::string large = write("large", "text\n"), long1 = write("long", std::string(70'000, 'x'));
  std::filesystem::resize_file(large, (16 << 20) + 1);
  EXPECT_EQ(found(large, 1), "");
  EXPECT_EQ(found(long1, 1), std::string(400, 'x'));
  // 64 MiB of files in all, the one above among them.
  for (int i = 0; i < 6; ++i) {
    std::string file = write(("f" + std::to_string(i)).c_str(), "text\n");
    std::filesystem::resize_file(file, 16 << 20);
    EXPECT_EQ(found(file, 1), i < 3 ? "text" : "") << i;
  }
}

// ---- carets -------------------------------------------------------------------------------------

std::string excerpt(std::string text, std::uint32_t column, std::uint32_t length = 1) {
  Place place = at("t", 1, column);
  place.text = std::move(text);
  place.length = length;
  return place.excerpt();
}

TEST(Excerpts, PointAtCharacters) {
  EXPECT_EQ(excerpt("abc def", 5, 3), "abc def\n    ^~~\n");
  EXPECT_EQ(excerpt("\tabc", 3), "\tabc\n\t ^\n");
  EXPECT_EQ(excerpt("h\xC3\xA9 x", 5), "h\xC3\xA9 x\n   ^\n");
  EXPECT_EQ(excerpt("h\xC3\xA9 x", 3), "h\xC3\xA9 x\n ^\n"); // inside of a character
  EXPECT_EQ(excerpt("\xF0\x9F\x98\x80=", 1, 5), "\xF0\x9F\x98\x80=\n^~\n");
  EXPECT_EQ(excerpt("    abc", 1), "    abc\n    ^\n"); // not at the indentation
  EXPECT_EQ(excerpt("  ", 2), "  \n ^\n");
  EXPECT_EQ(excerpt("abc", 4), "abc\n   ^\n");
  EXPECT_EQ(excerpt("abc", 3, 100), "abc\n  ^\n");
  EXPECT_EQ(excerpt("abc", 0), "abc\n"); // no column is known
  EXPECT_EQ(excerpt("", 1), "");
}

TEST(Excerpts, HideWhatATerminalWouldObey) {
  EXPECT_EQ(excerpt("a\x1B[31mb\x7F", 2, 2), "a?[31mb?\n ^~\n");
  EXPECT_EQ(excerpt("a\xC2\x9Bm", 2), "a??m\n ^\n");         // a control, in UTF-8
  EXPECT_EQ(excerpt("\xE2\x80\xAEx", 4), "???x\n   ^\n");    // right to left
  EXPECT_EQ(excerpt("\xC3x\xC0\x80y", 2), "?x??y\n ^\n");    // cut; overlong
  EXPECT_EQ(excerpt("\xED\xA0\x80\xF5", 4), "????\n   ^\n"); // a surrogate; too large
  EXPECT_EQ(excerpt("\xF4\x90\x80\x80 \xE2\x82", 5), "???? ??\n    ^\n");
}

TEST(Excerpts, AreShort) {
  std::string line(1000, 'a');
  line[499] = 'X';
  EXPECT_EQ(excerpt(line, 500), "..." + std::string(80, 'a') + "X" + std::string(119, 'a') +
                                    "...\n" + std::string(83, ' ') + "^\n");
  EXPECT_LT(excerpt(std::string(60'000, '\x80'), 30'000, 60'000).size(), 430u);
}

TEST(Excerpts, OfVeryLongLinesAreWhatIsAroundTheCaret) {
  std::string line = std::string(300'000, 'a');
  line[200'000] = 'X';
  line[299'999] = 'Z';
  const std::string a80(80, 'a');
  Place place = placeAt("t", "first\n" + line + "\nlast", 6 + 200'000);
  EXPECT_EQ(place.column, 200'001u);
  EXPECT_LT(place.text.size(), 1000u);
  EXPECT_EQ(place.excerpt(),
            "..." + a80 + "X" + std::string(119, 'a') + "...\n" + std::string(83, ' ') + "^\n");
  EXPECT_EQ(placeAt("t", line, 299'999).excerpt(),
            "..." + a80 + "Z\n" + std::string(83, ' ') + "^\n");
  EXPECT_EQ(placeAt("t", line, 3, 2).excerpt(), std::string(200, 'a') + "...\n   ^~\n");
  EXPECT_EQ(placeAt("t", line, line.size()).excerpt(),
            "..." + std::string(79, 'a') + "Z\n" + std::string(83, ' ') + "^\n");
}

// ---- whole errors -------------------------------------------------------------------------------

TEST(ErrorText, HoldsNothingThatATerminalWouldObey) {
  Error error("E", "say \x1B[31m\xC3\n\tmore\r", at("a\x07.ir", 1, 2));
  error.notes.push_back({"\xC2\x9B", {}});
  error.traceback.push_back({TraceEntry::Edge::Fork, "f\x1B", at("\xFF", 3)});
  EXPECT_EQ(error.str(), "a\\x07.ir:1:2: error: say \\x1b[31m\\xc3\n\tmore\\x0d\n"
                         "note: \\xc2\\x9b\n"
                         "traceback (outermost first):\n"
                         "  in f\\x1b, started by a fork, at \\xff:3:1\n");
}

TEST(ErrorText, IsShort) {
  Error error("E", std::string(1'000'000, 'm'));
  for (int i = 0; i < 100'000; ++i) error.notes.push_back({std::to_string(i), {}});
  std::string text = error.str();
  EXPECT_LT(text.size(), 11'000u);
  EXPECT_NE(text.find("m... and 990000 more bytes\nnote: 0\n"), std::string::npos);
  EXPECT_NE(text.find("note: 19\nnote: and 99980 more\n"), std::string::npos);
}

} // namespace
} // namespace tine
