// What a question is about where that depends on all of its words.
#include <algorithm>
#include <array>
#include <utility>

#include "core/ask/read.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {

void QuestionReader::settle_changes() {
    settle_shelf();
    if (heard_.less_said && std::ranges::none_of(heard_.subjects, &AskSubject::less) && heard_.problem.empty())
        heard_.problem = "Say what is not to be counted: the embedding, norms, biases or another part.";
    // "is the output head tied" asks whether it is.
    constexpr std::array<std::string_view, 4> whether{"is", "are", "does", "do"};
    if (heard_.tied && !heard_.wide && !has_word("if") && contains(whether, atoms_.front().text)) {
        heard_.wide = AskWide::tying;
        heard_.asked_tied = *std::exchange(heard_.tied, {});
    }
    if (heard_.step && heard_.claims.empty() && heard_.problem.empty())
        heard_.problem = "Say how many of what, such as add 8 layers or remove 4 kv heads.";
    const bool told = atoms_.front().text == "use";  // "use 16 heads"
    if (heard_.supposes || heard_.step || told) std::swap(heard_.supposed, heard_.claims);
    if (heard_.scale && heard_.symbols.empty() && heard_.problem.empty())
        heard_.problem = "Say of what there is to be twice or half as much, such as double the layers.";
    if (!heard_.scale || heard_.symbols.empty()) return;
    heard_.scaled.emplace_back(heard_.symbols.front(), *heard_.scale);
    heard_.symbols.erase(heard_.symbols.begin());
}

// How long a context or how large a batch has room.
bool QuestionReader::asks_for_room() const {
    return heard_.symbols.size() == 1 &&
           (heard_.symbols.front() == Symbol::context || heard_.symbols.front() == Symbol::batch);
}

void QuestionReader::settle_rank() {
    const auto said = [&](std::initializer_list<std::string_view> words) {
        return std::find_if(atoms_.begin(), atoms_.end(), [&](const Atom& each) {
            return std::find(words.begin(), words.end(), each.text) != words.end();
        });
    };
    const bool of_part = said({"part", "parts", "component"}) != atoms_.end();
    const bool of_matrix = said({"matrix", "matrices", "tensor", "tensors"}) != atoms_.end();
    const bool model_said = std::any_of(heard_.subjects.begin(), heard_.subjects.end(),
                                        [](const AskSubject& each) { return each.notion == &notion("the model"); });
    const std::optional<AskWide> wide = heard_.wide;
    const bool of_all = !heard_.preset && ((heard_.symbols.size() == 1 && !about_.said.model) || model_said);
    if (heard_.wide == AskWide::largest_matrix && of_part)
        heard_.wide = AskWide::largest_part;
    else if ((heard_.wide == AskWide::largest_matrix || heard_.wide == AskWide::largest_part) && of_all && !of_matrix &&
             !of_part)
        heard_.wide = AskWide::most;
    const bool of_room = heard_.wide == AskWide::largest_matrix && asks_for_room();
    const bool of_own = heard_.symbols.size() == 1 && (heard_.preset || about_.said.model) && !has_word("which");
    if ((heard_.ranks() || of_room) && (heard_.budget || heard_.device))
        heard_.wide = AskWide::fits;
    else if ((heard_.ranks() || of_room) && of_own && heard_.symbols.front() == Symbol::batch)
        heard_.wide = AskWide::fits;  // which asks for a device
    else if ((heard_.ranks() || of_room) && of_own)
        heard_.wide.reset();  // "longest context of llama 3 8b"
    else if (heard_.wide == AskWide::fewest && of_matrix && !of_models_ && has_word("smallest"))
        heard_.wide = AskWide::smallest_matrix;
    const bool of_matrices = heard_.wide == AskWide::largest_matrix || heard_.wide == AskWide::smallest_matrix;
    if (of_models_ && of_matrices && of_matrix && !heard_.preset && heard_.problem.empty())
        heard_.problem = "Matrices are ranked within one model: name it, or ask which model has the most parameters.";
    // What was read of the word before is said as it is meant by now.
    if (wide && wide != heard_.wide)
        for (AskReading& each : heard_.readings)
            if (each.meaning == ask_name(*wide)) each.meaning = heard_.wide ? ask_name(*heard_.wide) : "its own";
    if (heard_.wide != AskWide::fewest || !(of_part || of_matrix)) return;
    const auto word = said({"fewest", "least", "lowest", "smallest", "shortest"});
    if (word != atoms_.end()) heard_.unknown.push_back({{word->text, {"largest"}}, word->begin, word->end});
}

