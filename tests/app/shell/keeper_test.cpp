// Claims about keeping the document on disk.
#include "app/shell/keeper.hpp"

#include <cstdlib>
#include <fstream>

#include "app/shell/ending.hpp"
#include "app/state/storage.hpp"
#include "core/tours/tour.hpp"
#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

class Kept : public testing::Test {
  protected:
    Kept()
        : folder(std::filesystem::path(testing::TempDir()) / "headcount_keeper_test"),
          session(start_session(test::all_presets(), document_of(test::all_presets().front()))) {
        std::filesystem::remove_all(folder);
    }
    ~Kept() override { std::filesystem::remove_all(folder); }

    void edit() {
        Document document = session.document;
        document.architecture.vocab = 54321;
        headcount::apply(session, Intents{Replace{document, Field::vocab}});
    }

    std::filesystem::path folder;
    Session session;
};

TEST_F(Kept, IsSavedAMomentAfterItChanged) {
    Keeper keeper(Seat{folder / "deep" / "document.json"}, session);
    EXPECT_EQ(keeper.due_in(0), std::nullopt);
    edit();
    keeper.changed(10);
    EXPECT_GT(keeper.due_in(10).value_or(0), 0.0);
    EXPECT_EQ(keeper.due_in(11), 0.0);
    ASSERT_TRUE(keeper.save(session));
    EXPECT_EQ(keeper.due_in(11), std::nullopt);
    const Restored restored = restore(folder / "deep" / "document.json");
    ASSERT_TRUE(restored.saved);
    EXPECT_EQ(restored.saved->document, session.document);
}

TEST_F(Kept, WithoutWhatATourHasSelected) {
    session.tours = find_tours(HEADCOUNT_ASSETS_DIR "/tours").tours;
    headcount::apply(session, Intents{Select{Component::norm}});
    Keeper keeper(Seat{folder / "document.json"}, session);
    edit();
    headcount::apply(session, Intents{StartTour{"1-what-is-in-a-transformer"}, StepTour{6, true}});
    ASSERT_TRUE(session.run);
    ASSERT_NE(session.look.selection, Subject(Component::norm));
    keeper.changed(10);
    ASSERT_TRUE(keeper.save(session));
    const Restored restored = restore(folder / "document.json");
    ASSERT_TRUE(restored.saved);
    EXPECT_EQ(restored.saved->selection, Subject(Component::norm));
}

TEST_F(Kept, WaitsForNoPauseLongerThanASecond) {
    Keeper keeper(Seat{folder / "document.json"}, session);
    double saved = 10;
    for (double now = saved; now < 20; now += 0.03125) {  // a key held down, a slider dragged
        keeper.changed(now);
        EXPECT_GE(keeper.due_in(now).value_or(-1), 0.0);
        if (keeper.due_in(now) != 0.0) continue;
        EXPECT_LT(now - saved, 1);
        ASSERT_TRUE(keeper.save(session));
        saved = now;
    }
    EXPECT_GT(saved, 19);
}

#ifdef __GLIBC__
TEST_F(Kept, IsSavedWhereALibraryEndsTheProcess) {
    const auto end_within = [&] {
        Keeper keeper(Seat{folder / "document.json"}, session);
        edit();
        const LastAct act([&] { (void)keeper.save(session, Taking::later); });
        std::exit(1);
    };
    EXPECT_EXIT(end_within(), testing::ExitedWithCode(1), "");
    const Restored restored = restore(folder / "document.json");
    ASSERT_TRUE(restored.saved);
    EXPECT_EQ(restored.saved->document.architecture.vocab, 54321);
}
#endif

TEST_F(Kept, IsNotWrittenWhereNothingChanged) {
    Keeper keeper(Seat{folder / "document.json"}, session);
    keeper.changed(10);
    ASSERT_TRUE(keeper.save(session));
    EXPECT_FALSE(std::filesystem::exists(folder / "document.json"));
}

TEST_F(Kept, SaysWhenItCannotBeWritten) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "file") << "not a folder";
    Keeper keeper(Seat{folder / "file" / "document.json"}, session);
    edit();
    keeper.changed(10);
    const auto saved = keeper.save(session);
    ASSERT_FALSE(saved);
    EXPECT_NE(saved.error().where.find("document.json"), std::string::npos);
    keeper.changed(20);
    EXPECT_FALSE(keeper.save(session)) << "it tries again";
}

TEST_F(Kept, WhatCouldNotBeSavedIsLeftToBeSaved) {
    std::ofstream(folder) << "a file where the folder should be";
    Keeper keeper(Seat{folder / "document.json"}, session);
    edit();
    keeper.changed(10);
    ASSERT_FALSE(keeper.save(session));
    EXPECT_EQ(keeper.due_in(11), std::nullopt) << "it is not tried again and again";
    EXPECT_TRUE(keeper.unsaved()) << "but at the end";
    std::filesystem::remove(folder);
    ASSERT_TRUE(keeper.save(session));
    EXPECT_FALSE(keeper.unsaved());
    EXPECT_TRUE(restore(folder / "document.json").saved);
}

TEST_F(Kept, IsNowhereWithoutAFile) {
    Keeper keeper(std::nullopt, session);
    edit();
    keeper.changed(10);
    EXPECT_EQ(keeper.due_in(100), std::nullopt);
}

}  // namespace
}  // namespace headcount
