// Text with sub- and superscripts; see the header for what is read as one.
#include "app/ui/rich_text.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/layout.hpp"
#include "core/base/scripts.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

float line_distance(const Font& font) { return std::round(1.5F * font.em); }

// How many bytes of a word fit: whole characters, at least one, and better whole factors of a product.
std::size_t fitting(const Font& font, std::string_view word, float width) {
    constexpr std::string_view times = "\xC2\xB7";
    const char* cut = word.data();
    font.face->CalcTextSizeA(font.size, width, 0, word.data(), word.data() + word.size(), &cut);
    auto fits = static_cast<std::size_t>(cut - word.data());
    const std::size_t factor = word.substr(0, fits).rfind(times);
    if (factor != word.npos) return factor + times.size();
    for (fits = std::max<std::size_t>(fits, 1); fits < word.size() && (word[fits] & 0xC0) == 0x80;) ++fits;
    return fits;
}

// Where the word ends that begins there. Whatever has no end of its own ends where it is wider than any line, so that
// no more than that is measured at a time.
std::size_t end_of_word(std::string_view text, std::size_t at) {
    constexpr std::size_t longest_word = 1000;
    const std::string_view ahead = whole_letters(text.substr(at), longest_word);
    return at + std::min(ahead.find_first_of(" \n"), std::max<std::size_t>(ahead.size(), 1));
}

// Calls line(text, width) for every line; a word that is wider than the room is broken.
template <class Line>
void for_each_line(const Font& font, std::string_view text, float width, bool scripts, Line&& line) {
    const auto width_of = [&](std::string_view part) {
        return scripts ? symbol_width(font, part) : text_width(font, part);
    };
    const float space = text_width(font, " ");
    std::size_t start = 0, end = 0;
    float wide = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t stop = end_of_word(text, at);
        float word = width_of(text.substr(at, stop - at));
        const float before = at > start && text[at - 1] == ' ' ? space : 0;
        if (end > start && wide + before + word > width) {
            line(text.substr(start, end - start), wide);
            start = at;
            wide = 0;
        }
        while (at == start && word > width) {
            const std::size_t fits = fitting(font, text.substr(at, stop - at), width);
            if (fits >= stop - at) break;
            line(text.substr(at, fits), width_of(text.substr(at, fits)));
            start = at = at + fits;
            word = width_of(text.substr(at, stop - at));
        }
        wide += (at > start ? before : 0) + word;
        end = at = stop;
        if (at < text.size() && (text[at] == ' ' || text[at] == '\n')) ++at;
        if (stop < text.size() && text[stop] == '\n') {
            line(text.substr(start, end - start), wide);
            start = end = at;
            wide = 0;
        }
    }
    if (end > start) line(text.substr(start, end - start), wide);
}

Font script_font(const Font& font) {
    const float part = font.script_size / font.size;
    return {.face = font.script,
            .size = font.script_size,
            .em = font.em * part,
            .script = font.script,
            .script_size = font.script_size,
            .advance = font.advance * part};
}

}  // namespace

float symbol_width(const Font& font, std::string_view text) {
    if (!has_scripts(text)) return text_width(font, text);
    float width = 0;
    const Font small = script_font(font);
    for_each_script(text, [&](std::string_view part, Script script) {
        width += text_width(script == Script::none ? font : small, part);
    });
    return width;
}

float draw_symbol(ImDrawList& list, const Font& font, ImVec2 position, ImU32 colour, std::string_view text) {
    if (!has_scripts(text)) return draw_text(list, font, position, colour, text);
    const Font small = script_font(font);
    const float baseline = position.y + ascent(font);
    float x = position.x;
    for_each_script(text, [&](std::string_view part, Script script) {
        if (script == Script::none) {
            x += draw_text(list, font, ImVec2(x, position.y), colour, part);
            return;
        }
        const float shift = (script == Script::lowered ? script_down : -script_up) * font.em;
        x += draw_text(list, small, ImVec2(x, std::round(baseline + shift - ascent(small))), colour, part);
    });
    return x - position.x;
}

void put_text(ImDrawList& list, const Font& font, ImVec2 position, ImU32 colour, std::string_view text) {
    put_covered(list, font, position, colour, text);
}

void put_symbol(ImDrawList& list, const Font& font, ImVec2 position, ImU32 colour, std::string_view text) {
    if (!has_scripts(text))
        put_text(list, font, position, colour, text);
    else
        draw_symbol(list, font, position, colour, text);
}

namespace {

// Whether this is one as it is written behind figures, and not a word: "MiB", "%", "ms", "TFLOP/s", "GB".
bool is_unit(std::string_view word) {
    constexpr std::size_t longest_small = 2;
    const auto capital = [](char c) { return c >= 'A' && c <= 'Z'; };
    return !word.empty() && (std::ranges::any_of(word, capital) || word.size() <= longest_small);
}

// Where the number ends that begins there, with its unit: "242 MiB", "7,241,732,096", "0.5 %".
std::size_t end_of_number(std::string_view text, std::size_t at) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end == text.size() || !is_digit(text[end - 1])) return end;
    const std::string_view word = text.substr(end + 1, text.find(' ', end + 1) - end - 1);
    return is_unit(word) && !is_digit(word.front()) ? end + 1 + word.size() : end;
}

}  // namespace

