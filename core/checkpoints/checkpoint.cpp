// Finds out which format a file has, and hands it to that format's reader.
#include "core/checkpoints/checkpoint.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

#include "core/checkpoints/foreign.hpp"
#include "core/checkpoints/gguf.hpp"
#include "core/checkpoints/llama2c.hpp"
#include "core/checkpoints/mapped_file.hpp"
#include "core/checkpoints/safetensors.hpp"
#include "core/checkpoints/safetensors_index.hpp"

namespace headcount {
namespace {

enum class Format { safetensors, index, gguf, llama2c };

// A safetensors file has its header's length, of which the upper half is zero, and then "{"; neither JSON nor the
// dimensions of a llama2.c file have such zeros there.
std::optional<Format> format_of(std::span<const std::byte> bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.starts_with("GGUF")) return Format::gguf;
    if (has_llama2c_magic(bytes)) return Format::llama2c;
    if (text.size() > 8 && text[8] == '{' && text.substr(4, 4) == std::string_view("\0\0\0\0", 4))
        return Format::safetensors;
    const std::size_t first = text.substr(0, 64).find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && text[first] == '{') return Format::index;
    return std::nullopt;
}

// What a file is meant to be whose beginning says nothing, so that its reader can say what is wrong there.
std::optional<Format> format_by_name(const std::filesystem::path& path) {
    const std::filesystem::path extension = path.extension();
    if (extension == ".safetensors") return Format::safetensors;
    if (extension == ".json") return Format::index;
    if (extension == ".gguf") return Format::gguf;
    return std::nullopt;
}

Result<Checkpoint> read_as(Format format, std::span<const std::byte> bytes, const std::filesystem::path& path) {
    switch (format) {
        case Format::safetensors:
            return read_safetensors(bytes, path.string());
        case Format::index:
            return read_safetensors_index(path);
        case Format::gguf:
            return read_gguf(path);
        case Format::llama2c:
            break;
    }
    return read_llama2c(bytes, path.string());
}

}  // namespace

Result<Checkpoint> read_checkpoint(const std::filesystem::path& path) {
    const Result<MappedFile> file = MappedFile::open(path);
    if (!file) return file.error();
    const std::span<const std::byte> bytes = file->bytes();
    if (bytes.empty()) return Error{"there is nothing in it", path.string(), "copy the whole file again"};
    if (const auto format = format_of(bytes)) return read_as(*format, bytes, path);
    // The oldest files of llama2.c begin with nothing but their numbers, which must then explain the rest.
    Result<Checkpoint> oldest = read_llama2c(bytes, path.string());
    if (oldest) return oldest;
    if (std::optional<Error> foreign = foreign_format(bytes, path.string())) return *std::move(foreign);
    if (const auto format = format_by_name(path)) return read_as(*format, bytes, path);
    if (path.extension() == ".bin") return oldest;
    return Error{"this is no checkpoint that is known", path.string() + ", byte 0",
                 "known are safetensors, their index, GGUF and llama2.c's .bin"};
}

}  // namespace headcount
