#pragma once

#include "llvm/ADT/StringRef.h"

#include <complex>
#include <cstdint>
#include <optional>
#include <string>

namespace tine {

/// How text is written: byte for byte as TorchScript prints it, or so that nothing is lost.
enum class Style : std::uint8_t { Compat, Lossless };

/// Appends a double. Compat: `2.`, `0.10000000000000001`, `10000000000` (TorchScript's D-8).
/// Lossless: the shortest text that reads back bitwise equal and is always a float: `2.`, `0.1`,
/// `1e10`, `inf`,
/// `-inf`, `nan`, and `nan(0x7ff8000000000001)` (all 64 bits) for any NaN but the canonical
/// positive quiet one.
void appendDouble(std::string& out, double value, Style style);

/// Same for a float's 32 bits, shortest for float; `nan(0x7fc00001)`.
void appendFloat32(std::string& out, float value);

/// `re+imj` with both parts as appendDouble writes them: `0.+1.j`, `1.-2.j`.
void appendComplex(std::string& out, std::complex<double> value, Style style);

/// A quoted string. Compat: escapes \\ \' \" \a \b \f \n \r \t \v, other bytes as TorchScript's
/// (signed) octal, D-11. Lossless: valid UTF-8 raw, control bytes and invalid bytes as \xNN.
void appendQuoted(std::string& out, llvm::StringRef bytes, Style style);

/// The bytes of a string literal's inside (between the quotes). Takes everything that either style
/// writes, and \xNN, \uNNNN, \UNNNNNNNN, octal, backslash-newline. On error nullopt with `*message`
/// and the offset of the offending escape in `*at`.
std::optional<std::string> unescape(llvm::StringRef inside, std::string* message, std::size_t* at);

/// An int64 written in decimal or 0x hexadecimal with optional sign; nullopt when malformed or out
/// of range.
std::optional<std::int64_t> readInt64(llvm::StringRef text);

/// A double in any spelling above or of C++; nullopt when malformed or when a finite text
/// overflows.
std::optional<double> readDouble(llvm::StringRef text);

/// As readDouble, rounding once to float; nan(0x...) takes 32 bits.
std::optional<float> readFloat32(llvm::StringRef text);

} // namespace tine