// "is attention larger than feed-forward in llama 2 7b": parts of one model.
void QuestionReader::settle_than() {
    const bool larger = heard_.wide == AskWide::larger || heard_.wide == AskWide::smaller;
    if (!larger || !has_word("than") || heard_.second || heard_.behind_than || heard_.changes() ||
        heard_.subjects.empty())
        return;
    if (heard_.subjects.size() > 1)
        heard_.between_parts = true, heard_.wide = AskWide::compare;
    else if (heard_.problem.empty())
        heard_.problem =
            "Two parts of a model are compared, or two models: is attention larger than feed-forward, is "
            "gpt-2 larger than bert base.";
}

// Bytes and room are those of training them; else how many parameters they have is asked for.
void QuestionReader::settle_adapters() {
    if (!heard_.adapters()) return;
    const bool held = heard_.quantity == AskQuantity::bytes || heard_.budget || heard_.device;
    if (!heard_.wide && !held) heard_.wide = AskWide::adapters;
    if (heard_.wide == AskWide::adapters) return;
    heard_.training = true;
    if (const auto weights = usual_weights(heard_.adapter.value_or(AdapterKind::lora));
        weights && !heard_.precision_given)
        heard_.input.precision = *weights;
}

void QuestionReader::settle_wide() {
    // "how many tokens in the vocabulary": that is asked for, and not how many to train with.
    if (asks_tokens_ && !heard_.symbols.empty()) {
        asks_tokens_ = false;
        if (heard_.wide == AskWide::laws) heard_.wide.reset();
        std::erase_if(heard_.readings, [](const AskReading& each) { return each.meaning == ask_name(AskWide::laws); });
    }
    // "how many tokens fit", and not how many to train with.
    const bool of_room = heard_.wide == AskWide::fits || heard_.budget || heard_.device;
    if (asks_tokens_ && of_room && !heard_.operations) {
        heard_.wide = AskWide::fits;
        for (AskReading& each : heard_.readings)
            if (each.meaning == ask_name(AskWide::laws)) each.meaning = info(Symbol::tokens).name;
        heard_.symbols.push_back(Symbol::tokens);
    }
    // "memory with an int8 cache"
    if (heard_.cache_format_given && has_word("memory"))
        std::erase_if(heard_.subjects, [](const AskSubject& each) { return each.notion == &notion("KV cache"); });
    const bool whole = heard_.symbols.empty() && !heard_.has(AskScope::one_head) && !heard_.has(AskScope::one_layer) &&
                       std::all_of(heard_.subjects.begin(), heard_.subjects.end(),
                                   [](const AskSubject& each) { return each.notion == &notion("the model"); });
    // "memory cost of the kv cache"
    if (heard_.wide == AskWide::figure && heard_.figure == Metric::price && heard_.quantity && !heard_.price)
        heard_.wide.reset();
    settle_than();
    settle_rank();
    heard_.at_hand = is_of_one(atoms_, about_);
    if (heard_.precision_of_weights && has_word("with")) heard_.weights_said = false;  // "memory with int8 weights"
    const bool named = heard_.preset || !heard_.subjects.empty();
    const bool bytes = heard_.quantity == AskQuantity::bytes;
    const bool memory = whole && !heard_.weights_said && (bytes || !heard_.quantity);
    settle_adapters();
    if ((heard_.budget || heard_.device) && (memory || asks_for_room()) && !heard_.wide) heard_.wide = AskWide::fits;
    // Weights are as large whatever is read; all else is not.
    const bool read = heard_.tokens_given || heard_.batch_given || heard_.cached_given || heard_.full_context ||
                      heard_.has(AskScope::one_token);
    const bool training = heard_.training || about_.said.training;
    if (memory && (training || (read && (bytes || named))) && !heard_.wide) heard_.wide = AskWide::memory;
    if (heard_.operations && !heard_.wide) heard_.wide = AskWide::laws;
    const bool priced = heard_.wide == AskWide::figure && heard_.figure == Metric::price;
    const bool lasts = heard_.train_tokens && whole && !heard_.quantity && !heard_.wide;
    if (lasts || (training && priced)) heard_.wide = AskWide::hire;
    if (priced && heard_.wide == AskWide::hire)
        for (AskReading& each : heard_.readings)
            if (each.meaning == lower(std::string(info(Metric::price).label))) each.meaning = "what a training costs";
    settle_devices();
    settle_size();
    settle_field();
    // "which is faster, mixtral or llama 2 70b"
    if (!heard_.second || heard_.compares() || heard_.wide == AskWide::figure) return;
    heard_.notes.push_back(heard_.second->architecture.name +
                           " is left out: a question is about one model at a time, unless it compares two.");
    heard_.second = nullptr;
}

