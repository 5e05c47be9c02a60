// Takes names apart where the usual code does, and finds layers' numbers in them.
#include "core/diagnose/named.hpp"

#include <algorithm>
#include <utility>

#include "core/base/text.hpp"

namespace headcount {

Named named(const std::string& name) {
    std::vector<std::string> words(1);
    for (const char c : lower(name)) {
        if (is_letter_or_digit(c))
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    }
    Named found{.words = " "};
    for (const std::string& word : words) {
        if (!found.encoder && (word == "encoder" || word == "enc" || word == "decoder" || word == "dec"))
            found.encoder = word.starts_with("enc");
        const std::size_t digits = word.find_first_of("0123456789");
        const std::string front = word.substr(0, digits);
        const bool number = digits != std::string::npos &&
                            std::all_of(word.begin() + static_cast<std::ptrdiff_t>(digits), word.end(), is_digit);
        const bool counts = front.empty() || is_word_of("layer layers block blocks h l", front);
        if (!found.number && number && counts && word.size() - digits < 6) {
            found.layer = found.number = std::stoll(word.substr(digits));
            found.before = std::exchange(found.words, " ");
        } else if (!word.empty()) {
            found.words += word + " ";
        }
    }
    // "resid_mid_0": what it is stands before the number.
    if (found.number && found.words == " ") found.words = found.before;
    return found;
}

bool in_one_series(const Named& a, const Named& b) {
    return a.number && b.number && a.before == b.before && a.words == b.words && a.encoder == b.encoder;
}

std::vector<Named> named_together(std::span<const TheirTensor> theirs, std::span<const Site> places) {
    std::vector<Named> all;
    for (const TheirTensor& each : theirs) all.push_back(named(each.name));
    for (Named& name : all) {
        std::int64_t layers = 0, last = 0;
        for (const Site& place : places)
            if (place.in_layer && name.encoder.value_or(place.of_encoder) == place.of_encoder)
                layers = std::max(layers, *place.in_layer + 1);
        for (const Named& other : all)
            if (in_one_series(name, other)) last = std::max(last, *other.number);
        if (name.number && last == layers)
            name.layer = *name.number > 0 ? std::optional(*name.number - 1) : std::nullopt;
    }
    return all;
}

bool says_nothing(const Named& name) {
    std::string rest = name.words;
    for (const char* each :
         {" model ", " transformer ", " decoder ", " encoder ", " layers ", " layer ", " blocks ", " h "})
        replace_all(rest, each, " ");
    return name.layer && rest == " ";
}

bool says(const Named& name, std::string_view words) {
    while (!words.empty()) {
        const std::size_t end = std::min(words.find('|'), words.size());
        if (name.words.find(" " + std::string(words.substr(0, end)) + " ") != std::string::npos) return true;
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return false;
}

bool says_across(const Named& name) {
    return says(name, "cross|cross attn|crossattention|encdecattention|encoder attn|enc attn|src attn");
}

}  // namespace headcount
