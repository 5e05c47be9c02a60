// Numbers in a question: inputs, sides, and those that stand alone; and devices, which look so: "h100", "a laptop".
#include <algorithm>
#include <array>
#include <tuple>

#include "core/analysis/amount_text.hpp"
#include "core/analysis/hire.hpp"
#include "core/ask/read.hpp"
#include "core/base/find.hpp"
#include "core/base/read_real.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// How many atoms from `at` on are these. What is one word of a letter and a number there must be one in the question:
// "t4" is a device, "T = 4" an input.
std::size_t same_at(std::span<const Atom> atoms, std::size_t at, std::span<const Atom> as) {
    if (as.size() > atoms.size() - at) return 0;
    for (std::size_t i = 0; i < as.size(); ++i) {
        const bool torn = as[i].glued && as[i].number && !atoms[at + i].glued;
        if (atoms[at + i].text != as[i].text || torn) return 0;
    }
    return as.size();
}

// How many name the device: its name, or its id with words of the name around it ("nvidia h100").
std::size_t device_at(std::span<const Atom> atoms, std::size_t at, const Device& device) {
    const std::vector<Atom> id = atoms_of(device.id), name = atoms_of(device.name);
    if (const std::size_t whole = same_at(atoms, at, name); whole > 0) return whole;
    const auto of_name = [&](std::size_t i) {
        return i < atoms.size() && !atoms[i].number &&
               std::ranges::any_of(name, [&](const Atom& each) { return each.text == atoms[i].text; });
    };
    std::size_t end = at;
    while (of_name(end) && atoms[end].text != id.front().text) ++end;
    const std::size_t named = same_at(atoms, end, id);
    // "a 4090": the number of the id alone, behind what says that a thing is meant.
    constexpr std::array before{"a", "an", "one", "single", "on", "x", "many", "vs", "versus"};
    const bool meant = at > 0 && (atoms[at - 1].number || contains(before, atoms[at - 1].text));
    if (named == 0 && meant && id.back().number && !id.back().glued && atoms[at].text == id.back().text) return 1;
    // "a6000": of "rtx-a6000" the last word, but for letters with so short a number that models have such versions.
    constexpr std::size_t long_number = 3;
    if (named == 0 && id.size() > 2 && id.back().glued && id.back().number && id.back().text.size() >= long_number)
        return same_at(atoms, at, std::span(id).last(2));
    if (named == 0) return 0;
    end += named;
    while (of_name(end)) ++end;
    return end - at;
}

}  // namespace

QuestionReader::UnitAt QuestionReader::unit_at(std::size_t at) const {
    const auto longest = longest_spelled<AskPhrase>(ask_phrases(), atoms_, at, [](const AskPhrase& each) {
        return std::holds_alternative<AskUnit>(each.meaning) || each.meaning == AskMeaning(Symbol::context);
    });
    if (!longest.first) return {};
    const AskUnit* const unit = std::get_if<AskUnit>(&longest.first->meaning);
    return {unit ? *unit : AskUnit::tokens, longest.second};
}

