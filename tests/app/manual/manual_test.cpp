// Claims about the manual on the screen.
#include "app/manual/manual.hpp"

#include "app/manual/pages.hpp"
#include "app/views/views.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

const ImVec2 small_window(1200, 640);  // what the sheet leaves it at 1280x720, and the padding

Intents draw_shipped(const Ui& ui, const Session& session) {
    if (!session.view.manual) return {};
    return draw_manual(ui, session.view, session.derived.shown, shipped_views());
}

// Open at a place, in a window of this size.
struct Reader {
    explicit Reader(const ManualPlace& place, ImVec2 extent = small_window)
        : bench(draw_shipped, "llama-2-7b", extent) {
        bench.ask(ShowManual{place});
    }

    std::string place() const {
        const auto& open = bench.session.view.manual;
        return open ? std::get<std::string>(*open) : "closed";
    }

    test::Workbench bench;
};

TEST(Manual, TheKeysFitInASmallWindow) {
    Reader reader("keys");
    reader.bench.screen.use_shipped_fonts();
    reader.bench.frames(2);
    const NamedRect* const keys = reader.bench.screen.recorder.find("help.keys");
    ASSERT_TRUE(keys);
    const NamedRect* const page = reader.bench.screen.recorder.find("help.page");
    ASSERT_TRUE(page);
    EXPECT_LE(keys->max.y, page->max.y);
}

TEST(Manual, EveryKeyThatActsEverywhereIsAmongTheKeys) {
    Reader reader("keys");
    const auto said_with_another = [](const std::string& key) {
        return std::ranges::any_of(common_actions(), [&](const Action& each) {
            return each.in_manual && each.name.find("; " + key + ' ') != std::string::npos;
        });
    };
    for (const Action& action : common_actions()) {
        if (action.keys.empty()) continue;
        const std::string& key = action.keys.front();
        EXPECT_TRUE(reader.bench.has("help.key." + key) || said_with_another(key)) << action.id;
    }
}

TEST(Manual, ItsMarkClosesIt) {
    for (const ImVec2 window : {small_window, ImVec2(420, 300)}) {
        Reader reader("keys", window);
        reader.bench.press("help.close");
        EXPECT_EQ(reader.place(), "closed");
    }
}

TEST(Manual, OpensAtTheViewThatIsOnTheScreen) {
    Reader reader(PageOfView{});
    EXPECT_TRUE(reader.bench.has("help.pages.views#the-run-view")) << "its document's pages are listed";
    EXPECT_TRUE(reader.bench.has("help.link.models#files")) << "a link of the Explore view's page";
    reader.bench.ask(ShowWorkspace{costs_view});
    EXPECT_TRUE(reader.bench.has("help.link.command-line#memory")) << "a link of the Costs view's page";
}

TEST(Manual, APageIsChosenFromTheList) {
    Reader reader("keys");
    reader.bench.press("help.pages.models");
    EXPECT_EQ(reader.place(), "models");
    reader.bench.press("help.pages.models#files");
    EXPECT_EQ(reader.place(), "models#files");
    reader.bench.press("help.pages.keys");
    EXPECT_EQ(reader.place(), "keys");
}

TEST(Manual, ALinkLeadsToItsPage) {
    Reader reader(PageOfView{});
    reader.bench.press("help.link.models#files");
    EXPECT_EQ(reader.place(), "models#files");
}

TEST(Manual, ALinkWithinAPageLeadsThereEveryTime) {
    Reader reader("models#symbols-and-fields", ImVec2(1200, 400));
    const auto at_link = [&] { return reader.bench.screen.recorder.find("help.link.models#layers")->min.y; };
    const float before = at_link();
    for (int again = 0; again < 2; ++again) {
        reader.bench.ask(ShowManual{"models#layers"});
        reader.bench.frames(3);
        EXPECT_LT(at_link(), before);
        reader.bench.press("help.pages.models#symbols-and-fields");
        reader.bench.frames(3);
        EXPECT_EQ(at_link(), before) << "the entry of the page leads to its top";
    }
}

TEST(Manual, BackspaceGoesBackToThePageBefore) {
    Reader reader(PageOfView{});
    reader.bench.press("help.link.models#files");
    reader.bench.press("help.pages.formats");
    const auto back = [&] {
        reader.bench.screen.hands.key(ImGuiKey_Backspace, true);
        reader.bench.frame();
        reader.bench.screen.hands.key(ImGuiKey_Backspace, false);
        reader.bench.frames(2);
    };
    back();
    EXPECT_EQ(reader.place(), "models#files");
    back();
    EXPECT_EQ(reader.place(), "views#the-explore-view");
    back();
    EXPECT_EQ(reader.place(), "views#the-explore-view") << "there is none before";
}

