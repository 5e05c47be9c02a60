// headcount claims: published statements beside what the graph has. What verdicts mean is in core/claims.
#include <ostream>

#include "app/cli/options.hpp"
#include "app/state/claims/page.hpp"
#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/claims/check.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"

namespace headcount {
namespace {

using Json = nlohmann::ordered_json;

struct ClaimsArguments {
    std::string id;  // of a claim or a file of them, or a path; empty for all
    bool json = false;
};

// All files, or the one that was named by its path.
Result<std::vector<ClaimsFile>> files_of(const std::string& id) {
    const bool path = id.find('/') != std::string::npos || id.ends_with(".json");
    if (!path) return shipped_claims();
    Result<ClaimsFile> file = read_claims(id);
    if (!file) return file.error();
    return std::vector<ClaimsFile>{std::move(*file)};
}

// Leaves the file or the claim that is asked for; everything where nothing is.
std::optional<Error> narrow(std::vector<ClaimsFile>& files, const std::string& id) {
    std::vector<std::string_view> known;
    for (ClaimsFile& file : files) {
        if (id.empty() || id == file.path || id == file.id) {
            if (!id.empty()) files = {ClaimsFile(file)};
            return std::nullopt;
        }
        known.push_back(file.id);
        for (const Claim& claim : file.claims) {
            if (claim.id == id) {
                ClaimsFile only = file;
                only.claims = {Claim(claim)};
                files = {std::move(only)};
                return std::nullopt;
            }
            known.push_back(claim.id);
        }
    }
    if (std::optional<Error> nowhere = leads_nowhere(id)) return nowhere;
    return Error{"there is no claim of this name", id, did_you_mean(id, known, "\"headcount claims\" lists them")};
}

Result<std::vector<ClaimsGroup>> check_all(std::vector<ClaimsFile> files, Notes& said) {
    Result<std::vector<Preset>> presets = shipped_presets(&said);
    if (!presets) return presets.error();
    std::vector<ClaimsGroup> all;
    for (ClaimsFile& file : files) {
        Result<ClaimsGroup> checked = check_group(std::move(file), false, *presets);
        if (!checked) return checked.error();
        all.push_back(std::move(*checked));
    }
    return all;
}

// "V·d = 32000·4096 = 131,072,000", from what of it there is.
std::string derivation(const ClaimValue& value) {
    std::string line;
    for (const std::string* part : {&value.symbols, &value.numbers})
        if (!part->empty()) line += *part + " = ";
    return line + value.text + (value.detail.empty() ? "" : ": " + value.detail);
}

std::string asked(const GraphQuestion& question) {
    if (!question.fact) return question.answer;
    std::string text = question.fact->fact;
    if (!question.fact->of.empty()) text += " of " + question.fact->of;
    if (!question.fact->by.empty()) text += ", " + question.fact->by;
    return text;
}

void write_table(const ClaimsGroup& file, std::ostream& out) {
    out << printable(file.file.title) << "\n" << printable(file.file.source) << "\n\n";
    Table table{{{"id"}, {"claimed"}, {"computed"}, {"verdict"}, {"why"}}, {}};
    for (std::size_t i = 0; i < file.checked.size(); ++i) {
        const CheckedClaim& claim = file.checked[i];
        table.rows.push_back({file.file.claims[i].id, claim.claimed, claim.computed.text,
                              std::string(verdict_key(claim.verdict)), claim.why});
    }
    write_text(out, table);
}

void write_steps(const CheckedClaim& checked, std::ostream& out) {
    Table table{{{"step"}, {"said"}, {"graph"}, {""}, {"where"}}, {}};
    for (const CheckedStep& step : checked.steps)
        table.rows.push_back({step.what, derivation(step.said), step.graph ? derivation(*step.graph) : "",
                              !step.graph  ? ""
                              : step.right ? "right"
                                           : "wrong",
                              step.at});
    out << '\n';
    write_text(out, table);
}

void write_derivation(const ClaimsFile& file, const CheckedClaim& checked, std::ostream& out) {
    const Claim& claim = file.claims.front();
    auto line = [&](std::string_view what, const std::string& text) {
        out << what << std::string(10 - what.size(), ' ') << printable(text) << '\n';
    };
    out << printable(claim.says) << "\n" << printable(file.source) << "\n\n";
    line("about", checked.model);
    line("claimed", checked.claimed);
    if (checked.reached)
        line("reached", derivation(*checked.reached) + (checked.reaches ? "" : ", which is not " + checked.claimed));
    line("asked", asked(claim.computed));
    line("computed", derivation(checked.computed));
    for (const CheckedPart& part : checked.without) line("without", part.what + ": " + derivation(part.value));
    if (!checked.rest.empty()) line("leaves", checked.rest);
    line("verdict", std::string(verdict_key(checked.verdict)));
    line("why", checked.why);
    if (!checked.at.empty()) line("where", checked.at);
    if (!checked.steps.empty()) write_steps(checked, out);
}

Json value_json(const ClaimValue& value) {
    return {{"text", value.text}, {"symbols", value.symbols}, {"numbers", value.numbers}, {"detail", value.detail}};
}

Json claim_json(const ClaimsFile& file, const Claim& claim, const CheckedClaim& checked) {
    Json without = Json::array(), steps = Json::array();
    for (const CheckedPart& part : checked.without)
        without.push_back({{"what", part.what}, {"value", value_json(part.value)}});
    for (const CheckedStep& step : checked.steps)
        steps.push_back({{"what", step.what},
                         {"said", value_json(step.said)},
                         {"graph", step.graph ? value_json(*step.graph) : Json(nullptr)},
                         {"right", step.graph ? Json(step.right) : Json(nullptr)},
                         {"at", step.at}});
    return {{"id", claim.id},
            {"file", file.id},
            {"source", file.source},
            {"says", claim.says},
            {"architecture", checked.model},
            {"claimed", checked.claimed},
            {"reached", checked.reached ? value_json(*checked.reached) : Json(nullptr)},
            {"reaches", checked.reaches},
            {"computed", value_json(checked.computed)},
            {"without", std::move(without)},
            {"verdict", verdict_key(checked.verdict)},
            {"recorded", verdict_key(claim.recorded)},
            {"why", checked.why},
            {"at", checked.at},
            {"steps", std::move(steps)}};
}

void write_json(std::span<const ClaimsGroup> files, std::ostream& out) {
    Json list = Json::array();
    for (const ClaimsGroup& file : files)
        for (std::size_t i = 0; i < file.checked.size(); ++i)
            list.push_back(claim_json(file.file, file.file.claims[i], file.checked[i]));
    out << json_text(list);
}

// A verdict that is no longer the one recorded: the model, the engine or the file is wrong.
std::optional<Error> changed_verdict(std::span<const ClaimsGroup> files) {
    std::string changed, where;
    for (const ClaimsGroup& file : files)
        for (std::size_t i = 0; i < file.checked.size(); ++i) {
            const Claim& claim = file.file.claims[i];
            if (claim.recorded == file.checked[i].verdict) continue;
            changed += (changed.empty() ? "" : ", ") + claim.id + " is " +
                       std::string(verdict_key(file.checked[i].verdict)) + " and recorded as " +
                       std::string(verdict_key(claim.recorded));
            where = file.file.path.string();
        }
    if (changed.empty()) return std::nullopt;
    return Error{"the verdict has changed: " + changed, where, "mend the claim, or record the new verdict"};
}

Failure print_claims(const ClaimsArguments& arguments, Output& output) {
    Result<std::vector<ClaimsFile>> files = files_of(arguments.id);
    if (!files) return files.error();
    if (std::optional<Error> unknown = narrow(*files, arguments.id)) return unknown;
    const bool one =
        files->size() == 1 && files->front().claims.size() == 1 && files->front().claims.front().id == arguments.id;
    Result<std::vector<ClaimsGroup>> checked = check_all(std::move(*files), output.notes);
    if (!checked) return checked.error();
    std::ostream& out = output.out;
    if (arguments.json) {
        write_json(*checked, out);
    } else if (one) {
        write_derivation(checked->front().file, checked->front().checked.front(), out);
    } else {
        for (const ClaimsGroup& file : *checked) {
            if (&file != &checked->front()) out << '\n';
            write_table(file, out);
        }
    }
    return changed_verdict(*checked);
}

}  // namespace

Command claims_command() {
    const auto describe = [](CLI::App* command, ClaimsArguments& arguments) {
        command->add_option("ID", arguments.id, "one claim, with its derivation; a file of claims by its name or path")
            ->type_name("CLAIM");
        add_json(command, arguments.json);
    };
    return make_command("claims", "recompute published statements and say what is right about them", describe,
                        print_claims);
}

}  // namespace headcount
