// Links: every state comes back, what cannot is said, and nobody's link stops the program.
#include "app/state/link.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "app/state/open_link.hpp"
#include "core/arch/fields.hpp"
#include "core/arch/validate.hpp"
#include "core/files/documents.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/sessions.hpp"

namespace headcount {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace test;

std::string link_of_state(const Linked& state) {
    const Result<WrittenLink> link = write_link(state, all_presets());
    EXPECT_TRUE(link) << sentence(link.error());
    EXPECT_THAT(link->lost, IsEmpty());
    return link->text;
}

Linked read_back(const std::string& text) {
    const Result<ReadLink> link = read_link(text, all_presets());
    EXPECT_TRUE(link) << text << ": " << sentence(link.error());
    EXPECT_THAT(link->lost, IsEmpty()) << text;
    return link->state;
}

// What somebody might have on the screen, by chance.
class Chance {
  public:
    explicit Chance(unsigned seed) : random_(seed) {}

    std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_); }
    bool half() { return below(2) == 0; }
    template <class Choice>
    void choose(Choice& choice, std::size_t of) {
        choice = static_cast<Choice>(below(of));
    }

    Architecture edited(Architecture arch) {
        for (std::size_t edits = below(4); edits > 0; --edits) {
            const FieldInfo& field = fields()[below(fields().size())];
            const std::optional<std::int64_t> number = field_number(arch, field.field);
            std::string text = std::to_string(number.value_or(2) + static_cast<std::int64_t>(below(3)));
            if (!field.choices.empty()) text = field.choices[below(field.choices.size())];
            if (field.kind == FieldKind::flag) text = half() ? "true" : "false";
            const Result<Architecture> next = with_field(arch, field.field, text);
            if (next && validate(*next).empty()) arch = *next;
        }
        return arch;
    }

    Linked state(const Preset& preset) {
        Linked state{.document = document_of(preset)};
        Document& document = state.document;
        document.architecture = edited(document.architecture);
        document.input = first_input(document.architecture);
        if (half()) document.input.batch = 1 + static_cast<std::int64_t>(below(9));
        View& view = state.view;
        constexpr std::array views{explore_view, compare_view, costs_view,     what_if_view,
                                   run_view,     train_view,   worksheet_view, claims_view};
        view.workspace = views[below(views.size())];
        choose(view.theme, 2);
        choose(view.bottom_tab, bottom_tab_keys.size());
        choose(view.breakdown, breakdown_chart_keys.size());
        choose(view.what_if.tab, view.workspace == what_if_view ? what_if_tab_keys.size() : 1);
        choose(view.compare.split, compare_split_keys.size());
        choose(view.costs.phase, phase_nouns.size());
        if (half()) state.document.input.cache = Precision::int8;
        view.costs.serving.chunk = static_cast<std::int64_t>(below(3));
        view.run.prompt = half() ? view.run.prompt : "A & B = \"100 %\" # caf\u00e9+\n\t" + std::to_string(below(9));
        view.run.sampling = {.greedy = half(), .temperature = static_cast<double>(below(99)) / 7, .seed = below(99)};
        choose(view.train.source, train_source_keys.size());
        choose(view.train.settings.task.kind, task_words.size());
        view.train.settings.learning_rate = static_cast<double>(1 + below(99)) / 700;
        if (half()) view.run.layer = static_cast<std::int64_t>(1 + below(9)), view.run.opens = false;
        using enum Change::Kind;
        for (const Change::Kind kind : {patch, mean, put, scale, off}) {
            if (half()) continue;
            constexpr std::array places{"layer.1.attention.head:", "layer.0.attention.head.scores.head:2.column:",
                                        "layer.2.feed_forward.neuron:", "embedded@"};
            Change change = *parse_change(off, places[below(4)] + std::to_string(below(9)));
            change.kind = kind;
            if (takes_number(kind)) change.number = static_cast<double>(below(9)) / 2;
            view.run.experiments.changes.push_back({change, true});
        }
        if (half()) view.what_if.sweep.ranges = {*parse_range("layers=8..64:8"), *parse_range("batch=1,2,8")};
        if (half()) view.hidden = {TotalSubject{}, TensorSubject{"layer.attention.query.weight"}};
        if (half()) state.at = "layer.attention.head:" + std::to_string(1 + below(9));
        if (half()) state.select = "layer.attention.query.weight";
        if (half()) view.show = {.presenting = half(), .tour = "3-one-attention-head", .step = below(5)};
        if (half()) state.sheet = {"1-one-head", below(99), below(5)};
        state.tilted = half();
        state.log_sides = half();
        return state;
    }

  private:
    std::mt19937 random_;
};

