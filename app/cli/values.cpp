// From the words behind an option to its value.
#include "app/cli/values.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

#include "core/analysis/amount_text.hpp"
#include "core/arch/fields.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

// "a, b, c"; a word may be `before` and `behind` it each.
template <class Words, class Text>
std::string listed(const Words& words, const Text& text) {
    std::string all;
    for (const auto& word : words) all.append(all.empty() ? "" : ", ").append(text(word));
    return all;
}

std::string itself(std::string_view word) {
    return std::string(word);
}

// A file of a format as its name ends: ".png (the whole view)".
std::string ending_of(const FileFormat& format) {
    return '.' + std::string(format.name) + " (" + std::string(format.holds) + ')';
}

}  // namespace

Result<std::size_t> read_word(const std::string& text, std::string_view flag, std::span<const std::string_view> words) {
    const auto found = std::find(words.begin(), words.end(), text);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    return Error{quote(text) + " is not known", std::string(flag), "give one of " + listed(words, itself)};
}

Result<std::int64_t> read_whole(const std::string& text, std::string_view flag, std::int64_t least, std::int64_t most) {
    Result<std::int64_t> number = parse_count(text, flag, least);
    if (!number || *number <= most) return number;
    return Error{grouped(*number) + " is too large", std::string(flag),
                 "give a whole number from " + grouped(least) + " to " + grouped(most)};
}

Result<std::int64_t> read_tokens(const std::string& text, std::string_view flag) {
    if (beyond_64_bits(text)) return std::numeric_limits<std::int64_t>::max();
    return parse_count(text, flag);
}

Result<Precision> read_precision(const std::string& text, std::string_view flag) {
    std::vector<std::string_view> words;
    for (const PrecisionInfo& each : precisions()) words.push_back(each.key);
    const Result<std::size_t> place = read_word(text, flag, words);
    if (!place) return place.error();
    return precisions()[*place].precision;
}

Result<Metric> read_metric(const std::string& text, std::string_view flag) {
    std::vector<std::string_view> words;
    for (const MetricInfo& each : metrics) words.push_back(each.key);
    const Result<std::size_t> place = read_word(text, flag, words);
    if (!place) return place.error();
    return metrics[*place].metric;
}

Result<std::string> read_change(const std::string& text, std::string_view flag) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
        return Error{quote(text) + " is not a change", std::string(flag), "write it as key=value, such as kv_heads=8"};
    const Result<Architecture> changed = with_field(Architecture{}, text.substr(0, equals), text.substr(equals + 1));
    if (!changed) return within(std::string(flag), changed.error());
    return text;
}

Result<Field> read_field(const std::string& text, std::string_view flag) {
    Result<Field> field = number_field(text);
    if (field) return field;
    return Error{field.error().what, std::string(flag), field.error().fix};
}

Result<std::vector<Field>> read_fields(const std::string& text, std::string_view flag) {
    std::vector<Field> fields;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const Result<Field> field = read_field(text.substr(begin, end - begin), flag);
        if (!field) return field.error();
        fields.push_back(*field);
        begin = end + 1;
    }
    return fields;
}

Result<std::int64_t> read_pass(const std::string& text, std::string_view flag) {
    Result<std::int64_t> amount = parse_amount(text, flag, Unit::flops);
    if (amount || !parse_operations(text, flag)) return amount;
    return Error{amount.error().what, std::string(flag),
                 "a pass has at most 9.2e18 operations; for a training's budget use --compute"};
}

Result<std::vector<std::int64_t>> read_ids(const std::string& text, std::string_view flag) {
    const std::string fix = "give ids of tokens with commas between them, such as 1,2,3";
    std::vector<std::int64_t> ids;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        std::string word = text.substr(begin, end - begin);
        std::erase(word, ' ');
        if (word.empty()) return Error{"an id of a token is missing", std::string(flag), fix};
        const Result<std::int64_t> id = parse_whole_number(word, flag, 0);
        if (!id) return Error{id.error().what, std::string(flag), fix};
        ids.push_back(*id);
        begin = end + 1;
    }
    return ids;
}

