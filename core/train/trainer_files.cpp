// A training as files: the model that it has made, and all that it takes to go on.
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/base/write_file.hpp"
#include "core/files/config.hpp"
#include "core/runtime/fill_weights.hpp"
#include "core/train/stored.hpp"
#include "core/train/trainer_state.hpp"

namespace headcount {
namespace {

constexpr const char* training_file = "training.safetensors";
// Steps are counted in two parts, each of which a float holds.
constexpr std::int64_t step_part = 1 << 20;

// What must be the same for a training to go on with the same numbers.
std::string settings_text(const TrainSettings& settings, const nlohmann::ordered_json& config) {
    nlohmann::json text{{"task", word_of(task_words, settings.task.kind)},
                        {"letters", settings.task.letters},
                        {"modulus", settings.task.modulus},
                        {"tokens", settings.task.tokens},
                        {"text", random_stream(0, settings.task.text)},
                        {"batch", settings.batch},
                        {"passes", settings.passes},
                        {"seed", settings.seed},
                        {"optimizer", word_of(optimizer_kind_words, settings.optimizer.kind)},
                        {"model", random_stream(0, config.dump())}};
    if (!settings.task.tokenizer) return text.dump();
    std::string pieces;
    for (std::int32_t id = 0; id < settings.task.tokenizer->size(); ++id)
        pieces += settings.task.tokenizer->piece(id) + "\n";
    text["tokenizer"] = random_stream(0, pieces);
    return text.dump();
}

// "seed 42, not 7, another model": what differs from what was expected. Hashes are not spelled out.
std::string differences(const std::string& found, const std::string& expected) {
    const nlohmann::json was = nlohmann::json::parse(found, nullptr, false), now = nlohmann::json::parse(expected);
    if (!was.is_object()) return "its settings cannot be read";
    std::string all;
    for (const auto& [key, value] : now.items()) {
        const nlohmann::json before = was.value(key, nlohmann::json());
        if (before == value) continue;
        const bool hashed = key == "model" || key == "text" || key == "tokenizer";
        all += (all.empty() ? "" : ", ") +
               (hashed ? "another " + key : key + " " + printable(before.dump()) + ", not " + value.dump());
    }
    for (const auto& [key, value] : was.items())
        if (!now.contains(key)) all += (all.empty() ? "" : ", ") + std::string("with ") + printable(key);
    return all;
}

constexpr std::string_view mask_word = "[MASK]";

std::optional<Error> write_json(const std::filesystem::path& path, const nlohmann::ordered_json& json) {
    const auto written = write_text(path, json.dump(2) + "\n");
    return written ? std::nullopt : std::optional(written.error());
}

// Every token is a piece as likely as any other, so that a text is cut into as few as can be. What is no word of a task
// of words is hidden.
nlohmann::ordered_json tokenizer_of(const Task& task, bool masks) {
    nlohmann::ordered_json json{{"version", "1.0"},         {"truncation", nullptr},
                                {"padding", nullptr},       {"added_tokens", nlohmann::ordered_json::array()},
                                {"normalizer", nullptr},    {"pre_tokenizer", nullptr},
                                {"post_processor", nullptr}};
    if (masks)
        json["added_tokens"].push_back({{"id", task.mask()},
                                        {"content", mask_word},
                                        {"single_word", false},
                                        {"lstrip", false},
                                        {"rstrip", false},
                                        {"normalized", false},
                                        {"special", true}});
    json["decoder"] = {{"type", "Fuse"}};
    nlohmann::ordered_json& vocab = json["model"] = {{"type", "Unigram"}, {"unk_id", nullptr}};
    for (const std::string& token : task.tokens()) vocab["vocab"].push_back({token, -1.0});
    if (!task.asks_within()) return json;
    vocab["vocab"].push_back({mask_word, -1.0});
    vocab["unk_id"] = task.mask();
    return json;
}

}  // namespace

std::vector<TaskPrompt> Trainer::prompts(std::int64_t lines) const {
    const State& own = *state_;
    std::vector<TaskPrompt> prompts;
    for (const TaskLine& line : own.lines(0, lines, true)) {
        TaskPrompt& prompt = prompts.emplace_back();
        std::vector<std::int32_t> ids = line.ids;
        std::size_t asked = own.task.has_answers() ? line.answer : line.ids.size() / 2;
        prompt.expected = own.task.text(ids.data() + asked, ids.size() - asked);
        if (own.form.kind == LineForm::Kind::masked) {
            prompt.expected.clear();
            for (const std::size_t place : line.hidden) prompt.expected += own.task.text(&line.ids[place], 1);
            ids = own.form.batch(own.task, {&line, 1}, 1).ids;
            asked = ids.size();
        }
        for (std::size_t i = 0; i < asked; ++i)
            prompt.text += ids[i] == own.task.mask() ? std::string(mask_word) : own.task.text(&ids[i], 1);
    }
    return prompts;
}

// The task's tokens as a tokenizer, and questions.
std::optional<Error> Trainer::save_words(const std::filesystem::path& folder) const {
    constexpr std::int64_t most_prompts = 8;
    nlohmann::ordered_json asked;
    for (const TaskPrompt& each : prompts(most_prompts))
        asked["prompts"].push_back({{"text", each.text}, {"shows", "held out; right is " + each.expected}});
    const bool masks = state_->form.kind != LineForm::Kind::next;
    if (auto error = write_json(folder / "tokenizer.json", tokenizer_of(state_->task, masks))) return error;
    if (auto error = write_json(folder / "tokenizer_config.json", {{"tokenizer_class", "PreTrainedTokenizerFast"},
                                                                   {"clean_up_tokenization_spaces", false}}))
        return error;
    return write_json(folder / "prompts.json", asked);
}

std::optional<Error> Trainer::save_model(const std::filesystem::path& folder, FileNumbers form) const {
    const State& own = *state_;
    const Result<nlohmann::ordered_json> config = write_config(architecture());
    if (!config) return config.error();
    const Result<std::vector<StoredPlaces>> stored = stored_places(architecture(), own.first->graph, parameters());
    if (!stored) return stored.error();
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) return Error{"the folder cannot be made: " + failed.message(), folder.string(), "name another"};
    std::vector<FileTensor> tensors;
    for (const StoredPlaces& each : *stored) {
        FileTensor& tensor = tensors.emplace_back(FileTensor{each.name, each.shape, {}});
        for (const std::int64_t place : each.places)
            tensor.numbers.push_back(place < 0 ? 0.0f : own.shown()[static_cast<std::size_t>(place)]);
    }
    if (!own.task.settings().tokenizer)
        if (std::optional<Error> error = save_words(folder)) return error;
    if (auto error = write_json(folder / "config.json", *config)) return error;
    return write_tensors(folder / "model.safetensors", tensors, form);
}

