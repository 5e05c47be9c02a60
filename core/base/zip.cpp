// Writes the headers of an archive, and its directory at the end.
#include "core/base/zip.hpp"

#include <array>
#include <cstdint>

namespace headcount {
namespace {

constexpr std::array<std::uint32_t, 256> crc_table = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        std::uint32_t rest = i;
        for (int bit = 0; bit < 8; ++bit) rest = rest & 1 ? 0xEDB88320U ^ (rest >> 1) : rest >> 1;
        table[i] = rest;
    }
    return table;
}();

std::uint32_t crc32(const std::string& bytes) {
    std::uint32_t rest = 0xFFFFFFFFU;
    for (const char byte : bytes) rest = crc_table[(rest ^ static_cast<unsigned char>(byte)) & 0xFF] ^ (rest >> 8);
    return ~rest;
}

void put(std::string& out, std::uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i) & 0xFF);
}

// What the header of a file and its line in the directory have in common.
std::string facts(const ZipEntry& entry) {
    constexpr std::uint64_t version = 20, utf8_names = 0x0800, stored = 0, time = 0, date = 0x21;
    std::string out;
    for (const std::uint64_t each : {version, utf8_names, stored, time, date}) put(out, each, 2);
    put(out, crc32(entry.bytes), 4);
    put(out, entry.bytes.size(), 4);
    put(out, entry.bytes.size(), 4);
    put(out, entry.name.size(), 2);
    put(out, 0, 2);  // no extra field
    return out;
}

}  // namespace

std::string zip_archive(std::span<const ZipEntry> entries) {
    std::string out, directory;
    for (const ZipEntry& entry : entries) {
        const std::size_t start = out.size();
        out += "PK\x03\x04" + facts(entry) + entry.name + entry.bytes;
        directory += "PK\x01\x02";
        put(directory, 20, 2);
        directory += facts(entry);
        directory.append(10, '\0');  // no comment, the first disk, no attributes
        put(directory, start, 4);
        directory += entry.name;
    }
    const std::size_t start = out.size();
    out += directory + "PK\x05\x06";
    put(out, 0, 4);
    put(out, entries.size(), 2);
    put(out, entries.size(), 2);
    put(out, directory.size(), 4);
    put(out, start, 4);
    put(out, 0, 2);
    return out;
}

}  // namespace headcount
