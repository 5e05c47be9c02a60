// Reads llama2.c's tokenizer.bin (tokenizer.py and run.c of https://github.com/karpathy/llama2.c): the longest piece's
// length, then of each piece a score, a length and its bytes, in which spaces are spaces.
#include <algorithm>
#include <cmath>

#include "core/base/text.hpp"
#include "core/checkpoints/file_bytes.hpp"
#include "core/tokenizer/letters.hpp"
#include "core/tokenizer/parts.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {
namespace {

// run.c takes these for granted.
constexpr std::int32_t unknown_id = 0, bos_id = 1, eos_id = 2, first_byte = 3;
constexpr const char* other_model = "give the tokenizer.bin that its export.py wrote";

Result<TokenizerParts> read_pieces(FileBytes bytes, const std::string& name, std::int64_t vocab) {
    ByteReader reader(bytes, name);
    reader.number<std::uint32_t>("the longest piece's length");
    TokenizerParts parts;
    constexpr std::uint64_t least_piece = 8, most_pieces = std::uint64_t{1} << 22;  // of any vocabulary
    constexpr std::uint32_t longest_piece = 1u << 16;
    const std::uint64_t most = bytes.size() / least_piece;
    const std::uint64_t pieces = std::min<std::uint64_t>(static_cast<std::uint64_t>(vocab), most_pieces);
    while (reader.ok() && reader.left() > 0) {
        const std::uint64_t at = reader.at();
        if (parts.tokens.size() == pieces) {
            reader.fail(at, "there are more pieces than the " + grouped(vocab) + " of the model's vocabulary",
                        other_model);
            break;
        }
        const auto score = reader.number<float>("a score");
        const auto length = reader.number<std::uint32_t>("a piece's length");
        std::string piece;
        if (length > longest_piece && reader.can_hold(length, 1, at, "bytes of a piece"))
            reader.fail(at,
                        "a piece has " + grouped(length) + " bytes, at most " + grouped(longest_piece) + " are read",
                        other_model);
        if (reader.can_hold(length, 1, at, "bytes of a piece"))
            for (std::uint32_t i = 0; i < length; ++i) piece += reader.number<char>("a piece");
        if (std::isnan(score)) reader.fail(at, "a score is not a number", "export the tokenizer again");
        if (!reader.ok()) break;
        const auto id = static_cast<std::int32_t>(parts.tokens.size());
        put_token(parts, id, piece, most);
        parts.ids.emplace(std::move(piece), id);
        parts.scores.push_back(score);
    }
    if (!reader.ok()) return reader.error();
    if (parts.tokens.size() <= first_byte + 256)
        return Error{"this is not a tokenizer of llama2.c: it has " + std::to_string(parts.tokens.size()) + " pieces",
                     name, other_model};
    return parts;
}

}  // namespace

Result<Tokenizer> Tokenizer::from_llama2c(FileBytes bytes, const std::string& name, std::int64_t vocab) {
    Result<TokenizerParts> parts = read_pieces(std::move(bytes), name, vocab);
    if (!parts) return parts.error();
    parts->segmentation = Segmentation::scored_merges;
    find_byte_tokens(*parts);
    for (std::size_t id = 0; id < parts->tokens.size(); ++id) {
        Token& token = parts->tokens[id];
        token.bytes = token.text;
        if (const std::optional<unsigned char> byte = byte_of_token(token.text))
            token.bytes.assign(1, static_cast<char>(*byte));
        token.special = id < static_cast<std::size_t>(first_byte);
    }
    for (const auto& [id, text] :
         {std::pair(unknown_id, "<unk>"), std::pair(bos_id, "<s>"), std::pair(eos_id, "</s>")}) {
        Token& token = parts->tokens[static_cast<std::size_t>(id)];
        token.bytes = text;
        parts->in_raw.add({.id = id, .text = text, .normalized = false, .special = true}, text);
    }
    parts->normalizers.emplace_back(Prepend{" "});
    parts->strip.left = 1;
    parts->before = {bos_id};
    parts->ends = {bos_id, eos_id};  // run.c stops at the next story's beginning
    return Tokenizer(std::make_shared<const TokenizerParts>(*std::move(parts)));
}

}  // namespace headcount