QuestionReader::Found QuestionReader::input(std::size_t at) {
    if (const ReadNumber number = number_at(atoms_, at); number.atoms > 0) {
        const std::size_t behind = at + number.atoms;
        UnitAt unit = unit_at(behind);
        const bool letter = behind < atoms_.size() && atoms_[behind].text == "t";  // "100 T"
        if (letter && !stuck(behind) && unit_at(behind + 1).atoms == 0) unit = {AskUnit::tokens, 1};
        if (unit.atoms == 0) return {};
        // "32k batch 50": the word is of the number behind it.
        const ReadNumber next = number_at(atoms_, behind + unit.atoms);
        if (atoms_[behind].text == "batch" && next.atoms > 0 && unit_at(behind + unit.atoms + next.atoms).atoms == 0)
            return {};
        const std::size_t atoms = number.atoms + unit.atoms;
        return {atoms, [=, this] { set(unit.unit, number, at, atoms); }};
    }
    UnitAt unit = unit_at(at);
    for (const auto& [letter, meaning] :
         {std::pair{"t", AskUnit::tokens}, std::pair{"b", AskUnit::batch}, std::pair{"p", AskUnit::cached}})
        if (unit.atoms == 0 && atoms_[at].text == letter && !named_by_article(at)) unit = {meaning, 1};
    if (unit.atoms == 0) return {};
    if (at > 0 && spelled_at(atoms_, at - 1, "full") > 0) return {};
    std::size_t behind = at + unit.atoms;
    behind += spelled_at(atoms_, behind, "of") + spelled_at(atoms_, behind, "is");
    const ReadNumber number = number_at(atoms_, behind);
    if (number.atoms == 0) return {};
    // "batch 8 tokens" counts tokens, and "batch 8 tokens 2048" the batch.
    const UnitAt next = unit_at(behind + number.atoms);
    if (next.atoms > 0 && number_at(atoms_, behind + number.atoms + next.atoms).atoms == 0) return {};
    const std::size_t atoms = behind + number.atoms - at;
    return {atoms, [=, this] { set(unit.unit, number, at, atoms); }};
}

void QuestionReader::set(AskUnit unit, const ReadNumber& number, std::size_t at, std::size_t atoms) {
    struct Part {
        std::int64_t Input::*number;
        bool Heard::*given;
        std::string_view one, several;
    };
    constexpr std::array<Part, 3> parts{{{&Input::tokens, &Heard::tokens_given, " token", " tokens"},
                                         {&Input::batch, &Heard::batch_given, " sequence", " sequences"},
                                         {&Input::cached, &Heard::cached_given, " cached", " cached"}}};
    const Part& part = parts[static_cast<std::size_t>(unit)];
    heard_.input.*part.number = number.value;
    heard_.*part.given = true;
    std::string meaning = grouped(number.value) + std::string(number.value == 1 ? part.one : part.several);
    if (number.scaled) {
        const std::string typed = words(number_at(atoms_, at).atoms > 0 ? at : at + atoms - number.atoms, number.atoms);
        heard_.notes.push_back(typed + " is taken as " + grouped(number.value) + " (k = 1,024), as models count.");
    }
    understood(at, atoms, std::move(meaning));
}

QuestionReader::Found QuestionReader::sides(std::size_t at) {
    const ReadNumber rows = number_at(atoms_, at);
    const std::size_t sign = at + rows.atoms;
    if (rows.atoms == 0 || sign >= atoms_.size() || (atoms_[sign].text != "x" && atoms_[sign].text != "by")) return {};
    const ReadNumber columns = number_at(atoms_, sign + 1);
    const std::size_t end = sign + 1 + columns.atoms;
    if (columns.atoms == 0) return {};
    if (end < atoms_.size() && atoms_[end].glued) return {};
    if (const UnitAt unit = unit_at(end); unit.atoms > 0 && unit.unit == AskUnit::tokens) {
        const std::size_t all = end + unit.atoms - at;
        return {all, [=, this] {
                    heard_.input.batch = rows.value;
                    heard_.batch_given = true;
                    set(AskUnit::tokens, columns, at, all);
                    heard_.readings.back().meaning =
                        grouped(rows.value) + " sequences of " + heard_.readings.back().meaning;
                }};
    }
    const std::size_t atoms = end - at;
    return {atoms, [=, this] {
                heard_.sides = {rows.value, columns.value};
                understood(at, atoms, std::to_string(rows.value) + " × " + std::to_string(columns.value));
            }};
}

