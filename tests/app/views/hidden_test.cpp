// Claims about hidden numbers: no panel shows one, nor what would give it away, and everything else stays.
#include "app/parts/hidden.hpp"

#include "app/bars/panels.hpp"
#include "app/diagram/panels.hpp"
#include "app/parts/caption.hpp"
#include "app/state/in_view.hpp"
#include "app/views/explore/panels.hpp"
#include "app/views/worksheet/view.hpp"
#include "core/base/text.hpp"
#include "core/tours/tour.hpp"
#include "tests/support/class.hpp"
#include "tests/support/stage.hpp"
#include "tests/support/top_bar.hpp"

namespace headcount {
namespace {

using test::all_presets;
using test::session_of;
using test::Stage;

Intents draw_flat_canvas(const Ui& ui, const Session& session) { return draw_canvas(ui, session, {}); }

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

// "12 × 512" is not in "512 × 512".
std::size_t times(std::string_view text, std::string_view what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1))
        if (at == 0 || !is_digit(text[at - 1]) || !is_digit(what.front())) ++count;
    return count;
}

// Where the text is, for who reads a failure.
std::string around(const std::string& text, const std::string& what) {
    constexpr std::size_t reach = 60;
    const std::size_t at = text.find(what);
    if (at == text.npos) return "";
    const std::size_t from = at - std::min(at, reach);
    return " in \"" + text.substr(from, at - from + what.size() + reach) + "\"";
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
        EXPECT_EQ(times(hidden, each), 0u) << each << around(hidden, each);
    }
}

