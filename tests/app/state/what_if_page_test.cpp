// What the What-if view remembers and works out.
#include <gtest/gtest.h>

#include "app/state/saved_fields.hpp"
#include "app/state/storage.hpp"
#include "app/state/what_if/page.hpp"
#include "tests/support/sessions.hpp"

namespace headcount {
namespace {

using test::ask;
using test::session_of;

WhatIfPlace another_place() {
    WhatIfPlace place;
    place.tab = WhatIfTab::solve;
    place.sweep = {{{Field::dim, 1024, 8192, 256}, {Field::layers, 1, 64, 9, input_numbers[2]}}, Metric::seconds};
    place.sweep.ranges.push_back({Field::vocab, 1000, 3000, 1000});
    place.sweep.third = 2;
    place.sensitivity = Metric::memory;
    place.solve.held = Metric::flops;
    place.solve.wished = {"8B", "24 GiB", "1e15"};
    place.solve.free = {Field::layers, Field::ffn_dim};
    place.solve.size = "13B";
    place.solve.budget = "5.76e23";
    place.shelf = {ShelfAxis::depth, ShelfAxis::width, true, false, ModelKind::sound, ShelfForm::tree};
    return place;
}

TEST(WhatIfJson, ComesBackAsItWasSaved) {
    for (const WhatIfPlace& place : {WhatIfPlace{}, another_place()})
        EXPECT_EQ(value_from<WhatIfPlace>(nlohmann::json::parse(json_of(place).dump())), place);
}

TEST(WhatIfJson, WhatIsWrongIsAsAtAFirstStart) {
    for (const char* text :
         {"{}", "[]", "3", R"({"tab": 7, "sweep": [], "solve": {"free": [1, "norm", "no"], "held": "seconds"}})",
          R"({"sweep": {"ranges": [{"field": "dim", "from": -1, "to": 2, "step": 1}, 7, {"field": "norm"}]}})",
          R"({"sweep": {"ranges": [{"field": "dim", "from": 1, "to": 2, "step": 0}]}, "shelf": {"x": "age"}})"})
        EXPECT_EQ(value_from<WhatIfPlace>(nlohmann::json::parse(text)), WhatIfPlace{}) << text;
}

TEST(WhatIfPage, WorksOutNothingBeforeSomebodyLooks) {
    Session session = session_of("llama-2-7b");
    ask(session, ShowWorkspace{costs_view});
    EXPECT_FALSE(session.what_if.sweep);
    ask(session, ShowWorkspace{what_if_view});
    EXPECT_TRUE(session.what_if.sweep && session.what_if.sweep->sweep);
    EXPECT_FALSE(session.what_if.solve);
}

TEST(WhatIfPage, WorksOutAgainOnlyWhatChanged) {
    Session session = session_of("llama-2-7b");
    ask(session, ShowWorkspace{what_if_view});
    const auto before = session.what_if.sweep;
    ask(session, Hover{});
    EXPECT_EQ(session.what_if.sweep, before);
    ask(session, AtWhatIf{SetSweep{{{}, Metric::seconds}}});
    EXPECT_NE(session.what_if.sweep, before);
    ASSERT_TRUE(session.what_if.sweep->sweep) << session.what_if.sweep->problem;
    EXPECT_TRUE(session.what_if.sweep->sweep->points.front().seconds);
    ask(session, AtCosts{SetCosts{{.device = "phone"}}});
    EXPECT_NE(session.what_if.sweep->problem.find("not published"), std::string::npos);
    const std::vector<Device>& devices = session.costs.devices;
    ValueRange varied{.field = Field::layers, .choices = Choices{.of = Choices::Of::device}};
    varied.choices->devices = {*find_device(devices, "phone"), *find_device(devices, "h100")};
    ask(session, AtWhatIf{SetSweep{{{varied}, Metric::seconds}}});
    ASSERT_TRUE(session.what_if.sweep->sweep) << session.what_if.sweep->problem;
    EXPECT_FALSE(session.what_if.sweep->sweep->points[0].seconds);
    EXPECT_TRUE(session.what_if.sweep->sweep->points[1].seconds);
    ask(session, AtWhatIf{SetSweep{{{{Field::layers, 9, 3, 1}}, Metric::total}}});
    EXPECT_NE(session.what_if.sweep->problem.find("runs backwards"), std::string::npos);
    ask(session, AtWhatIf{SetSweep{{{{Field::vocab, 1, 1'000'000, 1}}, Metric::total}}});
    EXPECT_NE(session.what_if.sweep->problem.find("larger step"), std::string::npos);
}

TEST(WhatIfPage, IsNoPartOfUndo) {
    Session session = session_of("llama-2-7b");
    const Effects effects = ask(session, AtWhatIf{ShowWhatIfTab{WhatIfTab::shelf}});
    EXPECT_TRUE(effects.view_changed);
    EXPECT_FALSE(effects.document_changed);
    EXPECT_FALSE(session.history.can_undo());
}

}  // namespace
}  // namespace headcount
