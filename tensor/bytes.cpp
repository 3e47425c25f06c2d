#include "tensor/bytes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace tine {
namespace {

Error ioError(const std::string& path, const char* what) {
  const int code = errno;
  return Error(error_kind::Io, std::string("cannot ") + what + ": " + std::strerror(code),
               wholeFile(path));
}

struct Descriptor {
  int number;
  explicit Descriptor(int n) : number(n) {}
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

} // namespace

Result<ByteStream> openStream(const std::string& path) {
  auto file = std::make_shared<Descriptor>(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file->number < 0) return ioError(path, "open the file");
  struct stat status;
  if (::fstat(file->number, &status) != 0) return ioError(path, "read the file");
  ByteStream stream;
  stream.file = path;
  if (S_ISREG(status.st_mode)) stream.size = static_cast<std::uint64_t>(status.st_size);
  stream.read = [file, path](void* to, std::size_t n) -> Result<std::size_t> {
    std::size_t done = 0;
    while (done < n) {
      const ssize_t got = ::read(file->number, static_cast<char*>(to) + done, n - done);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return ioError(path, "read the file");
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  };
  return stream;
}

ByteStream streamOf(llvm::StringRef bytes, llvm::StringRef file) {
  ByteStream stream;
  stream.file = file.str();
  stream.size = bytes.size();
  stream.read = [bytes](void* to, std::size_t n) mutable -> Result<std::size_t> {
    const std::size_t count = std::min(n, bytes.size());
    if (count) std::memcpy(to, bytes.data(), count);
    bytes = bytes.drop_front(count);
    return count;
  };
  return stream;
}

} // namespace tine
