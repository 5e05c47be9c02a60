// Remembers when the files of a model were written.
#include "app/state/known_file.hpp"

#include <algorithm>

#include "core/base/find.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;

// A look at each costs a system call, once a while: what changes in a model of many shards changes in the first too.
constexpr std::size_t most_stamps = 16;

}  // namespace

std::optional<FileStamp> stamp_of(const fs::path& path) {
    std::error_code failure;
    const fs::file_status there = fs::status(path, failure);
    if (failure || !fs::is_regular_file(there)) return std::nullopt;
    FileStamp stamp{path, 0, fs::file_size(path, failure)};
    const auto time = fs::last_write_time(path, failure);
    if (failure) return std::nullopt;
    stamp.time = static_cast<std::int64_t>(time.time_since_epoch().count());
    return stamp;
}

KnownFile known_file(const Opened& opened) {
    KnownFile file{opened.checkpoint, opened.notes, {}};
    for (const fs::path& each : opened.read) {
        if (file.stamps.size() == most_stamps) break;
        const std::optional<FileStamp> stamp = stamp_of(each);
        if (stamp && !contains(file.stamps, *stamp)) file.stamps.push_back(*stamp);
    }
    return file;
}

bool changed_on_disk(const KnownFile& file) {
    return std::ranges::any_of(file.stamps, [](const FileStamp& stamp) {
        const std::optional<FileStamp> now = stamp_of(stamp.path);
        return now && *now != stamp;
    });
}

void take_as_read(KnownFile& file) {
    for (FileStamp& stamp : file.stamps) stamp = stamp_of(stamp.path).value_or(stamp);
}

}  // namespace headcount
