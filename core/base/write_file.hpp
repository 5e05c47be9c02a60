// Writes files, whole or not at all; and locks a file that one holder at a time may have.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace headcount {

// A file that is being written: under a name that nobody else has, in the same folder, and put in its place once all of
// it is there. A link stays one and the file that it leads to is written; the mode, and where possible the owner, of a
// file that was there stay. What cannot be replaced (standard output by its name in /dev, a device, a pipe) is written
// to as it is.
class OutputFile {
  public:
    // Errors say the system's reason and name the path.
    static Result<OutputFile> open(const std::filesystem::path& path);

    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&& other) noexcept;
    ~OutputFile();  // without `finish` nothing has happened

    // What goes wrong is for `finish` to say.
    void write(std::string_view bytes);
    std::optional<Error> finish();

  private:
    explicit OutputFile(std::filesystem::path path) : path_(std::move(path)) {}

    void flush();

    std::filesystem::path path_;   // as it was asked for
    std::filesystem::path place_;  // where it is put in the end
    std::filesystem::path part_;   // where it is until then; empty: it is written where it is
    int descriptor_ = -1;
    int problem_ = 0;  // errno of the first write that failed
    std::string waiting_;
};

// Writes the file whole or not at all. Returns the path.
Result<std::filesystem::path> write_text(const std::filesystem::path& path, std::string_view text);

// "wrote FILE", a line for whoever asked for it; empty where the file is a stream, which may be where that would be
// said.
std::string wrote(const std::filesystem::path& path);

// Whether what is written to the file comes out where standard output does.
bool is_standard_output(const std::filesystem::path& path);

// Why a file cannot be written, as far as that is known before there is anything to write: what was read to make it
// (`inputs`, by whatever name or link) is never written over.
std::optional<Error> cannot_write(const std::filesystem::path& path, std::span<const std::filesystem::path> inputs);

// How many bytes are free where this file or folder would be made; nothing where the system does not say.
std::optional<std::uintmax_t> free_room(const std::filesystem::path& path);

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
