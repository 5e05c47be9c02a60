// Claims about what the program starts with.
#include "app/shell/start.hpp"

#include <cstdlib>
#include <fstream>

#include "app/state/storage.hpp"
#include "core/base/json_file.hpp"
#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

class Started : public testing::Test {
  protected:
    Started() : home(std::filesystem::path(testing::TempDir()) / "headcount_start_test") {
        std::filesystem::remove_all(home);
        std::filesystem::create_directories(home / "headcount");
        setenv("XDG_STATE_HOME", home.c_str(), 1);
    }
    ~Started() override {
        unsetenv("XDG_STATE_HOME");
        std::filesystem::remove_all(home);
    }

    void leave(const Saved& saved) { ASSERT_TRUE(write_text(home / "headcount" / "document.json", saved_text(saved))); }

    static Saved light_gpt2() {
        Saved saved{document_of(*find_preset(test::all_presets(), "gpt2")), {}};
        saved.view.theme = ThemeChoice::light;
        return saved;
    }

    std::filesystem::path home;
};

TEST_F(Started, TheFirstTimeWithLlama27B) {
    const auto start = start_where_left({});
    ASSERT_TRUE(start) << sentence(start.error());
    EXPECT_EQ(start->session.document.preset, "llama-2-7b");
    EXPECT_EQ(start->session.view.notice, "");
    EXPECT_EQ(start->file, home / "headcount" / "document.json");
}

TEST_F(Started, AgainWithWhatWasLeft) {
    Saved saved = light_gpt2();
    saved.document.architecture.vocab = 54321;
    leave(saved);
    const auto start = start_where_left({});
    ASSERT_TRUE(start) << sentence(start.error());
    EXPECT_EQ(start->session.document, saved.document);
    EXPECT_EQ(start->session.view.theme, ThemeChoice::light);
    EXPECT_FALSE(start->session.history.can_undo());
}

TEST_F(Started, WithoutASelectionThatTheModelDoesNotHave) {
    Saved saved = light_gpt2();
    saved.view.selection = TensorSubject{"layer.feed_forward.gate.weight"};
    leave(saved);
    const auto start = start_where_left({});
    ASSERT_TRUE(start) << sentence(start.error());
    EXPECT_TRUE(nothing(start->session.view.selection));
}

TEST_F(Started, ByNameWithThatAndNotWithWhatWasLeft) {
    leave(light_gpt2());
    WindowOptions options;
    options.document = document_of(*find_preset(test::all_presets(), "llama-3-8b"));
    options.theme = ThemeChoice::dark;
    const auto start = start_where_left(options);
    ASSERT_TRUE(start) << sentence(start.error());
    EXPECT_EQ(start->session.document.preset, "llama-3-8b");
    EXPECT_EQ(start->session.view.theme, ThemeChoice::dark);
}

TEST_F(Started, WithANoticeWhereTheSavedDocumentIsDamaged) {
    std::ofstream(home / "headcount" / "document.json") << "[1, 2";
    const auto start = start_where_left({});
    ASSERT_TRUE(start) << sentence(start.error());
    EXPECT_EQ(start->session.document.preset, "llama-2-7b");
    EXPECT_NE(start->session.view.notice.find("damaged"), std::string::npos);
}

TEST_F(Started, AfreshWhateverWasLeft) {
    leave(light_gpt2());
    const auto session = start_afresh(std::nullopt, ThemeChoice::dark);
    ASSERT_TRUE(session) << sentence(session.error());
    EXPECT_EQ(session->document.preset, "llama-2-7b");
    EXPECT_EQ(session->view.theme, ThemeChoice::dark);
}

}  // namespace
}  // namespace headcount
