// Pre-tokenizers, which cut a text into words, within which alone tokens are found.
#include "core/tokenizer/letters.hpp"
#include "core/tokenizer/steps.hpp"

namespace headcount {

namespace {

struct Stretch {
    Range range;
    bool match = false;
};

// The whole text as matches and what lies between them.
Result<std::vector<Stretch>> stretches(const Split& split, std::string_view text, const TimeLimit& limit) {
    const Result<std::vector<Range>> found = split.pattern.find(text, limit);
    if (!found) return found.error();
    std::vector<Stretch> all;
    std::size_t at = 0;
    for (const Range& range : *found) {
        if (range.begin > at) all.push_back({{at, range.begin}, split.inverted});
        all.push_back({range, !split.inverted});
        at = range.end;
    }
    if (at < text.size()) all.push_back({{at, text.size()}, split.inverted});
    return all;
}

// Whether two neighbours stay together: a match joins the one before it or behind it, unless that is a match too.
bool together(const Stretch& left, const Stretch& right, Behavior behavior) {
    if (behavior == Behavior::merged_with_previous) return right.match && !left.match;
    if (behavior == Behavior::merged_with_next) return left.match && !right.match;
    return behavior == Behavior::contiguous && left.match == right.match;
}

std::vector<Range> kept(const std::vector<Stretch>& all, Behavior behavior) {
    std::vector<Range> made;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].match && behavior == Behavior::removed) continue;
        if (i > 0 && together(all[i - 1], all[i], behavior))
            made.back().end = all[i].range.end;
        else
            made.push_back(all[i].range);
    }
    return made;
}

using Parts = std::vector<TextPart>;

std::optional<Error> step(const Split& split, TextPart part, const TimeLimit& limit, Parts& into) {
    const Result<std::vector<Stretch>> all = stretches(split, part.text, limit);
    if (!all) return all.error();
    for (const Range& range : kept(*all, split.behavior))
        into.push_back({part.text.substr(range.begin, range.end - range.begin), part.first && range.begin == 0, {}});
    return std::nullopt;
}

std::optional<Error> step(const ByteLevel& level, TextPart part, const TimeLimit& limit, Parts& into) {
    if (level.space_before && !part.text.starts_with(' ')) part.text.insert(0, 1, ' ');
    const std::size_t before = into.size();
    if (!level.words)
        into.push_back(std::move(part));
    else if (std::optional<Error> error = step(Split{*level.words}, std::move(part), limit, into))
        return error;
    for (std::size_t i = before; i < into.size(); ++i) into[i].text = letters_of_bytes(into[i].text);
    return std::nullopt;
}

std::optional<Error> step(const Metaspace& metaspace, TextPart part, const TimeLimit& limit, Parts& into) {
    std::string text;
    for (const char c : part.text)
        if (c == ' ')
            text += metaspace.letter;
        else
            text += c;
    const bool wanted =
        metaspace.before == Metaspace::Before::always || (metaspace.before == Metaspace::Before::first && part.first);
    if (wanted && !text.starts_with(metaspace.letter)) text.insert(0, metaspace.letter);
    part.text = std::move(text);
    if (!metaspace.split) {
        into.push_back(std::move(part));
        return std::nullopt;
    }
    Result<Pattern> letter = Pattern::text(metaspace.letter, "");
    if (!letter) return letter.error();
    return step(Split{*std::move(letter), Behavior::merged_with_next}, std::move(part), limit, into);
}

std::size_t bytes_of(const Parts& parts) {
    std::size_t bytes = 0;
    for (const TextPart& part : parts) bytes += part.text.size();
    return bytes;
}

}  // namespace

Result<std::vector<TextPart>> cut(const std::vector<PreTokenizer>& steps, std::vector<TextPart> parts,
                                  const TimeLimit& limit) {
    const std::size_t most = most_made_of(bytes_of(parts));
    for (const PreTokenizer& each : steps) {
        Parts made;
        for (TextPart& part : parts) {
            if (part.id) {
                made.push_back(std::move(part));
                continue;
            }
            std::optional<Error> error = std::visit(
                [&](const auto& pre_tokenizer) { return step(pre_tokenizer, std::move(part), limit, made); }, each);
            if (error) return *std::move(error);
            if (limit.passed()) return takes_too_long();
        }
        parts = std::move(made);
        if (bytes_of(parts) > most) return grows_too_much();
    }
    return parts;
}

}  // namespace headcount
