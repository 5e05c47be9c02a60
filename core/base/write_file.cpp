// Writes files, whole or not at all.
#include "core/base/write_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>

namespace headcount {

Result<std::filesystem::path> write_text(const std::filesystem::path& path, std::string_view text) {
    std::error_code ignored, failure;
    std::filesystem::file_status there = std::filesystem::status(path, ignored);
    // Putting a file in the place of a directory or a device would take it away from everybody else.
    if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
        return Error{"cannot be written: this is not a file", path.string(), "choose another place"};
    std::filesystem::path beside = path;
    beside += ".part";
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (file) std::filesystem::rename(beside, path, failure);
    if (file && !failure) return path;
    std::string reason = failure ? failure.message() : std::strerror(errno);
    std::filesystem::remove(beside, ignored);
    return Error{"cannot be written: " + reason, path.string(), "choose another place"};
}

}  // namespace headcount