TEST(Hidden, TheTotalIsNowhere) {
    const Session session = session_of("llama-2-7b");
    expect_hidden(session, TotalSubject{}, {"6,738,415,616", "6.74 B", "13,476,831,232", "12.6 GiB", "262,148,096"});
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
    for (const char* const id : {"1-what-is-in-a-transformer", "2-where-7-b-come-from", "4-from-llama-2-to-llama-3"}) {
        SCOPED_TRACE(id);
        Session session = session_of("llama-2-7b");
        session.tours = all_tours().tours;
        headcount::apply(session, Intents{StartTour{id}});
        ASSERT_TRUE(session.run);
        std::size_t said = 0;
        for (std::size_t step = 0; step < session.run->tour.steps.size(); ++step) {
            session.view.show.revealed = true;
            const std::vector<std::string> totals{grouped(session.derived.shown.parameters.total), "6,738,415,616"};
            session.view.hidden.clear();
            const std::string shown = written(session, {"caption", draw_caption});
            session.view.hidden = {TotalSubject{}};
            const std::string hidden = written(session, {"caption", draw_caption});
            for (const std::string& total : totals) {
                said += times(shown, total);
                EXPECT_EQ(times(hidden, total), 0U) << shown;
            }
            headcount::apply(session, Intents{StepTour{1, true}});
        }
        EXPECT_GT(said, 0U);
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

TEST(Hidden, AFieldHasNoValue) { expect_hidden(session_of("llama-2-7b"), Field::ffn_dim, {"11008"}); }

TEST(Hidden, EverythingElseStays) {
    Session session = session_of("llama-2-7b");
    session.view.hidden = {TotalSubject{}};
    EXPECT_GT(times(written(session, every_panel[1]), "4,328,521,728"), 0u);
    const std::string bar = written(session, every_panel[0]);
    EXPECT_GE(times(bar, "?"), 1u);
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
            EXPECT_TRUE(has_number(session.derived.shown, TensorSubject{tensor.id})) << tensor.id;
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

bool tells(const Session& session, const std::string& key) { return veil_of(session).told_by.count(key) > 0; }

bool tells(const Session& session, std::int64_t number) { return tells(session, grouped(number)); }

TEST(HiddenAnswers, OfAQuestionInBytesTheBytesAreCovered) {
    const Session session = at_sheet("5-kv-cache");
    for (const std::int64_t number : {536'870'912, 268'435'456}) EXPECT_TRUE(tells(session, number)) << number;
    EXPECT_FALSE(tells(session, 1'073'741'824)) << "the bytes are no numbers of two bytes each";
}

TEST(HiddenAnswers, OfAShapeTheProductAndWhatHasASideOfItAreCoveredToo) {
    Session session = at_sheet("1-one-head");
    const std::string queries = "layer.attention.head.queries", weight = "layer.attention.query.weight";
    for (const std::int64_t number : {12'800, 25'600}) EXPECT_TRUE(tells(session, number)) << number;
    for (const std::string& key : {queries, count_key(queries), subject_key(Field::head_dim)})
        EXPECT_TRUE(tells(session, key)) << key;
    EXPECT_FALSE(tells(session, weight)) << "what is given stays";
    EXPECT_FALSE(tells(session, subject_key(Field::dim))) << "what is given stays";
    headcount::apply(session, Intents{AtDesk{GiveAnswer{"head.queries", shape_text("100", "128")}},
                                      AtDesk{CheckFields{{"head.queries.rows", "head.queries.columns"}}}});
    EXPECT_FALSE(tells(session, subject_key(Field::head_dim))) << "what was found is known";
}

TEST(HiddenAnswers, ACountLeavesTheShapeThatItIsMadeOf) {
    const Session session = at_sheet("7-first-matrix");
    const std::string up = "layer.feed_forward.up.weight";
    EXPECT_TRUE(tells(session, count_key(up)));
    EXPECT_FALSE(tells(session, up));
}

TEST(HiddenAnswers, ADimensionThatIsGivenStaysReadableUnlessItIsAskedFor) {
    Session session = at_sheet("5-kv-cache");
    const auto ask_for = [&](const Expr& value) {
        Sheet sheet = *session.desk.sheet;
        for (SheetQuestion& question : sheet.questions)
            for (Blank& blank : question.blanks)
                if (blank.id == "bytes") blank.answer = NumberAnswer{{value, {}, {}, {}}};
        session.desk.sheet = std::make_shared<const Sheet>(sheet);
    };
    ask_for(Expr(Symbol::cached) + Expr(1));
    EXPECT_TRUE(tells(session, 1001));
    EXPECT_FALSE(tells(session, 1000));
    ask_for(Expr(Symbol::cached));
    EXPECT_TRUE(tells(session, 1000)) << "what is asked for is not given";
}

TEST(HiddenAnswers, AreCoveredUntilTheyAreFound) {
    Session session = at_sheet("5-kv-cache");
    EXPECT_TRUE(tells(session, 536'870'912));
    headcount::apply(session,
                     Intents{AtDesk{GiveAnswer{"numbers", "268435456"}}, AtDesk{GiveAnswer{"bytes", "512 MiB"}},
                             AtDesk{CheckFields{{"numbers", "bytes"}}}});
    ASSERT_TRUE(session.desk.of(*session.desk.sheet->find("bytes")).right());
    EXPECT_FALSE(tells(session, 536'870'912));
    EXPECT_FALSE(veil_of(session).told_by.empty()) << "the scores are still to be found";
    headcount::apply(session, Intents{AtDesk{ShowKey{true}}});
    EXPECT_TRUE(veil_of(session).told_by.empty());
}

TEST(HiddenAnswers, TheTotalIsCoveredWhileASheetAsksForIt) {
    Session session = at_sheet("2-why-7b");
    EXPECT_TRUE(tells(session, std::string(total_key)));
    headcount::apply(session, Intents{ShowWorkspace{explore_view}});
    EXPECT_FALSE(tells(session, std::string(total_key)));
}

Intents draw_sheets_diagram(const Ui& ui, const Session& session) {
    return draw_worksheet_diagram(ui, session.desk, session.view, {});
}

// What of a blank's answer may be seen nowhere but where it is asked.
std::vector<std::string> texts_of(const Blank& blank, const CountedModel& model) {
    constexpr std::int64_t least = 1000;
    const auto value = [&](const Expr& expr) { return value_of(expr, model.bindings); };
    if (const auto* shape = std::get_if<ShapeAnswer>(&blank.answer)) {
        const std::string rows = std::to_string(value(shape->rows)), columns = std::to_string(value(shape->columns));
        return {rows + " × " + columns, columns + " × " + rows, "[" + columns + ", " + rows + "]",
                grouped(value(shape->rows) * value(shape->columns)) + " "};
    }
    const auto* const number = std::get_if<NumberAnswer>(&blank.answer);
    if (!number || number->formula || value(number->resolved.value) < least) return {};
    return {grouped(value(number->resolved.value)), short_count(value(number->resolved.value))};
}

TEST(HiddenAnswers, NoSheetsDiagramAndNoTopBarTellsOne) {
    for (const Worksheet& worksheet : testing_data::worksheets()) {
        const std::string& sheet = worksheet.id;
        Session session = at_sheet(sheet);
        ASSERT_TRUE(session.desk.sheet) << sheet;
        for (std::size_t at = 0; at < session.desk.sheet->questions.size(); ++at) {
            headcount::apply(session, Intents{AtDesk{ShowQuestion{at}}});
            const SheetQuestion& question = session.desk.sheet->questions[at];
            std::string seen = written(session, every_panel[0]);
            if (shows_diagram(session)) seen += written(session, {"diagram", draw_sheets_diagram});
            for (const SheetQuestion& asked : session.desk.sheet->questions)
                for (const Blank& blank : asked.blanks)
                    for (const std::string& text : texts_of(blank, *asked.model))
                        EXPECT_EQ(times(seen, text), 0U) << sheet << ", " << question.id << ": " << text << "\n"
                                                         << seen;
        }
    }
}

TEST(HiddenAnswers, ASideThatIsAskedForStandsInNoFormulaNorInAnotherMatrix) {
    Session session = at_sheet("1-one-head");
    const auto seen = [&] { return written(session, {"diagram", draw_sheets_diagram}); };
    headcount::apply(session, Intents{AtDesk{ShowQuestion{2}}});
    const std::string covered = seen();
    EXPECT_EQ(times(covered, "128"), 0U) << "of a slice, below a root" << around(covered, "128");
    EXPECT_GT(times(covered, "4096 × 4096") + times(covered, "32 heads"), 0U) << "what is given stays: " << covered;
    headcount::apply(session, Intents{AtDesk{ShowKey{true}}});
    const std::string shown = seen();
    EXPECT_GT(times(shown, "/ √128"), 0U) << shown;
    EXPECT_GT(times(shown, "128 × 4096"), 0U) << shown;
}

TEST(HiddenAnswers, SentencesBesideThemCanBeRead) {
    Session session = at_sheet("1-one-head");
    headcount::apply(session, Intents{AtDesk{ShowQuestion{1}}});
    const std::string seen = written(session, {"diagram", draw_sheets_diagram});
    EXPECT_EQ(times(seen, "sums to one"), 1U) << seen;
    EXPECT_EQ(times(seen, "a row of ?"), 1U) << seen;
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
