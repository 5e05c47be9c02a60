// What may be named where a model is asked for: a preset, a configuration, its directory, a saved document.
#include "core/files/open.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "core/arch/family.hpp"
#include "core/files/architecture_json.hpp"
#include "tests/core/checkpoints/gguf_file.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/small_model.hpp"

namespace headcount {
namespace {

using testing_data::Scratch;

TEST(Open, TakesAPresetByItsId) {
    std::vector<Preset> presets = testing_data::all_presets();
    Result<Opened> opened = open_architecture("llama-2-7b", presets);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->preset, find_preset(presets, "llama-2-7b"));
    EXPECT_EQ(opened->architecture, opened->preset->architecture);
}

TEST(Open, TakesAConfigurationOrItsDirectoryAndNamesItByTheDirectory) {
    Scratch scratch;
    std::string config = testing_data::golden_model("mistral-7b")["config"].dump();
    std::string path = scratch.file("my-model/config.json", config);
    for (const std::string& name :
         {path, (scratch.folder() / "my-model").string(), (scratch.folder() / "my-model/").string(),
          (scratch.folder() / "my-model/.").string()}) {
        Result<Opened> opened = open_architecture(name, {});
        ASSERT_TRUE(opened) << sentence(opened.error());
        EXPECT_EQ(opened->architecture.name, "my-model") << name;
        EXPECT_EQ(opened->architecture.family->type, "mistral");
        EXPECT_EQ(opened->preset, nullptr);
    }
    std::string other = scratch.file("tiny.json", config);
    EXPECT_EQ(open_architecture(other, {})->architecture.name, "tiny");
}

TEST(Open, TakesTheNumberFormatFromTheConfiguration) {
    const Scratch scratch;
    nlohmann::json config = testing_data::golden_model("mistral-7b")["config"];
    for (const auto& [field, word, precision] :
         std::initializer_list<std::tuple<const char*, const char*, std::optional<Precision>>>{
             {"torch_dtype", "float16", Precision::fp16},
             {"dtype", "float32", Precision::fp32},
             {"dtype", "torch.bfloat16", Precision::bf16},
             {"torch_dtype", "float8_e4m3fn", std::nullopt}}) {
        config.erase("torch_dtype");
        config.erase("dtype");
        config[field] = word;
        EXPECT_EQ(open_architecture(scratch.file("config.json", config.dump()), {})->precision, precision) << word;
    }
}

TEST(Open, TakesTheConfigurationWhereTheWeightsWereNotFetched) {
    const Scratch scratch;
    scratch.file("config.json", testing_data::golden_model("mistral-7b")["config"].dump());
    const std::string index = scratch.file(
        "model.safetensors.index.json", R"({"weight_map": {"model.norm.weight": "model-00001-of-00002.safetensors"}})");
    const Result<Opened> opened = open_architecture(scratch.folder().string(), {});
    ASSERT_TRUE(opened) << sentence(opened.error());
    EXPECT_EQ(opened->checkpoint, nullptr);
    ASSERT_FALSE(opened->notes.empty());
    EXPECT_EQ(opened->notes.back(), "The weights were not read: there is no model-00001-of-00002.safetensors.");
    EXPECT_FALSE(open_architecture(index, {})) << "who names the index wants the weights";
}

TEST(Open, SaysWhatTheFileLeavesToItsType) {
    const Scratch scratch;
    const auto notes = [&](const char* config) {
        return open_architecture(scratch.file("config.json", config), {})->notes;
    };
    const std::vector<std::string> assumed{
        "Assumed, since the file does not say: hidden_size 4,096, intermediate_size 11,008."};
    EXPECT_EQ(notes(R"({"model_type": "llama", "num_hidden_layers": 2, "vocab_size": 100,
                        "tie_word_embeddings": true})"),
              assumed);
    EXPECT_THAT(notes(R"({"model_type": "llava", "vision_config": {}, "tie_word_embeddings": true,
                          "text_config": {"num_hidden_layers": 2, "vocab_size": 100}})"),
                testing::IsSupersetOf(assumed));
}

