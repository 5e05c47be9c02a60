// headcount tokenize: what a model's tokenizer makes of a text, and how.
#include <algorithm>
#include <ostream>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/arch/fields.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/assets.hpp"
#include "core/report/table.hpp"
#include "core/runtime/token_rows.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {
namespace {

constexpr std::size_t most_lines = 64;  // of one word's merges

struct TokenizeArguments {
    ModelArguments model;
    std::string text;
    bool steps = false, json = false;
};

// The text as tokens, how they came about, and which of them no text has trained.
struct Tokenized {
    Tokenizer tokenizer;
    TextSteps steps;
    std::vector<std::int32_t> ids;
    std::optional<TrainedRows> trained;

    // No text has trained it, or, where that is counted, hardly one.
    bool untrained(std::int32_t id) const {
        if (tokenizer.counts()) return tokenizer.hardly_read(id);
        return trained && id < std::ssize(trained->distances) && trained->untrained(id);
    }
    bool untrained(const WordSteps& word) const {
        return std::ranges::any_of(word.ids, [this](std::int32_t id) { return untrained(id); });
    }
};

// The embedding alone is looked at: of the layers one is read. Nothing where the weights cannot be.
std::optional<TrainedRows> measured(const OpenedDocument& opened, const Tokenizer& tokenizer) {
    if (!opened.checkpoint) return std::nullopt;
    const Architecture& whole = opened.document.architecture;
    const Result<Architecture> least = with_field(whole, Field::layers, "1");
    const Result<std::shared_ptr<const Model>> model = load_model(least ? *least : whole, *opened.checkpoint);
    if (!model) return std::nullopt;
    const MatrixView table = token_table(**model);
    return trained_rows(table, tokenizer.ids_of_no_text(table.rows));
}

std::string piece_text(std::string_view bytes) { return printable(Tokenizer::piece_with_dots(bytes)); }

std::string_view order_word(Segmentation by) { return by == Segmentation::ranked_merges ? "rank" : "score"; }

std::string order_text(Segmentation by, double order) {
    return by == Segmentation::ranked_merges ? grouped(static_cast<std::int64_t>(order)) : decimal_text(order, 3);
}

nlohmann::ordered_json tokens_json(const Tokenized& all, const std::vector<std::int32_t>& ids) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const std::int32_t id : ids) {
        json.push_back({{"id", id}, {"text", printable(all.tokenizer.bytes(id), Lines::kept)}});
        if (const TokenCounts* const counts = all.tokenizer.counts())
            json.back()["read"] = counts->read[static_cast<std::size_t>(id)];
        if (all.trained) json.back()["trained"] = !all.untrained(id);
    }
    return json;
}

nlohmann::ordered_json word_json(const Tokenized& all, const WordSteps& word) {
    nlohmann::ordered_json json{{"text", printable(word.text, Lines::kept)}, {"added", word.added}};
    json["first"] = nlohmann::json::array();
    for (const WordPiece& each : word.first) json["first"].push_back(Tokenizer::piece(each.text));
    json["merges"] = nlohmann::json::array();
    for (const MergeStep& each : word.merges)
        json["merges"].push_back({{"left", Tokenizer::piece(each.left.text)},
                                  {"right", Tokenizer::piece(each.right)},
                                  {order_word(all.steps.by), each.order},
                                  {"id", each.id}});
    json["tokens"] = tokens_json(all, word.ids);
    if (!word.scores.empty()) json["scores"] = word.scores;
    return json;
}

nlohmann::ordered_json tokenized_json(const Tokenized& all, bool steps) {
    nlohmann::ordered_json json{{"ids", all.ids}, {"tokens", tokens_json(all, all.ids)}};
    if (all.trained)
        json["trained"] = {{"limit", all.trained->limit},
                           {"references", all.trained->references},
                           {"untrained", all.trained->count_untrained()}};
    if (!steps) return json;
    constexpr std::array<std::string_view, 4> ways{"ranked merges", "scored merges", "longest pieces",
                                                   "likeliest pieces"};
    json["normalized"] = printable(all.steps.normalized, Lines::kept);
    json["by"] = ways[static_cast<std::size_t>(all.steps.by)];
    json["words"] = nlohmann::json::array();
    for (const WordSteps& word : all.steps.words) json["words"].push_back(word_json(all, word));
    return json;
}

