#include "tensor/npz.h"

#include "llvm/ADT/StringSet.h"
#include "tensor/npy.h"
#include "tensor/zip.h"

namespace tine {
namespace {

Result<std::vector<NamedTensor>> readAll(const ZipReader& zip, const ReadLimits& limits) {
  std::vector<NamedTensor> arrays;
  llvm::StringSet<> names;
  for (const ZipEntry& entry : zip.entries()) {
    TINE_TRY(const ByteStream stream, zip.stream(entry));
    TINE_TRY(Tensor tensor, readNpyStream(stream, limits));
    llvm::StringRef name = entry.name;
    name.consume_back(".npy");
    if (!names.insert(name).second) // `a` beside `a.npy`; equal entries are errors of the archive
      return Error(error_kind::Syntax,
                   "the archive has two arrays of the name '" + name.str() + "'",
                   wholeFile(stream.file));
    arrays.push_back({name.str(), std::move(tensor)});
  }
  return arrays;
}

} // namespace

Result<std::vector<NamedTensor>> readNpz(const std::string& path, const ReadLimits& limits) {
  TINE_TRY(const ZipReader zip, ZipReader::open(path, limits));
  return readAll(zip, limits);
}

Result<std::vector<NamedTensor>> parseNpz(llvm::StringRef bytes, llvm::StringRef file,
                                          const ReadLimits& limits) {
  TINE_TRY(const ZipReader zip, ZipReader::fromBytes(bytes, file, limits));
  return readAll(zip, limits);
}

Result<std::vector<NamedTensor>> readArrays(const std::string& path, const ReadLimits& limits) {
  TINE_TRY(ByteStream stream, openStream(path));
  if (stream.size != ByteStream::kUnknown) { // a pipe can only be read once, and so is no archive
    char magic[2];
    TINE_TRY(const std::size_t got, stream.read(magic, 2));
    if (got == 2 && magic[0] == 'P' && magic[1] == 'K') return readNpz(path, limits);
    TINE_TRY(stream, openStream(path));
  }
  TINE_TRY(Tensor tensor, readNpyStream(stream, limits));
  std::vector<NamedTensor> arrays;
  arrays.push_back({"", std::move(tensor)});
  return arrays;
}

Result<Ok> writeNpz(const std::string& path, llvm::ArrayRef<NamedTensor> arrays, bool deflate) {
  TINE_TRY(ZipWriter zip, ZipWriter::create(path));
  std::vector<NpyParts> parts; // live until the archive is closed
  parts.reserve(arrays.size());
  for (const NamedTensor& array : arrays) {
    parts.push_back(npyParts(array.tensor));
    TINE_TRY(Ok(),
             zip.add(array.name + ".npy", {parts.back().header, parts.back().bytes()}, deflate));
  }
  return zip.close();
}

} // namespace tine