TEST(Open, SaysWhatIsCountedAndNotComputed) {
    Scratch scratch;
    const auto notes = [&](const std::string& type) {
        const std::string config = R"({"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2,
                                       "vocab_size": 100, "model_type": ")";
        return open_architecture(scratch.file("config.json", config + type + "\"}"), {})->notes;
    };
    EXPECT_EQ(notes("gpt_neox_japanese"),
              (std::vector<std::string>{
                  "Counted by name and shape alone: attention.dense_bias. What is made with them is not computed here: "
                  "operations, activations and caches leave it out, and all of it counts as active.",
                  "Assumed, since the file does not say: intermediate_multiple_size 4."}));
    const auto hearing = open_architecture(scratch.file("config.json", R"({"model_type": "phi4_multimodal"})"), {});
    ASSERT_TRUE(hearing);
    EXPECT_TRUE(std::ranges::any_of(hearing->notes, [](const std::string& note) {
        return note.starts_with("Counted by name and shape alone: embed_tokens_extend.image_embed.");
    })) << "its text runs without them";
    EXPECT_EQ(notes("moshi"), std::vector<std::string>{"Assumed, since the file does not say: ffn_dim 22,528."})
        << "no text has the row of its embedding without a score";
}

TEST(Open, SaysWhyWhatIsCountedCannotRun) {
    Scratch scratch;
    const auto notes = [&](const std::string& scaling) {
        const std::string config = R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2,
                                       "num_attention_heads": 2, "vocab_size": 100, "intermediate_size": 96,
                                       "num_key_value_heads": 2, "tie_word_embeddings": false, "rope_scaling": )";
        return open_architecture(scratch.file("config.json", config + scaling + "}"), {})->notes;
    };
    EXPECT_EQ(notes(R"({"type": "linear", "factor": 2.0})"), std::vector<std::string>{});
    EXPECT_EQ(notes(R"({"type": "wild", "factor": "x"})"),
              std::vector<std::string>{
                  "Counted, but it cannot run: \"wild\" is a scaling of rotary positions that is not known here: "
                  "rope_scaling.type: use one of default, linear, dynamic, llama3, yarn, longrope, proportional."});
    EXPECT_EQ(notes(R"({"type": "linear", "factor": "x"})").size(), 1U);
}

TEST(Open, NamesAFewTypesAndNotAll) {
    const Scratch scratch;
    const auto refused = open_architecture(scratch.file("config.json", R"({"model_type": "lama"})"), {});
    ASSERT_FALSE(refused);
    EXPECT_TRUE(refused.error().fix.starts_with("did you mean llama")) << refused.error().fix;
    const auto unlike = open_architecture(scratch.file("config.json", R"({"model_type": "zzzzzzz"})"), {});
    ASSERT_FALSE(unlike);
    EXPECT_LT(sentence(unlike.error()).size(), 400u) << sentence(unlike.error());
}

TEST(Open, TakesADocumentThatWasSaved) {
    Scratch scratch;
    Architecture arch = testing_data::with(testing_data::preset("llama-2-7b"), "kv_heads", "8");
    std::string path =
        scratch.file("mine.headcount", nlohmann::json{{"architecture", architecture_to_json(arch)}}.dump());
    Result<Opened> opened = open_architecture(path, {});
    ASSERT_TRUE(opened) << sentence(opened.error());
    EXPECT_EQ(opened->architecture, arch);
}

TEST(Open, ADamagedDocumentIsRefusedByItsPath) {
    Scratch scratch;
    struct Case {
        const char* text;
        const char* where;
    };
    for (auto [text, where] :
         {Case{R"({"architecture": 7})", "mine.headcount"}, Case{R"({"architecture": {}})", "architecture, type"},
          Case{R"({"architecture": {"type": "from the future"}})", "architecture, type"},
          Case{R"({"architecture": {"type": "llama"}})", "architecture, fields"},
          Case{R"({"architecture": {"type": "llama", "fields": {"dim": 7}}})", "fields.dim"},
          Case{R"({"architecture": {"type": "llama", "fields": {"dim": "x"}}})", "fields.dim"},
          Case{R"({"architecture": {"type": "llama", "fields": {"dim": "64", "layers": "2", "heads": "30"}}})",
               "heads"},
          Case{R"({"architecture": {"type": "llama", "fields": {"dim": "64"}}})", "fields.layers"}}) {
        Result<Opened> opened = open_architecture(scratch.file("mine.headcount", text), {});
        ASSERT_FALSE(opened) << text;
        EXPECT_NE(opened.error().where.find("mine.headcount"), std::string::npos);
        EXPECT_NE(opened.error().where.find(where), std::string::npos) << sentence(opened.error());
    }
}

