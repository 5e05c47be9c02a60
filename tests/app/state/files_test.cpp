// A document and the file that it came from: opened, changed on disk, gone, saved.
#include <gtest/gtest.h>

#include <chrono>

#include "app/state/storage.hpp"
#include "core/base/json_file.hpp"
#include "core/base/write_file.hpp"
#include "tests/support/sessions.hpp"
#include "tests/support/small_model.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;
using test::ask;
using test::edit;
using test::session_of;
using testing_data::Scratch;
using testing_data::SmallModel;
using testing_data::write_model;

// As an editor would, at a later time than before.
void rewrite(const std::string& path, const std::string& text) {
    const auto before = fs::last_write_time(path);
    ASSERT_TRUE(write_text(path, text));
    fs::last_write_time(path, before + std::chrono::seconds(5));
}

TEST(Files, AnOpenedFileIsPartOfTheDocumentAndOfItsHistory) {
    const Scratch scratch;
    Session session = session_of("llama-2-7b");
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

TEST(Files, WeightsAndCacheAreAsAnOpenedFileSays) {
    const Scratch scratch;
    Session session = session_of("llama-2-7b");
    ask(session, OpenFile{scratch.file("config.json", R"({"model_type": "llama", "hidden_size": 64,
        "num_hidden_layers": 2, "num_attention_heads": 2, "vocab_size": 100, "quantization_config": {
        "quant_method": "modelopt", "quant_algo": "FP8", "kv_cache_quant_algo": "FP8", "ignore": ["lm_head"]}})")});
    EXPECT_EQ(formats_text(session.document.input.precision),
              "layers=fp8:64/tensor,model.layers.{i}.self_attn.k_proj.weight=fp8:96/tensor,"
              "model.layers.{i}.self_attn.v_proj.weight=fp8:96/tensor,rest=bf16");
    EXPECT_EQ(session.document.input.cache, Precision::fp8);
    ask(session, OpenPreset{"gpt2"});
    EXPECT_FALSE(session.document.input.cache) << "it was the file's";
}

// The fault that DeepSeek's formats stayed with a file that names none, and from there with the next model.
TEST(Files, WhatAFileLeavesOpenIsNotAsTheModelBeforeIsPublished) {
    const Scratch scratch;
    const std::string path = scratch.file("config.json", SmallModel{}.config());
    Session session = session_of("deepseek-v3.2");
    ASSERT_NE(session.document.input.precision, Formats(Precision::bf16));
    ask(session, OpenFile{path});
    EXPECT_EQ(formats_text(session.document.input.precision), "bf16");
    ask(session, OpenPreset{"llama-2-7b"});
    EXPECT_EQ(formats_text(session.document.input.precision), "bf16");
    // A format that was chosen stays.
    Input chosen = session.document.input;
    chosen.precision = Precision::int8;
    ask(session, SetInput{chosen});
    ask(session, OpenFile{path});
    EXPECT_EQ(formats_text(session.document.input.precision), "int8");
    ask(session, OpenPreset{"deepseek-v3.2"});
    EXPECT_EQ(formats_text(session.document.input.precision), "int8");
}

// The fault that nothing but a mark beside the name of the model that runs said so.
TEST(Files, AModelThatIsOpenedWhereAnotherIsShownIsTurnedTo) {
    const Scratch scratch;
    const std::string path = scratch.file("config.json", SmallModel{}.config());
    for (const std::string_view view : {run_view, train_view}) {
        Session session = session_of("llama-2-7b");
        ask(session, ShowWorkspace{view});
        ask(session, OpenFile{path});
        EXPECT_EQ(session.view.workspace, explore_view) << view;
        EXPECT_NE(session.view.notice.text.find(" shown here"), std::string::npos) << session.view.notice.text;
        EXPECT_EQ(session.document.file, path);
    }
    for (const std::string_view view : {explore_view, costs_view, compare_view}) {
        Session session = session_of("llama-2-7b");
        ask(session, ShowWorkspace{view});
        ask(session, OpenFile{path});
        EXPECT_EQ(session.view.workspace, view);
    }
    Session session = session_of("llama-2-7b");
    ask(session, ShowWorkspace{run_view});
    ask(session, OpenFile{write_filled_model(scratch, "model")});
    EXPECT_EQ(session.view.workspace, run_view) << "it has weights";
}

TEST(Files, AVocabularyThatIsLeftOpenIsAskedForBesideItsField) {
    const Scratch scratch;
    Session session = session_of("llama-2-7b");
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
    Session session = session_of("llama-2-7b");
    const Document before = session.document;
    session.view.task = FileTask::open;
    ask(session, OpenFile{scratch.file("config.json", "{\"model_type\": ")});
    EXPECT_EQ(session.document, before);
    EXPECT_NE(session.view.notice.text.find("config.json, line"), std::string::npos) << session.view.notice.text;
    EXPECT_TRUE(session.view.recent.empty());
    EXPECT_EQ(session.view.task, FileTask::open) << "the dialog stays, to choose another";
}

TEST(Files, AChangeOnDiskIsSeenAndReadAgainOnlyWhenAsked) {
    const Scratch scratch;
    Session session = session_of("llama-2-7b");
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
    Session session = session_of("llama-2-7b");
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
    Session session = session_of("llama-2-7b");
    const std::string folder = write_model(scratch, "model");
    for (const std::string& path : {folder, folder + "/model.safetensors"}) {
        ask(session, OpenFile{path});
        EXPECT_FALSE(changed_on_disk(*session.file()));
        rewrite(folder + "/config.json", SmallModel{}.config());
        EXPECT_TRUE(changed_on_disk(*session.file())) << path;
    }
}

TEST(Files, ADocumentWhoseFileIsGoneGoesOnWithoutIt) {
    const Scratch scratch;
    Session session = session_of("llama-2-7b");
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
    Session session = session_of("llama-2-7b");
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
    Session session = session_of("llama-2-7b");
    ask(session, OpenFile{scratch.file("a.json", SmallModel{}.config()), 2});
    EXPECT_EQ(session.derived.shown.parameters.total, SmallModel{}.total());
    EXPECT_EQ(session.view.notice.text, "Opened a.json. The 2 others that were dropped were not opened.");
}

TEST(Files, WhatIsWrittenIsThereOrItIsSaidWhyNot) {
    const Scratch scratch;
    Session session = session_of("llama-2-7b");
    session.view.task = FileTask::csv;
    const std::string path = (scratch.folder() / "out.csv").string();
    ask(session, WriteFile{path, "a,b\n", "the tensors"});
    EXPECT_EQ(*read_text(path), "a,b\n");
    EXPECT_EQ(session.view.task, std::nullopt);
    EXPECT_EQ(session.view.notice.text, "Saved the tensors as " + path);
    session.view.task = FileTask::csv;
    ask(session, WriteFile{(scratch.folder() / "none" / "out.csv").string(), "a", "the tensors"});
    EXPECT_NE(session.view.notice.text.find("Could not be saved"), std::string::npos);
    EXPECT_EQ(session.view.task, FileTask::csv);
}

TEST(Files, SavingOverTheDocumentsOwnFileIsNoChangeOnDisk) {
    const Scratch scratch;
    Session session = session_of("llama-2-7b");
    const std::string path = scratch.file("config.json", SmallModel{}.config());
    ask(session, OpenFile{path});
    ask(session, WriteFile{path, SmallModel{.layers = 7}.config(), "the configuration"});
    EXPECT_FALSE(changed_on_disk(*session.file()));
}

}  // namespace
}  // namespace headcount
