// Reads little-endian numbers and texts from bytes that somebody else wrote, never past their end.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/checkpoints/file_bytes.hpp"

namespace headcount {

// After the first failure every further read gives nothing, so that a reader of many fields may ask once, at the end of
// each loop's turn, whether all went well.
class ByteReader {
  public:
    // The bytes must outlive it.
    ByteReader(FileBytes& bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

    std::uint64_t at() const { return at_; }
    std::uint64_t size() const { return bytes_.size(); }
    std::uint64_t left() const { return bytes_.size() - at_; }
    bool ok() const { return !error_; }
    const Error& error() const { return *error_; }

    // `what` is named where the file ends too early: "a key's length".
    template <class T>
    T number(std::string_view what) {
        T value{};
        if (const std::byte* from = take(sizeof(T), what)) std::memcpy(&value, from, sizeof(T));
        return value;
    }

    // A text with its length before it, in 64 bits; it lasts until the next read.
    std::string_view text(std::string_view what);

    void skip(std::uint64_t bytes, std::string_view what);
    // As many texts as that, one after the other; only their lengths are looked at.
    void skip_texts(std::uint64_t count, std::string_view what);

    // Whether `count` things of at least `least` bytes each can still come; if not, says so of `place`, where the count
    // stands.
    bool can_hold(std::uint64_t count, std::uint64_t least, std::uint64_t place, std::string_view what);

    // Keeps the error, unless there was one before.
    void fail(std::uint64_t at, std::string what, std::string fix);

  private:
    static_assert(std::endian::native == std::endian::little, "numbers are taken as they stand in the file");

    // Whether so many still come; if not, says so.
    bool has(std::uint64_t bytes, std::string_view what);
    const std::byte* take(std::uint64_t bytes, std::string_view what);

    FileBytes& bytes_;
    std::uint64_t at_ = 0;
    std::string file_;
    std::optional<Error> error_;
};

}  // namespace headcount