TEST(Open, AnswersWhatIsNeitherWithTheNearestPresets) {
    std::vector<Preset> presets = testing_data::all_presets();
    Result<Opened> opened = open_architecture("lama-2-7b", presets);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().where, "lama-2-7b");
    EXPECT_TRUE(opened.error().fix.starts_with("did you mean llama-2-7b")) << opened.error().fix;
    opened = open_architecture("/nonexistent/config.json", presets);
    ASSERT_FALSE(opened);
    EXPECT_FALSE(open_architecture("", presets));
    EXPECT_FALSE(open_architecture(std::string(100'000, 'x'), presets));
}

TEST(Open, ADirectoryWithoutAConfigurationSaysWhatIsMissing) {
    Scratch scratch;
    Result<Opened> opened = open_architecture(scratch.folder().string(), {});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().where, scratch.folder().string());
}

TEST(Open, RefusesATextPartThatIsNoObject) {
    const Scratch scratch;
    for (const char* key : {"text_config", "llm_config", "language_config"})
        for (const nlohmann::json& value : {nlohmann::json(5), nlohmann::json::array(), nlohmann::json("x")}) {
            nlohmann::json config{{"model_type", "gemma3"}, {key, value}};
            const std::string path = scratch.file("config.json", config.dump());
            const Result<Opened> opened = open_architecture(path, {});
            ASSERT_FALSE(opened) << config;
            EXPECT_TRUE(opened.error().what.starts_with("an object was expected")) << opened.error().what;
            EXPECT_EQ(opened.error().where, path + ", " + key);
        }
    EXPECT_TRUE(open_architecture(scratch.file("c.json", R"({"model_type": "llama", "text_config": null})"), {}));
}

// Less the sizes that a short file leaves to its type.
std::vector<std::string> without_sizes(std::vector<std::string> notes) {
    std::erase_if(notes, [](const std::string& note) { return note.starts_with("Assumed"); });
    return notes;
}

// Each was read twice as often as the one around it: 18 of them took seconds, these would take years.
TEST(Open, PartsWithinPartsAreReadOnce) {
    const Scratch scratch;
    for (const std::string type : {"llava", "ovis2"}) {
        constexpr int parts = 60;
        std::string text;
        for (int i = 0; i < parts; ++i) text += R"({"model_type": ")" + type + R"(", "text_config": )";
        text += "{}" + std::string(parts, '}');
        const Result<Opened> opened = open_architecture(scratch.file("config.json", text), {});
        EXPECT_TRUE(opened) << type << ": " << sentence(opened.error());
    }
}

TEST(Open, SaysOfEveryMultimodalConfigurationWhichPartIsCounted) {
    const Scratch scratch;
    const std::vector<std::string> alone{"The text decoder alone: what reads pictures or sound is not counted."};
    const std::vector<std::string> whole{std::string(whole_file_note)};
    for (const char* text :
         {R"({"model_type": "qwen2_5_vl", "vision_config": {"depth": 32}, "text_config": {}})",
          R"({"model_type": "llava", "text_config": {}})",
          R"({"model_type": "gemma3", "vision_config": {"num_hidden_layers": 2}, "text_config": {}})"}) {
        const Result<Opened> opened = open_architecture(scratch.file("config.json", text), {});
        ASSERT_TRUE(opened) << sentence(opened.error());
        EXPECT_EQ(without_sizes(opened->notes), whole) << text;
    }
    for (const auto& [text, words] : std::initializer_list<std::pair<const char*, const char*>>{
             {R"({"model_type": "gemma4", "text_config": {}})", "The whole file: text alone"},
             {R"({"model_type": "fuyu", "text_config": {}})", "The whole file: text and connector"}}) {
        const Result<Opened> opened = open_architecture(scratch.file("config.json", text), {});
        ASSERT_TRUE(opened) << sentence(opened.error());
        EXPECT_TRUE(std::ranges::any_of(opened->notes, [start = words](const std::string& note) {
            return note.starts_with(start);
        })) << text;
    }
    for (const char* text :
         {R"({"model_type": "llava", "vision_config": {"model_type": "evergreen"}, "text_config": {}})",
          R"({"model_type": "gemma3", "architectures": ["Gemma3ForCausalLM"], "text_config": {}})",
          R"({"model_type": "qwen3_vl", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 8,
              "num_key_value_heads": 8, "vocab_size": 100})"}) {
        const Result<Opened> opened = open_architecture(scratch.file("config.json", text), {});
        ASSERT_TRUE(opened) << sentence(opened.error());
        EXPECT_EQ(without_sizes(opened->notes), alone) << text;
    }
    const Result<Opened> odd =
        open_architecture(scratch.file("c.json", R"({"model_type": "llama", "vision_config": 5})"), {});
    EXPECT_EQ(without_sizes(odd->notes),
              std::vector<std::string>{"Not read, though it may change shapes: vision_config."});
}

