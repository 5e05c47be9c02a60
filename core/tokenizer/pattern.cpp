// A regular expression or a plain text that is looked for in texts.
#include "core/tokenizer/pattern.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <optional>

#include "core/base/utf8.hpp"
#include "core/tokenizer/letters.hpp"

namespace headcount {
namespace {

// How many ways a match may be tried in, and what that may take: patterns of tokenizers need a handful a letter.
constexpr std::uint32_t most_tries = 1'000'000, most_heap_kib = 16384;

// In how many bytes at once the beginning of a match is looked for: all those tries are made from each of them, and the
// clock is looked at only between.
constexpr std::size_t window = 16;

template <auto free>
struct FreeWith {
    template <class Made>
    void operator()(Made* made) const {
        free(made);
    }
};

std::string reason(int code) {
    unsigned char text[256] = {};
    pcre2_get_error_message(code, text, sizeof(text));
    return reinterpret_cast<const char*>(text);
}

// Where the first bytes that are UTF-8 end; 0 where the first byte is none.
std::size_t valid_until(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const Letter letter = letter_at(text.substr(at));
        if (!letter.code) break;
        at += letter.length;
    }
    return at;
}

bool within_letter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

Error stuck(const std::string& why, std::size_t byte) {
    return {"a pattern of the tokenizer does not get through the text: " + why, "byte " + std::to_string(byte),
            "give a shorter text"};
}

std::vector<Range> find_text(std::string_view what, std::string_view in) {
    std::vector<Range> found;
    for (std::size_t at = in.find(what); at != in.npos; at = in.find(what, at + what.size()))
        found.push_back({at, at + what.size()});
    return found;
}

}  // namespace

struct Pattern::Code {
    explicit Code(pcre2_code* made) : code(made) {}
    Code(const Code&) = delete;
    Code& operator=(const Code&) = delete;
    ~Code() { pcre2_code_free(code); }

    // The matches in text[from, to), which is UTF-8, seen as if it were all.
    std::optional<Error> find(std::string_view text, Range within, const TimeLimit& limit,
                              std::vector<Range>& found) const;

    pcre2_code* code;
};

std::optional<Error> Pattern::Code::find(std::string_view text, Range within, const TimeLimit& limit,
                                         std::vector<Range>& found) const {
    const std::unique_ptr<pcre2_match_data, FreeWith<pcre2_match_data_free>> data(pcre2_match_data_create(1, nullptr));
    const std::unique_ptr<pcre2_match_context, FreeWith<pcre2_match_context_free>> context(
        pcre2_match_context_create(nullptr));
    if (!data || !context) return Error{"there is no memory to split the text", "", "give a shorter text"};
    pcre2_set_match_limit(context.get(), most_tries);
    pcre2_set_heap_limit(context.get(), most_heap_kib);
    const std::string_view subject = text.substr(within.begin, within.end - within.begin);
    const auto* units = reinterpret_cast<PCRE2_SPTR>(subject.data());
    for (std::size_t at = 0; at < subject.size();) {
        pcre2_set_offset_limit(context.get(), at + window - 1);
        int matched = pcre2_match(code, units, subject.size(), at, PCRE2_NO_UTF_CHECK, data.get(), context.get());
        if (matched == PCRE2_ERROR_JIT_STACKLIMIT)  // slower, with memory of its own
            matched = pcre2_match(code, units, subject.size(), at, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, data.get(),
                                  context.get());
        if (matched < 0 && matched != PCRE2_ERROR_NOMATCH) return stuck(reason(matched), within.begin + at);
        if (limit.passed()) return stuck("it takes too long", within.begin + at);
        if (matched == PCRE2_ERROR_NOMATCH) {
            at += window;
            while (at < subject.size() && within_letter(subject[at])) ++at;
            continue;
        }
        const std::size_t* ends = pcre2_get_ovector_pointer(data.get());
        if (ends[1] > ends[0] && ends[0] >= at) {
            found.push_back({within.begin + ends[0], within.begin + ends[1]});
            at = ends[1];
        } else {
            const std::size_t next = ends[1] > at ? ends[1] : at;  // nothing was matched there: try behind it
            if (next >= subject.size()) break;
            at = next + letter_at(subject.substr(next)).length;
        }
    }
    return std::nullopt;
}

Result<Pattern> Pattern::expression(std::string_view expression, const std::string& where) {
    int code = 0;
    std::size_t at = 0;
    pcre2_code* made =
        pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expression.data()), expression.size(),
                      PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_USE_OFFSET_LIMIT, &code, &at, nullptr);
    if (!made)
        return Error{
            "the pattern " + in_quotes(expression) + " is not read: " + reason(code) + " at byte " + std::to_string(at),
            where, "write it for PCRE2"};
    Pattern pattern;
    pattern.code_ = std::make_shared<const Code>(made);
    pcre2_jit_compile(made, PCRE2_JIT_COMPLETE);  // where that is not possible, the matcher does without
    return pattern;
}

Result<Pattern> Pattern::text(std::string_view text, const std::string& where) {
    if (text.empty()) return Error{"an empty pattern is everywhere", where, "give a text"};
    Pattern pattern;
    pattern.text_ = text;
    return pattern;
}

Result<std::vector<Range>> Pattern::find(std::string_view in, const TimeLimit& limit) const {
    if (!code_) return find_text(text_, in);
    std::vector<Range> found;
    for (std::size_t at = 0; at < in.size();) {
        const std::size_t end = at + valid_until(in.substr(at));
        if (std::optional<Error> error = code_->find(in, {at, end}, limit, found)) return *std::move(error);
        at = end + 1;
    }
    return found;
}

}  // namespace headcount
