// Writes the command of an experiment.
#include "app/state/run/command.hpp"

#include <algorithm>

#include "core/arch/fields.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::string_view dumped_file = "other.safetensors";

// As it is where a shell takes it so; else between quotes.
std::string shell_word(std::string text) {
    constexpr std::string_view plain = "-_./:@=,+";
    const auto is_plain = [&](char c) { return is_letter_or_digit(c) || plain.find(c) != std::string_view::npos; };
    if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
    replace_all(text, "'", "'\\''");
    return "'" + text + "'";
}

std::string model_words(const RunBasis& basis, const Document& own) {
    if (basis.source == RunSource::shipped) return shell_word(std::filesystem::path(basis.file).filename().string());
    std::string words = shell_word(own.preset.empty() ? own.file : own.preset);
    if (basis.source == RunSource::file) return words;
    for (const Field field : changed_fields(own.base, own.architecture))
        if (const std::optional<std::string> text = field_text(own.architecture, field))
            words += " --set " + shell_word(std::string(info(field).key) + "=" + *text);
    return words + " --random-weights";
}

// A prompt that an encoder reads is its source.
std::string prompt_words(const RunSnapshot& run, const std::string& text) {
    std::string ids = text;
    if (!run.tokenizer) std::erase(ids, ' ');
    return std::string(run.source.empty() ? " --prompt" : " --source") + (run.tokenizer ? " " : "-ids ") +
           shell_word(std::move(ids));
}

// A seed would be that of random weights, too: they say nothing that has to be drawn as here.
std::string sampling_words(const RunSampling& sampling, bool random) {
    if (sampling.greedy || random) return "";
    const RunSampling usual{.top_k = 0, .top_p = 1};
    std::string words = " --temperature " + factor_text(sampling.temperature);
    if (sampling.top_k != usual.top_k) words += " --top-k " + std::to_string(sampling.top_k);
    if (sampling.top_p != usual.top_p) words += " --top-p " + factor_text(sampling.top_p);
    if (sampling.min_p != usual.min_p) words += " --min-p " + factor_text(sampling.min_p);
    return words + " --seed " + std::to_string(sampling.seed);
}

}  // namespace

std::string run_command(const RunSnapshot& run, const RunPlace& place, const Document& own, const Change& change) {
    const std::string head = "headcount run " + model_words(run.of->of, own);
    std::string what = written_change(change), before;
    if (change.kind == Change::Kind::patch) {
        what += "=" + std::string(dumped_file);
        before =
            head + prompt_words(run, place.experiments.other) + " --tokens 0 --dump " + std::string(dumped_file) + "\n";
    }
    return before + head + prompt_words(run, run.tokenizer ? place.prompt : place.ids) +
           sampling_words(place.sampling, run.of->of.source == RunSource::random) + " --" +
           std::string(key(change.kind)) + " " + shell_word(std::move(what));
}

}  // namespace headcount
