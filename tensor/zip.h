#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "tensor/bytes.h"

#include <memory>
#include <vector>

struct zip; // libzip's archive

namespace tine {

/// One entry of a zip archive, as the archive's directory claims it; directories are left out.
struct ZipEntry {
  std::string name; ///< UTF-8; may contain `/` and `..`: it is a name, never a path to write to
  std::uint64_t index = 0;
  std::uint64_t size = 0; ///< decompressed
};

/// Reads a zip archive with stored and deflated entries.
///
///   TINE_TRY(ZipReader zip, ZipReader::open("x.npz"));
///   for (const ZipEntry& entry : zip.entries()) { TINE_TRY(ByteStream bytes, zip.stream(entry));
///   ... }
///
/// Opening checks the whole directory: other compression, encryption, names that occur twice, more
/// entries or bytes than the limits, and sizes that the archive's bytes cannot inflate to are
/// errors. A stream checks the checksum when it is read past its end.
/// \thread not safe \source zip's APPNOTE, by libzip
class ZipReader {
public:
  /// \errors IoError, SyntaxError, UnsupportedError, MemoryError
  static Result<ZipReader> open(const std::string& path, const ReadLimits& limits = {});
  /// `bytes` must outlive the reader and its streams.
  static Result<ZipReader> fromBytes(llvm::StringRef bytes, llvm::StringRef file,
                                     const ReadLimits& limits = {});

  const std::vector<ZipEntry>& entries() const { return entries_; }
  Result<ByteStream> stream(const ZipEntry& entry) const;

private:
  ZipReader() = default;
  Result<Ok> readDirectory(std::uint64_t archiveBytes, const ReadLimits& limits);

  std::string file_;
  std::shared_ptr<::zip> zip_;
  std::vector<ZipEntry> entries_;
};

/// Writes a zip archive: nothing appears at `path` before `close`, then all of it. The same entries
/// give the same bytes.
class ZipWriter {
public:
  static Result<ZipWriter> create(const std::string& path);
  /// `parts`, joined, are the entry; their bytes must live until `close`. \errors ValueError a name
  /// that is not UTF-8, is too long or occurs twice
  Result<Ok> add(const std::string& name, llvm::ArrayRef<llvm::StringRef> parts, bool deflate);
  /// \errors IoError; ValueError an archive without entries
  Result<Ok> close();

private:
  ZipWriter() = default;
  std::string file_;
  std::unique_ptr<::zip, void (*)(::zip*)> zip_{nullptr, nullptr}; ///< null once closed
  std::size_t count_ = 0;
};

} // namespace tine
