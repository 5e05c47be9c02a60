// Reads little-endian numbers and texts from bytes that somebody else wrote, never past their end.
#include "core/checkpoints/byte_reader.hpp"

#include <limits>

#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::uint64_t longest_read = 64u << 20;  // at once: far more than any text in a header

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

bool ByteReader::has(std::uint64_t bytes, std::string_view what) {
    if (error_) return false;
    if (bytes <= left()) return true;
    fail(at_,
         "the file ends within " + std::string(what) + ": " + counted(bytes) + " bytes were expected, " +
             counted(left()) + " are there",
         "copy the whole file again");
    return false;
}

const std::byte* ByteReader::take(std::uint64_t bytes, std::string_view what) {
    if (!has(bytes, what)) return nullptr;
    if (bytes > longest_read) {
        fail(at_,
             std::string(what) + " has " + counted(bytes) + " bytes, at most " + counted(longest_read) + " are read",
             "this is no such file, or a damaged one");
        return nullptr;
    }
    const std::byte* start = bytes_.held_at(at_, bytes);
    if (!start) {
        const Result<std::span<const std::byte>> fetched = bytes_.at(at_, bytes);
        if (fetched)
            start = fetched->data();
        else
            error_ = fetched.error();
    }
    if (start) at_ += bytes;
    return start;
}

void ByteReader::skip(std::uint64_t bytes, std::string_view what) {
    if (has(bytes, what)) at_ += bytes;
}

std::string_view ByteReader::text(std::string_view what) {
    const auto length = number<std::uint64_t>(what);
    if (length == 0) return {};
    const std::byte* start = take(length, what);
    return start ? std::string_view(reinterpret_cast<const char*>(start), length) : std::string_view();
}

void ByteReader::skip_texts(std::uint64_t count, std::string_view what) {
    for (std::uint64_t i = 0; i < count && ok(); ++i) skip(number<std::uint64_t>(what), what);
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