// "rope theta of llama 3 8b"
void QuestionReader::settle_field() {
    if (!heard_.field) return;
    const bool alone = !heard_.wide && !heard_.quantity && heard_.subjects.empty() && heard_.symbols.empty();
    if (alone)
        heard_.wide = AskWide::field;
    else if (heard_.problem.empty())
        heard_.problem =
            "Ask for one thing at a time: " + lower(std::string(info(*heard_.field).label)) + " is a field.";
}

// "h100 vs a100", "is a 4090 enough or do I need an h100": else a question is about the first.
void QuestionReader::settle_devices() {
    if (heard_.devices.size() < 2) return;
    const bool of_one = heard_.preset || !(has_word("what") || has_word("which") || of_models_);
    const bool compares = heard_.wide == AskWide::compare && !heard_.second;
    heard_.enough = heard_.wide == AskWide::fits;
    if (heard_.symbols.empty() && of_one && (compares || heard_.enough || heard_.wide == AskWide::figure)) {
        for (AskReading& each : heard_.readings)
            if (each.meaning == ask_name(AskWide::compare)) each.meaning = ask_name(AskWide::devices_beside);
        heard_.wide = AskWide::devices_beside;
        return;
    }
    for (std::size_t i = 1; i < heard_.devices.size(); ++i)
        heard_.notes.push_back(heard_.devices[i]->name + " is left out: a question is about one device at a time.");
}

void QuestionReader::note_idle() {
    const bool fits = heard_.wide == AskWide::fits || heard_.wide == AskWide::devices ||
                      heard_.wide == AskWide::devices_beside || heard_.wide == AskWide::figure ||
                      heard_.wide == AskWide::design || heard_.wide == AskWide::hire;
    auto plays_no_part = [&](std::string what) {
        heard_.notes.push_back(std::move(what) + " plays no part in this answer.");
    };
    if (heard_.device && !fits) plays_no_part(heard_.device->name);
    if (heard_.budget && (!fits || (heard_.wide == AskWide::devices && heard_.device_named)))
        plays_no_part("How much memory there is");
    if (heard_.price && heard_.figure != Metric::price && heard_.wide != AskWide::hire)
        plays_no_part("What an hour costs");
    const bool adapters = heard_.adapters().has_value();
    const bool trains = heard_.wide == AskWide::hire || (heard_.train_tokens && heard_.wide == AskWide::flops);
    const bool held = heard_.wide == AskWide::fits || heard_.wide == AskWide::devices ||
                      heard_.wide == AskWide::devices_beside || heard_.wide == AskWide::memory;
    const bool counts_adapters = held || trains || heard_.wide == AskWide::adapters || heard_.wide == AskWide::flops;
    if (adapters && !counts_adapters)
        plays_no_part("What adapters train");
    else if (heard_.training && !adapters && !fits && !held && heard_.wide != AskWide::flops)
        plays_no_part("Training");
    if (heard_.train_tokens && !trains) plays_no_part("How many tokens a training reads");
    const bool divides = (fits && heard_.wide != AskWide::figure) || held;
    if (heard_.zero && !(heard_.device_count && divides)) plays_no_part("ZeRO");
    if (heard_.operations && heard_.wide != AskWide::laws) plays_no_part("How many operations a training has");
}

}  // namespace headcount
