// A document and the file that it came from: opened, compared with its weights, changed on disk, gone.
#include <gtest/gtest.h>

#include <chrono>

#include "app/state/session.hpp"
#include "app/state/storage.hpp"
#include "core/analysis/checkpoint_names.hpp"
#include "core/base/json_file.hpp"
#include "core/files/assets.hpp"
#include "tests/support/small_model.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;
using testing_data::Scratch;
using testing_data::SmallModel;
using testing_data::write_model;
using testing_data::write_weights;

Session open(std::string_view id) {
    std::vector<Preset> presets = *load_presets(*assets_directory() / "presets");
    Document document = document_of(*find_preset(presets, id));
    return start_session(std::move(presets), std::move(document));
}

Effects ask(Session& session, Intent intent) {
    return headcount::apply(session, Intents{std::move(intent)});
}

Replace edit(const Session& session, Field field, std::string_view text, bool settled = true) {
    Document document = session.document;
    document.architecture = *with_field(document.architecture, field, text);
    return {document, field, settled};
}

// As an editor would, at a later time than before.
void rewrite(const std::string& path, const std::string& text) {
    const auto before = fs::last_write_time(path);
    ASSERT_TRUE(write_text(path, text));
    fs::last_write_time(path, before + std::chrono::seconds(5));
}

TEST(Files, AnOpenedFileIsPartOfTheDocumentAndOfItsHistory) {
    const Scratch scratch;
    Session session = open("llama-2-7b");
    const std::string path = scratch.file("config.json", SmallModel{}.config());
    ask(session, OpenFile{path});
    EXPECT_EQ(session.document.file, path);
    EXPECT_EQ(session.document.preset, "");
    EXPECT_EQ(session.derived.shown.parameters.total, SmallModel{}.total());
    EXPECT_EQ(session.view.recent, std::vector{path});
    EXPECT_EQ(session.view.folder, scratch.folder().string());
    ask(session, Undo{});
    EXPECT_EQ(session.document.file, "");
    EXPECT_EQ(session.file(), nullptr);
    ask(session, Redo{});
    EXPECT_EQ(session.document.file, path);
    ASSERT_NE(session.file(), nullptr);
}

TEST(Files, OnePathIsOneFileHoweverItIsWritten) {
    const Scratch scratch;
    const std::string folder = write_model(scratch, "model");
    EXPECT_EQ(absolute_path(folder + "/"), folder);
    EXPECT_EQ(absolute_path(folder + "/../model/./config.json"), folder + "/config.json");
    EXPECT_EQ(absolute_path("/"), "/");
}

TEST(Files, WeightsAreComparedAndAnEditShowsWhereTheyDiffer) {
    const Scratch scratch;
    Session session = open("llama-2-7b");
    ask(session, OpenFile{write_model(scratch, "model")});
    const Weights& weights = session.derived.weights;
    ASSERT_TRUE(weights.checkpoint && weights.match) << weights.failure;
    EXPECT_EQ(weights.match->matched, 2 * 9 + 3);
    EXPECT_EQ(weights.match->differences, 0);
    ask(session, edit(session, Field::ffn_dim, "96"));
    EXPECT_EQ(weights.match->differences, 2 * 3);
    ask(session, Undo{});
    EXPECT_EQ(weights.match->differences, 0);
}

TEST(Files, WeightsComeAndGoWithUndo) {
    const Scratch scratch;
    Session session = open("llama-2-7b");
    ask(session, OpenFile{write_model(scratch, "model")});
    const auto checkpoint = session.derived.weights.checkpoint;
    ask(session, OpenPreset{"gpt2"});
    EXPECT_EQ(session.derived.weights.checkpoint, nullptr);
    ask(session, Undo{});
    EXPECT_EQ(session.derived.weights.checkpoint, checkpoint);
    ASSERT_TRUE(session.derived.weights.match);
    EXPECT_EQ(session.derived.weights.match->differences, 0);
}

TEST(Files, ADragComparesNothingBeforeItEnds) {
    const Scratch scratch;
    Session session = open("llama-2-7b");
    ask(session, OpenFile{write_model(scratch, "model")});
    const auto before = session.derived.weights.match;
    for (const char* width : {"96", "160", "192"}) {
        ask(session, edit(session, Field::ffn_dim, width, false));
        EXPECT_EQ(session.derived.weights.match, before);
    }
    ask(session, Settle{});
    EXPECT_NE(session.derived.weights.match, before);
    EXPECT_EQ(session.derived.weights.match->differences, 6);
}

TEST(Files, AnImpossibleEditKeepsTheLastComparison) {
    const Scratch scratch;
    Session session = open("llama-2-7b");
    ask(session, OpenFile{write_model(scratch, "model")});
    const auto before = session.derived.weights.match;
    ask(session, edit(session, Field::heads, "3"));
    EXPECT_FALSE(session.derived.current);
    EXPECT_EQ(session.derived.weights.match, before);
}

