// Claims about numbers that may be other ones than those of the model's source: every panel that shows the total says
// so, and what is copied is a plain number all the same.
#include <nlohmann/json.hpp>

#include "app/bars/file_texts.hpp"
#include "app/parts/caption.hpp"
#include "app/views/compare/panels.hpp"
#include "app/views/explore/panels.hpp"
#include "app/views/show/presenter.hpp"
#include "app/views/what_if/panels.hpp"
#include "core/base/text.hpp"
#include "core/files/config.hpp"
#include "core/files/stored_formats.hpp"
#include "tests/support/top_bar.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using test::Stage;

// As opened from a file.
Document opened(const json& config) {
    Architecture arch = *read_config(config, "config.json");
    return {arch, arch, "", Input{}, "/models/config.json"};
}

Session session_with(const json& config) { return start_session(test::all_presets(), opened(config)); }

json small(std::string_view type) {
    return {{"model_type", type},       {"hidden_size", 64}, {"num_hidden_layers", 2},
            {"num_attention_heads", 4}, {"vocab_size", 97},  {"intermediate_size", 176}};
}

const json unknown = small("wurst");
const json unread = [] {
    json config = small("llama");
    config["mlp_layer_types"] = {"sparse", "dense"};
    return config;
}();
const json different{{"model_type", "longcat_flash"}};

std::string words_in(test::DrawPanel draw, const Session& session) {
    test::Screen screen;
    screen.window = ImVec2(1600, 900);
    ImGui::GetIO().DisplaySize = ImVec2(1600, 1000);
    std::string text;
    for (int frame = 0; frame < 2; ++frame)
        screen.frame([&](const Ui& ui) {
            text.clear();
            Veil nothing_hidden;
            nothing_hidden.beside = &text;
            const VeilOver over(nothing_hidden);
            draw(ui, session);
        });
    return text;
}

Intents draw_compare_heads(const Ui& ui, const Session& session) {
    Intents intents = draw_compare_head(ui, *both_sides(session), CompareSide::a);
    const Intents more = draw_compare_head(ui, *both_sides(session), CompareSide::b);
    intents.insert(intents.end(), more.begin(), more.end());
    return intents;
}

TEST(Doubt, StandsBeforeTheTotalWhereverAPanelShowsIt) {
    for (const json& config : {unknown, unread, different}) {
        SCOPED_TRACE(config.dump());
        Session session = session_with(config);
        session.view.bottom_tab = BottomTab::tensors;
        const std::string total = grouped(session.derived.shown.parameters.total);
        for (const test::DrawPanel draw : {test::draw_bar, draw_presenter_bar, draw_tables_panel})
            EXPECT_NE(words_in(draw, session).find("≈ " + total), std::string::npos) << words_in(draw, session);
        EXPECT_NE(words_in(draw_breakdown_panel, session).find("≈"), std::string::npos);
        EXPECT_NE(words_in(draw_presenter_bar, session).find("(not verified)"), std::string::npos);
        EXPECT_NE(words_in(draw_inspector_panel, session).find(session.derived.doubt.substr(0, 20)), std::string::npos);
    }
}

TEST(Doubt, IsNoneOfAPresetNorOfAFileThatIsReadWhole) {
    for (const Preset& preset : test::all_presets())
        EXPECT_EQ(test::session_of(preset.id).derived.doubt, "") << preset.id;
    const Session session = session_with(small("llama"));
    EXPECT_EQ(session.derived.doubt, "");
    for (const test::DrawPanel draw : {test::draw_bar, draw_presenter_bar, draw_tables_panel})
        EXPECT_EQ(words_in(draw, session).find("≈"), std::string::npos);
}

TEST(Doubt, OfOneSideIsSaidOfThatSideAndOfWhatMakesThemDiffer) {
    Session session = session_with(different);
    headcount::apply(session, Intents{ShowWorkspace{compare_view}, AtCompare{CompareWithPreset{"llama-3-8b"}}});
    const std::string heads = words_in(draw_compare_heads, session);
    EXPECT_NE(heads.find("≈ " + grouped(session.derived.shown.parameters.total)), std::string::npos) << heads;
    EXPECT_NE(heads.find("8,030,261,248"), std::string::npos) << heads;
    EXPECT_EQ(heads.find("≈ 8,030,261,248"), std::string::npos) << heads;
    EXPECT_NE(words_in(test::draw_bar, session).find("≈ "), std::string::npos);
}

