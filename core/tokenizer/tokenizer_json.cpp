// Reads tokenizer.json of Hugging Face's tokenizers (https://github.com/huggingface/tokenizers).
#include <algorithm>

#include "core/base/json_file.hpp"
#include "core/base/utf8.hpp"
#include "core/tokenizer/json_model.hpp"
#include "core/tokenizer/json_steps.hpp"
#include "core/tokenizer/parts.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {

using namespace tokenizer_json;

namespace {

using Wrong = std::optional<Error>;

class JsonReader {
  public:
    JsonReader(const Json& json, std::string name) : json_(json), name_(std::move(name)) {}

    Result<Tokenizer> read() {
        if (Wrong wrong = read_model(value(json_, "model"), place("model"), parts_)) return *std::move(wrong);
        if (Wrong wrong = read_steps()) return *std::move(wrong);
        if (Wrong wrong = read_added()) return *std::move(wrong);
        if (Wrong wrong = read_processor(value(json_, "post_processor"), place("post_processor")))
            return *std::move(wrong);
        if (Wrong wrong = read_bytes()) return *std::move(wrong);
        return Tokenizer(std::make_shared<const TokenizerParts>(std::move(parts_)));
    }

  private:
    Wrong read_steps() {
        Result<std::vector<Normalizer>> normalizers = read_normalizers(value(json_, "normalizer"), place("normalizer"));
        if (!normalizers) return normalizers.error();
        Result<std::vector<PreTokenizer>> cuts =
            read_pre_tokenizers(value(json_, "pre_tokenizer"), place("pre_tokenizer"));
        if (!cuts) return cuts.error();
        parts_.normalizers = *std::move(normalizers);
        parts_.pre_tokenizers = *std::move(cuts);
        return std::nullopt;
    }

    Wrong read_added() {
        const Json& list = value(json_, "added_tokens");
        if (list.is_null()) return std::nullopt;
        if (!list.is_array()) return expected("a list", place("added_tokens"));
        const std::size_t count = parts_.ids.size() + list.size();
        for (std::size_t i = 0; i < list.size(); ++i) {
            const std::string where = at(place("added_tokens"), i);
            Result<AddedToken> token = added_token(list[i], where);
            if (!token) return token.error();
            if (!put_token(parts_, token->id, token->text, count))
                return Error{"the id " + std::to_string(token->id) + " is far beyond the others", where + ".id",
                             "give the tokenizer.json of the model"};
            parts_.tokens[static_cast<std::size_t>(token->id)].special = token->special;
            parts_.tokens[static_cast<std::size_t>(token->id)].added = true;
            if (token->text == "[MASK]" || token->text == "<mask>") parts_.mask = token->id;
            if (token->normalized) {
                const Result<std::string> text = normalized(parts_.normalizers, token->text, limit_);
                if (!text) return text.error();
                if (!text->empty()) parts_.in_normalized.add(*token, *text);
            } else {
                parts_.in_raw.add(*token, token->text);
            }
        }
        return std::nullopt;
    }

    Result<AddedToken> added_token(const Json& json, const std::string& where) const {
        AddedToken token;
        Result<std::string> content = text(json, "content", where);
        if (!content) return content.error();
        if (content->empty()) return expected("a text", where + ".content");
        token.text = *std::move(content);
        const Json& id = value(json, "id");
        if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= (1u << 31)) return expected("an id", where + ".id");
        token.id = id.get<std::int32_t>();
        const std::pair<const char*, bool*> flags[] = {{"single_word", &token.single_word},
                                                       {"lstrip", &token.strip_left},
                                                       {"rstrip", &token.strip_right},
                                                       {"special", &token.special},
                                                       {"normalized", &token.normalized}};
        for (const auto& [key, flag] : flags) {
            const Result<bool> set = truth(json, key, std::string_view(key) == "normalized" && !token.special, where);
            if (!set) return set.error();
            *flag = *set;
        }
        return token;
    }

