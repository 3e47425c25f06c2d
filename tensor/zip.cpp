#include "tensor/zip.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>
#include <zip.h>

namespace tine {
namespace {

// Deflate spends at least two bits on 258 bytes.
constexpr std::uint64_t kMaxRatio = 1032;
constexpr std::uint64_t kMinArchive = 22;

Error zipError(const std::string& file, const std::string& what, zip_error_t* error) {
  const int code = zip_error_code_zip(error);
  const bool io = zip_error_system_type(error) == ZIP_ET_SYS || code == ZIP_ER_NOENT;
  return Error(io ? error_kind::Io : error_kind::Syntax, what + ": " + zip_error_strerror(error),
               wholeFile(file));
}

Error valueError(const std::string& file, std::string message) {
  return Error(error_kind::Value, std::move(message), wholeFile(file));
}

// Calls `open` with an error to fill; wraps what it opens.
using ZipHandle = std::unique_ptr<zip_t, void (*)(zip_t*)>;
template <class F> Result<ZipHandle> openZip(const std::string& file, const char* what, F&& open) {
  zip_error_t error;
  zip_error_init(&error);
  zip_t* zip = open(&error);
  if (zip) return ZipHandle(zip, zip_discard);
  Error failed = zipError(file, what, &error);
  zip_error_fini(&error);
  return failed;
}

zip_t* openPath(const std::string& path, int flags, zip_error_t* error) {
  int code = 0;
  zip_t* zip = zip_open(path.c_str(), flags, &code);
  if (!zip) zip_error_init_with_code(error, code);
  return zip;
}

zip_t* openBytes(llvm::StringRef bytes, zip_error_t* error) {
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, error);
  if (!source) return nullptr;
  zip_t* zip = zip_open_from_source(source, ZIP_RDONLY, error);
  if (!zip) zip_source_free(source);
  return zip;
}

} // namespace

Result<ZipReader> ZipReader::open(const std::string& path, const ReadLimits& limits) {
  ZipReader reader;
  reader.file_ = path;
  struct stat status;
  if (::stat(path.c_str(), &status) != 0)
    return Error(error_kind::Io, std::string("cannot open the file: ") + std::strerror(errno),
                 wholeFile(path));
  if (!S_ISREG(status.st_mode))
    return Error(error_kind::Io,
                 "a zip archive is read from a file only, not from a pipe or directory",
                 wholeFile(path));
  TINE_TRY(reader.zip_, openZip(path, "cannot read the zip archive", [&](zip_error_t* error) {
             return openPath(path, ZIP_RDONLY, error);
           }));
  TINE_TRY(Ok(), reader.readDirectory(static_cast<std::uint64_t>(status.st_size), limits));
  return reader;
}

Result<ZipReader> ZipReader::fromBytes(llvm::StringRef bytes, llvm::StringRef file,
                                       const ReadLimits& limits) {
  ZipReader reader;
  reader.file_ = file.str();
  TINE_TRY(reader.zip_, openZip(reader.file_, "cannot read the zip archive",
                                [&](zip_error_t* error) { return openBytes(bytes, error); }));
  TINE_TRY(Ok(), reader.readDirectory(bytes.size(), limits));
  return reader;
}

Result<Ok> ZipReader::readDirectory(std::uint64_t archiveBytes, const ReadLimits& limits) {
  const auto fail = [&](const std::string& entry, const char* kind, std::string message) {
    return Error(kind, std::move(message), wholeFile(entry.empty() ? file_ : file_ + "/" + entry));
  };
  // Nothing at all is an archive to libzip.
  if (archiveBytes < kMinArchive) return fail("", error_kind::Syntax, "not a zip archive");
  const auto count = static_cast<std::uint64_t>(zip_get_num_entries(zip_.get(), 0));
  if (count > limits.maxEntries)
    return fail("", error_kind::Memory,
                "the archive has " + std::to_string(count) + " entries, above the limit of " +
                    std::to_string(limits.maxEntries));
  llvm::StringSet<> names;
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    zip_stat_t stat;
    if (zip_stat_index(zip_.get(), i, 0, &stat) != 0 || !(stat.valid & ZIP_STAT_NAME))
      return zipError(file_, "cannot read entry " + std::to_string(i), zip_get_error(zip_.get()));
    ZipEntry entry{stat.name, i, stat.size};
    if (!names.insert(entry.name).second)
      return fail(entry.name, error_kind::Syntax, "the archive has two entries of this name");
    if (llvm::StringRef(entry.name).ends_with("/")) continue;
    if (stat.encryption_method != ZIP_EM_NONE)
      return fail(entry.name, error_kind::Unsupported, "the entry is encrypted");
    const bool stored = stat.comp_method == ZIP_CM_STORE;
    if (!stored && stat.comp_method != ZIP_CM_DEFLATE)
      return fail(entry.name, error_kind::Unsupported,
                  "the entry is compressed by method " + std::to_string(stat.comp_method) +
                      "; known are 0 (stored) and 8 (deflated)");
    if (stat.comp_size > archiveBytes || (stored && stat.size != stat.comp_size) ||
        stat.size / kMaxRatio + (stat.size % kMaxRatio != 0) > stat.comp_size)
      return fail(entry.name, error_kind::Syntax,
                  "the entry claims " + std::to_string(stat.size) + " bytes from " +
                      std::to_string(stat.comp_size) + " in an archive of " +
                      std::to_string(archiveBytes) + ", which cannot be");
    if (stat.size > limits.maxBytes || total > limits.maxBytes - stat.size)
      return fail(entry.name, error_kind::Memory,
                  "with this entry the archive has " +
                      (stat.size > limits.maxBytes ? std::to_string(stat.size)
                                                   : std::to_string(total + stat.size)) +
                      " bytes, above the limit of " + std::to_string(limits.maxBytes));
    total += stat.size;
    entries_.push_back(std::move(entry));
  }
  return Ok();
}