std::optional<Error> Trainer::save(const std::filesystem::path& folder, FileNumbers form) const {
    const State& own = *state_;
    const Result<nlohmann::ordered_json> config = write_config(architecture());
    if (!config) return config.error();
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) return Error{"the folder cannot be made: " + failed.message(), folder.string(), "name another"};
    const auto row = [](const char* name, std::vector<float> numbers) {
        return FileTensor{name, {std::ssize(numbers)}, std::move(numbers)};
    };
    std::vector<FileTensor> state{
        row("steps", {static_cast<float>(own.done % step_part), static_cast<float>(own.done / step_part)}),
        row("weights", own.weights), row("first", own.descent.first())};
    if (!own.descent.second().empty()) state.push_back(row("second", own.descent.second()));
    // First, so that a folder in which one was killed is known as a training's.
    if (auto error =
            write_tensors(folder / training_file, state, FileNumbers::fp32, settings_text(own.settings, *config)))
        return error;
    return save_model(folder, form);
}

std::optional<Error> Trainer::resume(const std::filesystem::path& folder) {
    State& own = *state_;
    const std::string path = (folder / training_file).string();
    Result<TensorFile> file = read_tensors(path);
    if (!file) return file.error();
    const Result<nlohmann::ordered_json> config = write_config(architecture());
    if (!config) return config.error();
    const std::string expected = settings_text(own.settings, *config);
    if (file->about != expected)
        return Error{"this training was begun otherwise: " + differences(file->about, expected), path,
                     "give what it was begun with, or begin anew without --resume"};
    const auto take = [&](const char* name, std::vector<float>& to) {
        const FileTensor* const found = file->find(name);
        if (!found ? !to.empty() : found->numbers.size() != to.size()) return false;
        if (found) to = found->numbers;
        return true;
    };
    std::vector<float> steps(2);
    std::vector<float> weights(own.weights.size());
    if (!take("steps", steps) || !take("weights", weights) || !take("first", own.descent.first()) ||
        !take("second", own.descent.second()))
        return Error{"this training is of another model", path, "give the architecture that it was begun with"};
    for (const float each : steps)
        if (!(each >= 0 && each < step_part)) return Error{"the number of its steps is none", path, "begin anew"};
    own.weights = std::move(weights);
    own.done = static_cast<std::int64_t>(steps[0]) + static_cast<std::int64_t>(steps[1]) * step_part;
    own.snapshots.clear();
    own.looked_at.reset();
    own.keep_snapshot();
    return std::nullopt;
}

}  // namespace headcount