TEST(LinkedStates, ComeBackAsTheyWereOverAllPresets) {
    Chance chance(7);
    for (const Preset& preset : all_presets())
        for (int i = 0; i < 5; ++i) {
            Linked state = chance.state(preset);
            if (i == 0) {
                const Preset& other = all_presets()[chance.below(all_presets().size())];
                state.document.with = Compared{chance.edited(other.architecture), other.architecture, other.id, ""};
            }
            const std::string text = link_of_state(state);
            EXPECT_LE(text.size(), longest_link);
            EXPECT_EQ(read_back(text), state) << text;
        }
}

// Else a link would change the model where it means what is looked at.
TEST(LinkedStates, HaveNoKeyThatIsAFieldToo) {
    for (const FieldInfo& field : fields()) {
        Linked state;
        const std::optional<Error> wrong = set_linked(state, {std::string(field.key), "1"});
        EXPECT_EQ(state, Linked{}) << field.key;
        EXPECT_FALSE(wrong) << "a field is for the model: " << field.key;
        EXPECT_FALSE(is_look_key(field.key)) << field.key;
    }
}

TEST(LinkedStates, OfAPresetAsItIsAreItsName) {
    for (const Preset& preset : all_presets())
        EXPECT_EQ(link_of_state(linked_of(session_of(preset.id))), "#v=1&m=" + preset.id);
}

TEST(LinkedStates, AreSaidInTheWordsOfTheCommandLine) {
    Session session = test::edited("llama-2-7b", {{"kv_heads", "8"}});
    ask(session, Arrive{{"layer.attention.head", 3, {}}});
    ask(session, Select{TensorSubject{"layer.attention.head.queries"}});
    ask(session, Tilt{true});
    EXPECT_EQ(link_of(session)->text,
              "#v=1&m=llama-2-7b&kv_heads=8&at=layer.attention.head:3&select=layer.attention.head.queries&tilt=1");
}

TEST(LinkedStates, OpenWhereTheyWereMade) {
    Session from = test::edited("gpt2", {{"layers", "6"}});
    ask(from, ShowTab{BottomTab::tensors});
    ask(from, Arrive{{"layer.attention", 0, {}}});
    ask(from, Select{TensorSubject{"layer.attention.query.weight"}});
    Session opened = session_of("llama-2-7b");
    ask(opened, SetTheme{ThemeChoice::light});
    ask(opened, OpenFile{"https://example.org/" + link_of(from)->text});
    EXPECT_EQ(opened.document, from.document);
    EXPECT_EQ(opened.look.selection, from.look.selection);
    EXPECT_EQ(opened.look.asked_for, from.look.here);
    EXPECT_EQ(opened.view.bottom_tab, BottomTab::tensors);
    EXPECT_EQ(opened.view.theme, ThemeChoice::light) << "a link that says no theme leaves it";
    EXPECT_EQ(opened.view.notice.text, "");
    ask(opened, Undo{});
    EXPECT_EQ(opened.document.preset, "llama-2-7b") << "it is one edit";
}

TEST(LinkedStates, HaveTheQuestionOfAWorksheet) {
    Session from = session_of("llama-2-7b");
    ask(from, ShowWorkspace{worksheet_view});
    ask(from, AtDesk{OpenSheet{"1-one-head", 5}});
    ask(from, AtDesk{ShowQuestion{1}});
    EXPECT_EQ(link_of(from)->text, "#v=1&m=llama-2-7b&view=worksheet&sheet=1-one-head&seed=5&question=2");
    ask(from, AtDesk{GiveAnswer{from.desk.question()->blanks.front().id, "7"}});
    EXPECT_THAT(link_of(from)->lost, ElementsAre("Answers are not in the link."));
    Session opened = session_of("gpt2");
    ask(opened, OpenFile{link_of(from)->text});
    EXPECT_EQ(opened.desk.kept.sheet, from.desk.kept.sheet);
    EXPECT_EQ(opened.desk.question()->id, from.desk.question()->id);
}

TEST(LinkedStates, OpenNoFileOfWhoeverOpensThem) {
    Session session = session_of("gpt2");
    const std::string file = (std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "worksheets/1-one-head.json").string();
    ask(session, OpenFile{"#v=1&m=gpt2&view=worksheet&sheet=" + file});
    EXPECT_THAT(session.view.notice.text, HasSubstr("is a file: link, sheet: name a sheet that ships"));
    EXPECT_NE(session.desk.kept.sheet.worksheet, file);
}

