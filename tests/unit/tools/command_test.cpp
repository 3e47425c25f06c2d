// Runs the command lines of tests/files/cli/*.txt and compares everything that comes out. A case:
//
//   ## what it is about
//   $ tine print one.ir          run by sh, in tests/files/cli; `tine` is the one just built
//   < a line of stdin
//   | a line of stdout
//   ! a line of stderr
//   = 1                          the exit code, unless 0
//
// `\` at the end of an output's last line: it ends without a newline. TINE_UPDATE=1 writes what
// came out into the files; the diff is the review.

#include "llvm/ADT/StringRef.h"
#include "tests/fixture.h"

#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace tine {
namespace {

struct Case {
  std::string title, command, input;
  std::string output, errors;
  int exitCode = 0;

  std::string str() const {
    std::string text = title + "\n$ " + command + "\n";
    auto add = [&](char mark, llvm::StringRef lines) {
      while (!lines.empty()) {
        bool ends = lines.contains('\n');
        auto [line, rest] = lines.split('\n');
        text += mark;
        text += (line.empty() ? "" : " ") + line.str() + (ends ? "\n" : "\\\n");
        lines = rest;
      }
    };
    add('<', input);
    add('|', output);
    add('!', errors);
    if (exitCode) text += "= " + std::to_string(exitCode) + "\n";
    return text;
  }
};

std::vector<Case> casesOf(llvm::StringRef text) {
  std::vector<Case> cases;
  while (!text.empty()) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    if (line.starts_with("## ")) {
      cases.emplace_back();
      cases.back().title = line.str();
      continue;
    }
    if (line.empty() || cases.empty()) continue;
    Case& current = cases.back();
    std::string rest = line.drop_front(1 + line.drop_front().starts_with(" ")).str();
    auto addTo = [&](std::string& lines) {
      if (llvm::StringRef(rest).ends_with("\\"))
        lines += rest.substr(0, rest.size() - 1);
      else
        lines += rest + "\n";
    };
    switch (line[0]) {
    case '$':
      current.command = rest;
      break;
    case '<':
      addTo(current.input);
      break;
    case '|':
      addTo(current.output);
      break;
    case '!':
      addTo(current.errors);
      break;
    case '=':
      current.exitCode = std::stoi(rest);
      break;
    default:
      ADD_FAILURE() << "not a line of a case: " << line.str();
    }
  }
  return cases;
}

/// Runs the command with stdin from a file and outputs into files: no pipe can fill.
Case ranOf(const Case& wanted, const std::filesystem::path& folder) {
  auto scratch =
      std::filesystem::temp_directory_path() / ("tine_command_test." + std::to_string(getpid()));
  std::filesystem::create_directories(scratch);
  auto file = [&](const char* name) { return (scratch / name).string(); };
  std::ofstream(file("in"), std::ios::binary) << wanted.input;
  pid_t child = fork();
  if (child == 0) {
    auto redirect = [](const std::string& path, int flags, int fd) {
      int opened = open(path.c_str(), flags, 0600);
      if (opened < 0 || dup2(opened, fd) < 0) _exit(126);
      close(opened);
    };
    redirect(file("in"), O_RDONLY, STDIN_FILENO);
    redirect(file("out"), O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect(file("err"), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    auto path = std::filesystem::path(TINE_COMMAND).parent_path().string() + ":/usr/bin:/bin";
    if (chdir(folder.c_str()) != 0 || setenv("PATH", path.c_str(), 1) != 0) _exit(126);
    execl("/bin/sh", "sh", "-c", wanted.command.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  Case ran = wanted;
  ran.output = testing::readFile(file("out"));
  ran.errors = testing::withoutSanitizerNotes(testing::readFile(file("err")));
  ran.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  std::filesystem::remove_all(scratch);
  return ran;
}

std::filesystem::path cliFiles() { return testing::testFiles() / "cli"; }

class Command : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(Command, SaysWhatItShould) {
  std::string text = testing::readFile(GetParam()), came;
  auto cases = casesOf(text);
  ASSERT_FALSE(cases.empty());
  bool update = std::getenv("TINE_UPDATE");
  for (const Case& wanted : cases) {
    Case ran = ranOf(wanted, cliFiles());
    came += (came.empty() ? "" : "\n") + ran.str();
    if (!update) {
      EXPECT_EQ(ran.str(), wanted.str()) << "in " << GetParam();
    }
  }
  if (update) std::ofstream(GetParam(), std::ios::binary) << came;
}

INSTANTIATE_TEST_SUITE_P(Files, Command,
                         ::testing::ValuesIn(testing::filesUnder(cliFiles(), ".txt")),
                         [](const auto& file) { return file.param.stem().string(); });

TEST(CommandFiles, AreThere) { EXPECT_GE(testing::filesUnder(cliFiles(), ".txt").size(), 7u); }

} // namespace
} // namespace tine
