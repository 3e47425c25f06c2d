#include "frontend/script/compile.h"
#include "ir/parse.h"
#include "tools/command.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tine::tools {
namespace {

constexpr std::size_t kMaxBytes = std::size_t(1) << 30;
constexpr std::size_t kLooked = 4096; ///< bytes that tell the format

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number > STDERR_FILENO) close(number);
  }
};

Error cannotRead(const std::string& name, const std::string& why) {
  return Error(error_kind::Io, "cannot read " + name + ": " + why);
}

/// A format that is not ours, by its first bytes; empty when it may be text.
std::string foreignFormat(llvm::StringRef head) {
  struct Magic {
    llvm::StringRef bytes;
    const char* name;
  };
  static constexpr Magic kMagics[] = {
      {"\x80\x02", "a pickle (of torch.save before version 1.6)"},
      {"\x93NUMPY", "a NumPy array"},
      {"\x89PNG", "a PNG image"},
      {"\xff\xd8\xff", "a JPEG image"},
      {"\x7f"
       "ELF",
       "a program"},
      {"\x1f\x8b", "compressed by gzip"},
      {"BZh", "compressed by bzip2"},
      {"\x28\xb5\x2f\xfd", "compressed by zstd"},
      {"\xfd"
       "7zXZ",
       "compressed by xz"},
      {"%PDF", "a PDF"},
      {"\x89HDF", "an HDF5 file"},
  };
  for (const Magic& magic : kMagics)
    if (head.starts_with(magic.bytes)) return magic.name;
  if (head.substr(4).starts_with("PTMF")) return "a mobile module (flatbuffer)";
  if (head.contains('\0')) return "binary";
  return "";
}

/// Does the text look like Python? Its first word that is no comment says so.
bool looksLikeSource(llvm::StringRef text) {
  text.consume_front("\xEF\xBB\xBF"); // a byte-order mark
  while (true) {
    text = text.ltrim();
    if (!text.starts_with("#")) break;
    text = text.drop_until([](char c) { return c == '\n'; });
  }
  for (llvm::StringRef word : {"def ", "class ", "import ", "from ", "@", "\"\"\""})
    if (text.starts_with(word)) return true;
  return false;
}

} // namespace

Result<Input> readInput(const std::string& path) {
  Input input{path == "-" ? "<stdin>" : path, {}, InputKind::Graph};
  Descriptor file{path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0) return cannotRead(input.name, std::strerror(errno));
  struct stat about {};
  if (fstat(file.number, &about) == 0) {
    if (S_ISDIR(about.st_mode)) return cannotRead(input.name, "it is a directory");
    if (S_ISREG(about.st_mode) && static_cast<std::uint64_t>(about.st_size) > kMaxBytes)
      return cannotRead(input.name, "it is larger than 1 GiB");
  }
  bool looked = false;
  std::size_t size = 0;
  while (true) {
    // More each time, so that the bytes are copied a constant number of times.
    if (input.bytes.size() < size + kLooked) input.bytes.resize(std::max(16 * kLooked, 2 * size));
    ssize_t got = read(file.number, input.bytes.data() + size, input.bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannotRead(input.name, std::strerror(errno));
    size += static_cast<std::size_t>(got);
    if (size > kMaxBytes) return cannotRead(input.name, "it is larger than 1 GiB");
    if (!looked && (size >= kLooked || got == 0)) {
      looked = true;
      llvm::StringRef head = llvm::StringRef(input.bytes).take_front(std::min(size, kLooked));
      if (head.empty()) return Error(error_kind::Unsupported, input.name + " is empty");
      if (head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06"))
        input.kind = InputKind::Archive;
      else if (std::string format = foreignFormat(head); !format.empty())
        return Error(error_kind::Unsupported,
                     input.name + " is " + format +
                         "; tine takes graph text (.ir), TorchScript source (.py) and archives");
    }
    if (got == 0) break;
  }
  input.bytes.resize(size);
  if (input.kind == InputKind::Graph &&
      (llvm::StringRef(path).ends_with(".py") || looksLikeSource(input.bytes)))
    input.kind = InputKind::Source;
  return input;
}

Result<CompilationUnit> loadUnit(const Input& input) {
  switch (input.kind) {
  case InputKind::Graph:
    return parse(input.bytes, input.name);
  case InputKind::Source: {
    const auto module = script::parsePartly(input.bytes, input.name);
    return script::compile(*module, OpSet::sharedBuiltin());
  }
  case InputKind::Archive:
    return Error(error_kind::Unsupported,
                 input.name + " is a TorchScript archive, which is not supported yet");
  }
  TINE_UNREACHABLE("input kind");
}

} // namespace tine::tools