TEST(LinkedStates, HaveALessonThatLiesBesideThePage) {
    const testing_data::Scratch scratch;
    const std::filesystem::path assets(HEADCOUNT_ASSETS_DIR);
    std::filesystem::create_directories(scratch.folder() / "lessons/week 1");
    std::filesystem::copy(assets / "worksheets/1-one-head.json", scratch.folder() / "lessons/week 1/heads.json");
    std::filesystem::copy(assets / "tours/2-where-7-b-come-from.json", scratch.folder() / "lessons/sizes.json");
    const auto opened = [&](const std::string& link) {
        Session session = session_of("gpt2");
        session.lessons = scratch.folder();
        ask(session, OpenFile{link});
        return session;
    };
    const std::string sheet = "#v=1&m=gpt2&view=worksheet&seed=5&question=2&lesson=lessons/week+1/heads.json";
    const Session asked = opened(sheet);
    EXPECT_EQ(asked.view.notice.text, "");
    EXPECT_EQ(asked.desk.kept.sheet.worksheet, (scratch.folder() / "lessons/week 1/heads.json").string());
    EXPECT_EQ(asked.desk.kept.sheet.seed, 5U);
    EXPECT_EQ(asked.desk.progress().question, 1U);
    EXPECT_EQ(link_of(asked)->text, sheet);
    EXPECT_THAT(link_of(asked)->lost, IsEmpty());
    const std::string tour = "#v=1&m=gpt2&step=3&lesson=lessons/sizes.json";
    const Session shown = opened(tour);
    EXPECT_EQ(shown.view.show.tour, "sizes");
    EXPECT_EQ(shown.view.show.step, 2U);
    EXPECT_EQ(link_of(shown)->text, tour);
    EXPECT_THAT(link_of(shown)->lost, IsEmpty());
    EXPECT_EQ(opened("#v=1&m=gpt2&step=999&lesson=lessons/sizes.json").view.show.step, 0U) << "it has not so many";
}

TEST(LinkedStates, OpenNoLessonFromElsewhere) {
    const testing_data::Scratch scratch;
    const std::string file = scratch.file("outside.json", "{}");
    scratch.file("page/config.json", R"({"model_type": "llama"})");
    const auto notice = [&](const std::string& lesson) {
        Session session = session_of("gpt2");
        session.lessons = scratch.folder() / "page";
        ask(session, OpenFile{"#v=1&m=gpt2&lesson=" + lesson});
        EXPECT_EQ(session.view.workspace, explore_view);
        return session.view.notice.text;
    };
    for (const std::string& lesson : {file, std::string("../outside.json"), std::string("a/../../outside.json")})
        EXPECT_THAT(notice(lesson), HasSubstr("is not below the page"));
    EXPECT_THAT(notice("none.json"), HasSubstr("was not found beside the page"));
    EXPECT_THAT(notice("config.json"), HasSubstr("is no tour and no worksheet"));
    Session desktop = session_of("gpt2");
    ask(desktop, OpenFile{"#v=1&m=gpt2&lesson=lessons/heads.json"});
    EXPECT_THAT(desktop.view.notice.text, HasSubstr("open the link in a browser, or that file itself"));
}

TEST(LinkedStates, HaveTheStepOfATourAndTheModelThatItWasStartedFrom) {
    Session from = session_of("mistral-7b");
    from.tours = all_tours().tours;
    ask(from, StartTour{from.tours.front().id});
    ask(from, StepTour{2, true});
    const std::string text = link_of(from)->text;
    EXPECT_EQ(text, "#v=1&m=mistral-7b&tour=" + from.tours.front().id + "&step=3");
    Session opened = session_of("gpt2");
    opened.tours = all_tours().tours;
    ask(opened, OpenFile{text});
    EXPECT_EQ(opened.view.show, from.view.show);
    EXPECT_EQ(opened.document, from.document);
}

TEST(LinkedStates, HaveTheExperimentsOfARun) {
    Session opened = session_of("gpt2");
    ask(opened, OpenFile{"#v=1&m=gpt2&view=run&off=layer.1.attention.head:3&prompt=Anna+had+a+ball.&layer=2&head=1"});
    EXPECT_EQ(opened.view.workspace, run_view);
    EXPECT_EQ(opened.view.run.prompt, "Anna had a ball.");
    ASSERT_EQ(opened.view.run.experiments.changes.size(), 1);
    EXPECT_EQ(place_text(opened.view.run.experiments.changes.front().change.place), "layer.1.attention.head:3");
    EXPECT_EQ(opened.view.run.layer, 2);
    EXPECT_EQ(link_of(opened)->text,
              "#v=1&m=gpt2&view=run&off=layer.1.attention.head:3&layer=2&head=1&prompt=Anna+had+a+ball.");
    rest_run(opened);
}