Result<ByteStream> ZipReader::stream(const ZipEntry& entry) const {
  ByteStream stream;
  stream.file = file_ + "/" + entry.name;
  stream.size = entry.size;
  zip_file_t* opened = zip_fopen_index(zip_.get(), entry.index, 0);
  if (!opened) return zipError(stream.file, "cannot open the entry", zip_get_error(zip_.get()));
  // The entry closes before the archive that it holds on to.
  std::shared_ptr<zip_file_t> file(opened, [zip = zip_](zip_file_t* f) { zip_fclose(f); });
  stream.read = [file, name = stream.file](void* to, std::size_t n) -> Result<std::size_t> {
    std::size_t done = 0;
    while (done < n) {
      const zip_int64_t got = zip_fread(file.get(), static_cast<char*>(to) + done, n - done);
      if (got < 0) return zipError(name, "the entry is damaged", zip_file_get_error(file.get()));
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  };
  return stream;
}

Result<ZipWriter> ZipWriter::create(const std::string& path) {
  ZipWriter writer;
  writer.file_ = path;
  struct stat status; // libzip puts a new file in the place of whatever is there
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    return Error(error_kind::Io, "cannot write an archive here: not a regular file",
                 wholeFile(path));
  TINE_TRY(writer.zip_, openZip(path, "cannot write the zip archive", [&](zip_error_t* error) {
             // What a link points at is written; libzip would put the file in the link's place.
             std::error_code none;
             const std::filesystem::path target = std::filesystem::weakly_canonical(path, none);
             return openPath(none ? path : target.string(), ZIP_CREATE | ZIP_TRUNCATE, error);
           }));
  return writer;
}

Result<Ok> ZipWriter::add(const std::string& name, llvm::ArrayRef<llvm::StringRef> parts,
                          bool deflate) {
  if (llvm::StringRef(name).contains('\0') || name.size() > 65535)
    return valueError(file_, "the name of an entry has at most 65535 bytes and no null byte");
  std::vector<zip_buffer_fragment_t> fragments;
  for (const llvm::StringRef part : parts)
    if (!part.empty())
      fragments.push_back(
          {reinterpret_cast<zip_uint8_t*>(const_cast<char*>(part.data())), part.size()});
  zip_source_t* source =
      zip_source_buffer_fragment(zip_.get(), fragments.data(), fragments.size(), 0);
  const zip_int64_t index =
      source ? zip_file_add(zip_.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
  if (index < 0) {
    if (source) zip_source_free(source);
    return valueError(file_, "cannot add the entry '" + name + "': " + zip_strerror(zip_.get()));
  }
  const auto at = static_cast<zip_uint64_t>(index);
  ++count_;
  // 1980-01-01, the first date that an archive can hold: the same input gives the same bytes.
  if (zip_set_file_compression(zip_.get(), at, deflate ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0) != 0 ||
      zip_file_set_dostime(zip_.get(), at, 0, 0x21, 0) != 0)
    return valueError(file_, "cannot add the entry '" + name + "': " + zip_strerror(zip_.get()));
  return Ok();
}

Result<Ok> ZipWriter::close() {
  if (count_ == 0) return valueError(file_, "an archive needs an entry");
  if (zip_close(zip_.get()) != 0) // then the archive is still open, and discarded with the writer
    return Error(error_kind::Io,
                 std::string("cannot write the zip archive: ") + zip_strerror(zip_.get()),
                 wholeFile(file_));
  (void)zip_.release(); // zip_close has freed it
  return Ok();
}

} // namespace tine
