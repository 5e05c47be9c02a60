// Reads .safetensors files: checks the header's length, then that the tensors fill what follows the header.
#include "core/checkpoints/safetensors.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>

#include "core/base/foreign.hpp"
#include "core/base/json_walk.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/checkpoints/file_bytes.hpp"
#include "core/checkpoints/written.hpp"

namespace headcount {
namespace {

constexpr const char* copy_again = "copy the whole file again";
constexpr std::uint64_t length_bytes = 8;
constexpr std::uint64_t longest_header = 100'000'000;  // as the format's own reader has it
constexpr std::size_t usual_header = 16'384;           // of a file that is one of many

static_assert(std::endian::native == std::endian::little, "numbers are taken as they stand in the file");

// `bytes` are the file's first, with all of the header.
Result<std::string_view> header_text(std::span<const std::byte> bytes, const std::string& name) {
    const auto at = [&](std::uint64_t byte) { return name + ", byte " + std::to_string(byte); };
    std::uint64_t length = 0;
    if (bytes.size() < length_bytes)
        return Error{"the file ends within the header's length: 8 bytes were expected, " +
                         std::to_string(bytes.size()) + " are there",
                     at(0), copy_again};
    std::memcpy(&length, bytes.data(), length_bytes);
    const std::uint64_t left = bytes.size() - length_bytes;
    if (length > longest_header) {
        const bool big_endian = __builtin_bswap64(length) <= std::min(left, longest_header);
        constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
        const std::string said =
            (length > most ? "more than " : "") + grouped(static_cast<std::int64_t>(std::min(length, most)));
        return Error{"the header is said to have " + said + " bytes, at most " + grouped(longest_header) +
                         " are allowed" + (big_endian ? "; it looks big-endian" : ""),
                     at(0), big_endian ? "write the length with its lowest byte first" : "this is no safetensors file"};
    }
    if (length > left)
        return Error{"the file ends within the header: " + grouped(static_cast<std::int64_t>(length)) +
                         " bytes were expected, " + grouped(static_cast<std::int64_t>(left)) + " are there",
                     at(length_bytes), copy_again};
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + length_bytes, length);
    if (!text.starts_with('{')) return Error{"the header does not begin with {", at(length_bytes), check_writer};
    return text;
}

std::string member(const std::string& name, const CheckpointTensor& tensor) {
    return name + ", " + json_pointer({tensor.name});
}

std::optional<Error> check_names(const std::vector<CheckpointTensor>& tensors, const std::string& name) {
    const auto order = order_by(tensors, [](const CheckpointTensor& each) { return std::string_view(each.name); });
    for (std::size_t i = 1; i < order.size(); ++i)
        if (tensors[order[i]].name == tensors[order[i - 1]].name)
            return Error{"two tensors have this name", member(name, tensors[order[i]]), check_writer};
    return std::nullopt;
}

// The tensors follow each other from the first byte of the data, which is `first_byte` of the file, to the last; their
// offsets still count from there.
std::optional<Error> check_places(const std::vector<CheckpointTensor>& tensors, const std::string& name,
                                  std::uint64_t first_byte, std::uint64_t data_bytes) {
    const auto order =
        order_by(tensors, [](const CheckpointTensor& each) { return std::pair(each.offset, each.bytes); });
    const auto text = [](std::uint64_t count) { return grouped(static_cast<std::int64_t>(count)); };
    std::uint64_t end = 0;
    const CheckpointTensor* last = nullptr;
    for (const std::size_t i : order) {
        const CheckpointTensor& tensor = tensors[i];
        if (tensor.offset < end)
            return Error{"it begins at byte " + text(tensor.offset) + " of the data, where " + in_quotes(last->name) +
                             " has not ended, which it does at " + text(end),
                         member(name, tensor), check_writer};
        if (tensor.offset > end)
            return Error{
                "bytes " + text(end) + " to " + text(tensor.offset) + " of the data, before it, belong to no tensor",
                member(name, tensor), check_writer};
        end = tensor.offset + static_cast<std::uint64_t>(tensor.bytes);
        if (end > data_bytes)
            return Error{"it ends at byte " + text(end) + " of the data, of which the file has " + text(data_bytes),
                         member(name, tensor), copy_again};
        last = &tensor;
    }
    if (end < data_bytes)
        return Error{"the tensors fill " + text(end) + " bytes of the data, of which the file has " + text(data_bytes),
                     name + ", byte " + std::to_string(first_byte + end), check_writer};
    return std::nullopt;
}

// `bytes` are the first of a file that has `file_bytes`.
Result<Checkpoint> read(std::span<const std::byte> bytes, std::uint64_t file_bytes, const std::string& name) {
    const Result<std::string_view> text = header_text(bytes, name);
    // Only now: the length of a header may look like another format's first bytes.
    if (!text) return foreign_format(bytes, name).value_or(text.error());
    Result<SafetensorsHeader> header = read_safetensors_header(*text, name, length_bytes);
    if (!header) return header.error();
    const std::uint64_t data = length_bytes + text->size();
    if (auto error = check_names(header->tensors, name)) return *std::move(error);
    if (auto error = check_places(header->tensors, name, data, file_bytes - data)) return *std::move(error);

    Checkpoint checkpoint;
    checkpoint.format = "safetensors";
    checkpoint.files = {name};
    checkpoint.tensors = std::move(header->tensors);
    checkpoint.metadata = std::move(header->metadata);
    checkpoint.bytes = static_cast<std::int64_t>(file_bytes);
    for (CheckpointTensor& tensor : checkpoint.tensors) tensor.offset += data;
    return checkpoint;
}

}  // namespace

Result<Checkpoint> read_safetensors(std::span<const std::byte> bytes, const std::string& name) {
    return read(bytes, bytes.size(), name);
}

Result<Checkpoint> read_safetensors(const std::filesystem::path& path, std::vector<std::byte>& buffer) {
    const Result<RegularFile> file = RegularFile::open(path);
    if (!file) return file.error();
    if (buffer.size() < usual_header) buffer.resize(usual_header);
    const Result<std::size_t> first = file->read(0, buffer);
    if (!first) return first.error();
    std::size_t have = *first;
    std::uint64_t length = 0;
    if (have >= length_bytes) std::memcpy(&length, buffer.data(), length_bytes);
    const std::uint64_t wanted = std::min(std::min(length, longest_header) + length_bytes, file->size());
    if (wanted > have) {
        buffer.resize(std::max<std::size_t>(buffer.size(), wanted));
        const Result<std::size_t> rest = file->read(have, std::span(buffer).subspan(have));
        if (!rest) return rest.error();
        have += *rest;
    }
    // Were the file cut off meanwhile, fewer bytes than its size says would have come.
    return read(std::span(buffer).first(have), std::max<std::uint64_t>(file->size(), have), path.string());
}

}  // namespace headcount
