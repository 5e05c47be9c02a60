// headcount diagnose: what is wrong with somebody else's transformer, by the numbers that it wrote.
#include "core/diagnose/diagnose.hpp"

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "app/cli/run_settings.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/assets.hpp"
#include "core/report/json.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {
namespace {

struct DiagnoseArguments {
    ModelArguments model;
    std::string against;
    std::optional<std::string> prompt;  // this or ids
    std::optional<std::vector<std::int64_t>> prompt_ids;
    std::optional<std::int64_t> threads, seconds;
    bool json = false;
};

void describe_diagnose(CLI::App* command, DiagnoseArguments& arguments) {
    add_model(command, arguments.model);
    add_name(command, "--against", arguments.against, "FILE",
             "safetensors with the logits, and perhaps other activations, that another program made of the same "
             "weights and tokens")
        ->required();
    add_name(command, "--prompt", arguments.prompt, "TEXT", "the text that it has read");
    add_value(command, "--prompt-ids", arguments.prompt_ids, "1,2,3", "the same as ids of tokens; needs no tokenizer",
              read_ids);
    add_whole(command, "--seconds", arguments.seconds, "N", "how long pairs of mistakes are tried (10)", 0);
    add_whole(command, "--threads", arguments.threads, "N", "of the processor (as many as it has, up to 8)", 1, 256);
    add_json(command, arguments.json);
    command->footer(
        "The exit status is 0 also where the numbers differ: a script reads \"equal\" of --json, and \"causes\".");
    add_rule(command, [&arguments]() -> Failure {
        if (arguments.prompt.has_value() != arguments.prompt_ids.has_value()) return std::nullopt;
        return Error{arguments.prompt ? "a prompt is given twice" : "there is no prompt", "headcount diagnose",
                     "give --prompt TEXT or --prompt-ids 1,2,3: what the other program has read"};
    });
}

Result<std::vector<std::int32_t>> ids_of(const DiagnoseArguments& arguments, const Architecture& arch) {
    if (arguments.prompt_ids) return tokens_of(*arguments.prompt_ids, "--prompt-ids", arch.vocab);
    const Result<Tokenizer> tokenizer = Tokenizer::of_model(or_shipped_model(arguments.model.arch), arch.vocab);
    if (!tokenizer) return within("--prompt", tokenizer.error());
    return text_ids(*arguments.prompt, true, "--prompt", *tokenizer, arch);
}

// "0.0012 %", "37 %", "4.1 times".
std::string share_text(double share) {
    if (!std::isfinite(share)) return "more than any share of its size";
    if (share >= 10) return factor_text(share) + " times its size";
    return (share >= 0.01 ? decimal_text(100 * share, 0) : factor_text(100 * share)) + " % of its size";
}

// "0, 2-5": where the difference is no rounding; empty where that is everywhere, or where there is one alone.
std::string places_text(const std::vector<double>& shares, double tolerance) {
    std::vector<std::pair<std::size_t, std::size_t>> ranges;
    std::size_t count = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (shares[i] <= tolerance) continue;
        ++count;
        if (!ranges.empty() && ranges.back().second + 1 == i)
            ranges.back().second = i;
        else
            ranges.emplace_back(i, i);
    }
    if (count == shares.size() || count == 0) return "";
    constexpr std::size_t most = 8;
    const bool cut = ranges.size() > most;
    if (cut) ranges.resize(most);
    return listed(ranges,
                  [](const auto& range) {
                      const std::string from = std::to_string(range.first);
                      return range.first == range.second ? from : from + "-" + std::to_string(range.second);
                  }) +
           (cut ? ", ..." : "");
}

void write_first(std::ostream& out, const Diagnosis& found) {
    const ComparedTensor& first = found.compared[*found.first];
    out << "first that differs: " << first.ours;
    if (first.theirs != first.ours) out << ", theirs " << printable(quote(first.theirs));
    out << ", by " << share_text(first.difference) << '\n';
    const auto say = [&](const char* what, const std::vector<double>& shares) {
        const std::string text = places_text(shares, first.tolerance);
        if (!text.empty())
            out << "  " << what << ' ' << text << " differ, of " << grouped(std::ssize(shares)) << '\n';
        else if (shares.size() > 1)
            out << "  all " << grouped(std::ssize(shares)) << ' ' << what << " differ\n";
    };
    say("tokens", found.where.tokens);
    say("heads", found.where.heads);
    say("columns", found.where.columns);
    if (!first.equals.empty()) out << "  it has the numbers of " << first.equals << '\n';
}

void write_causes(std::ostream& out, const Diagnosis& found) {
    const Cause& cause = found.causes.front();
    for (const std::string& each : cause.says) out << "cause: " << each << '\n';
    out << "  " << listed(cause.names, [](const std::string& each) { return each; }) << ": with "
        << (cause.names.size() > 1 ? "both " : "it ");
    const std::size_t all = found.compared.size();
    if (cause.agree < all) out << grouped(static_cast<std::int64_t>(cause.agree)) << " of ";
    out << "all " << grouped(static_cast<std::int64_t>(all)) << " agree, to " << share_text(cause.difference);
    if (cause.rounded) out << ", which rounding to bfloat16 explains";
    out << (cause.agree < all ? "; it makes none of the others\n" : "\n");
    for (std::size_t i = 1; i < found.causes.size(); ++i) {
        out << "or as well: "
            << listed(
                   found.causes[i].says, [](const std::string& each) { return each; }, "; and ")
            << '\n';
    }
}

