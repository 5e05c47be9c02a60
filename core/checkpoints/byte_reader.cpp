// Reads little-endian numbers and texts from bytes that somebody else wrote, never past their end.
#include "core/checkpoints/byte_reader.hpp"

#include <limits>

#include "core/base/text.hpp"

namespace headcount {
namespace {

// Counts in a hostile file may be larger than what `grouped` takes.
std::string counted(std::uint64_t count) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    if (count > static_cast<std::uint64_t>(most)) return "more than " + grouped(most);
    return grouped(static_cast<std::int64_t>(count));
}

}  // namespace

void ByteReader::fail(std::uint64_t at, std::string what, std::string fix) {
    if (!error_) error_ = Error{std::move(what), file_ + ", byte " + std::to_string(at), std::move(fix)};
}

const std::byte* ByteReader::take(std::uint64_t bytes, std::string_view what) {
    if (error_) return nullptr;
    if (bytes > left()) {
        fail(at_,
             "the file ends within " + std::string(what) + ": " + counted(bytes) + " bytes were expected, " +
                 counted(left()) + " are there",
             "copy the whole file again");
        return nullptr;
    }
    const std::byte* start = bytes_.data() + at_;
    at_ += bytes;
    return start;
}

std::string_view ByteReader::text(std::string_view what) {
    const auto length = number<std::uint64_t>(what);
    const std::byte* start = take(length, what);
    return start ? std::string_view(reinterpret_cast<const char*>(start), length) : std::string_view();
}

void ByteReader::skip_texts(std::uint64_t count, std::string_view what) {
    if (error_) return;
    std::uint64_t at = at_;
    bool whole = count == 0;
    const std::uint64_t size = bytes_.size();
    for (std::uint64_t i = 0; i < count; ++i) {
        std::uint64_t length = 0;
        if (size - at < sizeof(length)) break;
        std::memcpy(&length, bytes_.data() + at, sizeof(length));
        if (length > size - at - sizeof(length)) break;
        at += sizeof(length) + length;
        whole = i + 1 == count;
    }
    at_ = at;
    if (!whole) text(what);  // says what is wrong there
}

bool ByteReader::can_hold(std::uint64_t count, std::uint64_t least, std::uint64_t place, std::string_view what) {
    if (error_) return false;
    if (count <= left() / least) return true;
    fail(place,
         counted(count) + " " + std::string(what) + " are announced, of at least " + counted(least) +
             " bytes each, and " + counted(left()) + " bytes follow",
         "copy the whole file again");
    return false;
}

}  // namespace headcount