TEST(Open, SaysOfASizeThatNobodyReadsThatItCannotBe) {
    const Scratch scratch;
    const auto notes = [&](const nlohmann::json& window) {
        const nlohmann::json config{{"model_type", "llama"}, {"sliding_window", window}};
        const Result<Opened> opened = open_architecture(scratch.file("config.json", config.dump()), {});
        return opened ? without_sizes(opened->notes) : std::vector<std::string>{sentence(opened.error())};
    };
    const std::string said = ". Give a whole number from 1 up, or leave it out.";
    EXPECT_EQ(notes(-3), std::vector<std::string>{"Not read: sliding_window is -3" + said});
    EXPECT_EQ(notes(0), std::vector<std::string>{"Not read: sliding_window is 0" + said});
}

TEST(Open, SaysWhereAFileAndItsTextPartDisagreeOnTheHead) {
    const Scratch scratch;
    const auto note = [&](nlohmann::json whole, const nlohmann::json& text) {
        whole["text_config"] = text;
        const Result<Opened> opened = open_architecture(scratch.file("config.json", whole.dump()), {});
        if (!opened) return sentence(opened.error());
        const std::vector<std::string> notes = without_sizes(opened->notes);
        return notes.size() > 1 ? notes[1] : "";
    };
    const std::string tied =
        "The file and its text part disagree on tie_word_embeddings: the output head is counted as the embedding. "
        "Weights with a head of their own keep it.";
    const std::string apart =
        "The file and its text part disagree on tie_word_embeddings: an output head of its own is counted.";
    const char* word = "tie_word_embeddings";
    EXPECT_EQ(note({{"model_type", "mistral3"}, {word, true}}, {{word, false}}), tied);
    EXPECT_EQ(note({{"model_type", "mistral3"}, {word, false}}, {{word, true}}), apart);
    EXPECT_EQ(note({{"model_type", "mistral3"}}, nlohmann::json::object()), tied) << "by what their silence means";
    EXPECT_EQ(note({{"model_type", "mistral3"}, {word, true}}, nlohmann::json::object()), "") << "one word alone";
    EXPECT_EQ(note({{"model_type", "llava"}}, {{word, true}}), "") << "which is taken over";
    EXPECT_EQ(note({{"model_type", "llama4"}, {word, true}}, nlohmann::json::object()), apart);
    EXPECT_EQ(note({{"model_type", "qwen2_audio"}}, {{word, true}}), apart);
    EXPECT_EQ(note({{"model_type", "pictures"}, {word, true}}, {{"model_type", "qwen2"}, {word, false}}), tied);
    EXPECT_NE(note({{"model_type", "mistral3"}, {word, "yes"}}, nlohmann::json::object()).find(word),
              std::string::npos);
}

TEST(Open, CountsTheHeadThatTheWeightsOfAMultimodalModelHold) {
    const Scratch scratch;
    const auto tied = [&](const std::string& name) {
        scratch.file(name + "/config.json",
                     R"({"model_type": "mistral3", "text_config": {"hidden_size": 8, "vocab_size": 2,
                          "num_attention_heads": 2, "num_key_value_heads": 1}})");
        const Result<Opened> opened =
            open_architecture(testing_data::write_weights(scratch, name + "/model.safetensors", {{name, {2, 8}}}), {});
        EXPECT_TRUE(opened) << (opened ? "" : sentence(opened.error()));
        return opened && opened->architecture.tied;
    };
    EXPECT_FALSE(tied("language_model.lm_head.weight"));
    EXPECT_TRUE(tied("language_model.model.embed_tokens.weight"));
}

