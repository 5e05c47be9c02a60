// Writes files with POSIX's calls, whole or not at all.
#include "core/base/write_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>
#include <system_error>
#include <utility>

#include "core/base/utf8.hpp"

namespace headcount {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t full = 1u << 20;  // bytes that wait before they are written

Error cannot(const std::string& reason, const fs::path& path) {
    return {"cannot be written: " + reason, path.string(), "choose another place"};
}

Error cannot(int reason, const fs::path& path) { return cannot(std::generic_category().message(reason), path); }

// Where a path leads to.
struct Target {
    fs::path path;
    std::optional<int> descriptor;     // one of our own, which the path names
    std::optional<struct stat> there;  // nothing: a new file
};

// "/dev/stdout" leads to "/proc/self/fd/1": there a link is a name for what is open already.
std::optional<int> own_descriptor(const fs::path& link) {
    const std::string name = link.filename().string();
    std::error_code ignored;
    if (name.empty() || name.size() > 4 || name.find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
    if (!fs::equivalent(link.parent_path(), "/proc/self/fd", ignored)) return std::nullopt;
    return std::stoi(name);
}

Result<Target> follow(const fs::path& path) {
    constexpr int most_links = 40;
    Target target{path, {}, {}};
    struct stat status {};
    for (int links = 0;; ++links) {
        if (::lstat(target.path.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) break;
        if ((target.descriptor = own_descriptor(target.path))) break;
        if (links == most_links) return cannot(ELOOP, path);
        std::error_code failure;
        const fs::path next = fs::read_symlink(target.path, failure);
        if (failure) return cannot(failure.message(), path);
        target.path = next.is_absolute() ? next : target.path.parent_path() / next;
    }
    if (::stat(target.path.c_str(), &status) == 0)
        target.there = status;
    else if (errno != ENOENT)
        return cannot(errno, path);
    return target;
}

bool can_be_replaced(const Target& target) {
    return !target.descriptor && (!target.there || S_ISREG(target.there->st_mode));
}

Result<Target> find_target(const fs::path& path) {
    Result<Target> target = follow(path);
    if (!target || !target->there || target->descriptor) return target;
    const mode_t mode = target->there->st_mode;
    if (!S_ISREG(mode) && !S_ISFIFO(mode) && !S_ISCHR(mode)) return cannot("this is not a file", path);
    // The system lets its administrator write what nobody may.
    if ((mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0) return cannot(EACCES, path);
    if (::access(target->path.c_str(), W_OK) != 0) return cannot(errno, path);
    return target;
}

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

std::string name_of_part() {
    std::random_device random;
    std::array<char, 64> name{};
    std::snprintf(name.data(), name.size(), ".headcount-%08x%08x.part", static_cast<unsigned>(random()),
                  static_cast<unsigned>(random()));
    return name.data();
}

// As it was of the file that is to be replaced. Only its administrator can give a file to somebody else; its owner can
// give it to a group of theirs. What the mode allowed to a group it does not allow to another one.
void take_over(int descriptor, const struct stat& there) {
    struct stat own {};
    if (::fstat(descriptor, &own) != 0) return;
    constexpr auto same_owner = static_cast<uid_t>(-1);
    const bool owned = own.st_uid == there.st_uid && own.st_gid == there.st_gid;
    const bool kept = owned || ::fchown(descriptor, there.st_uid, there.st_gid) == 0;
    const bool grouped = kept || ::fchown(descriptor, same_owner, there.st_gid) == 0;
    static_cast<void>(::fchmod(descriptor, there.st_mode & (kept ? 07777 : grouped ? 0777 : 0707)));
}

// A pipe that nobody reads would be waited for without end; once it is open, it is written to at the reader's pace.
int open_stream(const Target& target) {
    if (target.descriptor) return ::dup(*target.descriptor);
    const int descriptor = ::open(target.path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor >= 0) static_cast<void>(::fcntl(descriptor, F_SETFL, O_WRONLY));
    return descriptor;
}

}  // namespace

Result<OutputFile> OutputFile::open(const fs::path& path) {
    const Result<Target> target = find_target(path);
    if (!target) return target.error();
    OutputFile file(path);
    file.place_ = target->path;
    if (!can_be_replaced(*target)) {
        file.descriptor_ = open_stream(*target);
        if (file.descriptor_ >= 0) return file;
        return errno == ENXIO ? cannot("nobody reads from this pipe", path) : cannot(errno, path);
    }
    constexpr int most_tries = 16;
    for (int tries = 0; tries < most_tries && file.descriptor_ < 0; ++tries) {
        file.part_ = folder_of(target->path) / name_of_part();
        const mode_t mode = target->there ? S_IRUSR | S_IWUSR : 0666;  // of a new one the umask takes some away
        file.descriptor_ = ::open(file.part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (file.descriptor_ < 0 && errno != EEXIST) break;
    }
    if (file.descriptor_ < 0) {
        file.part_.clear();  // it is not ours
        return cannot(errno, path);
    }
    if (target->there) take_over(file.descriptor_, *target->there);
    return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      place_(std::move(other.place_)),
      part_(std::exchange(other.part_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      problem_(other.problem_),
      waiting_(std::exchange(other.waiting_, {})) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(place_, other.place_);
    std::swap(part_, other.part_);
    std::swap(descriptor_, other.descriptor_);
    std::swap(problem_, other.problem_);
    std::swap(waiting_, other.waiting_);
    return *this;
}

OutputFile::~OutputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!part_.empty()) ::unlink(part_.c_str());
}

void OutputFile::write(std::string_view bytes) {
    waiting_ += bytes;
    if (waiting_.size() >= full) flush();
}

void OutputFile::flush() {
    const char* from = waiting_.data();
    std::size_t left = waiting_.size();
    while (left > 0 && problem_ == 0) {
        const ssize_t now = ::write(descriptor_, from, left);
        if (now < 0 && errno != EINTR) problem_ = errno;
        if (now <= 0) continue;
        from += now;
        left -= static_cast<std::size_t>(now);
    }
    waiting_.clear();
}

std::optional<Error> OutputFile::finish() {
    flush();
    // A full disk may be noticed only here.
    if (::close(std::exchange(descriptor_, -1)) != 0 && problem_ == 0) problem_ = errno;
    if (problem_ == 0 && !part_.empty() && ::rename(part_.c_str(), place_.c_str()) != 0) problem_ = errno;
    if (problem_ != 0) return cannot(problem_, path_);
    part_.clear();
    return std::nullopt;
}

Result<fs::path> write_text(const fs::path& path, std::string_view text) {
    Result<OutputFile> file = OutputFile::open(path);
    if (!file) return file.error();
    file->write(text);
    if (std::optional<Error> error = file->finish()) return *std::move(error);
    return path;
}

std::string wrote(const fs::path& path) {
    const Result<Target> target = find_target(path);
    return target && can_be_replaced(*target) ? "wrote " + printable(path.string()) + '\n' : std::string();
}

std::optional<std::uintmax_t> free_room(const fs::path& path) {
    std::error_code unknown;
    fs::path folder = fs::absolute(path, unknown);
    while (folder.has_relative_path() && !fs::exists(folder, unknown)) folder = folder.parent_path();
    const fs::space_info space = fs::space(folder, unknown);
    return unknown ? std::nullopt : std::optional(space.available);
}

bool is_standard_output(const fs::path& path) {
    const Result<Target> target = follow(path);
    struct stat out {};
    if (!target || !target->there || ::fstat(STDOUT_FILENO, &out) != 0) return false;
    const bool same = target->there->st_dev == out.st_dev && target->there->st_ino == out.st_ino;
    // Two that write to /dev/null do not meet there.
    return same && (target->descriptor || !S_ISCHR(target->there->st_mode));
}

std::optional<Error> cannot_write(const fs::path& path, std::span<const fs::path> inputs) {
    const Result<Target> target = find_target(path);
    if (!target) return target.error();
    std::error_code ignored;
    for (const fs::path& input : inputs)
        if (fs::equivalent(target->path, input, ignored))
            return Error{"cannot be written: this is one of the files that are read for it", path.string(),
                         "choose another name"};
    if (can_be_replaced(*target) && ::access(folder_of(target->path).c_str(), W_OK | X_OK) != 0)
        return cannot(errno, path);
    return std::nullopt;
}

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
