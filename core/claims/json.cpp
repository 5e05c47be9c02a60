// Finds files of claims and reads them. Whatever is wrong in one gets a sentence that says where.
#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/claims/check.hpp"
#include "core/claims/claims.hpp"
#include "core/files/assets.hpp"
#include "core/lesson/lesson_json.hpp"
#include "core/lesson/reference.hpp"

namespace headcount {
namespace {

using namespace lesson_json;

constexpr std::size_t most_claims = 1000, most_steps = 100;
constexpr std::array<std::string_view, 4> verdict_keys{"right", "right but incomplete", "rounded", "wrong"};

Wrong wrong_object(const Json& json, std::string_view path, std::span<const std::string_view> known) {
    if (!json.is_object()) return Error{"this is not an object", std::string(path), "put it in { }"};
    return unknown_key(json, path, known);
}

// What is there is not empty.
Wrong read(const Json& json, std::string_view path, std::string_view key, std::string& into, bool required = false) {
    if (Wrong wrong = read_text(json, path, key, into, required)) return wrong;
    if (json.contains(key) && into.empty()) return Error{"this is empty", under(path, key), "leave it out"};
    return std::nullopt;
}

Wrong read_id(const Json& json, std::string_view path, std::string& id) {
    if (Wrong wrong = read(json, path, "id", id, true)) return wrong;
    const bool plain =
        std::ranges::all_of(id, [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '.'; });
    if (plain && id.size() <= 64) return std::nullopt;
    return Error{quote(id) + " is not an id", under(path, "id"), "use up to 64 small letters, digits, points and -"};
}

// A number, or a shape with " x " between its sides.
Wrong wrong_formula(std::string_view text) {
    const std::size_t cross = text.find(" x ");
    if (cross == std::string_view::npos) return check_answer(text);
    if (Wrong wrong = check_answer(text.substr(0, cross))) return within("rows", *wrong);
    if (Wrong wrong = check_answer(text.substr(cross + 3))) return within("columns", *wrong);
    return std::nullopt;
}

// What the graph is asked, either as "count of model" or as {"fact": ...}.
Wrong read_question(const Json& json, std::string_view path, GraphQuestion& question) {
    if (json.is_string()) {
        question.answer = json.get<std::string>();
        if (Wrong wrong = wrong_formula(question.answer)) return within(std::string(path), *wrong);
        return std::nullopt;
    }
    if (!json.is_object())
        return Error{"this is nothing that can be asked of the graph", std::string(path),
                     "write \"count of model\" or {\"fact\": \"kind\"}"};
    constexpr std::array<std::string_view, 3> known{"fact", "of", "by"};
    if (Wrong wrong = wrong_object(json, path, known)) return wrong;
    FactQuestion& fact = question.fact.emplace();
    if (Wrong wrong = read(json, path, "fact", fact.fact, true)) return wrong;
    const FactInfo* info = find_fact(fact.fact);
    if (!info) {
        std::vector<std::string_view> names;
        for (const FactInfo& each : facts()) names.push_back(each.fact);
        return no_such("fact", fact.fact, under(path, "fact"), names);
    }
    for (auto [key, what, text] : {std::tuple("of", info->of, &fact.of), {"by", info->by, &fact.by}}) {
        if (what.empty() && json.contains(key))
            return Error{"the fact " + quote(fact.fact) + " has no " + quote(key), under(path, key), "leave it out"};
        if (Wrong wrong = read(json, path, key, *text, !what.empty())) {
            if (!json.contains(key)) wrong->fix = "give " + std::string(what) + " in quotes";
            return wrong;
        }
    }
    return std::nullopt;
}

// Whether what is said can be compared with what is asked.
Wrong wrong_said(const std::string& said, std::string_view path, const GraphQuestion& question) {
    if (!question.fact) return std::nullopt;
    const auto& words = find_fact(question.fact->fact)->words;
    if (contains(words, said)) return std::nullopt;
    return Error{quote(said) + " is not what this fact can be", std::string(path), one_of("", words)};
}

Wrong read_without(const Json& json, std::string_view path, Claim& claim) {
    if (!json.is_array() || json.empty() || json.size() > most_steps)
        return Error{"this is not a list of what is left out", std::string(path),
                     "write [{\"what\": \"the final norm\", \"count\": \"count of final_norm.weight\"}]"};
    constexpr std::array<std::string_view, 2> known{"what", "count"};
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::string here = at(path, i);
        LeftOut part;
        if (Wrong wrong = wrong_object(json[i], here, known)) return wrong;
        if (Wrong wrong = read(json[i], here, "what", part.what, true)) return wrong;
        if (Wrong wrong = read(json[i], here, "count", part.answer, true)) return wrong;
        if (Wrong wrong = check_answer(part.answer)) return within(under(here, "count"), *wrong);
        claim.without.push_back(std::move(part));
    }
    return std::nullopt;
}

Wrong read_steps(const Json& json, std::string_view path, Claim& claim) {
    if (!json.is_array() || json.size() > most_steps)
        return Error{"this is not a list of at most " + std::to_string(most_steps) + " steps", std::string(path),
                     "write [{\"what\": \"the width\", \"said\": \"786\", \"graph\": \"d\"}]"};
    constexpr std::array<std::string_view, 4> known{"what", "said", "graph", "at"};
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::string here = at(path, i);
        ClaimStep step;
        if (Wrong wrong = wrong_object(json[i], here, known)) return wrong;
        for (auto [key, text, required] :
             {std::tuple("what", &step.what, true), {"said", &step.said, true}, {"at", &step.at, false}})
            if (Wrong wrong = read(json[i], here, key, *text, required)) return wrong;
        if (json[i].contains("graph"))
            if (Wrong wrong = read_question(json[i]["graph"], under(here, "graph"), step.graph)) return wrong;
        if (Wrong wrong = wrong_said(step.said, under(here, "said"), step.graph)) return wrong;
        if (!step.graph.fact)
            if (Wrong wrong = wrong_formula(step.said)) return within(under(here, "said"), *wrong);
        claim.steps.push_back(std::move(step));
    }
    return std::nullopt;
}

