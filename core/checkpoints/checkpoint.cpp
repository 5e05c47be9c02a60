// Finds out which format a file has, and hands it to that format's reader; knows by their first bytes files that are no
// checkpoints that Headcount reads.
#include "core/checkpoints/checkpoint.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "core/base/foreign.hpp"
#include "core/checkpoints/gguf.hpp"
#include "core/checkpoints/llama2c.hpp"
#include "core/checkpoints/safetensors.hpp"

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

Result<Checkpoint> read_as(Format format, const std::filesystem::path& path) {
    std::vector<std::byte> buffer;
    if (format == Format::index) return read_safetensors_index(path);
    return format == Format::gguf ? read_gguf(path) : read_safetensors(path, buffer);
}

}  // namespace

Result<Checkpoint> read_checkpoint(const std::filesystem::path& path) {
    Result<FileBytes> file = FileBytes::open(path);
    if (!file) return file.error();
    if (file->size() == 0) return Error{"there is nothing in it", path.string(), "copy the whole file again"};
    constexpr std::uint64_t enough = 256;  // of a file's beginning to say what it is
    const Result<std::span<const std::byte>> first = file->at(0, std::min(file->size(), enough));
    if (!first) return first.error();
    const std::vector<std::byte> beginning(first->begin(), first->end());
    const std::optional<Format> format = format_of(beginning);
    if (format && *format != Format::llama2c) return read_as(*format, path);
    // The oldest files of llama2.c begin with nothing but their numbers, which must then explain the rest.
    Result<Checkpoint> llama2c = read_llama2c(*std::move(file), path.string());
    if (llama2c || format) return llama2c;
    if (std::optional<Error> foreign = foreign_format(beginning, path.string())) return *std::move(foreign);
    if (const auto named = format_by_name(path)) return read_as(*named, path);
    if (path.extension() == ".bin") return llama2c;
    return Error{"this is no checkpoint that is known", path.string() + ", byte 0",
                 "known are safetensors, their index, GGUF and llama2.c's .bin"};
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + "]";
}

std::string plain_name(std::string_view name) {
    for (bool found = true; found;) {
        found = false;
        for (const std::string_view prefix : {"model.", "language_model.", "text_model."})
            if (name.starts_with(prefix)) name.remove_prefix(prefix.size()), found = true;
    }
    std::string plain(name);
    constexpr std::string_view inner = ".vision_model.";
    const std::size_t first = plain.find('.');
    if (first != std::string::npos && std::string_view(plain).substr(first).starts_with(inner))
        plain.erase(first, inner.size() - 1);
    constexpr std::array spelled = std::to_array<std::pair<std::string_view, std::string_view>>(
        {{"block_sparse_moe.gate_proj.", "mlp.gate_proj."},
         {"block_sparse_moe.up_proj.", "mlp.up_proj."},
         {"block_sparse_moe.down_proj.", "mlp.down_proj."},
         {"attention_layer_norm.", "input_layernorm."},
         {"feedforward_layer_norm.", "post_attention_layernorm."},
         {"encoder.patch_embed.", "patch_embed."},
         {"blocks.", "layers."}});
    for (const auto& [one, other] : spelled)
        if (const std::size_t at = plain.find(one); at != std::string::npos && (at == 0 || plain[at - 1] == '.'))
            plain.replace(at, one.size(), other);
    return plain;
}

}  // namespace headcount
