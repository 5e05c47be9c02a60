// A page within another: the diagram alone, or a worksheet's question; and what the page around it hears.
#include "app/state/open_link.hpp"
#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

using test::ExploreStage;

const ImVec2 frame_size(640, 480);  // an <iframe>'s

std::vector<std::string> panels(const ExploreStage& stage) {
    std::vector<std::string> names;
    for (const NamedRect& rect : stage.screen.recorder.all())
        if (rect.name.starts_with("panel.")) names.push_back(rect.name);
    return names;
}

void expect_whole(const NamedRect& rect, ImVec2 size) {
    EXPECT_EQ(rect.min.x, 0);
    EXPECT_EQ(rect.min.y, 0);
    EXPECT_EQ(rect.max.x, size.x);
    EXPECT_EQ(rect.max.y, size.y);
}

TEST(BarePage, IsTheDiagramAlone) {
    for (const ImVec2 size : {frame_size, ImVec2(1600, 1000)}) {
        ExploreStage stage("llama-2-7b", size);
        stage.ask({OpenFile{"#v=1&m=gpt2&at=layer.attention&chrome=0"}});
        EXPECT_EQ(panels(stage), std::vector<std::string>{"panel.canvas"});
        expect_whole(stage.panel("canvas"), size);
        EXPECT_EQ(stage.session.look.here.id, "layer.attention");
    }
}

TEST(BarePage, IsAQuestionAloneAndTheDiagramWhereThatIsWhatItIsAnsweredOn) {
    ExploreStage stage("llama-2-7b", frame_size);
    stage.ask({OpenFile{"#v=1&view=worksheet&sheet=1-one-head&chrome=0"}});
    EXPECT_EQ(panels(stage), std::vector<std::string>{"panel.worksheet_question"});
    expect_whole(stage.panel("worksheet_question"), frame_size);
    ExploreStage wide("llama-2-7b", ImVec2(1280, 720));
    wide.ask({OpenFile{"#v=1&view=worksheet&sheet=1-one-head&chrome=0"}});
    const auto& questions = wide.session.desk.sheet->questions;
    std::size_t pointed = 0;
    for (std::size_t i = 0; i < questions.size(); ++i) {
        wide.ask({AtDesk{ShowQuestion{i}}});
        const bool select = questions[i].kind == QuestionKind::select;
        pointed += select;
        EXPECT_EQ(wide.screen.recorder.find("panel.worksheet_card") != nullptr, select) << questions[i].id;
        EXPECT_EQ(wide.screen.recorder.find("panel.worksheet_list"), nullptr);
    }
    EXPECT_GT(questions.size(), pointed);
}

TEST(BarePage, HasNoBarInAnyView) {
    ExploreStage stage("llama-2-7b", ImVec2(1280, 720));
    for (const ViewKind& kind : stage.views->kinds) {
        stage.ask({OpenFile{"#v=1&m=gpt2&chrome=0"}, ShowWorkspace{std::string(kind.key)}});
        EXPECT_EQ(stage.screen.recorder.find("panel.top_bar"), nullptr) << kind.key;
        float top = 720;
        for (const NamedRect& rect : stage.screen.recorder.all())
            if (rect.name.starts_with("panel.")) top = std::min(top, rect.min.y);
        EXPECT_EQ(top, 0) << kind.key;
    }
    stage.ask({OpenFile{"#v=1&m=gpt2"}});
    EXPECT_NE(stage.screen.recorder.find("panel.top_bar"), nullptr) << "a link that does not say it has all";
}

TEST(BarePage, SaysItsLinkAndTheScoreOfTheSheet) {
    ExploreStage stage("llama-2-7b", frame_size);
    const std::string link = "#v=1&m=llama-2-7b&view=worksheet&chrome=0&sheet=1-one-head";
    stage.ask({OpenFile{link}});
    EXPECT_EQ(stage.report()["link"], link);
    EXPECT_EQ(stage.report()["worksheet"]["sheet"]["right"], 0);
    const SheetQuestion& question = *stage.session.desk.question();
    const Blank& blank = question.blanks.front();
    const std::string id = blank.id;
    stage.ask({AtDesk{GiveAnswer{id, right_answer(question, blank)}},
               AtDesk{CheckFields{{id, id + ".rows", id + ".columns"}}}});
    const nlohmann::json sheet = stage.report()["worksheet"];
    EXPECT_GT(sheet["sheet"]["right"], 0);
    EXPECT_EQ(sheet["sheet"]["right"], sheet["right"]);
    EXPECT_FALSE(sheet["sheet"]["complete"]);
    EXPECT_TRUE(sheet["answers"].contains(id));
    stage.ask({OpenFile{"#v=1&view=worksheet&chrome=0&sheet=2-why-7b"}});
    const nlohmann::json other = stage.report()["worksheet"];
    EXPECT_GT(other["sheet"]["of"], other["of"]) << "of all its questions";
}

}  // namespace
}  // namespace headcount