    Wrong read_processor(const Json& json, const std::string& where) {
        if (json.is_null()) return std::nullopt;
        const Result<std::string> type = text(json, "type", where);
        if (!type) return type.error();
        if (*type == "ByteLevel") return std::nullopt;  // only says where in the text a token lies
        if (*type == "TemplateProcessing") return read_template(json, where);
        if (*type == "Sequence") {
            const Json& list = value(json, "processors");
            if (!list.is_array()) return expected("a list", where + ".processors");
            for (std::size_t i = 0; i < list.size(); ++i)
                if (Wrong wrong = read_processor(list[i], at(where + ".processors", i))) return wrong;
            return std::nullopt;
        }
        if (*type == "RobertaProcessing" || *type == "BertProcessing") {
            const Json &first = value(json, "cls"), &last = value(json, "sep");
            for (const Json* each : {&first, &last})
                if (!each->is_array() || each->size() != 2) return expected("a token and its id", where);
            if (Wrong wrong = known_id(first[1], where + ".cls", parts_.before)) return wrong;
            return known_id(last[1], where + ".sep", parts_.after);
        }
        return Error{"the post-processor " + in_quotes(*type) + " is not supported", where, "use another tokenizer"};
    }

    Wrong read_template(const Json& json, const std::string& where) {
        const Json &single = value(json, "single"), &specials = value(json, "special_tokens");
        if (!single.is_array()) return expected("a list", where + ".single");
        bool behind = false;
        for (std::size_t i = 0; i < single.size(); ++i) {
            const std::string place = at(where + ".single", i);
            if (single[i].is_object() && single[i].contains("Sequence")) {
                behind = true;
                continue;
            }
            const Result<std::string> name = text(value(single[i], "SpecialToken"), "id", place + ".SpecialToken");
            if (!name) return name.error();
            const Json& ids = value(value(specials, name->c_str()), "ids");
            if (!ids.is_array()) return expected("a list of ids", where + ".special_tokens." + *name);
            for (const Json& id : ids)
                if (Wrong wrong =
                        known_id(id, where + ".special_tokens." + *name, behind ? parts_.after : parts_.before))
                    return wrong;
        }
        return std::nullopt;
    }

    Wrong read_bytes() {
        Result<Decoder> decoder = read_decoder(value(json_, "decoder"), place("decoder"));
        if (!decoder) return decoder.error();
        if (value(json_, "decoder").is_null())  // what its words are written in can be read again all the same
            for (const PreTokenizer& each : parts_.pre_tokenizers)
                if (std::holds_alternative<ByteLevel>(each)) decoder->of_token.emplace_back(LettersToBytes{});
        for (std::size_t id = 0; id < parts_.tokens.size(); ++id) {
            Token& token = parts_.tokens[id];
            Result<std::string> bytes = decoded(*decoder, token.text, token.added, limit_);
            if (!bytes) return bytes.error();
            token.bytes = *std::move(bytes);
            if (token.special && ends_a_text(token.text)) parts_.ends.push_back(static_cast<std::int32_t>(id));
        }
        parts_.strip = decoder->of_text;
        return std::nullopt;
    }

    std::string place(const char* key) const { return name_ + ": " + key; }

    Wrong known_id(const Json& json, const std::string& where, std::vector<std::int32_t>& into) const {
        if (!json.is_number_unsigned() || json.get<std::uint64_t>() >= parts_.tokens.size())
            return expected("the id of a token", where);
        into.push_back(json.get<std::int32_t>());
        return std::nullopt;
    }

    const Json& json_;
    std::string name_;
    TokenizerParts parts_;
    TimeLimit limit_ = TimeLimit::of_file();
};

}  // namespace

Result<Tokenizer> Tokenizer::from_json(std::string_view text, const std::string& name) {
    const Result<Json> json = parse_json(text, name);
    if (!json) return json.error();
    return JsonReader(*json, name).read();
}

}  // namespace headcount