Wrong read_claimed(const Json& json, std::string_view path, Claim& claim) {
    if (Wrong wrong = read(json, path, "claimed", claim.claimed)) return wrong;
    if (Wrong wrong = read(json, path, "reached", claim.reached)) return wrong;
    if (claim.claimed.empty() && claim.reached.empty())
        return Error{"nothing is claimed", under(path, "claimed"), "give what was said, or how it was reached"};
    const std::string here = under(path, "computed");
    if (!json.contains("computed"))
        return Error{"there is no \"computed\"", here, "say what the graph is asked, such as \"count of model\""};
    if (Wrong wrong = read_question(json["computed"], here, claim.computed)) return wrong;
    if (claim.computed.fact) {
        for (const char* key : {"reached", "without"})
            if (json.contains(key)) return Error{"words are not worked out", under(path, key), "leave it out"};
        return wrong_said(claim.claimed, under(path, "claimed"), claim.computed);
    }
    if (!claim.reached.empty())
        if (Wrong wrong = wrong_formula(claim.reached)) return within(under(path, "reached"), *wrong);
    if (claim.claimed.empty()) return std::nullopt;
    if (claim.claimed.find(" x ") != std::string::npos) {
        if (Wrong wrong = wrong_formula(claim.claimed)) return within(under(path, "claimed"), *wrong);
    } else if (const Result<StatedNumber> stated = parse_stated(claim.claimed); !stated) {
        return within(under(path, "claimed"), stated.error());
    }
    return std::nullopt;
}

Wrong read_claim(const Json& json, std::string_view path, Claim& claim) {
    constexpr std::array<std::string_view, 12> known{"id",      "says",    "architecture", "input",
                                                     "claimed", "reached", "computed",     "without",
                                                     "steps",   "verdict", "why",          "at"};
    if (Wrong wrong = wrong_object(json, path, known)) return wrong;
    if (Wrong wrong = read_id(json, path, claim.id)) return wrong;
    for (auto [key, text, required] :
         {std::tuple("says", &claim.says, true), {"why", &claim.why, true}, {"at", &claim.at, false}})
        if (Wrong wrong = read(json, path, key, *text, required)) return wrong;
    if (Wrong wrong = check_text(with_results(claim.why, "", "", ""))) return within(under(path, "why"), *wrong);
    if (json.contains("architecture"))
        if (Wrong wrong = read_model(json["architecture"], under(path, "architecture"), false, claim.model))
            return wrong;
    if (Wrong wrong = read_input(json, path, claim.input)) return wrong;
    if (Wrong wrong = read_claimed(json, path, claim)) return wrong;
    if (json.contains("without"))
        if (Wrong wrong = read_without(json["without"], under(path, "without"), claim)) return wrong;
    if (json.contains("steps"))
        if (Wrong wrong = read_steps(json["steps"], under(path, "steps"), claim)) return wrong;
    std::string verdict;
    if (Wrong wrong = read(json, path, "verdict", verdict, true)) return wrong;
    const auto found = choice_called<Verdict>(verdict_keys, verdict);
    if (!found) return Error{"there is no verdict " + quote(verdict), under(path, "verdict"), one_of("", verdict_keys)};
    claim.recorded = *found;
    return std::nullopt;
}

