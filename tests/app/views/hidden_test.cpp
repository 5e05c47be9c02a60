// Claims about hidden numbers: no panel shows one, nor what would give it away, and everything else stays.
#include "app/parts/hidden.hpp"

#include "app/bars/panels.hpp"
#include "app/diagram/panels.hpp"
#include "app/state/in_view.hpp"
#include "app/views/explore/panels.hpp"
#include "app/views/worksheet/view.hpp"
#include "core/base/text.hpp"
#include "core/tours/tour.hpp"
#include "tests/support/stage.hpp"
#include "tests/support/top_bar.hpp"

namespace headcount {
namespace {

using test::all_presets;
using test::session_of;
using test::Stage;

Intents draw_flat_canvas(const Ui& ui, const Session& session) {
    return draw_canvas(ui, session, {});
}

struct PanelToDraw {
    const char* name;
    test::DrawPanel draw;
};
constexpr std::array every_panel{
    PanelToDraw{"top bar", test::draw_bar},         PanelToDraw{"breakdown", draw_breakdown_panel},
    PanelToDraw{"inspector", draw_inspector_panel}, PanelToDraw{"tables", draw_tables_panel},
    PanelToDraw{"canvas", draw_flat_canvas},        PanelToDraw{"architecture", draw_architecture_panel}};

// What a panel writes, with "?" for each blank. Two frames, because some know a height one frame late.
std::string written(const Session& session, const PanelToDraw& panel) {
    test::Screen screen;
    screen.window = ImVec2(1400, 900);
    ImGui::GetIO().DisplaySize = ImVec2(1600, 1000);
    std::string text;
    for (int frame = 0; frame < 2; ++frame)
        screen.frame([&](const Ui& ui) {
            Veil veil = veil_of(session);
            text.clear();
            veil.beside = &text;
            const VeilOver over(veil);
            panel.draw(ui, session);
        });
    return text;
}

std::size_t times(std::string_view text, std::string_view what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
    return count;
}

// All that the panels write, with nothing selected and with the subject selected, in every table.
std::string all_written(Session session, const Subject& subject) {
    std::string text;
    for (const Subject& selection : {Subject{}, subject}) {
        session.look.selection = selection;
        for (const PanelToDraw& panel : every_panel) text += written(session, panel) + "\n";
        for (const BottomTab tab : {BottomTab::head, BottomTab::tensors}) {
            session.view.bottom_tab = tab;
            text += written(session, {"tables", draw_tables_panel}) + "\n";
        }
        session.view.bottom_tab = BottomTab::activations;
    }
    return text;
}

void expect_hidden(Session session, const Subject& subject, const std::vector<std::string>& texts) {
    const std::string shown = all_written(session, subject);
    session.view.hidden = {subject};
    const std::string hidden = all_written(session, subject);
    for (const std::string& each : texts) {
        EXPECT_GT(times(shown, each), 0u) << each << " is never seen, so that hiding it shows nothing";
        EXPECT_EQ(times(hidden, each), 0u) << each;
    }
}

TEST(Hidden, TheTotalIsNowhere) {
    const Session session = session_of("llama-2-7b");
    expect_hidden(session, TotalSubject{}, {"6,738,415,616", "6.74 B", "13,476,831,232", "12.6 GiB"});
}

TEST(Hidden, NorIsWhatChangesAddToTheTotal) {
    Session session = session_of("llama-2-7b");
    Document document = session.document;
    document.architecture.layer.attention.kv_heads = 8;
    const std::array edit{Intent(Replace{document})};
    headcount::apply(session, edit);
    const std::int64_t change = session.derived.shown.parameters.total - session.derived.base.parameters.total;
    ASSERT_NE(change, 0);
    expect_hidden(session, TotalSubject{},
                  {grouped(session.derived.shown.parameters.total), grouped(-change), signed_grouped(change),
                   signed_short(change)});
}

TEST(Hidden, AComponentHasNeitherCountNorShare) {
    expect_hidden(session_of("llama-2-7b"), Component::feed_forward, {"4,328,521,728", "64.2 %", "135,266,304"});
}

TEST(Hidden, AComponentCannotBeSummedUpFromItsParts) {
    expect_hidden(session_of("llama-2-7b"), Component::feed_forward, {"45,088,768", "1,442,840,576"});
    expect_hidden(session_of("llama-2-7b"), Component::attention, {"16,777,216", "536,870,912"});
}

TEST(Hidden, NorDoesATourSayIt) {
    Session session = session_of("llama-2-7b");
    session.tours = all_tours().tours;
    headcount::apply(session, Intents{StartTour{"2-where-7-b-come-from"}, Hide{TotalSubject{}}});
    ASSERT_TRUE(session.run);
    const Veil veil = veil_of(session);
    for (const char* text : {"7 B", "6.7 B", "6.74 billion", "7 billion"})
        EXPECT_EQ(covered_in(veil, "Where " + std::string(text) + " parameters come from").size(), 1U) << text;
    EXPECT_TRUE(covered_in(veil, "13 B, 65 B").empty());
    for (std::size_t step = 0; step < session.run->tour.steps.size(); ++step) {
        const StepWords& words = session.run->words;
        for (const std::string& said : {words.title, words.caption})
            for (const char* total : {"6,738,415,616", "6.74 B"})
                if (said.find(total) != std::string::npos) {
                    EXPECT_FALSE(covered_in(veil, said).empty()) << said;
                }
        headcount::apply(session, Intents{StepTour{1, true}});
    }
}

TEST(Hidden, ATensorHasNeitherCountNorShape) {
    expect_hidden(session_of("llama-2-7b"), TensorSubject{"layer.feed_forward.up.weight"},
                  {"45,088,768", "4096 × 11008", "11008 × 4096", "11008, 4096", "1,442,840,576", "90,177,536",
                   "86.0 MiB", "0.67 %", "21.4 %", "4096·11008"});
}

TEST(Hidden, AnActivationHasNeitherSizeNorShape) {
    expect_hidden(session_of("llama-2-7b"), TensorSubject{"layer.attention.head.queries"},
                  {"100 × 128", "12,800", "409,600"});
}

TEST(Hidden, AFieldHasNoValue) {
    expect_hidden(session_of("llama-2-7b"), Field::ffn_dim, {"11008"});
}

TEST(Hidden, EverythingElseStays) {
    Session session = session_of("llama-2-7b");
    session.view.hidden = {TotalSubject{}};
    EXPECT_GT(times(written(session, every_panel[1]), "4,328,521,728"), 0u);
    const std::string bar = written(session, every_panel[0]);
    EXPECT_GE(times(bar, "?"), 2u);
    EXPECT_GT(times(bar, "Llama 2 7B"), 0u);
    session.view.hidden.clear();
    EXPECT_EQ(times(written(session, every_panel[0]), "?"), 0u);
    EXPECT_GT(times(written(session, every_panel[0]), "6,738,415,616"), 0u);
}

TEST(Hidden, EveryTensorOfEveryPresetCanBeHidden) {
    for (const Preset& preset : all_presets()) {
        SCOPED_TRACE(preset.id);
        Session session = session_of(preset.id);
        for (const Tensor& tensor : session.derived.shown.graph.tensors)
            EXPECT_FALSE(texts_of(session.derived, TensorSubject{tensor.id}).empty()) << tensor.id;
    }
}

TEST(Hidden, TheKeyTakesWhatIsPointedAtThenWhatIsSelectedThenTheTotal) {
    Session session = session_of("llama-2-7b");
    EXPECT_EQ(number_to_hide(session), Subject(TotalSubject{}));
    session.look.selection = Component::attention;
    EXPECT_EQ(number_to_hide(session), Subject(Component::attention));
    session.look.hover = Field::dim;
    EXPECT_EQ(number_to_hide(session), Subject(Field::dim));
    session.look.hover = Field::norm;  // no number
    EXPECT_EQ(number_to_hide(session), std::nullopt);
    session.look.hover = TensorSubject{"no.such.tensor"};
    EXPECT_EQ(number_to_hide(session), std::nullopt);
}

TEST(Hidden, HidingTwiceShowsItAndUndoLeavesItAlone) {
    Session session = session_of("llama-2-7b");
    const auto does = [&](Intent intent) {
        const std::array one{std::move(intent)};
        headcount::apply(session, one);
    };
    does(Hide{TotalSubject{}});
    does(Hide{Component::attention});
    EXPECT_EQ(session.view.hidden.size(), 2u);
    does(Undo{});
    EXPECT_EQ(session.view.hidden.size(), 2u);
    does(Hide{TotalSubject{}});
    EXPECT_EQ(session.view.hidden, std::vector<Subject>{Component::attention});
    does(ShowHidden{});
    EXPECT_TRUE(session.view.hidden.empty());
}

// A desk with this sheet, in the Worksheet view.
Session at_sheet(const std::string& sheet) {
    Session session = session_of("llama-3-8b");
    headcount::apply(session, Intents{ShowWorkspace{worksheet_view}, AtDesk{OpenSheet{sheet, {}}}});
    return session;
}

bool covers(const Veil& veil, std::string_view text) {
    const std::vector<Covered> covered = covered_in(veil, text);
    return covered.size() == 1 && covered[0].from == 0 && covered[0].to == text.size();
}

TEST(HiddenAnswers, OfAQuestionInBytesEveryFormIsCovered) {
    const Session session = at_sheet("5-kv-cache");
    const Veil veil = veil_of(session);
    for (const char* text : {"536,870,912", "536870912", "512 MiB", "268,435,456", "268435456", "268 M"})
        EXPECT_TRUE(covers(veil, text)) << text;
    EXPECT_FALSE(covers(veil, "1,073,741,824")) << "the bytes are no numbers of two bytes each";
}

TEST(HiddenAnswers, OfAShapeTheTransposedOneAndTheProductAreCoveredToo) {
    const Veil veil = veil_of(at_sheet("1-one-head"));
    for (const char* text : {"100 × 128", "128 × 100", "100, 128", "12,800", "12800", "409,600", "25.0 KiB"})
        EXPECT_TRUE(covers(veil, text)) << text;
    for (const char* text : {"100", "128", "4096", "32 × 128"}) EXPECT_TRUE(covered_in(veil, text).empty()) << text;
}

TEST(HiddenAnswers, InTheSheetsDiagramShortNumbersAreCoveredToo) {
    Session session = at_sheet("1-one-head");
    const test::Screen screen;  // veils lie over one
    Veil veil = veil_of(session);
    const VeilOver over(veil);
    EXPECT_TRUE(covered_in(veil, "4096 × 128").empty()) << "elsewhere 128 may be any number";
    {
        const VeilNear near;
        ASSERT_EQ(covered_in(veil, "4096 × 128").size(), 1U);
        EXPECT_EQ(covered_in(veil, "4096 × 128")[0].from, std::string("4096 × ").size());
        EXPECT_TRUE(covered_in(veil, "32 × 4096").empty()) << "what is given stays";
    }
    headcount::apply(session, Intents{AtDesk{GiveAnswer{"head.queries", shape_text("100", "128")}},
                                      AtDesk{CheckFields{{"head.queries.rows", "head.queries.columns"}}}});
    Veil later = veil_of(session);
    const VeilOver over_later(later);
    const VeilNear near;
    EXPECT_TRUE(covered_in(later, "4096 × 128").empty()) << "what was found is known";
}

TEST(HiddenAnswers, ADimensionThatIsGivenStaysReadable) {
    Session session = at_sheet("5-kv-cache");
    const auto ask_for = [&](const Expr& value) {
        Sheet sheet = *session.desk.sheet;
        for (SheetQuestion& question : sheet.questions)
            for (Blank& blank : question.blanks)
                if (blank.id == "bytes") blank.answer = NumberAnswer{{value, {}, {}, {}}};
        session.desk.sheet = std::make_shared<const Sheet>(sheet);
    };
    ask_for(Expr(Symbol::cached) + Expr(1));
    EXPECT_TRUE(covers(veil_of(session), "1001"));
    ask_for(Expr(Symbol::cached));
    EXPECT_FALSE(covers(veil_of(session), "1000"));
}

TEST(HiddenAnswers, AreCoveredUntilTheyAreFound) {
    Session session = at_sheet("5-kv-cache");
    EXPECT_TRUE(covers(veil_of(session), "512 MiB"));
    headcount::apply(session,
                     Intents{AtDesk{GiveAnswer{"numbers", "268435456"}}, AtDesk{GiveAnswer{"bytes", "512 MiB"}},
                             AtDesk{CheckFields{{"numbers", "bytes"}}}});
    ASSERT_TRUE(session.desk.of(*session.desk.sheet->find("bytes")).right());
    EXPECT_FALSE(covers(veil_of(session), "512 MiB"));
    EXPECT_TRUE(covers(veil_of(session), "24 × 1024")) << "the scores are still to be found";
    headcount::apply(session, Intents{AtDesk{ShowKey{true}}});
    EXPECT_TRUE(veil_of(session).numbers.empty());
}

TEST(HiddenAnswers, TheTotalIsCoveredWhileASheetAsksForIt) {
    Session session = at_sheet("2-why-7b");
    for (const char* text : {"6,738,415,616", "6738415616", "6.74 B"}) EXPECT_TRUE(covers(veil_of(session), text));
    headcount::apply(session, Intents{ShowWorkspace{explore_view}});
    EXPECT_FALSE(covers(veil_of(session), "6,738,415,616"));
}

TEST(HiddenAnswers, TheCardOfAWrongAnswerDoesNotTellTheRightOne) {
    Session session = at_sheet("1-one-head");
    headcount::apply(session, Intents{AtDesk{GiveAnswer{"head.queries", shape_text("100", "4096")}},
                                      AtDesk{CheckFields{{"head.queries.rows", "head.queries.columns"}}}});
    test::Screen screen;
    screen.window = ImVec2(700, 900);
    ImGui::GetIO().DisplaySize = ImVec2(1600, 1000);
    std::string text;
    for (int frame = 0; frame < 3; ++frame)
        screen.frame([&](const Ui& ui) {
            text.clear();
            Veil nothing_hidden;
            nothing_hidden.beside = &text;
            const VeilOver over(nothing_hidden);
            draw_worksheet_card(ui, session.desk, model_in_view(session));
        });
    EXPECT_GT(times(text, "4096"), 0u) << "what was answered is drawn: " << text;
    EXPECT_EQ(times(text, "128"), 0u) << text;
}

}  // namespace
}  // namespace headcount