Result<double> read_sampling(const std::string& text, std::string_view flag, double Sampling::*part) {
    char* end = nullptr;
    Sampling sampling;
    sampling.*part = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0')
        return Error{quote(text) + " is not a number", std::string(flag), "give a number such as 0.8"};
    if (const std::optional<Error> error = wrong_sampling(sampling))
        return Error{error->what, std::string(flag), error->fix};
    return sampling.*part;
}

Result<PictureSize> read_size(const std::string& text, std::string_view flag) {
    const std::string where(flag);
    const std::size_t cross = text.find('x');
    if (cross == std::string::npos)
        return Error{quote(text) + " is not a size", where, "give width and height in pixels, such as 1600x1000"};
    const std::string range = "give whole numbers from " + std::to_string(smallest_picture) + " to " +
                              std::to_string(largest_picture) + ", such as 1600x1000";
    PictureSize size;
    for (auto [pixels, digits] :
         {std::pair(&size.width, text.substr(0, cross)), {&size.height, text.substr(cross + 1)}}) {
        const Result<std::int64_t> number = parse_whole_number(digits, flag);
        if (!number) return Error{number.error().what, where, range};
        if (*number < smallest_picture || *number > largest_picture)
            return Error{digits + " pixels are out of range", where, range};
        *pixels = static_cast<int>(*number);
    }
    return size;
}

Result<AskedView> read_view(const std::string& text, std::string_view flag, std::span<const std::string_view> views) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    AskedView asked{text.substr(0, colon)};
    if (std::find(views.begin(), views.end(), asked.key) == views.end())
        return Error{"there is no view " + quote(text), std::string(flag), "the views are: " + listed(views, itself)};
    if (colon == text.size()) return asked;
    const std::string part = text.substr(colon + 1);
    const auto tab = std::find(what_if_tab_keys.begin(), what_if_tab_keys.end(), part);
    if (asked.key != what_if_view || tab == what_if_tab_keys.end())
        return Error{"there is no " + quote(part) + " in this view", std::string(flag) + ' ' + text,
                     "give what-if:sweep, what-if:sensitivity, what-if:solve or what-if:shelf"};
    asked.what_if = static_cast<WhatIfTab>(tab - what_if_tab_keys.begin());
    return asked;
}

Result<std::filesystem::path> read_screenshot(const std::string& text, std::string_view flag) {
    std::filesystem::path path(text);
    if (path.extension() == ".png") return path;
    return Error{"a screenshot cannot have this ending", std::string(flag) + ' ' + text, "end it in .png"};
}

std::span<const FileFormat> export_formats() {
    static constexpr std::array<FileFormat, 4> formats{
        {{"json", "Hugging Face configuration"}, {"csv", "tensors"}, {"md", "tables"}, {"headcount", "every field"}}};
    return formats;
}

std::span<const FileFormat> sheet_formats() {
    static constexpr std::array<FileFormat, 4> formats{{{"html", "a page to print", "htm"},
                                                        {"md", "text to print", "markdown"},
                                                        {"csv", "to answer in"},
                                                        {"json", "to answer in"}}};
    return formats;
}

std::span<const FileFormat> picture_formats() {
    static constexpr std::array<FileFormat, 2> formats{{{"png", "the whole view"}, {"svg", "the diagram alone"}}};
    return formats;
}

Result<std::optional<std::size_t>> format_of(const std::string& file, std::optional<std::size_t> asked,
                                             std::span<const FileFormat> formats) {
    const std::string ending = std::filesystem::path(file).extension().string();
    const auto named = std::find_if(formats.begin(), formats.end(), [&](const FileFormat& format) {
        return ending.size() > 1 && (ending.substr(1) == format.name || ending.substr(1) == format.also);
    });
    if (named == formats.end()) {
        if (!asked && !ending.empty()) return no_format(file, formats);
        return asked;
    }
    const auto place = static_cast<std::size_t>(named - formats.begin());
    if (asked && *asked != place)
        return Error{
            "the file's name says " + std::string(named->name) + ", --format " + std::string(formats[*asked].name),
            "-o " + file, "leave --format out, or change the name"};
    return std::optional(place);
}

Error no_format(const std::string& file, std::span<const FileFormat> formats) {
    return {"the ending of this name says no format", "-o " + file,
            "end it in " + listed(formats, ending_of) + ", or give --format"};
}

}  // namespace headcount