QuestionReader::Found QuestionReader::budget(std::size_t at) {
    struct Unit {
        std::string_view word;
        double bytes;
    };
    constexpr std::array<Unit, 8> units{{{"gb", 1e9},
                                         {"gib", 1073741824.0},
                                         {"tb", 1e12},
                                         {"tib", 1099511627776.0},
                                         {"mb", 1e6},
                                         {"mib", 1048576.0},
                                         {"gigabytes", 1e9},
                                         {"g", 1e9}}};
    constexpr double most = 1e18;
    if (!atoms_[at].number || at + 1 >= atoms_.size()) return {};
    const auto unit = std::ranges::find_if(units, [&](const Unit& each) { return atoms_[at + 1].text == each.word; });
    double value = 0;
    const std::string& text = atoms_[at].text;
    const bool read = read_real(text.data(), text.data() + text.size(), value).ec == std::errc{};
    if (unit == units.end() || !read || !(value > 0) || value * unit->bytes > most) return {};
    const auto bytes = static_cast<std::int64_t>(value * unit->bytes);
    return {2, [=, this] {
                heard_.budget = bytes;
                understood(at, 2, grouped(bytes) + " bytes");
            }};
}

// "$2.50 an hour", "2 dollars per hour"
QuestionReader::Found QuestionReader::price(std::size_t at) {
    if (!atoms_[at].number) return {};
    std::size_t end = at + 1;
    const std::string_view before = text_.substr(0, atoms_[at].begin);
    bool money = before.ends_with('$') || before.ends_with("€");
    for (const std::string_view word : {"dollars", "dollar", "usd", "euros", "euro", "eur"})
        if (const std::size_t spelled = spelled_at(atoms_, end, word); spelled > 0) {
            money = true;
            end += spelled;
            break;
        }
    std::size_t hour = 0;
    for (const std::string_view words : {"an hour", "a hour", "per hour", "each hour", "hour", "hourly", "h",
                                         "per gpu hour", "a gpu hour", "per device hour"})
        hour = std::max(hour, spelled_at(atoms_, end, words));
    const Result<double> read = parse_price(atoms_[at].text, "price");
    if (!read || (!money && hour == 0)) return {};
    end += hour;
    return {end - at, [=, this, price = *read] {
                heard_.price = price;
                understood(at, end - at, real_text(price) + " an hour of a device");
            }};
}

QuestionReader::Found QuestionReader::number(std::size_t at) {
    const ReadNumber read = number_at(atoms_, at);
    if (read.atoms == 0) return {};
    const auto counted = longest_spelled<AskPhrase>(ask_phrases(), atoms_, at + read.atoms, [](const AskPhrase& each) {
        return std::holds_alternative<Symbol>(each.meaning);
    });
    const std::size_t atoms = read.atoms + counted.second;
    if (counted.first && !stuck(at + read.atoms))
        return {atoms, [=, this] { claim(std::get<Symbol>(counted.first->meaning), read.value, at, atoms); }};
    // "at 4096", "llama 3 8b 128k": nothing but tokens is counted so.
    const bool behind_at = at > 0 && atoms_[at - 1].text == "at";
    const bool thousands = read.scaled && atoms_[at + 1].text == "k" && atoms_.size() > read.atoms;
    if (behind_at || thousands) return {read.atoms, [=, this] { set(AskUnit::tokens, read, at, read.atoms); }};
    return {read.atoms, [=, this] {
                heard_.numbers.push_back(read.value);
                understood(at, read.atoms, grouped(read.value));
            }};
}

void QuestionReader::claim(Symbol symbol, std::int64_t number, std::size_t at, std::size_t atoms) {
    heard_.claims.emplace_back(symbol, number);
    std::size_t before = at;
    while (before > 0 && (atoms_[before - 1].text == "a" || atoms_[before - 1].text == "an")) --before;
    if (before > 0 && atoms_[before - 1].text == "with") heard_.supposes = true;
    understood(at, atoms, grouped(number) + " " + std::string(info(symbol).name));
}