TEST(Files, AVocabularyThatIsLeftOpenIsAskedForBesideItsField) {
    const Scratch scratch;
    Session session = open("llama-2-7b");
    const std::string path = scratch.file(
        "params.json",
        R"({"dim": 64, "n_layers": 2, "n_heads": 4, "multiple_of": 32, "norm_eps": 1e-5, "vocab_size": -1})");
    ask(session, OpenFile{path});
    EXPECT_EQ(session.document.file, path);
    EXPECT_EQ(session.document.architecture.vocab, 0);
    EXPECT_EQ(session.document.base.vocab, 32000);
    EXPECT_FALSE(session.derived.current);
    EXPECT_EQ(session.derived.shown.architecture.dim, 64) << "not the model that was open before";
    ASSERT_FALSE(session.derived.problems.empty());
    const Problem& problem = session.derived.problems.front();
    EXPECT_EQ(problem.fields, std::vector{Field::vocab});
    EXPECT_EQ(problem.fixes.front(), (Fix{Field::vocab, "32000", "Use 32000"}));
    EXPECT_FALSE(session.notes.empty());
    const Saved saved{session.document, {}};
    const Result<Saved> back = saved_from_text(saved_text(saved), "document.json");
    ASSERT_TRUE(back) << sentence(back.error());
    EXPECT_EQ(back->document, session.document);
    ask(session, edit(session, Field::vocab, "32000"));
    EXPECT_TRUE(session.derived.current);
    EXPECT_TRUE(session.derived.changed.empty());
}

TEST(Files, AFileThatCannotBeReadChangesNothingAndIsExplained) {
    const Scratch scratch;
    Session session = open("llama-2-7b");
    const Document before = session.document;
    session.view.task = FileTask::open;
    ask(session, OpenFile{scratch.file("config.json", "{\"model_type\": ")});
    EXPECT_EQ(session.document, before);
    EXPECT_NE(session.view.notice.find("config.json, byte"), std::string::npos) << session.view.notice;
    EXPECT_TRUE(session.view.recent.empty());
    EXPECT_EQ(session.view.task, FileTask::open) << "the dialog stays, to choose another";
}

TEST(Files, AChangeOnDiskIsSeenAndReadAgainOnlyWhenAsked) {
    const Scratch scratch;
    Session session = open("llama-2-7b");
    const std::string path = scratch.file("config.json", SmallModel{}.config());
    ask(session, OpenFile{path});
    EXPECT_FALSE(changed_on_disk(*session.file()));
    rewrite(path, SmallModel{.layers = 3}.config());
    EXPECT_TRUE(changed_on_disk(*session.file()));
    ask(session, FileChanged{});
    EXPECT_TRUE(session.view.file_changed);
    EXPECT_EQ(session.document.architecture.layers, 2);
    ask(session, Reload{});
    EXPECT_EQ(session.document.architecture.layers, 3);
    EXPECT_FALSE(session.view.file_changed);
    EXPECT_FALSE(changed_on_disk(*session.file()));
    ask(session, Undo{});
    EXPECT_EQ(session.document.architecture.layers, 2) << "what was read before is not lost";
}

TEST(Files, AChangeThatWasDeclinedIsNotOfferedAgain) {
    const Scratch scratch;
    Session session = open("llama-2-7b");
    const std::string path = scratch.file("config.json", SmallModel{}.config());
    ask(session, OpenFile{path});
    rewrite(path, SmallModel{.layers = 3}.config());
    ask(session, FileChanged{});
    ask(session, KeepAsRead{});
    EXPECT_FALSE(session.view.file_changed);
    EXPECT_FALSE(changed_on_disk(*session.file()));
    EXPECT_EQ(session.document.architecture.layers, 2);
    rewrite(path, SmallModel{.layers = 4}.config());
    EXPECT_TRUE(changed_on_disk(*session.file()));
    fs::remove(path);
    EXPECT_FALSE(changed_on_disk(*session.file())) << "gone is not another";
}

TEST(Files, AConfigurationBesideTheWeightsIsWatchedToo) {
    const Scratch scratch;
    Session session = open("llama-2-7b");
    const std::string folder = write_model(scratch, "model");
    for (const std::string& path : {folder, folder + "/model.safetensors"}) {
        ask(session, OpenFile{path});
        EXPECT_FALSE(changed_on_disk(*session.file()));
        rewrite(folder + "/config.json", SmallModel{}.config());
        EXPECT_TRUE(changed_on_disk(*session.file())) << path;
    }
}

TEST(Files, WeightsThatChangeUnderTheSameConfigurationAreComparedAnew) {
    const Scratch scratch;
    Session session = open("llama-2-7b");
    const std::string folder = write_model(scratch, "model");
    ask(session, OpenFile{folder});
    auto tensors = SmallModel{}.tensors();
    tensors.pop_back();
    write_weights(scratch, "model/model.safetensors", tensors);
    ask(session, Reload{});
    ASSERT_TRUE(session.derived.weights.match);
    EXPECT_EQ(session.derived.weights.match->differences, 1);
}

