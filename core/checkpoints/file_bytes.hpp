// Files of weights as bytes, fetched as far as somebody looks at them; and little-endian numbers and texts from bytes
// that somebody else wrote, never past their end.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace headcount {

// A file on disk, open for reading: not a directory, a pipe or a device, whose size would be none and whose end may
// never come.
class RegularFile {
  public:
    // Errors name the path.
    static Result<RegularFile> open(const std::filesystem::path& path);

    RegularFile(RegularFile&& other) noexcept;
    RegularFile& operator=(RegularFile&& other) noexcept;
    ~RegularFile();

    const std::filesystem::path& path() const { return path_; }
    std::uint64_t size() const { return size_; }

    // Fills `bytes` from that place on, as far as the file reaches; how many came.
    Result<std::size_t> read(std::uint64_t place, std::span<std::byte> bytes) const;

  private:
    RegularFile(int descriptor, std::filesystem::path path) : descriptor_(descriptor), path_(std::move(path)) {}

    int descriptor_ = -1;
    std::uint64_t size_ = 0;
    std::filesystem::path path_;
};

// The bytes of a file, fetched as far as somebody looks at them. They are read and not mapped: a file that is cut off
// meanwhile (a download that begins anew) is an error, where a mapped one would end the program.
class FileBytes {
  public:
    // Bytes that are all there, whoever keeps them.
    FileBytes(std::span<const std::byte> bytes) : size_(bytes.size()), held_(bytes) {}
    // Of a regular file, which may be empty. Errors name the path: a directory, a device, no permission.
    static Result<FileBytes> open(const std::filesystem::path& path);

    std::uint64_t size() const { return size_; }

    // So many from that place on, which last until the next call. Fails where the file has become shorter than that.
    Result<std::span<const std::byte>> at(std::uint64_t place, std::size_t count);

    // The same of what was fetched already; null where it was not.
    const std::byte* held_at(std::uint64_t place, std::size_t count) const {
        const bool held = place >= first_ && count <= held_.size() && place - first_ <= held_.size() - count;
        return held ? held_.data() + (place - first_) : nullptr;
    }

  private:
    explicit FileBytes(RegularFile file) : file_(std::move(file)), size_(file_->size()) {}

    std::optional<RegularFile> file_;
    std::uint64_t size_ = 0;  // of all of it, when it was opened
    std::vector<std::byte> buffer_;
    std::span<const std::byte> held_;
    std::uint64_t first_ = 0;  // where in the file `held_` begins
};

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
