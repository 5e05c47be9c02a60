// Maps files into memory with POSIX's mmap.
#include "core/checkpoints/mapped_file.hpp"

#include <sys/mman.h>

#include <limits>
#include <utility>

#include "core/checkpoints/regular_file.hpp"

namespace headcount {

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
    const Result<RegularFile> file = RegularFile::open(path);
    if (!file) return file.error();
    if (file->size() == 0) return MappedFile({});
    if (file->size() > std::numeric_limits<std::size_t>::max())
        return Error{"the file is larger than this machine can address", path.string(), "use a 64-bit machine"};
    const auto size = static_cast<std::size_t>(file->size());
    void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file->descriptor(), 0);
    if (start == MAP_FAILED) return last_system_error(path, "check that it is on an ordinary disk");
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