// What a quantizer keeps besides is not read, so that nobody knows the bytes to the last; the parameters are known.
TEST(Doubt, OfHowWeightsAreStoredStandsBeforeWhatHangsOnTheirBytes) {
    json config = small("llama");
    config["quantization_config"] = {{"quant_method", "exl2"}, {"bits", 4.25}};
    Document document = opened(config);
    document.input.precision = *stored_formats(document.architecture).weights;
    Session session = start_session(test::all_presets(), document);
    headcount::apply(session, Intents{ShowWorkspace{compare_view}, AtCompare{CompareWithPreset{"llama-3-8b"}}});
    const BothSides both = *both_sides(session);
    const std::array<CompareFigure, 3> figures = compare_figures(both);
    EXPECT_TRUE(figure_texts(figures[0])[0].starts_with("≈ ")) << figure_texts(figures[0])[0];
    EXPECT_FALSE(figure_texts(figures[0])[1].starts_with("≈ ")) << "of B";
    EXPECT_FALSE(figure_texts(figures[1])[0].starts_with("≈ ")) << "of the cache";
    const CompareTable table = compare_memory_table(dark_theme(), both);
    for (const CompareRow& row : table.rows) {
        const bool of_weights = row.name.starts_with("weights") || row.name == "sum";
        EXPECT_EQ(std::get<std::string>(row.cells[1]).starts_with("≈ "), of_weights) << row.name;
        EXPECT_FALSE(std::get<std::string>(row.cells[2]).starts_with("≈ ")) << row.name;
    }
    for (const auto& [metric, stored] :
         {std::pair(Metric::memory, true), {Metric::weights, true}, {Metric::cache, false}, {Metric::total, false}})
        for (const WhatIfTab tab : {WhatIfTab::sweep, WhatIfTab::sensitivity}) {
            headcount::apply(session, Intents{ShowWorkspace{what_if_view}, AtWhatIf{ShowWhatIfTab{tab}},
                                              AtWhatIf{SetSweep{{{}, metric}}}, AtWhatIf{SetSensitivity{metric}}});
            const std::string words = words_in(draw_what_if_panel, session);
            EXPECT_EQ(words.find("now ≈ ") != std::string::npos, stored) << info(metric).key << ": " << words;
        }
    headcount::apply(session, Intents{AtWhatIf{ShowWhatIfTab{WhatIfTab::solve}},
                                      AtWhatIf{SetWish{{.held = Metric::memory, .wished = {"", "1GiB", ""}}}}});
    EXPECT_NE(words_in(draw_what_if_panel, session).find("≈ "), std::string::npos);
    document.input.precision = Precision::bf16;
    headcount::apply(session, Intents{ShowWorkspace{explore_view}, Replace{.document = document}});
    EXPECT_EQ(session.derived.weights_doubt, "") << "in a format that was chosen";
}

TEST(Doubt, StandsInWhateverTablesAreSavedAs) {
    for (const json& config : {unknown, unread, different}) {
        SCOPED_TRACE(config.dump());
        const Session session = session_with(config);
        test::Screen screen;
        const auto saved = [&](FileTask task) { return *file_text(screen.ui(), session, task); };
        EXPECT_EQ(json::parse(saved(FileTask::json))["verified"], false);
        for (const FileTask task : {FileTask::csv, FileTask::markdown})
            EXPECT_NE(saved(task).find("≈"), std::string::npos) << info(task).key;
    }
    const Session known = session_with(small("llama"));
    test::Screen screen;
    EXPECT_EQ(json::parse(*file_text(screen.ui(), known, FileTask::json))["verified"], true);
}

TEST(Doubt, IsNotCopied) {
    test::Workbench bench(test::draw_bar, "llama-2-7b", ImVec2(1600, 48));
    bench.session = session_with(different);
    bench.frames(2);
    bench.press("topbar.copy");
    ASSERT_EQ(bench.all<Copy>().size(), 1U);
    EXPECT_EQ(bench.all<Copy>()[0].text, "560,664,958,976");
}

}  // namespace
}  // namespace headcount