void write_word(std::ostream& out, const Tokenized& all, const WordSteps& word) {
    out << '\n' << piece_text(word.text) << '\n';
    if (word.added) out << "  a token of its own, found before all else\n";
    const std::vector<std::vector<std::string>> lines = lines_of_merges(word, most_lines);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        out << "  "
            << listed(
                   lines[i], [](const std::string& each) { return piece_text(each); }, " ");
        if (i > 0)
            out << "   " << order_word(all.steps.by) << ' ' << order_text(all.steps.by, word.merges[i - 1].order);
        out << '\n';
    }
    if (word.merges.size() >= most_lines)
        out << "  ... and " << word.merges.size() + 1 - most_lines << " merges more\n";
    for (std::size_t i = 0; i < word.ids.size(); ++i) {
        out << "  = " << piece_text(all.tokenizer.bytes(word.ids[i])) << "  " << word.ids[i];
        if (!word.scores.empty()) out << "   score " << order_text(all.steps.by, word.scores[i]);
        if (all.untrained(word.ids[i]))
            out << (all.tokenizer.counts() ? "   its training has hardly read it" : "   no text has trained its row");
        out << '\n';
    }
}

void write_tokens(std::ostream& out, const Tokenized& all) {
    Table table{.columns = {figures("id"), {"token"}}, .rows = {}};
    const TokenCounts* const counts = all.tokenizer.counts();
    if (counts)
        table.columns.push_back(figures("read"));
    else if (all.trained)
        table.columns.push_back({"row"});
    for (const std::int32_t id : all.ids) {
        std::vector<ReportCell>& row = table.rows.emplace_back();
        row.emplace_back(std::to_string(id));
        row.emplace_back(piece_text(all.tokenizer.bytes(id)));
        if (counts)
            row.emplace_back(grouped(counts->read[static_cast<std::size_t>(id)]));
        else if (all.trained)
            row.emplace_back(std::string(all.untrained(id) ? "never trained" : ""));
    }
    write_text(out, table);
}

void write_measure(std::ostream& out, const Tokenized& all) {
    const auto marked =
        std::ranges::count_if(all.steps.words, [&](const WordSteps& each) { return all.untrained(each); });
    if (const TokenCounts* const counts = all.tokenizer.counts()) {
        out << '\n'
            << grouped(marked) << (marked == 1 ? " word has" : " words have")
            << " a token that the training has hardly read: less often than " << grouped(counts->least())
            << " times among " << grouped(counts->all) << ", a twentieth of the average.\n";
        return;
    }
    if (!all.trained) {
        out << "\nWhich rows a training has moved cannot be said: there are no weights, or too few tokens that no text "
               "can have.\n";
        return;
    }
    out << '\n'
        << grouped(marked) << (marked == 1 ? " word has" : " words have")
        << " a token that no text has trained: " << grouped(all.trained->count_untrained()) << " of "
        << grouped(std::ssize(all.trained->distances)) << " rows of the embedding lie within "
        << decimal_text(all.trained->limit, 3) << " of the mean of the " << all.trained->references
        << " for what no text has.\n";
}

Failure print_tokens(const TokenizeArguments& arguments, Output& output) {
    const Result<OpenedDocument> opened = open_document(arguments.model, output.notes);
    if (!opened) return opened.error();
    Result<Tokenizer> tokenizer =
        Tokenizer::of_model(or_shipped_model(arguments.model.arch), opened->document.architecture.vocab);
    if (!tokenizer) return tokenizer.error();
    Result<TextSteps> steps = tokenizer->steps(arguments.text);
    if (!steps) return within("TEXT", steps.error());
    const Result<std::vector<std::int32_t>> ids = tokenizer->encode(arguments.text);
    if (!ids) return within("TEXT", ids.error());
    const Tokenized all{*tokenizer, *std::move(steps), *ids, measured(*opened, *tokenizer)};
    std::ostream& out = output.out;
    if (arguments.json) {
        out << noted_json(tokenized_json(all, arguments.steps), opened->notes);
        return std::nullopt;
    }
    if (arguments.steps) {
        const bool same = all.steps.normalized == arguments.text;
        out << "normalized: " << (same ? "as it was typed" : piece_text(all.steps.normalized)) << "\nwords: "
            << listed(
                   all.steps.words, [](const WordSteps& each) { return piece_text(each.text); }, " | ")
            << '\n';
        for (const WordSteps& word : all.steps.words) write_word(out, all, word);
        out << '\n';
    }
    write_tokens(out, all);
    if (arguments.steps) write_measure(out, all);
    return std::nullopt;
}

}  // namespace

Command tokenize_command() {
    const auto describe = [](CLI::App* command, TokenizeArguments& arguments) {
        add_model(command, arguments.model);
        command->add_option("TEXT", arguments.text, "what is cut into tokens, as one quoted argument")->required();
        command->add_flag("--steps", arguments.steps,
                          "how: normalized, cut into words, merged pair after pair with the rank of each");
        add_json(command, arguments.json);
        command->footer(
            "A row of the embedding counts as never trained where it lies with those of bytes that are in no text: see "
            "the manual.");
    };
    return make_command("tokenize", "what a model's tokenizer makes of a text, step by step", describe, print_tokens);
}

}  // namespace headcount