TEST(Files, ADocumentWhoseFileIsGoneGoesOnWithoutIt) {
    const Scratch scratch;
    Session session = open("llama-2-7b");
    const std::string folder = write_model(scratch, "model");
    ask(session, OpenFile{folder});
    Session again = start_session(session.presets, session.document);
    EXPECT_EQ(know_file(again), "");
    EXPECT_TRUE(again.derived.weights.match);
    fs::remove_all(folder);
    again = start_session(session.presets, session.document);
    EXPECT_NE(know_file(again).find("no longer there"), std::string::npos);
    EXPECT_EQ(again.derived.shown.parameters.total, SmallModel{}.total());
    EXPECT_EQ(again.derived.weights.checkpoint, nullptr);
}

TEST(Files, TheLastTenAreRemembered) {
    const Scratch scratch;
    Session session = open("llama-2-7b");
    std::vector<std::string> paths;
    for (int i = 0; i < 12; ++i) {
        paths.push_back(scratch.file(std::to_string(i) + ".json", SmallModel{}.config()));
        ask(session, OpenFile{paths.back()});
    }
    ask(session, OpenFile{paths[5]});
    ASSERT_EQ(session.view.recent.size(), most_recent);
    EXPECT_EQ(session.view.recent.front(), paths[5]);
    EXPECT_EQ(session.view.recent[1], paths[11]);
    EXPECT_EQ(std::count(session.view.recent.begin(), session.view.recent.end(), paths[5]), 1);
    const Saved saved{session.document, session.view};
    EXPECT_EQ(saved_from_text(saved_text(saved), "document.json")->view.recent, session.view.recent);
}

TEST(Files, OfSeveralThatAreDroppedTheFirstIsOpenedAndTheRestNamed) {
    const Scratch scratch;
    Session session = open("llama-2-7b");
    ask(session, OpenFile{scratch.file("a.json", SmallModel{}.config()), 2});
    EXPECT_EQ(session.derived.shown.parameters.total, SmallModel{}.total());
    EXPECT_EQ(session.view.notice, "Opened a.json. The 2 others that were dropped were not opened.");
}

TEST(Files, WhatIsWrittenIsThereOrItIsSaidWhyNot) {
    const Scratch scratch;
    Session session = open("llama-2-7b");
    session.view.task = FileTask::csv;
    const std::string path = (scratch.folder() / "out.csv").string();
    ask(session, WriteFile{path, "a,b\n", "the tensors"});
    EXPECT_EQ(*read_text(path), "a,b\n");
    EXPECT_EQ(session.view.task, std::nullopt);
    EXPECT_EQ(session.view.notice, "Saved the tensors as " + path);
    session.view.task = FileTask::csv;
    ask(session, WriteFile{(scratch.folder() / "none" / "out.csv").string(), "a", "the tensors"});
    EXPECT_NE(session.view.notice.find("Could not be saved"), std::string::npos);
    EXPECT_EQ(session.view.task, FileTask::csv);
}

TEST(Files, SavingOverTheDocumentsOwnFileIsNoChangeOnDisk) {
    const Scratch scratch;
    Session session = open("llama-2-7b");
    const std::string path = scratch.file("config.json", SmallModel{}.config());
    ask(session, OpenFile{path});
    ask(session, WriteFile{path, SmallModel{.layers = 7}.config(), "the configuration"});
    EXPECT_FALSE(changed_on_disk(*session.file()));
}

// Of the largest mixture every tensor, as its checkpoint would have it.
Checkpoint checkpoint_of(const Counted& counted) {
    Checkpoint checkpoint{"safetensors", {"model.safetensors"}, {}, nlohmann::json::object(), 0};
    for_each_tensor(counted.architecture, counted.graph, counted.parameters, std::nullopt,
                    [&](const ParameterRow& row, const TensorPlace& place) {
                        checkpoint.tensors.push_back({name_at(counted.graph.stored[row.stored].name, place),
                                                      row.shape,
                                                      {"BF16", 1, 2},
                                                      row.count,
                                                      row.count * 2,
                                                      0,
                                                      0});
                        return true;
                    });
    return checkpoint;
}

TEST(Files, TheLargestMixtureIsComparedOnlyWhenItsTabIsSeen) {
    Session session = open("kimi-k2");
    session.document.file = "/made/up";
    session.files["/made/up"] = {std::make_shared<const Checkpoint>(checkpoint_of(session.derived.shown)), {}, {}};
    ask(session, edit(session, Field::context, "4096"));
    const auto first = session.derived.weights.match;
    ASSERT_TRUE(first) << "once, when it is opened";
    EXPECT_EQ(first->differences, 0);
    EXPECT_GT(first->matched, 60'000);
    ask(session, edit(session, Field::vocab, "50000"));
    EXPECT_EQ(session.derived.weights.match, first);
    EXPECT_FALSE(session.compared);
    ask(session, ShowTab{BottomTab::weights});
    EXPECT_EQ(session.derived.weights.match->differences, 2);
    EXPECT_TRUE(session.compared);
}

}  // namespace
}  // namespace headcount
