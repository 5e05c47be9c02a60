// flock, which also holds between two places of one process, and which Linux passes on to a file server.
#include "core/base/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace headcount {

Result<std::optional<FileLock>> FileLock::attempt(const std::filesystem::path& path) {
    const auto failed = [&](int reason) {
        return Error{std::string("cannot be locked: ") + std::strerror(reason), path.string(), ""};
    };
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return failed(errno);
    FileLock lock(file);
    int done = 0;
    do done = flock(file, LOCK_EX | LOCK_NB);
    while (done != 0 && errno == EINTR);
    if (done == 0) return std::optional(std::move(lock));
    if (errno == EWOULDBLOCK) return std::optional<FileLock>();
    return failed(errno);
}

FileLock::FileLock(FileLock&& other) noexcept : file_(std::exchange(other.file_, std::nullopt)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
}

FileLock::~FileLock() {
    if (file_) close(*file_);
}

}  // namespace headcount