TEST(LinkedStates, HaveHowAModelIsTrainedAndNoFile) {
    Session from = session_of("gpt2");
    from.view.workspace = train_view;
    from.view.train.settings.task.kind = TaskKind::text;
    from.view.train.settings.batch = 8;
    from.view.train.text_file = "/home/somebody/text.txt";
    from.view.train.layer = 1;
    const Result<WrittenLink> link = link_of(from);
    EXPECT_EQ(link->text, "#v=1&m=gpt2&view=train&train.task=text&train.batch=8");
    EXPECT_THAT(link->lost, ElementsAre(HasSubstr("What was learned is not in the link"),
                                        "The text that is learned is a file, and not in the link."));
    Session opened = session_of("llama-2-7b");
    opened.view.train.text_file = "my.txt";
    ask(opened, OpenFile{"#v=1&m=gpt2&view=train&train.task=sort&train.batch=8"});
    EXPECT_EQ(opened.view.workspace, train_view);
    EXPECT_EQ(opened.view.train.settings.task.kind, TaskKind::sort);
    EXPECT_EQ(opened.view.train.settings.batch, 8);
    EXPECT_EQ(opened.view.train.text_file, "my.txt") << "a link speaks of no file";
    EXPECT_THAT(read_link("#v=1&m=gpt2&train.text_file=/etc/passwd", all_presets())->lost,
                ElementsAre(HasSubstr("\"train.text_file\" is no key of a link")));
}

TEST(LinkedStates, AreOnTheClipboardWhenTheyAreShared) {
    Session session = test::edited("llama-2-7b", {{"kv_heads", "8"}});
    ask(session, Share{.page = "https://example.org/"});
    const Effects effects = ask(session, Share{});
    EXPECT_EQ(effects.clipboard, "https://example.org/#v=1&m=llama-2-7b&kv_heads=8");
    EXPECT_TRUE(session.view.sharing);
    ask(session, Share{false});
    EXPECT_FALSE(session.view.sharing);
}

TEST(LinkedStates, SayWhatIsWrongWithThem) {
    const auto lost = [](const std::string& text) { return read_link(text, all_presets())->lost; };
    EXPECT_THAT(lost("#v=2&m=gpt2"), ElementsAre("it is of version 2, and this program reads version 1: link: what it "
                                                 "knows was read"));
    EXPECT_THAT(lost("#v=1&m=gpt2&kvheads=4"),
                ElementsAre("\"kvheads\" is no key of a link: link: did you mean kv_heads, heads, head?"));
    EXPECT_THAT(lost("#v=1&m=gpt2&tab=rows"),
                ElementsAre(HasSubstr("tab must be activations or head or tensors or memory or compute or weights, not "
                                      "\"rows\"")));
    EXPECT_THAT(lost("#v=1&m=gpt2&tokens=0"), ElementsAre(HasSubstr("tokens must be a whole number from 1 up")));
    EXPECT_THAT(lost("#v=1&m=gpt2&devices=many"), ElementsAre(HasSubstr("costs.devices must be a whole number")));
    EXPECT_THAT(lost("#v=1&m=gpt2&off=layer."), ElementsAre(HasSubstr("off must be")));
    EXPECT_THAT(lost("#v=1&m=gpt2&vary=layers=1..2,heads=1..2,dim=1..2,vocab=1..2"),
                ElementsAre(HasSubstr("vary must be at most 3 ranges")));
    EXPECT_THAT(lost("#v=1&m=gpt2&vary=dtype=bf17"), ElementsAre(HasSubstr("bf17")));
    EXPECT_THAT(lost("#v=1&m=gpt2&vary=device=abacus"), ElementsAre(HasSubstr("abacus")));
    EXPECT_THAT(lost("#v=1&m=gpt2&hide=field.nothing"), ElementsAre(HasSubstr("hide must be ids")));
    EXPECT_THAT(lost("#v=1&m=gpt2&with=gpt3"), ElementsAre(HasSubstr("there is no preset \"gpt3\"")));
    EXPECT_THAT(lost("#v=1&m=gpt2&dtype=bf17"), ElementsAre(HasSubstr("precision must be")));
    EXPECT_FALSE(read_link("#v=1&m=gpt2&heads=5", all_presets()));
}

