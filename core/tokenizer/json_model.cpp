// Models of type BPE, WordPiece and Unigram.
#include "core/tokenizer/json_model.hpp"

#include <algorithm>

#include "core/tokenizer/json_steps.hpp"

namespace headcount {

using namespace tokenizer_json;

namespace {

class ModelReader {
  public:
    ModelReader(const Json& model, std::string where, TokenizerParts& parts)
        : model_(model), where_(std::move(where)), parts_(parts) {}

    std::optional<Error> read() {
        if (!model_.is_object()) return expected("an object", where_);
        const Json& type = value(model_, "type");
        if (type.is_null() ? model_.contains("merges") : type == "BPE") return read_pairs();
        if (type == "WordPiece") return read_longest();
        if (type == "Unigram") return read_likeliest();
        return Error{"a model of type " + (type.is_string() ? in_quotes(type.get<std::string>()) : "no name") +
                         " is not supported, only BPE, WordPiece and Unigram",
                     where_ + ".type", "give ids of tokens in the place of a text"};
    }

  private:
    std::optional<Error> read_pairs() {
        if (std::optional<Error> error = refuse_affixes()) return error;
        if (std::optional<Error> error = read_vocabulary()) return error;
        if (std::optional<Error> error = read_merges(value(model_, "merges"))) return error;
        const Result<bool> whole = truth(model_, "ignore_merges", false, where_);
        const Result<bool> fuse = truth(model_, "fuse_unk", false, where_);
        for (const auto* each : {&whole, &fuse})
            if (!*each) return each->error();
        parts_.whole_words = *whole;
        parts_.one_for_all_unknown = *fuse;
        if (std::optional<Error> error = read_fallback()) return error;
        return read_unknown();
    }

    std::optional<Error> refuse_affixes() const {
        for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"})
            if (const Json& affix = value(model_, key); !affix.is_null() && affix != "")
                return Error{std::string(key) + " is not supported", place(key),
                             "give ids of tokens in the place of a text"};
        return std::nullopt;
    }

    std::optional<Error> read_vocabulary() {
        const Json& vocabulary = value(model_, "vocab");
        if (!vocabulary.is_object() || vocabulary.empty())
            return expected("an object of tokens and their ids", place("vocab"));
        parts_.ids.reserve(vocabulary.size());
        for (const auto& [text, id] : vocabulary.items()) {
            const bool number = id.is_number_unsigned() && id.get<std::uint64_t>() < (1u << 31);
            if (!number || !put_token(parts_, id.get<std::int64_t>(), text, vocabulary.size()))
                return Error{"the id of " + in_quotes(text) + " is " + in_quotes(id.dump()) +
                                 ", a number near the others was expected",
                             place("vocab"), "give the tokenizer.json of the model"};
            parts_.ids.emplace(text, id.get<std::int32_t>());
        }
        return std::nullopt;
    }

    std::optional<Error> read_merges(const Json& merges) {
        if (!merges.is_array()) return expected("a list of merges", place("merges"));
        parts_.merges.reserve(merges.size());
        for (std::size_t rank = 0; rank < merges.size(); ++rank)
            if (std::optional<Error> error = read_merge(merges[rank], rank, at(place("merges"), rank))) return error;
        return std::nullopt;
    }

    // "a b", as older files have it, or ["a", "b"].
    std::optional<Error> read_merge(const Json& merge, std::size_t rank, const std::string& where) {
        std::string left, right;
        if (merge.is_string()) {
            const auto& both = merge.get_ref<const std::string&>();
            const std::size_t space = both.find(' ');
            if (space == both.npos || both.find(' ', space + 1) != both.npos)
                return expected("two texts with a space between them", where);
            left = both.substr(0, space);
            right = both.substr(space + 1);
        } else if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
            left = merge[0].get<std::string>();
            right = merge[1].get<std::string>();
        } else {
            return expected("a pair of texts", where);
        }
        const auto a = parts_.ids.find(left), b = parts_.ids.find(right), made = parts_.ids.find(left + right);
        for (const auto& [found, text] : {std::pair(a, left), std::pair(b, right), std::pair(made, left + right)})
            if (found == parts_.ids.end())
                return Error{"the vocabulary has no " + in_quotes(text), where, "give the tokenizer.json of the model"};
        parts_.merges.insert_or_assign(pair_key(a->second, b->second), Merged{static_cast<double>(rank), made->second});
        return std::nullopt;
    }

