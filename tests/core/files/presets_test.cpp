// The presets that ship are all there, and a wrong one is named.
#include "core/files/presets.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/arch/computation.hpp"
#include "core/arch/fields.hpp"
#include "core/files/architecture_json.hpp"
#include "core/files/config.hpp"
#include "core/files/open.hpp"
#include "core/files/saved_model.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::all_presets;
using testing_data::Scratch;

const std::filesystem::path preset_folder = std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "presets";

TEST(Presets, AllShipWithAGroupASourceAndAValidArchitecture) {
    std::set<std::string> ids;
    for (const Preset& preset : all_presets()) {
        EXPECT_FALSE(preset.group.empty() || preset.source.empty() || preset.architecture.name.empty()) << preset.id;
        EXPECT_TRUE(validate(preset.architecture).empty()) << preset.id;
        ASSERT_NE(preset.architecture.family, nullptr) << preset.id;
        EXPECT_TRUE(ids.insert(preset.id).second);
    }
    for (const char* id : {"llama-7b", "llama-13b", "llama-33b", "llama-65b", "llama-2-7b", "llama-2-13b",
                           "llama-2-70b", "llama-3-8b", "llama-3-70b", "llama-3.1-405b", "llama-3.2-1b", "llama-3.2-3b",
                           "hypothetical-405b", "tinyllama-1.1b", "mistral-7b", "smollm2-135m", "gpt2", "gpt2-xl"})
        EXPECT_TRUE(ids.contains(id)) << id;
}

// What a Rope says of the original context counts only where it is stretched.
Computation in_effect(Computation computation) {
    if (computation.rope.scaling == RopeScaling::none) computation.rope.original_context = 0;
    return computation;
}

// What is computed is part of it: the base of the positions, the number that norms add.
void expect_same(const Architecture& preset, const Architecture& published, const std::string& id) {
    for (const FieldInfo& field : fields()) {
        // A number may be said or follow from others.
        EXPECT_EQ(field_number(preset, field.field), field_number(published, field.field)) << id << ", " << field.key;
        if (field_number(preset, field.field)) continue;
        EXPECT_EQ(field_text(preset, field.field), field_text(published, field.field)) << id << ", " << field.key;
    }
    const Result<Computation> computed = computation_of(preset), expected = computation_of(published);
    ASSERT_EQ(computed.operator bool(), expected.operator bool()) << id;
    if (!computed) return;  // a type whose runs are refused
    EXPECT_TRUE(in_effect(*computed) == in_effect(*expected)) << id;
}

// configs.json has what other sources say of a preset's configuration, models/ what transformers makes of it.
TEST(Presets, SayWhatIsPublished) {
    const nlohmann::json published = testing_data::read_json_file(testing_data::golden_folder() / "configs.json");
    for (const auto& [id, said] : published.items()) {
        const Architecture preset = testing_data::preset(id);
        nlohmann::json config = testing_data::read_json_file(preset_folder / (id + ".json"))["config"];
        config.update(said["config"]);
        const Result<Architecture> with_published = read_config(config, id);
        ASSERT_TRUE(with_published) << sentence(with_published.error());
        expect_same(preset, *with_published, id);
    }
    for (const std::string& id : testing_data::files_in("models"))
        expect_same(testing_data::golden_architecture(id), *read_config(testing_data::golden_model(id)["config"], id),
                    id);
}

TEST(Presets, SayWhatTheyWereComparedWith) {
    for (const auto& entry : std::filesystem::directory_iterator(preset_folder))
        EXPECT_FALSE(testing_data::read_json_file(entry.path()).value("checked", "").empty()) << entry.path();
}

TEST(Presets, StandTogetherByGroupSmallestFirst) {
    std::vector<Preset> presets = all_presets();
    std::set<std::string> groups;
    for (std::size_t i = 0; i < presets.size(); ++i)
        if (i == 0 || presets[i - 1].group != presets[i].group) {
            EXPECT_TRUE(groups.insert(presets[i].group).second) << presets[i].group << " is there twice";
        }
    EXPECT_EQ(presets.back().group, "Worked examples");
    auto place = [&](std::string_view id) { return find_preset(presets, id) - presets.data(); };
    EXPECT_LT(place("llama-7b"), place("llama-13b"));
    EXPECT_LT(place("llama-3-8b"), place("llama-3.1-405b"));
    EXPECT_EQ(find_preset(presets, "no such preset"), nullptr);
}

TEST(Presets, SurviveSavingAsADocument) {
    for (const Preset& preset : all_presets()) {
        nlohmann::json saved = architecture_to_json(preset.architecture);
        Result<Architecture> back = architecture_from_json(nlohmann::json::parse(saved.dump()));
        ASSERT_TRUE(back) << preset.id << ": " << sentence(back.error());
        EXPECT_EQ(*back, preset.architecture) << preset.id;
    }
}

