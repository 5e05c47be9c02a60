// A typed question ("queries, one head, 100 tokens, llama 7b"), read by a plain grammar over the graph's words and
// answered from the graph. There is no language model in it: what is not understood is said, word by word.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/counted_model.hpp"
#include "core/analysis/measured.hpp"
#include "core/analysis/pass.hpp"
#include "core/files/presets.hpp"
#include "core/files/stored_formats.hpp"

namespace headcount {

// Something that the program can be told to do: found by its words, done by the caller.
struct AskCommand {
    std::string_view keys, meaning;  // "Ctrl+Z", "Undo"
    std::string_view id = {};        // "undo": assets/ask/words.json has what people call it
};

struct ModelName;  // core/ask/words.hpp

// Shipped models that questions have looked through, and their names, kept while somebody types.
class AskMemory {
  public:
    // What these are called, taken apart once.
    const std::vector<ModelName>& names(std::span<const Preset> presets);

    // The model with this input, or where it is in the formats of `own` in those that the model is published in; null
    // where it cannot have it. Another input forgets the models of the last.
    CountedModelPtr model(const Preset& preset, Input input, const std::optional<Input>& own = {}) {
        if (std::pair(input, own) != asked_) models_.clear();
        asked_ = {input, own};
        const auto [at, fresh] = models_.try_emplace(preset.id);
        if (!fresh) return at->second;
        if (own) input = input_for_other(std::move(input), *own, published_input(preset.architecture));
        if (const Result<CountedModelPtr> model = counted_model(preset.architecture, input)) at->second = *model;
        return at->second;
    }

  private:
    std::shared_ptr<const std::vector<ModelName>> names_;
    std::span<const Preset> named_;
    std::pair<Input, std::optional<Input>> asked_;
    std::map<std::string, CountedModelPtr> models_;
};

// What was said beside a question, as words of the command line say it, and counts as if it stood in the question.
struct AskSaid {
    bool model = false, tokens = false, batch = false, cached = false, precision = false;
    bool device = false;    // that of the pass
    bool training = false;  // as the pass has it
};

// What a question is about unless it says otherwise.
struct AskAbout {
    const Architecture& architecture;
    Input input;
    std::string_view preset;  // its id while it is as shipped, else empty
    std::span<const Preset> presets;
    std::span<const AskCommand> commands;
    AskMemory* memory = nullptr;                  // of the caller, if it keeps one; `ask` has another
    PassOptions pass = {};                        // how arithmetic is counted
    std::span<const Device> devices = {};         // that something may be asked to fit on
    std::shared_ptr<const Reached> reached = {};  // what measurements say of how long passes likely take
    std::optional<Formats> stored = {};           // as its weights are, where its file says so
    AskSaid said = {};                            // of these, and not only as it is shown
    std::string_view doubt = {};                  // as doubt_on says of it (core/files/open.hpp)
    std::string_view weights_doubt = {};          // why it is only about known what its weights take
    bool typing = false;                          // somebody still types: the last word may be half of one
};

// How some of the words were understood.
struct AskReading {
    std::string words, meaning;  // "8k tokens", "8,192 tokens"

    bool operator==(const AskReading&) const = default;
};

// Words that were not, and the nearest that would be.
struct AskUnknown {
    std::string words;
    std::vector<std::string> nearest;

    bool operator==(const AskUnknown&) const = default;
};

// How a model is held, as far as a question about memory or time says it.
struct AskCosts {
    std::string device;                // its id; empty: none was named
    std::optional<Training> training;  // how it is to be trained, where it is
    std::optional<Phase> phase;
    Sharding sharding;

    bool operator==(const AskCosts&) const = default;
};

// Two models by their ids: b is compared with a. An empty one is the model at hand.
struct AskPair {
    std::string a, b;

    bool operator==(const AskPair&) const = default;
};

struct AskAnswer {
    std::string title;                     // "Queries of one head"
    std::string about;                     // "LLaMA 7B · 100 tokens"
    std::string number;                    // "100 × 128", "6,738,415,616"
    std::string unit;                      // "rows × columns", "parameters"
    std::string in_short;                  // "6.74 B", "4.00 GiB"; may be empty
    std::string symbols, numbers, result;  // the derivation: "T × d_h", "100 × 128", "12,800 numbers"
    std::vector<std::string> notes;        // "In all 32 layers: ..."
    std::string light;   // what belongs to it: a tensor's id, "component.attention", "field.dim", "total"; may be empty
    std::string place;   // a tensor's or block's id, "" for the whole model
    std::string preset;  // the model's id where it is another than the one at hand
    std::string says;    // of a word of the lecture: what it is, a sentence
    std::string tour;    // ... and the id of one that shows it; may be empty
    std::optional<std::int64_t> count;  // the number itself, where it is one of something
    std::optional<Expr> formula;        // of which `symbols` is the text, where it is that of the count
    std::optional<std::int64_t> spare;  // bytes that are left where it is to fit; below 0: so many too many
    std::optional<AskPair> compares;    // what Compare shows of it
    std::optional<AskCosts> costs;      // ... or Costs
    std::optional<Input> input;         // there, where the question says another
    bool of_models = false;             // it says which of the shipped models are so
    bool reasoned = false;              // it says why the number is what it is
    bool amount = false;  // it hangs on all that there is of something: where the model is in doubt, a sign says so

    bool operator==(const AskAnswer&) const = default;
};

struct AskMatch {
    enum class Kind {
        wording,    // the question with its slips mended
        tensor,     // or a larger part of the model that the question is about
        dimension,  // a field of it
        preset,
        command,
    };
    Kind kind;
    std::string id;             // the wording; a preset's id; of a tensor or dimension as AskAnswer::light
    std::string title, detail;  // "Query projection", "[4096, 4096]"
    std::size_t command = 0;    // its place among AskAbout::commands
    std::string preset;         // of a tensor or dimension: the model's id where it is another than the one at hand
    std::string place;          // of a tensor: as in AskAnswer

    bool operator==(const AskMatch&) const = default;
};

struct Asked {
    std::optional<AskAnswer> answer;  // none where a word was not understood
    std::string problem;              // one sentence about why there is none; empty where there is nothing to say
    std::vector<AskReading> readings;
    std::vector<AskUnknown> unknown;
    std::vector<AskMatch> matches;  // the likeliest first
};

// Any text is safe to ask. Costs about as much as expanding a model once or twice; a number or sides that the model
// does not have are looked for in all shipped ones, which are expanded once for as long as a memory keeps them.
Asked ask(std::string_view text, const AskAbout& about);

inline constexpr std::size_t longest_question = 400;  // bytes

}  // namespace headcount
