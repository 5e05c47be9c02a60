// Reads GGUF files, versions 2 and 3, little-endian, and joins the parts of a split one.
#include "core/checkpoints/gguf.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/checkpoints/written.hpp"

namespace headcount {
namespace {

constexpr std::uint64_t default_alignment = 32, key_bytes = 13, tensor_bytes = 25;  // the least that one of them takes

void check_magic(ByteReader& reader) {
    const auto magic = reader.number<std::uint32_t>("the four bytes 'GGUF'");
    constexpr std::uint32_t expected = 0x46554747, swapped = 0x47475546, older[] = {0x67676d6c, 0x67676d66, 0x67676a74};
    if (magic == swapped)
        reader.fail(0, "this GGUF file is big-endian, a little-endian one was expected", "convert it for this machine");
    for (const std::uint32_t old : older)
        if (magic == old)
            reader.fail(0, "this is a GGML file from before GGUF, 'GGUF' was expected", "convert the model again");
    if (magic != expected)
        reader.fail(0, "this is not a GGUF file: its first bytes are not 'GGUF'", "name a GGUF file");
}

std::uint32_t read_version(ByteReader& reader) {
    const auto version = reader.number<std::uint32_t>("the version");
    const std::string fix = "convert the model again with a present llama.cpp";
    if (version != 0 && (version & 0xFFFF) == 0)
        reader.fail(4, "this GGUF file is big-endian, a little-endian one was expected", "convert it for this machine");
    if (version < 2 || version > 3)
        reader.fail(4, "GGUF version " + std::to_string(version) + " is not read, 2 or 3 was expected", fix);
    return version;
}

// What a part says of the whole. A file that is whole by itself is part 1 of 1.
struct Split {
    std::int64_t number = 0;  // from 0
    std::int64_t count = 1;
    std::optional<std::int64_t> tensors;  // of all parts
};

Result<std::optional<std::int64_t>> whole_number(const nlohmann::json& metadata, const char* key, std::int64_t most,
                                                 const std::string& file) {
    const auto found = metadata.find(key);
    if (found == metadata.end()) return std::optional<std::int64_t>();
    const bool negative = found->is_number_integer() && !found->is_number_unsigned() && found->get<std::int64_t>() < 0;
    if (!found->is_number_integer() || negative || found->get<std::uint64_t>() > static_cast<std::uint64_t>(most))
        return Error{std::string(key) + " is " + in_quotes(found->dump()) + ", a number from 0 to " + grouped(most) +
                         " was expected",
                     file, check_writer};
    return std::optional<std::int64_t>(found->get<std::int64_t>());
}

Result<Split> split_of(const GgufPart& part, const std::string& file) {
    constexpr std::int64_t most_parts = 65535, most_tensors = 2147483647;
    const auto number = whole_number(part.metadata, "split.no", most_parts, file);
    const auto count = whole_number(part.metadata, "split.count", most_parts, file);
    const auto tensors = whole_number(part.metadata, "split.tensors.count", most_tensors, file);
    for (const auto* each : {&number, &count, &tensors})
        if (!*each) return each->error();
    const Split split{number->value_or(0), std::max<std::int64_t>(count->value_or(1), 1), *tensors};
    if (split.number >= split.count)
        return Error{"split.no is " + std::to_string(split.number) + ", a number below split.count, " +
                         std::to_string(split.count) + ", was expected",
                     file, check_writer};
    return split;
}

// "-00002-of-00003.gguf" for number 1 of 3.
std::string ending(std::int64_t number, std::int64_t count) {
    char text[64];
    std::snprintf(text, sizeof(text), "-%05d-of-%05d.gguf", static_cast<int>(number + 1), static_cast<int>(count));
    return text;
}

Checkpoint checkpoint_of(GgufPart part, const std::filesystem::path& file) {
    Checkpoint checkpoint;
    checkpoint.format = "GGUF v" + std::to_string(part.version);
    checkpoint.files = {file};
    checkpoint.tensors = std::move(part.tensors);
    checkpoint.metadata = std::move(part.metadata);
    checkpoint.bytes = part.bytes;
    return checkpoint;
}

Result<GgufPart> read_part(const std::filesystem::path& path) {
    Result<FileBytes> file = FileBytes::open(path);
    if (!file) return file.error();
    return read_gguf_part(*std::move(file), path.string());
}

Result<GgufPart> read_numbered_part(const std::filesystem::path& path, std::int64_t number, const Split& whole) {
    const std::string which = "part " + std::to_string(number + 1) + " of " + std::to_string(whole.count);
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        return Error{which + " is missing", path.string(), "put all parts into one folder"};
    Result<GgufPart> part = read_part(path);
    if (!part) return part;
    const Result<Split> split = split_of(*part, path.string());
    if (!split) return split.error();
    if (split->number == number && split->count == whole.count) return part;
    return Error{which + " was expected, the file says that it is part " + std::to_string(split->number + 1) + " of " +
                     std::to_string(split->count),
                 path.string(), "put the parts of one model there under their own names"};
}

// Moves the part's tensors behind those that are there.
void append(Checkpoint& whole, GgufPart part, const std::filesystem::path& file) {
    for (CheckpointTensor& tensor : part.tensors) tensor.file = whole.files.size();
    whole.files.push_back(file);
    whole.bytes = checked_add(whole.bytes, part.bytes).value_or(whole.bytes);
    std::move(part.tensors.begin(), part.tensors.end(), std::back_inserter(whole.tensors));
}

std::optional<Error> check_joined(const Checkpoint& whole, const Split& split) {
    const auto order =
        order_by(whole.tensors, [](const CheckpointTensor& each) { return std::string_view(each.name); });
    for (std::size_t i = 1; i < order.size(); ++i) {
        const CheckpointTensor &tensor = whole.tensors[order[i]], &before = whole.tensors[order[i - 1]];
        if (tensor.name == before.name)
            return Error{"the tensor " + in_quotes(tensor.name) + " is in " +
                             whole.files[before.file].filename().string() + " too",
                         whole.files[tensor.file].string(), "put the parts of one model there"};
    }
    const auto tensors = static_cast<std::int64_t>(whole.tensors.size());
    if (split.tensors.value_or(tensors) != tensors)
        return Error{"split.tensors.count is " + grouped(*split.tensors) + ", the parts have " + grouped(tensors),
                     whole.files.front().string(), "copy all parts again"};
    return std::nullopt;
}

Result<Checkpoint> read_split(const std::filesystem::path& path, const Split& split) {
    const std::string name = path.filename().string(), own = ending(split.number, split.count);
    if (name.size() <= own.size() || !name.ends_with(own))
        return Error{"this is part " + std::to_string(split.number + 1) + " of " + std::to_string(split.count) +
                         ", a name that ends in '" + own + "' was expected",
                     path.string(), "give it that name and put the other parts beside it"};
    const std::string stem = name.substr(0, name.size() - own.size());
    Checkpoint whole;
    for (std::int64_t number = 0; number < split.count; ++number) {
        const std::filesystem::path file = path.parent_path() / (stem + ending(number, split.count));
        Result<GgufPart> part = read_numbered_part(file, number, split);
        if (!part) return part.error();
        if (number == 0)
            whole = checkpoint_of(*std::move(part), file);
        else
            append(whole, *std::move(part), file);
    }
    if (std::optional<Error> error = check_joined(whole, split)) return *std::move(error);
    return whole;
}

}  // namespace

Result<GgufPart> read_gguf_part(FileBytes bytes, const std::string& name, GgufArrays* wanted) {
    ByteReader reader(bytes, name);
    GgufPart part;
    part.bytes = static_cast<std::int64_t>(bytes.size());
    check_magic(reader);
    if (reader.ok()) part.version = read_version(reader);
    const auto tensors = reader.number<std::uint64_t>("the number of tensors");
    const auto keys = reader.number<std::uint64_t>("the number of keys");
    if (reader.can_hold(keys, key_bytes, 16, "keys")) part.metadata = read_gguf_metadata(reader, keys, wanted);
    if (reader.can_hold(tensors, tensor_bytes, 8, "tensors")) read_gguf_tensors(reader, tensors, part);
    if (reader.ok()) place_gguf_tensors(reader, part.metadata.value("general.alignment", default_alignment), part);
    if (!reader.ok()) return reader.error();
    return part;
}

Result<Checkpoint> read_gguf(FileBytes bytes, const std::string& name) {
    Result<GgufPart> part = read_gguf_part(std::move(bytes), name);
    if (!part) return part.error();
    const Result<Split> split = split_of(*part, name);
    if (!split) return split.error();
    return checkpoint_of(*std::move(part), name);
}

Result<Checkpoint> read_gguf(const std::filesystem::path& path) {
    Result<GgufPart> part = read_part(path);
    if (!part) return part.error();
    const Result<Split> split = split_of(*part, path.string());
    if (!split) return split.error();
    if (split->count > 1) return read_split(path, *split);
    return checkpoint_of(*std::move(part), path);
}

}  // namespace headcount
