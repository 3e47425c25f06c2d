#pragma once

#include "support/result.h"

#include <cstdint>
#include <functional>
#include <string>

namespace tine {

/// How much a file may make its reader allocate. Checked against what the file claims, before
/// anything is allocated.
struct ReadLimits {
  std::uint64_t maxBytes = std::uint64_t{8} << 30; ///< of all arrays together, decompressed
  std::size_t maxEntries = 65536;                  ///< of an archive
};

/// The place of an error about a file as a whole.
inline Place wholeFile(std::string file) {
  Place place;
  place.file = std::move(file);
  return place;
}

/// Bytes that come one after another: of a file, of memory, of an entry of an archive.
struct ByteStream {
  static constexpr std::uint64_t kUnknown = ~std::uint64_t{0};

  std::string file;              ///< as errors name it: `x.npz/weight.npy`
  std::uint64_t size = kUnknown; ///< how many there should be; a pipe does not know
  /// Reads `n` bytes; fewer only at the end. \errors IoError; SyntaxError a broken archive
  std::function<Result<std::size_t>(void* to, std::size_t n)> read;
};

/// \errors IoError
Result<ByteStream> openStream(const std::string& path);
/// `bytes` must outlive the stream.
ByteStream streamOf(llvm::StringRef bytes, llvm::StringRef file);

} // namespace tine
