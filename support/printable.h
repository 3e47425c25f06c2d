#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tine {

/// The bytes of the character that a text begins with; 0 when a terminal must not get it as it is:
/// it is no UTF-8, a control other than a tab, or an override of the direction of writing.
std::size_t printableBytes(llvm::StringRef text);

/// Appends text of any origin for a terminal. Newlines and tabs stay; other bytes that are not
/// printable become `\xNN`; of more than `limit` bytes the rest becomes its number.
void appendPrintable(std::string& out, llvm::StringRef text, std::size_t limit = 10'000);

} // namespace tine
