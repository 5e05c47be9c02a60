// Fetches a little more than is asked for, since the next bytes are asked for next.
#include "core/checkpoints/file_bytes.hpp"

#include <algorithm>

namespace headcount {

Result<FileBytes> FileBytes::open(const std::filesystem::path& path) {
    Result<RegularFile> file = RegularFile::open(path);
    if (!file) return file.error();
    return FileBytes(*std::move(file));
}

Result<std::span<const std::byte>> FileBytes::at(std::uint64_t place, std::size_t count) {
    constexpr std::uint64_t least = 1u << 16;
    if (const std::byte* start = held_at(place, count)) return std::span(start, count);
    const Error too_short{"the file ends before what it should hold", file_ ? file_->path().string() : "",
                          "fetch the file again"};
    if (!file_ || place > size_ || count > size_ - place) return too_short;
    const auto wanted = static_cast<std::size_t>(std::min(std::max<std::uint64_t>(count, least), size_ - place));
    if (buffer_.size() < wanted) buffer_.resize(wanted);
    held_ = {};
    const Result<std::size_t> got = file_->read(place, std::span(buffer_).first(wanted));
    if (!got) return got.error();
    if (*got < count) return too_short;
    held_ = std::span(buffer_).first(*got);
    first_ = place;
    return held_.first(count);
}

}  // namespace headcount