    std::optional<Error> read_fallback() {
        const Result<bool> fallback = truth(model_, "byte_fallback", false, where_);
        if (!fallback) return fallback.error();
        if (*fallback) find_byte_tokens(parts_);
        return std::nullopt;
    }

    std::optional<Error> read_unknown() {
        const Json& unknown = value(model_, "unk_token");
        if (unknown.is_null()) return std::nullopt;
        const auto found =
            unknown.is_string() ? parts_.ids.find(unknown.get_ref<const std::string&>()) : parts_.ids.end();
        if (found == parts_.ids.end()) return expected("a token of the vocabulary", place("unk_token"));
        parts_.unknown = found->second;
        return std::nullopt;
    }

    // WordPiece.
    std::optional<Error> read_longest() {
        if (std::optional<Error> error = read_vocabulary()) return error;
        Result<std::string> prefix = text(model_, "continuing_subword_prefix", where_);
        if (!prefix) return prefix.error();
        const Json& most = value(model_, "max_input_chars_per_word");
        if (!most.is_number_unsigned()) return expected("a number", place("max_input_chars_per_word"));
        parts_.segmentation = Segmentation::longest_pieces;
        parts_.within_word = *std::move(prefix);
        parts_.most_letters = most.get<std::size_t>();
        for (const auto& [text, id] : parts_.ids) parts_.pieces.put(text, id);
        return read_unknown();
    }

    // Unigram.
    std::optional<Error> read_likeliest() {
        const Json& vocabulary = value(model_, "vocab");
        if (!vocabulary.is_array() || vocabulary.empty())
            return expected("a list of pieces and their scores", place("vocab"));
        parts_.segmentation = Segmentation::likeliest_pieces;
        for (std::size_t id = 0; id < vocabulary.size(); ++id)
            if (std::optional<Error> error = read_piece(vocabulary[id], id, vocabulary.size())) return error;
        constexpr double penalty = 10;
        parts_.unknown_score = *std::ranges::min_element(parts_.scores) - penalty;
        if (std::optional<Error> error = read_fallback()) return error;
        const Json& unknown = value(model_, "unk_id");
        if (unknown.is_null()) return std::nullopt;
        if (!unknown.is_number_unsigned() || unknown.get<std::uint64_t>() >= vocabulary.size())
            return expected("the id of a piece", place("unk_id"));
        parts_.unknown = unknown.get<std::int32_t>();
        return std::nullopt;
    }

    // Of pieces with the same text the last counts.
    std::optional<Error> read_piece(const Json& piece, std::size_t id, std::size_t count) {
        if (!piece.is_array() || piece.size() != 2 || !piece[0].is_string() || !piece[1].is_number())
            return expected("a piece and its score", at(place("vocab"), id));
        const auto& text = piece[0].get_ref<const std::string&>();
        if (text.empty()) return expected("a piece of some text", at(place("vocab"), id));
        const auto number = static_cast<std::int32_t>(id);
        put_token(parts_, number, text, count);
        parts_.scores.push_back(piece[1].get<double>());
        parts_.ids.insert_or_assign(text, number);
        parts_.pieces.put(text, number);
        return std::nullopt;
    }

    std::string place(const char* key) const { return where_ + "." + key; }

    const Json& model_;
    std::string where_;
    TokenizerParts& parts_;
};

}  // namespace

std::optional<Error> read_model(const Json& model, const std::string& where, TokenizerParts& parts) {
    return ModelReader(model, where, parts).read();
}

}  // namespace headcount
