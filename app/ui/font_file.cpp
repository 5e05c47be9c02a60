// Reads 'head', 'hhea' and 'post' of a font file; the OpenType specification says where what stands.
#include "app/ui/font_file.hpp"

#include <cstddef>
#include <cstdint>

namespace headcount {
namespace {

using Bytes = std::span<const unsigned char>;

std::uint32_t big_endian(Bytes file, std::size_t offset, int bytes) {
    std::uint32_t value = 0;
    for (int i = 0; i < bytes; ++i) value = value << 8 | file[offset + static_cast<std::size_t>(i)];
    return value;
}

// The table of this tag, or nothing where it is missing, or shorter than `least`.
Bytes table_of(Bytes file, std::uint32_t tag, std::size_t least) {
    if (file.size() < 12) return {};
    const std::uint32_t count = big_endian(file, 4, 2);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t entry = 12 + 16 * i;
        if (entry + 16 > file.size()) return {};
        if (big_endian(file, entry, 4) != tag) continue;
        const std::size_t offset = big_endian(file, entry + 8, 4);
        if (offset > file.size() || file.size() - offset < least) return {};
        return file.subspan(offset);
    }
    return {};
}

}  // namespace

FontFacts font_facts(Bytes file) {
    const Bytes head = table_of(file, 0x68656164, 20);
    const Bytes hhea = table_of(file, 0x68686561, 12);
    const Bytes post = table_of(file, 0x706F7374, 16);
    if (head.empty() || hhea.empty()) return {};
    const auto units = static_cast<float>(big_endian(head, 18, 2));
    if (units <= 0) return {};
    const auto up = static_cast<std::int16_t>(big_endian(hhea, 4, 2));
    const auto down = static_cast<std::int16_t>(big_endian(hhea, 6, 2));
    FontFacts facts;
    facts.line_height = static_cast<float>(up - down) / units;
    if (!post.empty() && big_endian(post, 12, 4) != 0)
        facts.advance = static_cast<float>(big_endian(hhea, 10, 2)) / units;
    return facts;
}

}  // namespace headcount
