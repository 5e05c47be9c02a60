// Reads files with POSIX's calls, and a little more than is asked for, since the next bytes are asked for next.
#include "core/checkpoints/file_bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>

#include "core/base/text.hpp"

namespace headcount {

namespace {

// What the last call of the system said, of this path.
Error last_system_error(const std::filesystem::path& path, const char* fix) {
    return {"cannot be read: " + std::generic_category().message(errno), path.string(), fix};
}

}  // namespace

Result<RegularFile> RegularFile::open(const std::filesystem::path& path) {
    // Without O_NONBLOCK opening a pipe would wait for somebody who writes into it.
    RegularFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK), path);
    if (file.descriptor_ < 0) return last_system_error(path, "check the path and its permissions");
    struct stat status {};
    if (::fstat(file.descriptor_, &status) != 0) return last_system_error(path, "check the path");
    if (S_ISDIR(status.st_mode)) return Error{"this is a directory", path.string(), "name a file"};
    if (!S_ISREG(status.st_mode))
        return Error{"this is not a regular file", path.string(), "name a file that is stored on disk"};
    file.size_ = static_cast<std::uint64_t>(status.st_size);
    return file;
}

Result<std::size_t> RegularFile::read(std::uint64_t place, std::span<std::byte> bytes) const {
    std::size_t got = 0;
    while (got < bytes.size()) {
        const ssize_t now =
            ::pread(descriptor_, bytes.data() + got, bytes.size() - got, static_cast<off_t>(place + got));
        if (now < 0 && errno == EINTR) continue;
        if (now < 0) return last_system_error(path_, "check that it is on an ordinary disk");
        if (now == 0) break;
        got += static_cast<std::size_t>(now);
    }
    return got;
}

RegularFile::RegularFile(RegularFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_), path_(std::move(other.path_)) {}

RegularFile& RegularFile::operator=(RegularFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(size_, other.size_);
    std::swap(path_, other.path_);
    return *this;
}

RegularFile::~RegularFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Result<FileBytes> FileBytes::open(const std::filesystem::path& path) {
    Result<RegularFile> file = RegularFile::open(path);
    if (!file) return file.error();
    return FileBytes(*std::move(file));
}

Result<std::span<const std::byte>> FileBytes::at(std::uint64_t place, std::size_t count) {
    constexpr std::uint64_t least = 1u << 16;
    if (const std::byte* start = held_at(place, count)) return std::span(start, count);
    const Error too_short{"the file ends before what it should hold", file_ ? file_->path().string() : "",
                          "fetch the file again"};
    if (!file_ || place > size_ || count > size_ - place) return too_short;
    const auto wanted = static_cast<std::size_t>(std::min(std::max<std::uint64_t>(count, least), size_ - place));
    if (buffer_.size() < wanted) buffer_.resize(wanted);
    held_ = {};
    const Result<std::size_t> got = file_->read(place, std::span(buffer_).first(wanted));
    if (!got) return got.error();
    if (*got < count) return too_short;
    held_ = std::span(buffer_).first(*got);
    first_ = place;
    return held_.first(count);
}

namespace {

constexpr std::uint64_t longest_read = 64u << 20;  // at once: far more than any text in a header

// Counts in a hostile file may be larger than what `grouped` takes.
std::string counted(std::uint64_t count) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    if (count > static_cast<std::uint64_t>(most)) return "more than " + grouped(most);
    return grouped(static_cast<std::int64_t>(count));
}

}  // namespace

void ByteReader::fail(std::uint64_t at, std::string what, std::string fix) {
    if (!error_) error_ = Error{std::move(what), file_ + ", byte " + std::to_string(at), std::move(fix)};
}

bool ByteReader::has(std::uint64_t bytes, std::string_view what) {
    if (error_) return false;
    if (bytes <= left()) return true;
    fail(at_,
         "the file ends within " + std::string(what) + ": " + counted(bytes) + " bytes were expected, " +
             counted(left()) + " are there",
         "copy the whole file again");
    return false;
}

const std::byte* ByteReader::take(std::uint64_t bytes, std::string_view what) {
    if (!has(bytes, what)) return nullptr;
    if (bytes > longest_read) {
        fail(at_,
             std::string(what) + " has " + counted(bytes) + " bytes, at most " + counted(longest_read) + " are read",
             "this is no such file, or a damaged one");
        return nullptr;
    }
    const std::byte* start = bytes_.held_at(at_, bytes);
    if (!start) {
        const Result<std::span<const std::byte>> fetched = bytes_.at(at_, bytes);
        if (fetched)
            start = fetched->data();
        else
            error_ = fetched.error();
    }
    if (start) at_ += bytes;
    return start;
}

void ByteReader::skip(std::uint64_t bytes, std::string_view what) {
    if (has(bytes, what)) at_ += bytes;
}

std::string_view ByteReader::text(std::string_view what) {
    const auto length = number<std::uint64_t>(what);
    if (length == 0) return {};
    const std::byte* start = take(length, what);
    return start ? std::string_view(reinterpret_cast<const char*>(start), length) : std::string_view();
}

void ByteReader::skip_texts(std::uint64_t count, std::string_view what) {
    for (std::uint64_t i = 0; i < count && ok(); ++i) skip(number<std::uint64_t>(what), what);
}

bool ByteReader::can_hold(std::uint64_t count, std::uint64_t least, std::uint64_t place, std::string_view what) {
    if (error_) return false;
    if (count <= left() / least) return true;
    fail(place,
         counted(count) + " " + std::string(what) + " are announced, of at least " + counted(least) +
             " bytes each, and " + counted(left()) + " bytes follow",
         "copy the whole file again");
    return false;
}

}  // namespace headcount
