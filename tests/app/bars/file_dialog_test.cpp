// The file dialog and the File menu, used by keys and pointer.
#include "app/bars/file_texts.hpp"
#include "app/bars/panels.hpp"
#include "core/base/json_file.hpp"
#include "core/files/config.hpp"
#include "tests/support/small_model.hpp"
#include "tests/support/top_bar.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

using test::Workbench;
using testing_data::Scratch;
using testing_data::SmallModel;
using testing_data::write_model;

class Asked {
  public:
    Asked(const Scratch& scratch, FileTask task) : bench(draw_file_dialog, "llama-2-7b", ImVec2(760, 560)) {
        bench.session.view.folder = scratch.folder().string();
        bench.session.view.task = task;
        bench.frames(3);
    }
    void type(std::string_view text) {
        bench.screen.hands.text(text);
        bench.frames(2);
    }
    void press(ImGuiKey key) {
        bench.screen.hands.key(key, true);
        bench.frame();
        bench.screen.hands.key(key, false);
        bench.frames(3);
    }
    void select_all() {
        bench.screen.hands.control(true);
        press(ImGuiKey_A);
        bench.screen.hands.control(false);
        bench.frame();
    }
    bool open() const { return bench.session.view.task.has_value(); }
    bool shows(std::string_view name) const { return bench.has("files.row." + std::string(name)); }
    const std::string& file() const { return bench.session.document.file; }

    Workbench bench;
};

TEST(FileDialog, TypingFiltersAndEnterOpensWhatIsMarked) {
    const Scratch scratch;
    scratch.file("a.json", SmallModel{}.config());
    const std::string wanted = scratch.file("second.json", SmallModel{.layers = 3}.config());
    Asked dialog(scratch, FileTask::open);
    EXPECT_TRUE(dialog.shows("a.json"));
    dialog.type("sec");
    EXPECT_FALSE(dialog.shows("a.json"));
    dialog.press(ImGuiKey_Enter);
    EXPECT_EQ(dialog.file(), wanted);
    EXPECT_FALSE(dialog.open());
}

TEST(FileDialog, ArrowsMarkAndEnterTakes) {
    const Scratch scratch;
    scratch.file("a.json", SmallModel{}.config());
    const std::string second = scratch.file("b.json", SmallModel{.layers = 3}.config());
    Asked dialog(scratch, FileTask::open);
    dialog.press(ImGuiKey_DownArrow);
    dialog.press(ImGuiKey_Enter);
    EXPECT_EQ(dialog.file(), second);
}

TEST(FileDialog, AFolderIsGoneIntoAndBackspaceGoesUp) {
    const Scratch scratch;
    const std::string folder = write_model(scratch, "model");
    Asked dialog(scratch, FileTask::open);
    dialog.press(ImGuiKey_Enter);
    EXPECT_TRUE(dialog.shows("config.json"));
    EXPECT_TRUE(dialog.open());
    dialog.press(ImGuiKey_Backspace);
    EXPECT_TRUE(dialog.shows("model"));
    dialog.press(ImGuiKey_Enter);
    dialog.press(ImGuiKey_Enter);
    EXPECT_EQ(dialog.file(), folder) << "the folder itself is marked first";
}

TEST(FileDialog, ATypedFolderThatHoldsAModelIsOpened) {
    const Scratch scratch;
    const std::string folder = write_model(scratch, "model");
    for (const std::string& typed : {std::string("model"), folder, folder + "/"}) {
        Asked dialog(scratch, FileTask::open);
        dialog.type(typed);
        dialog.press(ImGuiKey_Enter);
        EXPECT_EQ(dialog.file(), folder) << typed;
        EXPECT_FALSE(dialog.open()) << typed;
    }
}

TEST(FileDialog, TabCompletesAFolderAndListsIt) {
    const Scratch scratch;
    write_model(scratch, "model");
    scratch.file("other.json", "{}");
    Asked dialog(scratch, FileTask::open);
    dialog.type("mo");
    dialog.press(ImGuiKey_Tab);
    EXPECT_TRUE(dialog.shows("model.safetensors"));
    dialog.type("config");
    dialog.press(ImGuiKey_Enter);
    EXPECT_EQ(dialog.file(), (scratch.folder() / "model/config.json").string());
}

