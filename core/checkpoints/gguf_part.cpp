// One GGUF file by itself, which may be a part of a split one. What its bytes say is checked against their number.
#include "core/checkpoints/gguf_part.hpp"

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

}  // namespace headcount
