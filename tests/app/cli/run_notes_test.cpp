// What headcount run says beside its text, on standard error and in its JSON.
#include "app/cli/run_notes.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "tests/app/cli/session.hpp"
#include "tests/core/runtime/golden_model.hpp"
#include "tests/core/runtime/llama_gguf.hpp"
#include "tests/core/runtime/weight_file.hpp"

namespace headcount {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using testing_data::architecture_of;
using testing_data::drawn_weights;
using testing_data::NamedNumbers;
using testing_data::Ran;
using testing_data::Scratch;
using testing_data::write_gguf;
using testing_data::write_safetensors;

using Texts = std::vector<std::string>;

// The same sentences stand on standard error, whatever is printed.
Texts notes_of(Texts words) {
    words.insert(words.begin(), "run");
    words.insert(words.end(), {"--tokens", "2"});
    const Ran plain = testing_data::run(words);
    words.emplace_back("--json");
    const Ran ran = testing_data::run(words);
    EXPECT_EQ(plain.status(), 0) << plain.err;
    if (ran.status() != 0) return {ran.err};
    const auto notes = ran.json()["notes"].get<Texts>();
    std::string lines;
    for (const std::string& note : notes) lines += "headcount: note: " + note + "\n";
    EXPECT_EQ(plain.err, lines);
    EXPECT_EQ(ran.err, lines);
    return notes;
}

Texts notes_on_prompt(const std::string& prompt) { return notes_of({"tiny-stories", "--prompt", prompt}); }

TEST(RunNotes, APromptThatIsNotUtf8IsSaidWithItsFirstByte) {
    const Scratch scratch;
    const std::string model = testing_data::shipped_with_bytes(scratch);
    const auto notes = [&](const std::string& prompt) { return notes_of({model, "--prompt", prompt}); };
    EXPECT_THAT(notes("\xff\xfe abc"), ElementsAre(AllOf(HasSubstr("not UTF-8"), HasSubstr("byte 0 "))));
    EXPECT_THAT(notes("\xc3\xa9 \xed\xa0\x80 abc"), ElementsAre(HasSubstr("byte 3 ")));
    EXPECT_THAT(notes("Once\xe2\x82"), ElementsAre(HasSubstr("byte 4 ")));
    EXPECT_THAT(notes("Once \xc3\xa9 \xf0\x9f\x98\x80"), IsEmpty());
}

TEST(RunNotes, LettersWithoutATokenAreSaid) {
    EXPECT_THAT(notes_on_prompt("Zo\xc3\xab had 3 balls"),
                ElementsAre(AllOf(StartsWith("2 tokens of the prompt stand for letters"), HasSubstr("<unk>"))));
}

nlohmann::json llama_of(int layers) {
    nlohmann::json config = testing_data::small_llama();
    config["num_hidden_layers"] = layers;
    return config;
}

// Besides what every command says of weights that contradict their configuration.
Texts notes_on_weights(const std::string& path, Texts more = {}) {
    Texts words{path, "--prompt-ids", "1,2"};
    words.insert(words.end(), more.begin(), more.end());
    Texts notes = notes_of(words);
    std::erase_if(notes, [](const std::string& note) { return note.starts_with("The file's tensors are other ones"); });
    return notes;
}

// A directory with a configuration and the weights.
std::string model_of(const Scratch& scratch, const nlohmann::json& config, const std::vector<NamedNumbers>& weights) {
    scratch.file("config.json", config.dump());
    return std::filesystem::path(write_safetensors(scratch, "model.safetensors", weights)).parent_path().string();
}

std::string count_behind(const std::vector<NamedNumbers>& weights, std::size_t fewer) {
    return std::to_string(weights.size() - fewer) + " tensors of the weights are not used, the first is ";
}

TEST(RunNotes, LayersThatTheConfigurationLacksAreSaid) {
    const auto three = drawn_weights(architecture_of(llama_of(3)), 1);
    const std::size_t one = drawn_weights(architecture_of(llama_of(1)), 1).size(),
                      two = drawn_weights(architecture_of(llama_of(2)), 1).size();
    const Scratch scratch;
    EXPECT_THAT(notes_on_weights(model_of(scratch, llama_of(3), three)), IsEmpty());
    const std::string model = model_of(scratch, llama_of(2), three);
    EXPECT_THAT(notes_on_weights(model), ElementsAre(AllOf(StartsWith(count_behind(three, two) + "'model.layers.2."),
                                                           HasSubstr(": the architecture has 2 layers."))));
    EXPECT_THAT(notes_on_weights(model, {"--set", "layers=1"}),
                ElementsAre(AllOf(StartsWith(count_behind(three, one) + "'model.layers.1."),
                                  HasSubstr(": the architecture has 1 layer."))));
    EXPECT_THAT(notes_on_weights(model, {"--random-weights"}), IsEmpty());
}

TEST(RunNotes, LayersOfABaseModelAreKnownWithoutTheirFirstPart) {
    auto three = drawn_weights(architecture_of(llama_of(3)), 1);
    for (NamedNumbers& each : three)
        if (each.name.starts_with("model.")) each.name.erase(0, 6);
    const Scratch scratch;
    EXPECT_THAT(notes_on_weights(model_of(scratch, llama_of(2), three)),
                ElementsAre(AllOf(HasSubstr("the first is 'layers.2."), HasSubstr("has 2 layers."))));
}

TEST(RunNotes, ATensorWithoutAPlaceIsSaidAndBuffersAndTiedHeadsAreNot) {
    nlohmann::json config = llama_of(2);
    auto weights = drawn_weights(architecture_of(config), 1);
    config["tie_word_embeddings"] = true;
    const auto called = [&](const char* name) { return std::ranges::find(weights, name, &NamedNumbers::name); };
    called("lm_head.weight")->numbers = called("model.embed_tokens.weight")->numbers;
    weights.push_back({"model.layers.0.self_attn.rotary_emb.inv_freq", {4}, std::vector<float>(4, 1)});
    const Scratch scratch;
    EXPECT_THAT(notes_on_weights(model_of(scratch, config, weights)), IsEmpty());
    weights.push_back({"model.layers.1.adapter.weight", {4}, std::vector<float>(4, 1)});
    EXPECT_THAT(notes_on_weights(model_of(scratch, config, weights)),
                ElementsAre("1 tensor of the weights is not used, 'model.layers.1.adapter.weight': the architecture "
                            "has no place for it."));
}

TEST(RunNotes, LayersOfGgufAreSaidByTheirOwnNames) {
    auto two = drawn_weights(architecture_of(llama_of(2)), 1);
    for (NamedNumbers& each : two) testing_data::rename(each);
    const Scratch scratch;
    const std::string file = write_gguf(scratch, testing_data::llama_keys(), two);
    const std::size_t one = drawn_weights(architecture_of(llama_of(1)), 1).size();
    const Texts whole = notes_on_weights(file);
    for (const std::string& note : whole) EXPECT_THAT(note, testing::Not(HasSubstr("not used")));
    EXPECT_THAT(notes_on_weights(file, {"--set", "layers=1"}),
                testing::Contains(AllOf(StartsWith(count_behind(two, one) + "'blk.1."),
                                        HasSubstr(": the architecture has 1 layer."))));
}

// Of every family, with the buffers that it stores.
TEST(RunNotes, NothingIsSaidOfWeightsThatAreAllUsed) {
    for (const std::string& name : testing_data::golden_runs()) {
        const Architecture arch = testing_data::golden_run(name).architecture;
        Checkpoint checkpoint{.format = "safetensors", .files = {}, .tensors = {}, .metadata = {}};
        for (const NamedNumbers& each : drawn_weights(arch, 1))
            checkpoint.tensors.push_back(
                {each.name, each.shape, {"F32", 1, 4}, static_cast<std::int64_t>(each.numbers.size())});
        const ModelGraph graph = expand(arch, Cache::filled);
        EXPECT_EQ(note_on_unused(checkpoint, arch, graph), std::nullopt) << name;
        // The first layer that the file has: of an encoder, where there is one.
        const std::string layer = std::to_string(arch.encoder ? arch.encoder->layers : arch.layers);
        const auto in_first = std::find_if(checkpoint.tensors.begin(), checkpoint.tensors.end(), [](const auto& each) {
            return each.name.find(".0.") != std::string::npos && each.name.ends_with("norm.weight");
        });
        if (in_first == checkpoint.tensors.end() || arch.tied_layers) continue;  // of tied ones no other has a name
        CheckpointTensor behind = *in_first;
        behind.name.replace(behind.name.find(".0.") + 1, 1, layer);
        checkpoint.tensors.push_back(behind);
        EXPECT_THAT(
            note_on_unused(checkpoint, arch, graph),
            testing::Optional(AllOf(StartsWith("1 tensor of the weights is not used, '" + behind.name.substr(0, 60)),
                                    HasSubstr(": the architecture has " + layer + " layer"))))
            << name;
    }
}

}  // namespace
}  // namespace headcount