std::string_view cut_before_number(std::string_view text, std::size_t fits) {
    for (std::size_t at = 0; at < fits; ++at) {
        const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(' || text[at - 1] == '[';
        const bool sign = at + 1 < text.size() && (text[at] == '+' || text[at] == '-') && is_digit(text[at + 1]);
        if (!begins || !(is_digit(text[at]) || sign)) continue;
        const std::size_t end = end_of_number(text, at);
        if (end > fits) return text.substr(0, at);
        at = end;
    }
    return text.substr(0, fits);
}

float draw_text(ImDrawList& list, const Font& font, ImVec2 position, ImU32 colour, std::string_view text, float width) {
    const float whole = text_width(font, text);
    if (width < 0) return 0;
    if (width == 0 || whole <= width) {
        put_text(list, font, position, colour, text);
        return whole;
    }
    if (covers(text)) {
        // Half of a covered number would be told by its other half.
        list.PushClipRect(ImVec2(position.x, position.y), ImVec2(position.x + width, position.y + font.size), true);
        put_text(list, font, position, colour, text);
        list.PopClipRect();
        return width;
    }
    const std::string_view dots = "\xE2\x80\xA6";
    const float room = std::max(0.0F, width - text_width(font, dots));
    const char* cut = text.data();
    font.face->CalcTextSizeA(font.size, room, 0, text.data(), text.data() + text.size(), &cut);
    std::string_view kept = cut_before_number(text, static_cast<std::size_t>(cut - text.data()));
    while (kept.ends_with(' ')) kept.remove_suffix(1);
    put_text(list, font, position, colour, kept);
    const float used = text_width(font, kept);
    put_text(list, font, ImVec2(position.x + used, position.y), colour, dots);
    return used + text_width(font, dots);
}

void draw_text_in(ImDrawList& list, const Font& font, ImVec2 min, ImVec2 max, ImU32 colour, std::string_view text,
                  Align align, bool scripts) {
    const ImVec2 position(min.x, text_top(font, (min.y + max.y) / 2));
    if (align == Align::left) {
        if (scripts)
            put_symbol(list, font, position, colour, text);
        else
            draw_text(list, font, position, colour, text, max.x - min.x);
        return;
    }
    const float spare = max.x - min.x - (scripts ? symbol_width(font, text) : text_width(font, text));
    // A number that is too wide leans on what is before it: what comes behind is another's.
    const ImVec2 moved(min.x + (align == Align::right ? spare : std::max(0.0F, spare / 2)), position.y);
    if (scripts)
        put_symbol(list, font, moved, colour, text);
    else
        put_text(list, font, moved, colour, text);
}

void text_line(const Ui&, const Font& font, ImU32 colour, std::string_view text) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = draw_text(*ImGui::GetWindowDrawList(), font, start, colour, text, available_width());
    place(start, ImVec2(width, font.size));
}

void symbol_line(const Ui&, const Font& font, ImU32 colour, std::string_view text) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = draw_symbol(*ImGui::GetWindowDrawList(), font, start, colour, text);
    place(start, ImVec2(width, font.size));
}

ImVec2 wrapped_extent(const Font& font, std::string_view text, float width, bool scripts) {
    ImVec2 extent(0, 0);
    for_each_line(font, text, width, scripts, [&](std::string_view, float wide) {
        extent.x = std::max(extent.x, wide);
        extent.y += line_distance(font);
    });
    return extent;
}

void draw_wrapped(ImDrawList& list, const Font& font, ImVec2 position, ImU32 colour, std::string_view text, float width,
                  bool scripts) {
    const float above = std::round((line_distance(font) - font.size) / 2);
    float y = position.y + above;
    for_each_line(font, text, width, scripts, [&](std::string_view line, float) {
        if (scripts)
            draw_symbol(list, font, ImVec2(position.x, y), colour, line);
        else
            put_text(list, font, ImVec2(position.x, y), colour, line);
        y += line_distance(font);
    });
}

namespace {

// Whether the word that begins there is a name out of a file: with a point or a stroke in it, or two underscores.
bool names_something(std::string_view from) {
    const std::string_view word = from.substr(0, from.find_first_of(" ,:;\n"));
    const std::size_t mark = word.find_first_of("./");
    return (mark != word.npos && mark + 1 < word.size()) || std::ranges::count(word, '_') > 1;
}

}  // namespace

std::string begun_as_sentence(std::string_view sentence) {
    const std::string_view word = sentence.substr(0, sentence.find_first_of(" :,"));
    return names_something(sentence) || word.find('_') != word.npos ? std::string(sentence) : capitalized(sentence);
}

std::string plain_in_quotes(std::string_view sentence) {
    constexpr std::string_view opening = "\xE2\x80\x9C", closing = "\xE2\x80\x9D";
    std::string text;
    bool quoted = false, name = false;
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        const char c = sentence[i];
        if (c == '"') quoted = !quoted;
        if (sentence.substr(i).starts_with(opening)) quoted = true;
        if (sentence.substr(i).starts_with(closing)) quoted = false;
        if (i == 0 || sentence[i - 1] == ' ') name = names_something(sentence.substr(i));
        if ((quoted || name) && steers_scripts(c)) text += '\\';
        text += c;
    }
    return text;
}

void paragraph(const Ui&, const Font& font, ImU32 colour, std::string_view text, bool scripts) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = std::max(1.0F, available_width());
    draw_wrapped(*ImGui::GetWindowDrawList(), font, start, colour, text, width, scripts);
    place(start, ImVec2(width, wrapped_extent(font, text, width, scripts).y));
}

}  // namespace headcount
