// Files of weights as bytes: fetched as far as somebody looks at them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
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

}  // namespace headcount