TEST(Manual, EnterOpensTheFirstPageThatWasFound) {
    Reader reader("keys");
    reader.bench.press("help.search");
    reader.bench.screen.hands.text("roofline");
    reader.bench.frames(3);
    reader.bench.screen.hands.key(ImGuiKey_Enter, true);
    reader.bench.frame();
    reader.bench.screen.hands.key(ImGuiKey_Enter, false);
    reader.bench.frames(2);
    EXPECT_EQ(reader.place(), "views#the-costs-view");
}

TEST(Manual, PageKeysTurnPages) {
    Reader reader("models#symbols-and-fields", ImVec2(1200, 500));
    reader.bench.press("help.text");  // as who reads may click there
    const NamedRect* const page = reader.bench.screen.recorder.find("help.page");
    const float height = page->max.y - page->min.y, before = reader.bench.screen.recorder.find("help.text")->min.y;
    reader.bench.screen.key(ImGuiKey_PageDown, [&](const Ui& ui) { draw_shipped(ui, reader.bench.session); });
    reader.bench.frames(3);
    EXPECT_NEAR(before - reader.bench.screen.recorder.find("help.text")->min.y, height * 0.9F, 2);
}

TEST(Manual, AnAddressOfTheWebIsCopied) {
    Reader reader("command-line#solve", ImVec2(1168, 3000));
    const std::string address = "https://arxiv.org/abs/2203.15556";
    reader.bench.press("help.link." + address);
    ASSERT_EQ(reader.bench.intents.size(), 1U);
    const auto* const copy = std::get_if<Copy>(&reader.bench.intents.front());
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->text, address);
    EXPECT_EQ(reader.place(), "command-line#solve");
}

TEST(Manual, WhatIsLookedForLeavesThePagesThatHaveIt) {
    Reader reader("keys");
    reader.bench.press("help.search");
    reader.bench.screen.hands.text("redo");
    reader.bench.frames(4);
    EXPECT_TRUE(reader.bench.has("help.pages.keys"));
    for (int i = 0; i < 4; ++i) {
        reader.bench.screen.hands.key(ImGuiKey_Backspace, true);
        reader.bench.frame();
        reader.bench.screen.hands.key(ImGuiKey_Backspace, false);
        reader.bench.frame();
    }
    reader.bench.screen.hands.text("roofline");
    reader.bench.frames(4);
    EXPECT_TRUE(reader.bench.has("help.pages.views#the-costs-view"));
    EXPECT_FALSE(reader.bench.has("help.pages.formats"));
    EXPECT_FALSE(reader.bench.has("help.pages.keys"));
}

TEST(Manual, APlaceBelowAHeadingIsScrolledTo) {
    Reader reader("models#files");
    reader.bench.frames(3);
    const NamedRect* const page = reader.bench.screen.recorder.find("help.page");
    ASSERT_TRUE(page);
    const float top = page->min.y;
    reader.bench.ask(ShowManual{"models#layers"});
    reader.bench.frames(3);
    const NamedRect* const link = reader.bench.screen.recorder.find("help.link.models#layers");
    ASSERT_TRUE(link) << "which stands in the table above it";
    EXPECT_LT(link->max.y, top);
}

TEST(Manual, EveryPageIsDrawnAtEveryWidth) {
    for (const float width : {160.0F, 420.0F, 760.0F, 1168.0F}) {
        Reader reader("keys", ImVec2(width, 500));
        for (const ManualPage& page : manual_pages()) {
            reader.bench.ask(ShowManual{place_of(page)});
            const NamedRect* const all = reader.bench.screen.recorder.find("help.text");
            const NamedRect* const room = reader.bench.screen.recorder.find("help.page");
            ASSERT_TRUE(all && room) << place_of(page) << width;
            EXPECT_GE(all->min.x, room->min.x);
            EXPECT_LE(all->max.x, room->max.x);
            EXPECT_GT(all->max.y - all->min.y, 10);
        }
    }
}

TEST(Manual, AMenuStandsForTheListWhereThereIsNoRoom) {
    Reader reader("keys", ImVec2(420, 500));
    EXPECT_FALSE(reader.bench.has("help.pages.keys"));
    EXPECT_TRUE(reader.bench.has("help.menu"));
}

}  // namespace
}  // namespace headcount