TEST(LinkedStates, AreReadAsTheyWereSaidBefore) {
    const Result<ReadLink> link =
        read_link("#v=1&m=gpt2&view=costs&costs.cache=int8&costs.training=1&phase=training", all_presets());
    ASSERT_TRUE(link) << sentence(link.error());
    EXPECT_THAT(link->lost, IsEmpty());
    EXPECT_EQ(link->state.document.input.cache, Precision::int8);
    EXPECT_EQ(link->state.view.costs.phase, Phase::training);
}

TEST(LinkedStates, HaveADeviceThatIsMadeByHandAndNoneThatIsNot) {
    Session from = session_of("gpt2");
    from.view.costs.device = "mem=80GB,bw=3.35TB/s,fp16=989T";
    ask(from, ShowWorkspace{costs_view});
    ASSERT_TRUE(from.costs.shown);
    EXPECT_EQ(from.costs.shown->device.memory, 80'000'000'000);
    Session to = session_of("llama-2-7b");
    ask(to, OpenFile{link_of(from)->text});
    EXPECT_EQ(to.costs.shown->device, from.costs.shown->device);
    const Result<ReadLink> link = read_link("#v=1&m=gpt2&device=abacus", all_presets());
    EXPECT_THAT(link->lost, ElementsAre(HasSubstr("there is no such device: device, abacus")));
    EXPECT_EQ(link->state.view.costs.device, CostsPlace{}.device);
}

TEST(LinkedStates, KeepTheSessionWhereTheModelIsNotThere) {
    Session session = session_of("gpt2");
    ask(session, OpenFile{"#v=1&m=gpt9"});
    EXPECT_EQ(session.document.preset, "gpt2");
    EXPECT_THAT(session.view.notice.text, HasSubstr("The link could not be opened: there is no preset \"gpt9\""));
    ask(session, OpenFile{"#v=1&m=llama-2-7b&at=layer.attention.hed&select=nothing"});
    EXPECT_EQ(session.document.preset, "llama-2-7b");
    EXPECT_THAT(session.view.notice.text, HasSubstr("there is no place named \"layer.attention.hed\": link, at: "));
    EXPECT_THAT(session.view.notice.text, HasSubstr("there is nothing named \"nothing\" to select"));
}

// What the fuzz target does for longer.
TEST(LinkedStates, OfAnyTextAreReadAndWrittenTheSameOrRefusedInWords) {
    const std::vector<Preset> few{*find_preset(all_presets(), "gpt2"), *find_preset(all_presets(), "llama-2-7b")};
    const std::string seed =
        "#v=1&m=llama-2-7b&kv_heads=8&at=layer.attention.head:3&view=run&off=layer.1.attention&"
        "scale=layer.0.attention=0.5&prompt=A+%26+B&vary=layers=8..64:8&seed=5&kv_dtype=int8&with=gpt2";
    constexpr std::string_view letters = "=&%+.,:-0159aem#\xff";
    std::mt19937 random(3);
    int taken = 0;
    for (std::size_t i = 0; i < 3000 / testing_data::stride; ++i) {
        std::string text = seed;
        for (std::size_t changes = random() % 4 + 1; changes > 0; --changes) {
            const std::size_t at = random() % text.size();
            if (random() % 2 == 0)
                text.erase(at, random() % 20);
            else
                text.insert(at, 1, letters[random() % letters.size()]);
        }
        const Result<ReadLink> link = read_link(text, few);
        if (!link) {
            EXPECT_FALSE(link.error().what.empty()) << text;
            continue;
        }
        const Result<WrittenLink> written = write_link(link->state, few);
        ASSERT_TRUE(written) << text << ": " << sentence(written.error());
        const Result<ReadLink> again = read_link(written->text, few);
        ASSERT_TRUE(again) << text << "\n" << written->text << ": " << sentence(again.error());
        EXPECT_THAT(again->lost, IsEmpty()) << text << "\n" << written->text;
        EXPECT_EQ(again->state, link->state) << text << "\n" << written->text;
        ++taken;
    }
    EXPECT_GT(taken, 100 / testing_data::stride);
}

TEST(LinkedStates, LeaveOutAPromptThatIsTooLong) {
    Session session = session_of("gpt2");
    session.view.workspace = run_view;
    session.view.run.prompt = std::string(3000, 'a');
    const Result<WrittenLink> link = link_of(session);
    EXPECT_EQ(link->text, "#v=1&m=gpt2&view=run");
    EXPECT_THAT(link->lost, ElementsAre(HasSubstr("longer than 2,000 characters with its prompt")));
}

}  // namespace
}  // namespace headcount
