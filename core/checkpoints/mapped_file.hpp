// A file seen as bytes without reading it: only the pages that somebody looks at are fetched. Never written to.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "core/base/result.hpp"

namespace headcount {

class MappedFile {
  public:
    // The whole of a regular file, which may be empty. Errors name the path: a directory, a device, no permission.
    static Result<MappedFile> open(const std::filesystem::path& path);

    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    std::span<const std::byte> bytes() const { return bytes_; }

  private:
    explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}

    std::span<const std::byte> bytes_;
};

}  // namespace headcount