// What the configuration leaves open the preset has settled, for whoever opens the document.
TEST(Presets, AreNotInDoubtOnceTheyAreSaved) {
    for (const Preset& preset : all_presets()) {
        const Result<Opened> again = open_text(saved_model_json({.architecture = preset.architecture}).dump(), "saved");
        ASSERT_TRUE(again) << preset.id;
        EXPECT_EQ(doubt_on({.architecture = again->architecture, .base = again->architecture}), "") << preset.id;
        const Result<nlohmann::ordered_json> config = write_config(preset.architecture);
        if (config) {
            EXPECT_EQ(config->dump().find("_headcount"), std::string::npos) << preset.id;
        }
    }
}

TEST(Presets, ADocumentWithALongNameIsRefusedShortly) {
    nlohmann::json saved = architecture_to_json(all_presets().front().architecture);
    saved["name"] = std::string(255, 'n');
    EXPECT_TRUE(architecture_from_json(saved));
    saved["name"] = std::string(400'000, 'n');
    const Result<Architecture> back = architecture_from_json(saved);
    ASSERT_FALSE(back);
    EXPECT_EQ(sentence(back.error()), "this name has 400,000 bytes: name: shorten it to 255");
}

TEST(Presets, SurviveExportWhereTheFamilyHasWordsForThem) {
    for (const Preset& preset : all_presets()) {
        Result<nlohmann::ordered_json> config = write_config(preset.architecture);
        if (preset.id.starts_with("hypothetical")) {
            EXPECT_FALSE(config) << "no GPT-2 configuration leaves the biases out";
            continue;
        }
        ASSERT_TRUE(config) << preset.id << ": " << sentence(config.error());
        Architecture back = *read_config(nlohmann::json(*config), "test");
        EXPECT_EQ(bindings(back, {}), bindings(preset.architecture, {})) << preset.id;
        EXPECT_EQ(back.norm, preset.architecture.norm) << preset.id;
        EXPECT_EQ(back.tied, preset.architecture.tied) << preset.id;
        EXPECT_EQ((*config)["architectures"].size(), 1u);
    }
}

TEST(Presets, OneThatIsWrongIsNamedWithItsField) {
    struct Case {
        const char* text;
        const char* where;  // what the place must mention
    };
    for (auto [text, where] :
         {Case{"{", "line 1, column 2"}, Case{"[]", "wrong.json"},
          Case{R"({"family": "x", "source": "y"})", "wrong.json"},
          Case{R"({"name": "n", "family": "f", "source": "s"})", "wrong.json"},
          Case{R"({"name": "n", "family": "f", "source": "s", "config": 7})", "wrong.json"},
          Case{R"({"name": 7, "family": "f", "source": "s", "config": {}})", "wrong.json"},
          Case{R"({"name": "n", "family": "f", "source": "s", "notee": "x", "config": {}})", "notee"},
          Case{R"({"name": "n", "family": "f", "source": "s", "config": {"model_type": "llama", "hidden_size": -1}})",
               "hidden_size"},
          Case{R"({"name": "n", "family": "f", "source": "s", "config": {"model_type": "llama"}, "set": {"dimm": 1}})",
               "set"},
          Case{
              R"({"name": "n", "family": "f", "source": "s", "config": {"model_type": "llama"}, "set": {"heads": 30}})",
              "heads"},
          Case{R"({"name": "n", "family": "f", "source": "s", "config": {"model_type": "llama"}, "after": 7})",
               "wrong.json"},
          Case{R"({"name": "n", "family": "f", "source": "s", "config": {"model_type": "llama"}, "also": "x"})",
               "also"},
          Case{R"({"name": "n", "family": "f", "source": "s", "config": {"model_type": "llama"}, "also": [7]})",
               "also"},
          Case{R"({"name": "n", "family": "f", "source": "s", "config": {"model_type": "llama"}, "set": []})",
               "wrong.json"}}) {
        Scratch scratch;
        scratch.file("wrong.json", text);
        Result<std::vector<Preset>> presets = load_presets(scratch.folder());
        ASSERT_FALSE(presets) << text;
        EXPECT_NE(presets.error().where.find("wrong.json"), std::string::npos) << sentence(presets.error());
        EXPECT_NE(presets.error().where.find(where), std::string::npos) << sentence(presets.error());
    }
}

TEST(Presets, AFolderThatIsNotThereIsNamed) {
    Result<std::vector<Preset>> presets = load_presets("/nonexistent/presets");
    ASSERT_FALSE(presets);
    EXPECT_EQ(presets.error().where, "/nonexistent/presets");
}

}  // namespace
}  // namespace headcount