QuestionReader::Found QuestionReader::valued(std::size_t at) {
    const auto named = longest_spelled<AskPhrase>(ask_phrases(), atoms_, at, [](const AskPhrase& each) {
        const AskNotion* const part = std::get_if<AskNotion>(&each.meaning);
        return std::holds_alternative<Symbol>(each.meaning) || (part && part->notion->width);
    });
    if (!named.first) return {};
    std::size_t behind = at + named.second;
    for (const std::string_view word : {"of", "to", "is", "was", "were"}) behind += spelled_at(atoms_, behind, word);
    const ReadNumber number = number_at(atoms_, behind);
    const std::size_t end = behind + number.atoms, atoms = end - at;
    if (number.atoms == 0 || unit_at(end).atoms > 0) return {};
    // "width 4097", but "heads 4096 x 128" and "ffn 2 layers" are two things, and "l2" is a name.
    const bool said = behind > at + named.second;
    const bool another = sides(behind).atoms > 0 || this->number(behind).atoms > number.atoms;
    if (!said && (another || atoms_[behind].glued || (end < atoms_.size() && atoms_[end].glued))) return {};
    const AskNotion* const part = std::get_if<AskNotion>(&named.first->meaning);
    const Symbol symbol = part ? *part->notion->width : std::get<Symbol>(named.first->meaning);
    return {atoms, [=, this] { claim(symbol, number.value, at, atoms); }};
}

QuestionReader::Found QuestionReader::device(std::size_t at) {
    const auto longest_at = [&](std::size_t place) {
        std::pair<const Device*, std::size_t> longest{nullptr, 0};
        for (const Device& each : about_.devices)
            if (const std::size_t named = place < atoms_.size() ? device_at(atoms_, place, each) : 0;
                named > longest.second)
                longest = {&each, named};
        return longest;
    };
    // "on 8 h100", "2 x h100"; but "a 4090" is one, and the number of "llama 3 h100" a model's.
    const ReadNumber count = number_at(atoms_, at);
    std::size_t before = 0;
    auto [longest, named] = longest_at(at);
    constexpr std::array counting{"on", "with", "in", "across", "over"};
    const bool times = at + count.atoms < atoms_.size() && atoms_[at + count.atoms].text == "x";
    const bool counts = at == 0 || times || contains(counting, atoms_[at - 1].text);
    if (!longest && counts && count.atoms > 0 && count.value > 0 && !count.scaled) {
        before = count.atoms + (times ? 1 : 0);
        std::tie(longest, named) = longest_at(at + before);
    }
    const bool one = !longest && (atoms_[at].text == "one" || atoms_[at].text == "single");
    if (one) {
        before = 1;
        std::tie(longest, named) = longest_at(at + before);
    }
    if (!longest) return {};
    std::size_t end = at + before + named;
    if (end < atoms_.size() && atoms_[end].text == "s" && atoms_[end].glued) ++end;  // "h100s"
    return {end - at, [=, this, device = longest] {
                if (!contains(heard_.devices, device)) heard_.devices.push_back(device);
                if (heard_.devices.front() != device) {
                    understood(at, end - at, device->name);
                    heard_.counts_others = heard_.counts_others || (before > 0 && !one && count.value != 1);
                    return;
                }
                heard_.device = heard_.devices.front();
                heard_.device_named = true;
                if (before > 0) heard_.device_count = one ? 1 : count.value;
                if (at > 0 && atoms_[at - 1].text == "many") heard_.wide = AskWide::devices;
                understood(at, end - at, (before > 0 && !one ? grouped(count.value) + " × " : "") + device->name);
            }};
}

bool QuestionReader::stuck(std::size_t at) const {
    return at < atoms_.size() && atoms_[at].text.size() == 1 && !atoms_[at].number && !atoms_[at].glued &&
           at + 1 < atoms_.size() && atoms_[at + 1].number && atoms_[at + 1].glued;
}

bool QuestionReader::named_by_article(std::size_t at) const {
    return stuck(at) && at > 0 && (atoms_[at - 1].text == "a" || atoms_[at - 1].text == "an");
}

}  // namespace headcount