TEST(FileDialog, ACompletionCanBeUndoneAsOftenAsOneLikes) {
    const Scratch scratch;
    write_model(scratch, "a-folder-of-weights");
    Asked dialog(scratch, FileTask::open);
    dialog.type("a-folder-of-weigh");
    dialog.press(ImGuiKey_Tab);
    dialog.bench.screen.hands.control(true);
    for (int i = 0; i < 20; ++i) dialog.press(ImGuiKey_Z);
    dialog.bench.screen.hands.control(false);
    EXPECT_TRUE(dialog.open()) << "and the program goes on";
}

TEST(FileDialog, AWholePathIsOpenedWhereverTheListIs) {
    const Scratch here, there;
    const std::string path = there.file("x.json", SmallModel{}.config());
    Asked dialog(here, FileTask::open);
    dialog.type(path);
    dialog.press(ImGuiKey_Enter);
    EXPECT_EQ(dialog.file(), path);
    EXPECT_EQ(dialog.bench.session.view.folder, there.folder().string());
}

TEST(FileDialog, AFileThatCannotBeReadLeavesItOpenWithASentence) {
    const Scratch scratch;
    scratch.file("bad.json", "{");
    Asked dialog(scratch, FileTask::open);
    dialog.press(ImGuiKey_Enter);
    EXPECT_TRUE(dialog.open());
    EXPECT_NE(dialog.bench.session.view.notice.text.find("bad.json"), std::string::npos);
    EXPECT_EQ(dialog.bench.session.document.preset, "llama-2-7b");
    dialog.type("x");
    EXPECT_EQ(dialog.bench.session.view.notice.text, "");
}

TEST(FileDialog, EscapeAndTheMarkCloseIt) {
    const Scratch scratch;
    Asked dialog(scratch, FileTask::open);
    dialog.press(ImGuiKey_Escape);
    EXPECT_FALSE(dialog.open());
    dialog.bench.session.view.task = FileTask::open;
    dialog.bench.frames(3);
    dialog.bench.press("files.close");
    EXPECT_FALSE(dialog.open());
}

TEST(FileDialog, ADoubleClickOpensAndTheFieldKeepsTheKeyboard) {
    const Scratch scratch;
    scratch.file("a.json", SmallModel{}.config());
    scratch.file("b.json", SmallModel{.layers = 3}.config());
    Asked dialog(scratch, FileTask::open);
    dialog.bench.press("files.row.b.json");
    EXPECT_TRUE(dialog.open()) << "one press only marks";
    dialog.bench.frames(60);
    EXPECT_TRUE(ImGui::GetIO().WantTextInput);
    dialog.bench.double_press("files.row.b.json");
    EXPECT_EQ(dialog.bench.session.document.architecture.layers, 3);
}

TEST(FileDialog, NothingIsOverwrittenBeforeThatWasAskedFor) {
    const Scratch scratch;
    const std::string path = scratch.file("model.csv", "mine");
    Asked dialog(scratch, FileTask::csv);
    dialog.select_all();
    dialog.type("model");  // the ending is added
    dialog.press(ImGuiKey_Enter);
    EXPECT_EQ(*read_text(path), "mine");
    dialog.press(ImGuiKey_Escape);
    EXPECT_TRUE(dialog.open()) << "the question alone is answered";
    EXPECT_EQ(*read_text(path), "mine");
    dialog.press(ImGuiKey_Enter);
    dialog.bench.press("files.confirm");
    EXPECT_NE(*read_text(path), "mine");
    EXPECT_FALSE(dialog.open());
}

TEST(FileDialog, SavesUnderTheNameThatItProposes) {
    for (const FileTask task : {FileTask::save, FileTask::config, FileTask::csv, FileTask::json, FileTask::markdown}) {
        const Scratch scratch;
        Asked dialog(scratch, task);
        SCOPED_TRACE(info(task).key);
        const std::filesystem::path path = scratch.folder() / proposed_name(dialog.bench.session, task);
        dialog.press(ImGuiKey_Enter);
        EXPECT_FALSE(dialog.open());
        EXPECT_TRUE(std::filesystem::exists(path)) << path;
        EXPECT_EQ(path.extension(), info(task).ending);
    }
}

