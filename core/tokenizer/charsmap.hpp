// SentencePiece's table of what letters are replaced by before a text is cut: normal forms, spaces of all widths,
// control characters. A file has it as it lies in memory (precompiled_charsmap), in base 64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace headcount {

class Charsmap {
  public:
    // How many bytes the tree has, that tree, then the texts that it leads to, each with a zero behind it.
    static Result<Charsmap> read(std::string_view base64, const std::string& where);

    // Each letter with its marks is replaced as a whole where the table has it, else code point by code point, as
    // Hugging Face's tokenizers do it. Bytes that are not UTF-8 stay.
    Result<std::string> mapped(std::string_view text) const;

  private:
    // Of the shortest text in the table that the letters begin with.
    std::optional<std::string_view> replacement(std::string_view letters) const;
    // Goes no further where there are more than `most` bytes.
    void append_mapped(std::string_view cluster, std::size_t most, std::string& into) const;

    std::vector<std::uint32_t> units_;  // of a double array (https://github.com/s-yata/darts-clone)
    std::string texts_;
};

}  // namespace headcount
