// A ZIP archive (PKWARE's APPNOTE 6.3), its files stored as they are.
#pragma once

#include <span>
#include <string>

namespace headcount {

struct ZipEntry {
    std::string name, bytes;  // the name in UTF-8, with "/" between folders
};

// The same files make the same bytes: their time is 1980. All of it stays below 4 GiB, for which the form is.
std::string zip_archive(std::span<const ZipEntry> entries);

}  // namespace headcount