void write_diagnosis(std::ostream& out, const Diagnosis& found) {
    const std::int64_t agree =
        found.first ? std::ranges::count_if(found.compared, &ComparedTensor::agrees) : std::ssize(found.compared);
    out << grouped(agree) << " of " << grouped(std::ssize(found.compared)) << " compared tensors agree";
    if (!found.unknown.empty())
        out << "; not compared, since nothing of the model has their shape and name or numbers: "
            << printable(listed(found.unknown, [](const std::string& each) { return each; }));
    out << '\n';
    if (!found.first) {
        double largest = 0;
        for (const ComparedTensor& each : found.compared) {
            if (each.agrees()) largest = std::max(largest, each.difference);
            if (!each.equals.empty())
                out << printable(quote(each.theirs)) << " has the numbers of " << each.equals << ", not of "
                    << each.ours << '\n';
        }
        out << "equal: the largest difference is " << share_text(largest) << '\n';
        return;
    }
    write_first(out, found);
    if (!found.causes.empty()) return write_causes(out, found);
    if (found.rounding) {
        out << "rounding: the differences are of the size that computing in bfloat16 makes, and no mistake that is "
               "known makes these numbers\n";
        return;
    }
    if (!found.agrees_behind.empty()) {
        out << "cause: none. " << found.agrees_behind
            << ", which is made of it, agrees: theirs is something else than its name says, such as scores before they "
               "are scaled\n";
        return;
    }
    out << "cause: not known. None of " << grouped(found.tried)
        << " mistakes makes their numbers, and no two at once of those that were tried: " << grouped(found.pairs_tried)
        << " of the " << grouped(found.pairs) << " pairs that could\n";
}

nlohmann::ordered_json diagnosis_json(const Diagnosis& found) {
    const auto number = [](double value) {
        return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
    };
    nlohmann::ordered_json json{{"equal", !found.first}, {"rounding", found.rounding}};
    nlohmann::ordered_json compared = nlohmann::json::array(), causes = nlohmann::json::array();
    for (const ComparedTensor& each : found.compared) {
        nlohmann::ordered_json row{{"theirs", each.theirs},
                                   {"ours", each.ours},
                                   {"by", key(each.by)},
                                   {"difference", number(each.difference)},
                                   {"agrees", each.agrees()}};
        if (!each.equals.empty()) row["equals"] = each.equals;
        compared.push_back(std::move(row));
    }
    for (const Cause& each : found.causes)
        causes.push_back({{"names", each.names},
                          {"says", each.says},
                          {"agree", each.agree},
                          {"difference", number(each.difference)},
                          {"rounded", each.rounded}});
    json["compared"] = std::move(compared);
    json["unknown"] = found.unknown;
    if (found.first) {
        const auto numbers = [&](const std::vector<double>& all) {
            nlohmann::ordered_json list = nlohmann::json::array();
            for (const double each : all) list.push_back(number(each));
            return list;
        };
        json["first"] = {{"theirs", found.compared[*found.first].theirs},
                         {"ours", found.compared[*found.first].ours},
                         {"tokens", numbers(found.where.tokens)},
                         {"heads", numbers(found.where.heads)},
                         {"columns", numbers(found.where.columns)}};
    }
    if (!found.agrees_behind.empty()) json["agrees_behind"] = found.agrees_behind;
    json["causes"] = std::move(causes);
    json["tried"] = found.tried;
    json["pairs_tried"] = found.pairs_tried;
    json["pairs"] = found.pairs;
    return json;
}

Failure print_diagnosis(const DiagnoseArguments& arguments, Output& output) {
    const Result<OpenedDocument> opened = open_document(arguments.model, output.notes);
    if (!opened) return opened.error();
    const Architecture& arch = opened->document.architecture;
    if (!opened->checkpoint)
        return Error{"there are no weights in " + in_quotes(arguments.model.arch), "ARCH",
                     "name a file of weights, or a folder with them: those that the other program has read"};
    const Result<std::vector<TheirTensor>> theirs = read_theirs(arguments.against);
    if (!theirs) return within("--against", theirs.error());
    const Result<std::vector<std::int32_t>> ids = ids_of(arguments, arch);
    if (!ids) return ids.error();
    const Result<std::shared_ptr<const Model>> model = load_model(arch, *opened->checkpoint);
    if (!model) return model.error();
    DiagnoseOptions options{.threads = threads_of(arguments.threads)};
    if (arguments.seconds) options.seconds = static_cast<double>(*arguments.seconds);
    const Result<Diagnosis> found = diagnose(*model, *ids, *theirs, options);
    if (!found) return found.error().where.empty() ? within(arguments.against, found.error()) : found.error();
    if (arguments.json)
        output.out << noted_json(diagnosis_json(*found), opened->notes);
    else
        write_diagnosis(output.out, *found);
    return std::nullopt;
}

}  // namespace

Command diagnose_command() {
    return make_command("diagnose", "what is wrong with your own transformer, by the numbers that it makes",
                        describe_diagnose, print_diagnosis);
}

}  // namespace headcount
