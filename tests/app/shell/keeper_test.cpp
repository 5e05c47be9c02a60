// Claims about keeping the document on disk.
#include "app/shell/keeper.hpp"

#include <fstream>

#include "app/state/storage.hpp"
#include "core/lesson/tour_files.hpp"
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
    Keeper keeper(folder / "deep" / "document.json", session);
    EXPECT_EQ(keeper.due_in(0, false), std::nullopt);
    edit();
    keeper.changed(10);
    EXPECT_GT(keeper.due_in(10, false).value_or(0), 0.0);
    EXPECT_EQ(keeper.due_in(11, false), 0.0);
    EXPECT_FALSE(keeper.save(session));
    EXPECT_FALSE(keeper.pending());
    const Restored restored = restore(folder / "deep" / "document.json");
    ASSERT_TRUE(restored.saved);
    EXPECT_EQ(restored.saved->document, session.document);
}

TEST_F(Kept, WithoutWhatATourHasSelected) {
    session.tours = find_tours(HEADCOUNT_ASSETS_DIR "/tours").tours;
    headcount::apply(session, Intents{Select{Component::norm}});
    Keeper keeper(folder / "document.json", session);
    edit();
    headcount::apply(session, Intents{StartTour{"1-what-is-in-a-transformer"}, StepTour{6, true}});
    ASSERT_TRUE(session.run);
    ASSERT_NE(session.view.selection, Subject(Component::norm));
    keeper.changed(10);
    EXPECT_FALSE(keeper.save(session));
    const Restored restored = restore(folder / "document.json");
    ASSERT_TRUE(restored.saved);
    EXPECT_EQ(restored.saved->view.selection, Subject(Component::norm));
}

TEST_F(Kept, IsNotSavedInTheMiddleOfADrag) {
    Keeper keeper(folder / "document.json", session);
    keeper.changed(10);
    EXPECT_EQ(keeper.due_in(100, true), std::nullopt);
    EXPECT_EQ(keeper.due_in(100, false), 0.0);
}

TEST_F(Kept, IsNotWrittenWhereNothingChanged) {
    Keeper keeper(folder / "document.json", session);
    keeper.changed(10);
    EXPECT_FALSE(keeper.save(session));
    EXPECT_FALSE(std::filesystem::exists(folder / "document.json"));
}

TEST_F(Kept, SaysWhenItCannotBeWritten) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "file") << "not a folder";
    Keeper keeper(folder / "file" / "document.json", session);
    edit();
    keeper.changed(10);
    const auto error = keeper.save(session);
    ASSERT_TRUE(error);
    EXPECT_NE(error->where.find("document.json"), std::string::npos);
    keeper.changed(20);
    EXPECT_TRUE(keeper.save(session)) << "it tries again";
}

TEST_F(Kept, IsNowhereWithoutAFile) {
    Keeper keeper(std::nullopt, session);
    edit();
    keeper.changed(10);
    EXPECT_EQ(keeper.due_in(100, false), std::nullopt);
}

}  // namespace
}  // namespace headcount
