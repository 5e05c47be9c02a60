// A file that one holder at a time may lock. The system lets go of it when its process ends, however that ends.
#pragma once

#include <filesystem>
#include <optional>

#include "core/base/result.hpp"

namespace headcount {

class FileLock {
  public:
    // Makes the file where there is none; nothing is ever written to it. Nothing: somebody else holds it. Errors: it
    // cannot be made, or its file system has no locks.
    static Result<std::optional<FileLock>> attempt(const std::filesystem::path& path);

    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    ~FileLock();

  private:
    explicit FileLock(int file) : file_(file) {}

    std::optional<int> file_;  // nothing once it was moved away
};

}  // namespace headcount
