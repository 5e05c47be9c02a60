// Maps files into memory with POSIX's mmap.
#include "core/checkpoints/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <limits>
#include <system_error>
#include <utility>

namespace headcount {
namespace {

// A file descriptor that closes itself. The mapping outlives it.
class Descriptor {
  public:
    // Without O_NONBLOCK opening a pipe would wait for somebody who writes into it.
    explicit Descriptor(const std::filesystem::path& path)
        : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }

    int number() const { return number_; }

  private:
    int number_;
};

Error last_error(const std::filesystem::path& path, const char* fix) {
    return {"cannot be read: " + std::generic_category().message(errno), path.string(), fix};
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
    const Descriptor file(path);
    if (file.number() < 0) return last_error(path, "check the path and its permissions");
    struct stat status {};
    if (::fstat(file.number(), &status) != 0) return last_error(path, "check the path");
    if (S_ISDIR(status.st_mode)) return Error{"this is a directory", path.string(), "name a file"};
    if (!S_ISREG(status.st_mode))
        return Error{"this is not a regular file", path.string(), "name a file that is stored on disk"};
    if (status.st_size == 0) return MappedFile({});
    if (static_cast<std::uintmax_t>(status.st_size) > std::numeric_limits<std::size_t>::max())
        return Error{"the file is larger than this machine can address", path.string(), "use a 64-bit machine"};
    const auto size = static_cast<std::size_t>(status.st_size);
    void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (start == MAP_FAILED) return last_error(path, "check that it is on an ordinary disk");
    return MappedFile({static_cast<const std::byte*>(start), size});
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
}

MappedFile::~MappedFile() {
    // Not const: munmap takes void*, though it changes nothing of what was mapped.
    if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace headcount
