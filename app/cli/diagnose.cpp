// headcount diagnose: what is wrong with somebody else's transformer, by the numbers that it wrote.
#include <cmath>
#include <ostream>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "app/cli/run_settings.hpp"
#include "core/base/utf8.hpp"
#include "core/diagnose/said.hpp"
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
    std::optional<std::vector<std::int64_t>> source_ids;  // of an encoder beside the decoder
    std::optional<std::int64_t> threads, pairs;
    bool json = false;
};

void describe_diagnose(CLI::App* command, DiagnoseArguments& arguments) {
    add_model(command, arguments.model);
    add_name(command, "--against", arguments.against, "FILE",
             "safetensors with the logits, and perhaps other activations, that another program made of the same "
             "weights and tokens")
        ->required();
    add_name(command, "--prompt", arguments.prompt, "TEXT", "the text that it has read");
    add_value(command, "--prompt-ids", arguments.prompt_ids, "1,2,3",
              "the same as ids of tokens; without either they are taken from FILE", read_ids);
    add_value(command, "--source-ids", arguments.source_ids, "1,2,3",
              "ids of the tokens that an encoder beside the decoder has read; else from FILE", read_ids);
    add_whole(command, "--pairs", arguments.pairs, "N",
              "so many pairs of mistakes are tried at most (as many as take some seconds)", 0);
    add_whole(command, "--threads", arguments.threads, "N", "of the processor (as many as it has, up to 8)", 1, 256);
    add_json(command, arguments.json);
    command->footer(
        "The exit status is 0 also where the numbers differ: a script reads \"equal\" of --json, and \"causes\".");
    add_rule(command, [&arguments]() -> Failure {
        if (!arguments.prompt || !arguments.prompt_ids) return std::nullopt;
        return Error{"a prompt is given twice", "headcount diagnose",
                     "give --prompt TEXT or --prompt-ids 1,2,3: what the other program has read"};
    });
}

// What the decoder has read, or the only stack, and what an encoder beside it has.
struct Read {
    std::vector<std::int32_t> ids, source;
};

Result<Read> read_of(const DiagnoseArguments& arguments, const Architecture& arch) {
    Read read;
    const bool given = arguments.prompt || arguments.prompt_ids, given_source = arguments.source_ids.has_value();
    if (given_source && !arch.encoder)
        return Error{"this model has no encoder beside a decoder, which could read a source", "--source-ids",
                     "leave it out"};
    if (arguments.prompt_ids) {
        Result<std::vector<std::int32_t>> ids = tokens_of(*arguments.prompt_ids, "--prompt-ids", arch.vocab);
        if (!ids) return ids.error();
        read.ids = *std::move(ids);
    }
    if (arguments.prompt) {
        const Result<Tokenizer> tokenizer = Tokenizer::of_model(or_shipped_model(arguments.model.arch), arch.vocab);
        if (!tokenizer) return within("--prompt", tokenizer.error());
        Result<std::vector<std::int32_t>> ids = text_ids(*arguments.prompt, true, "--prompt", *tokenizer, arch);
        if (!ids) return ids.error();
        read.ids = *std::move(ids);
    }
    if (given_source) {
        Result<std::vector<std::int32_t>> ids = tokens_of(*arguments.source_ids, "--source-ids", arch.vocab);
        if (!ids) return ids.error();
        read.source = *std::move(ids);
    }
    if (given && (given_source || !arch.encoder)) return read;
    Result<TheirIds> theirs = read_their_ids(arguments.against);
    if (!theirs) return within("--against", theirs.error());
    // Of two stacks one that says no more is what the encoder has read, and the decoder begins its text.
    if (arch.encoder && theirs->ids && !theirs->source)
        theirs->source = std::exchange(theirs->ids, std::vector<std::int32_t>{decoder_start(arch)});
    if (!given && theirs->ids) read.ids = *std::move(theirs->ids);
    if (arch.encoder && !given_source && theirs->source) read.source = *std::move(theirs->source);
    if (read.ids.empty())
        return Error{"there is no prompt, and no ids of tokens in the file", "headcount diagnose",
                     "give --prompt TEXT or --prompt-ids 1,2,3: what the other program has read"};
    if (arch.encoder && read.source.empty())
        return Error{"there is no source, and no second row of ids in the file", "headcount diagnose",
                     "give --source-ids 1,2,3: what the other program's encoder has read"};
    return read;
}

nlohmann::ordered_json diagnosis_json(const Diagnosis& found) {
    const auto number = [](double value) {
        return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
    };
    nlohmann::ordered_json json{{"equal", !found.first}, {"rounding", found.rounding}, {"small", found.small}};
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
                          {"rounded", each.rounded},
                          {"by_chance", each.by_chance}});
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
    const Result<Read> read = read_of(arguments, arch);
    if (!read) return read.error();
    const Result<std::shared_ptr<const Model>> model = load_model(arch, *opened->checkpoint);
    if (!model) return model.error();
    const Result<Diagnosis> found =
        diagnose(*model, read->ids, *theirs,
                 {.threads = threads_of(arguments.threads), .pairs = arguments.pairs, .source = read->source});
    if (!found) return found.error().where.empty() ? within(arguments.against, found.error()) : found.error();
    if (arguments.json) {
        output.out << noted_json(diagnosis_json(*found), opened->notes);
        return std::nullopt;
    }
    for (const SaidLine& line : said_lines(*found)) output.out << (line.detail ? "  " : "") << line.text << '\n';
    return std::nullopt;
}

}  // namespace

Command diagnose_command() {
    return make_command("diagnose", "what is wrong with your own transformer, by the numbers that it makes",
                        describe_diagnose, print_diagnosis);
}

}  // namespace headcount