Wrong read_file(const Json& json, ClaimsFile& file) {
    constexpr std::array<std::string_view, 5> known{"title", "source", "architecture", "input", "claims"};
    if (Wrong wrong = wrong_object(json, "", known)) return wrong;
    if (Wrong wrong = read(json, "", "title", file.title, true)) return wrong;
    if (Wrong wrong = read(json, "", "source", file.source, true)) return wrong;
    Claim usual;  // what each claim has that says nothing else
    if (json.contains("architecture"))
        if (Wrong wrong = read_model(json["architecture"], "architecture", false, usual.model)) return wrong;
    if (Wrong wrong = read_input(json, "", usual.input)) return wrong;
    const auto claims = json.find("claims");
    if (claims == json.end() || !claims->is_array() || claims->empty() || claims->size() > most_claims)
        return Error{"there is no list of at least one and at most " + grouped(most_claims) + " claims", "claims",
                     "write [{\"id\": ..., \"says\": ...}]"};
    for (std::size_t i = 0; i < claims->size(); ++i) {
        Claim claim = usual;
        if ((*claims)[i].is_object() && (*claims)[i].contains("architecture")) claim.model = {};
        if (Wrong wrong = read_claim((*claims)[i], at("claims", i), claim)) return wrong;
        if (claim.model.preset.empty())
            return Error{"there is no \"architecture\"", under(at("claims", i), "architecture"),
                         "write a preset's id, here or for the whole file"};
        for (std::size_t k = 0; k < i; ++k)
            if (file.claims[k].id == claim.id)
                return Error{"the id " + quote(claim.id) + " is also that of claims[" + std::to_string(k) + "]",
                             under(at("claims", i), "id"), "change one"};
        file.claims.push_back(std::move(claim));
    }
    return std::nullopt;
}

}  // namespace

std::string_view verdict_key(Verdict verdict) { return word_of(verdict_keys, verdict); }

Result<ClaimsFile> parse_claims(std::string_view text, std::string_view where) {
    return parse_lesson(text, JsonKind::claims, where, ClaimsFile(), read_file);
}

std::string with_results(std::string text, std::string_view computed, std::string_view reached, std::string_view rest) {
    for (auto [word, value] : {std::pair<std::string_view, std::string_view>("{computed}", computed),
                               {"{reached}", reached},
                               {"{rest}", rest}})
        replace_all(text, word, value);
    return text;
}

Result<ClaimsFile> read_claims(const std::filesystem::path& path) {
    const Result<std::string> text = read_text(path);
    if (!text) return text.error();
    Result<ClaimsFile> file = parse_claims(*text, path.string());
    if (!file) return file;
    file->id = path.stem().string();
    file->path = path;
    return file;
}

Result<std::vector<ClaimsFile>> load_claims(const std::filesystem::path& directory) {
    Result<std::vector<std::filesystem::path>> paths =
        json_files(directory, "set HEADCOUNT_ASSETS to the program's assets");
    if (!paths) return paths.error();
    std::ranges::sort(*paths, [](const auto& a, const auto& b) { return a.stem() < b.stem(); });
    std::vector<ClaimsFile> files;
    std::map<std::string, std::string> taken;  // an id, and who has it
    for (const std::filesystem::path& path : *paths) {
        Result<ClaimsFile> file = read_claims(path);
        if (!file) return file.error();
        taken.emplace(file->id, path.filename().string());
        files.push_back(std::move(*file));
    }
    for (const ClaimsFile& file : files)
        for (const Claim& claim : file.claims)
            if (const auto [other, fresh] = taken.emplace(claim.id, file.path.filename().string()); !fresh)
                return Error{"the id " + quote(claim.id) + " is also in " + other->second, file.path.string(),
                             "change one"};
    return files;
}

Result<std::vector<ClaimsFile>> shipped_claims() {
    const Result<std::filesystem::path> assets = assets_directory();
    if (!assets) return assets.error();
    Result<std::vector<ClaimsFile>> files = load_claims(*assets / "claims");
    if (files && files->empty())
        return Error{"there are no claims", (*assets / "claims").string(), "install the program again"};
    return files;
}

}  // namespace headcount
