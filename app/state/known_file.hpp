// What the program knows of a file that a document came from, besides its architecture.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/files/open.hpp"

namespace headcount {

// A file as it was on disk when it was read.
struct FileStamp {
    std::filesystem::path path;
    std::int64_t time = 0;  // when it was written, in the clock's own ticks
    std::uintmax_t bytes = 0;

    bool operator==(const FileStamp&) const = default;
};

struct KnownFile {
    std::shared_ptr<const Checkpoint> checkpoint;  // the weights in it or beside it; null where there are none
    std::vector<std::string> notes;                // what was not read of it, or guessed
    std::vector<FileStamp> stamps;                 // of the files that were read
};

using KnownFiles = std::map<std::string, KnownFile>;  // by Document::file

// Nothing where there is no such file.
std::optional<FileStamp> stamp_of(const std::filesystem::path& path);

KnownFile known_file(const Opened& opened);

// Whether one of its files is another now. One that is gone is no other: an editor that saves may be about to put it
// back.
bool changed_on_disk(const KnownFile& file);

// From now on the files as they are count as read.
void take_as_read(KnownFile& file);

}  // namespace headcount