TEST(Open, CountsAHeadOfOtherNumbersThanTheEmbeddingThoughTheFileSaysTheyAreOne) {
    const Scratch scratch;
    const auto opened = [&](char last) {
        scratch.file("m/config.json", R"({"model_type": "llama", "hidden_size": 8, "num_attention_heads": 2,
                                          "num_key_value_heads": 1, "vocab_size": 2, "tie_word_embeddings": true})");
        const std::string path = testing_data::write_weights(
            scratch, "m/model.safetensors", {{"model.embed_tokens.weight", {2, 8}}, {"lm_head.weight", {2, 8}}});
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(-1, std::ios::end);
        file.put(last);
        file.close();
        return open_architecture((scratch.folder() / "m").string(), {});
    };
    const Result<Opened> copies = opened(0), apart = opened(1);
    ASSERT_TRUE(copies && apart);
    EXPECT_TRUE(copies->architecture.tied);
    EXPECT_FALSE(apart->architecture.tied);
    const std::string note =
        "The output head of these weights has other numbers than their embedding, and is counted as a matrix of its "
        "own.";
    EXPECT_EQ(std::ranges::count(copies->notes, note), 0);
    EXPECT_EQ(std::ranges::count(apart->notes, note), 1);
}

TEST(Open, TakesTheNumberFormatOfTheWholeFile) {
    const Scratch scratch;
    const Result<Opened> opened = open_architecture(
        scratch.file("config.json",
                     R"({"model_type": "gemma3", "torch_dtype": "bfloat16", "text_config": {"dtype": "float32"}})"),
        {});
    ASSERT_TRUE(opened) << sentence(opened.error());
    EXPECT_EQ(opened->precision, Precision::bf16);
}

TEST(Open, NamesAFileOfWeightsOnce) {
    const Scratch scratch;
    const auto refusal = [&](const testing_data::GgufFile& file) {
        const Result<Opened> opened = open_architecture(scratch.file("m.gguf", file.bytes()), {});
        return opened ? Error{} : opened.error();
    };
    const std::string path = (scratch.folder() / "m.gguf").string();
    testing_data::GgufFile many;
    many.text("general.architecture", "llama")
        .key("llama.block_count", 10, testing_data::little(std::uint64_t{1} << 63));
    EXPECT_EQ(refusal(many).where, path + ", llama.block_count");
    EXPECT_EQ(refusal(many).what,
              "'9223372036854775808' was found, a whole number from 0 to 1,099,511,627,776 was expected");
    const Result<Opened> alien = open_architecture(
        scratch.file("m.safetensors",
                     testing_data::safetensors_file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4)),
        {});
    ASSERT_FALSE(alien);
    EXPECT_EQ(alien.error().where, (scratch.folder() / "m.safetensors").string());
    const Error unreadable = refusal(testing_data::GgufFile().text("general.architecture", "ll\xFF"));
    EXPECT_EQ(unreadable.where, path);
    EXPECT_EQ(unreadable.what, "general.architecture is not UTF-8, the name of an architecture was expected");
}

TEST(Open, SaysWhichFormatsAreNotKnown) {
    const Scratch scratch;
    const auto notes = [&](const std::string& more) {
        const std::string config = R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2,
                                       "num_attention_heads": 2, "vocab_size": 100, "intermediate_size": 128,
                                       "tie_word_embeddings": true)";
        return open_architecture(scratch.file("config.json", config + more + "}"), {})->notes;
    };
    const std::vector<std::string> unknown = notes(R"(, "quantization_config": {"quant_method": "zzz"})");
    EXPECT_NE(unknown.front().find("quantization_config stores weights (zzz) is not known"), std::string::npos);
    EXPECT_EQ(notes(R"(, "torch_dtype": "float3")"),
              std::vector<std::string>{"Not known: torch_dtype \"float3\"; --dtype says how weights are stored."});
    EXPECT_EQ(notes(R"(, "torch_dtype": "auto")"), std::vector<std::string>());
    EXPECT_NE(notes(R"(, "quantization_config": "int4")").front().find("and no object that says"), std::string::npos);
    EXPECT_EQ(notes(R"(, "quantization_config": null)"), std::vector<std::string>());
}

}  // namespace
}  // namespace headcount