TEST(FileDialog, ATrainedModelIsSavedAsAFolder) {
    const Scratch scratch;
    scratch.file("taken/config.json", SmallModel{}.config());
    const auto asked = [](Asked& dialog) {
        std::vector<std::string> folders;
        for (const AtTrain& each : dialog.bench.all<AtTrain>())
            if (const auto* save = std::get_if<SaveTraining>(&each.what)) folders.push_back(save->folder);
        return folders;
    };
    Asked fresh(scratch, FileTask::trained);
    fresh.select_all();
    fresh.type("mine");
    fresh.press(ImGuiKey_Enter);
    EXPECT_EQ(asked(fresh), std::vector{(scratch.folder() / "mine").string()});
    EXPECT_FALSE(fresh.open());
    Asked again(scratch, FileTask::trained);
    again.select_all();
    again.type("taken");
    again.press(ImGuiKey_Enter);
    EXPECT_TRUE(again.open() && asked(again).empty()) << "a model is there: it is asked for first";
    again.bench.press("files.confirm");
    EXPECT_EQ(asked(again), std::vector{(scratch.folder() / "taken").string()});
}

TEST(FileDialog, ARefusedExportSaysWhyAndStays) {
    const Scratch scratch;
    Asked dialog(scratch, FileTask::config);
    Document document = dialog.bench.session.document;
    document.architecture.layer.attention.heads = 30;
    headcount::apply(dialog.bench.session, Intents{Replace{document, Field::heads}});
    dialog.press(ImGuiKey_Enter);
    EXPECT_TRUE(dialog.open());
    EXPECT_FALSE(std::filesystem::exists(scratch.folder() / "config.json"));
}

TEST(FileDialog, AFolderThatCannotBeReadIsExplained) {
    const Scratch scratch;
    Asked dialog(scratch, FileTask::open);
    dialog.type("/no/such/folder/x");
    dialog.press(ImGuiKey_Enter);
    EXPECT_TRUE(dialog.open());
    EXPECT_EQ(dialog.file(), "");
}

TEST(FileTexts, AnExportedConfigurationReadsBackToTheSameModel) {
    Workbench bench(draw_file_dialog);
    const auto text = file_text(bench.screen.ui(), bench.session, FileTask::config);
    ASSERT_TRUE(text);
    const auto json = parse_json(*text, "config.json");
    ASSERT_TRUE(json);
    auto arch = read_config(*json, "config.json");
    ASSERT_TRUE(arch);
    arch->name = bench.arch().name;
    EXPECT_EQ(count(*arch, {})->parameters.total, 6738415616);
}

TEST(FileTexts, ProposedNamesAreFitForFiles) {
    Session session = test::session_of("llama-2-7b");
    EXPECT_EQ(proposed_name(session, FileTask::csv), "llama-2-7b-tensors.csv");
    EXPECT_EQ(proposed_name(session, FileTask::config), "config.json");
    session.document.base.name = "../ a / \"b\"...";
    session.document.architecture.name = session.document.base.name;
    const std::string name = proposed_name(session, FileTask::save);
    EXPECT_EQ(name.find('/'), std::string::npos) << name;
    session.document.base.name = session.document.architecture.name = "/";
    EXPECT_EQ(proposed_name(session, FileTask::svg), "model.svg");
}

TEST(FileMenu, OpensDialogsAndRecentFilesAndGreysThoseThatAreGone) {
    const Scratch scratch;
    const std::string there = scratch.file("a.json", SmallModel{}.config());
    Workbench bench(test::draw_bar, "llama-2-7b", ImVec2(1600, 48));
    bench.session.view.recent = {(scratch.folder() / "gone.json").string(), there};
    bench.press("topbar.file");
    bench.frames(2);
    bench.press("topbar.file.item.recent.0");
    EXPECT_TRUE(bench.all<OpenFile>().empty());
    bench.press("topbar.file.item.recent.1");
    EXPECT_EQ(bench.session.document.file, there);
    bench.press("topbar.file");
    bench.frames(2);
    bench.press("topbar.file.item.csv");
    EXPECT_EQ(bench.session.view.task, FileTask::csv);
}

TEST(FileMenu, NotesCanBeReadAgain) {
    const Scratch scratch;
    Workbench bench(test::draw_bar, "llama-2-7b", ImVec2(1600, 48));
    const std::string path =
        scratch.file("params.json", R"({"dim": 64, "n_layers": 2, "n_heads": 4, "norm_eps": 1e-5, "vocab_size": -1})");
    headcount::apply(bench.session, Intents{OpenFile{path}});
    ASSERT_FALSE(bench.session.notes.empty());
    headcount::apply(bench.session, Intents{DismissNotes{}});
    EXPECT_TRUE(bench.session.notes.empty());
    bench.frames(2);
    bench.press("topbar.file");
    bench.frames(2);
    bench.press("topbar.file.item.notes");
    EXPECT_FALSE(bench.session.notes.empty());
}

}  // namespace
}  // namespace headcount
