// A file on disk, open for reading: not a directory, a pipe or a device, whose size would be none and whose end may
// never come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "core/base/result.hpp"

namespace headcount {

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

// What the last call of the system said, of this path.
Error last_system_error(const std::filesystem::path& path, const char* fix);

}  // namespace headcount
