// Claims about several windows that keep what they hold in one file.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "app/shell/keeper.hpp"
#include "app/state/in_view.hpp"
#include "app/state/storage.hpp"
#include "core/base/json_file.hpp"
#include "core/base/write_file.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/sessions.hpp"

namespace headcount {
namespace {

using test::all_presets;
using test::ask;
using test::session_of;

enum class Locks { there, none };  // whether the file system has them

// What a window is without what it draws.
struct OpenWindow {
    Seat seat_of(const std::filesystem::path& file, Locks locks) {
        Seat seat = take_seat(file);
        return locks == Locks::there ? std::move(seat) : Seat{file, 1, std::nullopt};
    }

    OpenWindow(const std::filesystem::path& file, Locks locks) : session(session_of("llama-2-7b")) {
        Seat seat = seat_of(file, locks);
        number = seat.number;
        if (const Restored restored = restore(file, number); restored.saved) {
            session = start_session(all_presets(), restored.saved->document);
            session.desk.kept = restored.saved->desk;
            session.view.recent = restored.saved->view.recent;
        }
        session.view.workspace = worksheet_view;
        sit_at_desk(session);
        keeper.emplace(std::move(seat), session);
    }

    void edit(int vocab) {
        Document document = session.document;
        document.architecture.vocab = vocab;
        ask(session, Replace{document, Field::vocab});
        edited = true;
    }
    void answer(const std::string& blank, const std::string& text) { ask(session, AtDesk{GiveAnswer{blank, text}}); }
    std::string answered(const std::string& blank) const {
        const auto& given = session.desk.progress().given;
        const auto found = given.find(blank);
        return found == given.end() ? std::string() : found->second;
    }
    void save(Taking taking = Taking::now) {
        const Result<bool> saved = keeper->save(session, taking);
        EXPECT_TRUE(saved) << sentence(saved.error());
    }

    Session session;
    std::optional<Keeper> keeper;
    int number = 1;
    bool edited = false;
};

class Windows : public testing::Test {
  protected:
    OpenWindow open(Locks locks = Locks::there) { return OpenWindow(file, locks); }
    Saved left(int window) {
        Restored restored = restore(file, window);
        EXPECT_TRUE(restored.saved) << restored.notice;
        return restored.saved ? *restored.saved : Saved{};
    }
    nlohmann::json saved() const { return *read_json(file); }
    // All that lies beside the document, and the document.
    std::string everything() const {
        std::ostringstream all;
        for (const auto& each : std::filesystem::directory_iterator(scratch.folder()))
            if (each.is_regular_file()) all << std::ifstream(each.path()).rdbuf();
        return all.str();
    }

    testing_data::Scratch scratch;
    std::filesystem::path file = scratch.folder() / "document.json";
};

TEST_F(Windows, KeepTheAnswersOfBoth) {
    OpenWindow one = open(), two = open();
    one.answer("head.input", shape_text("100", "4096"));
    one.save();
    two.answer("head.keys", shape_text("100", "128"));
    two.save();
    one.answer("head.values", shape_text("1", "2"));
    one.save();
    const auto given = left(1).desk.progress.begin()->second.given;
    EXPECT_EQ(given.size(), 3U);
    EXPECT_EQ(two.answered("head.input"), shape_text("100", "4096")) << "it is seen in the other window";
    EXPECT_EQ(one.answered("head.keys"), shape_text("100", "128"));
    EXPECT_FALSE(two.keeper->others_saved(0)) << "not twice in a second";
    EXPECT_TRUE(two.keeper->others_saved(10));
    two.save();
    EXPECT_EQ(two.answered("head.values"), shape_text("1", "2"));
}

TEST_F(Windows, HaveADocumentEach) {
    {
        OpenWindow one = open();
        one.edit(1111);
        one.save();
        OpenWindow two = open();
        EXPECT_EQ(two.session.document.architecture.vocab, 1111) << "it begins with what was saved";
        two.edit(2222);
        two.save();
        one.edit(3333);
        one.save();
        two.edit(4444);
        two.save();
    }
    OpenWindow first = open(), second = open(), third = open();
    EXPECT_EQ(first.session.document.architecture.vocab, 4444) << "the one that was changed last";
    EXPECT_EQ(second.session.document.architecture.vocab, 3333);
    EXPECT_EQ(third.number, 3);
}

TEST_F(Windows, AreNotTakenAsOpenAfterACrash) {
    {
        OpenWindow one = open(), two = open();
        two.edit(2222);
        two.save();
        two.edit(9999);  // and is killed
    }
    EXPECT_EQ(open().number, 2);
    EXPECT_EQ(open().session.document.architecture.vocab, 2222);
}

TEST_F(Windows, WithoutLocksLeaveTheSeatThatAnotherTook) {
    OpenWindow one = open(Locks::none), two = open(Locks::none);
    one.edit(1111);
    one.save();
    two.edit(2222);
    two.save();
    EXPECT_FALSE(two.session.view.notice.text.empty());
    two.edit(3333);
    two.save();
    one.edit(4444);
    one.save();
    EXPECT_EQ(left(1).document.architecture.vocab, 4444);
    EXPECT_EQ(left(2).document.architecture.vocab, 3333);
}

TEST_F(Windows, KeepBothWhereTheSameWasAnsweredDifferently) {
    OpenWindow one = open(), two = open();
    one.answer("head.keys", shape_text("one", ""));
    one.save();
    two.answer("head.keys", shape_text("two", ""));
    two.save();
    EXPECT_EQ(two.answered("head.keys"), shape_text("two", ""));
    EXPECT_NE(two.session.view.notice.text.find("document.other.json"), std::string::npos)
        << two.session.view.notice.text;
    const Restored other = restore(scratch.folder() / "document.other.json");
    ASSERT_TRUE(other.saved);
    EXPECT_EQ(other.saved->desk.progress.begin()->second.given.at("head.keys"), shape_text("one", ""));
}

TEST_F(Windows, TakeNothingOverWhileSomebodyTypes) {
    OpenWindow one = open(), two = open();
    one.answer("head.input", "1");
    one.save();
    two.answer("head.keys", "2");
    two.save(Taking::later);
    EXPECT_EQ(two.answered("head.input"), "");
    EXPECT_TRUE(two.keeper->others_saved(10)) << "it is still to come";
    two.save();
    EXPECT_EQ(two.answered("head.input"), "1");
}

TEST_F(Windows, StayAtTheirOwnQuestion) {
    OpenWindow one = open(), two = open();
    ask(one.session, AtDesk{ShowQuestion{2}});
    one.answer("head.input", "1");
    one.save();
    two.answer("head.keys", "2");
    two.save();
    EXPECT_EQ(two.session.desk.progress().question, 0U);
    EXPECT_EQ(one.session.desk.progress().question, 2U);
}

TEST_F(Windows, GoOnWhereTheFileIsDamagedOrGone) {
    OpenWindow one = open(), two = open();
    one.answer("head.input", "1");
    one.save();
    ASSERT_TRUE(write_text(file, "{\"base\": "));
    two.edit(2222);
    two.answer("head.keys", "2");
    two.save();
    EXPECT_NE(two.session.view.notice.text.find("document.damaged.json"), std::string::npos)
        << two.session.view.notice.text;
    one.answer("head.values", "3");
    one.save();
    EXPECT_EQ(left(2).document.architecture.vocab, 2222);
    EXPECT_EQ(left(1).desk.progress.begin()->second.given.size(), 3U) << "both know their own answers";
    std::filesystem::remove(file);
    one.edit(1111);
    one.save();
    two.edit(3333);
    two.save();
    EXPECT_EQ(left(1).document.architecture.vocab, 1111);
    EXPECT_EQ(left(2).document.architecture.vocab, 3333);
}

TEST_F(Windows, LeaveAnOlderFilesAnswersWhereItHasNone) {
    OpenWindow one = open();
    one.answer("head.input", "1");
    one.save();
    nlohmann::json older = saved();
    older.erase("worksheets");
    older["view"] = "none";
    older["windows"] = 3;
    older["last_window"] = -1;
    ASSERT_TRUE(write_text(file, older.dump()));
    one.answer("head.keys", "2");
    one.save();
    EXPECT_EQ(left(1).desk.progress.begin()->second.given.size(), 2U);
}

TEST_F(Windows, OneAloneLeavesAFileAsItAlwaysWas) {
    OpenWindow one = open();
    one.edit(1111);
    one.save();
    nlohmann::json file = saved();
    EXPECT_EQ(file.erase("begun"), 1U);
    EXPECT_EQ(file, nlohmann::json(saved_json(left(1))));
}

TEST_F(Windows, TakeNothingAwayThatAFileBegunAnewLacks) {
    OpenWindow one = open(), two = open();
    one.answer("head.input", "1");
    one.save();
    const Saved before = left(1);
    two.answer("head.keys", "2");
    two.save();
    ASSERT_TRUE(write_text(file, saved_text(before)));  // as an earlier Headcount would
    two.save();
    one.save();
    EXPECT_EQ(left(1).desk.progress.begin()->second.given.size(), 2U);
    EXPECT_EQ(one.answered("head.keys"), "2");
}

// Whatever is typed last in a window is in the files at the end, unless it was replaced by somebody who saw it.
void lose_nothing(unsigned seed, Locks locks) {
    const testing_data::Scratch scratch;
    const std::filesystem::path file = scratch.folder() / "document.json";
    std::mt19937 random(seed);
    const auto below = [&](unsigned count) { return random() % count; };
    const std::array<std::string, 3> blanks{"head.input", "head.keys", "head.values"};
    std::deque<std::optional<OpenWindow>> windows(2);
    std::set<std::string> must_be;  // answers
    int number = 0;
    for (int step = 0; step < 60; ++step) {
        std::optional<OpenWindow>& window = windows[below(2)];
        if (!window) {
            window.emplace(file, locks);
            // Without locks it begins with the other's document, which it may replace.
            for (std::optional<OpenWindow>& other : windows)
                if (other && locks == Locks::none) other->edited = false;
            continue;
        }
        const std::string& blank = blanks[below(3)];
        const std::string text = "typed" + std::to_string(++number);
        switch (below(8)) {
            case 0:
            case 1:
            case 2:
                must_be.erase(window->answered(blank));
                window->answer(blank, text);
                must_be.insert(text);
                window->save(below(2) == 0 ? Taking::now : Taking::later);
                break;
            case 3:
            case 4:
                window->edit(1000 + number);
                window->save();
                break;
            case 5:
                window->session.view.recent.insert(window->session.view.recent.begin(), text);
                window->save();
                break;
            case 6:
                if (window->keeper->others_saved(10.0 * step)) window->save();
                break;
            case 7:
                window.reset();  // closed or killed: all is saved
                break;
        }
    }
    std::string all;
    for (const auto& each : std::filesystem::directory_iterator(scratch.folder()))
        if (each.path().extension() == ".json") all += *read_text(each.path());
    for (const std::string& text : must_be) EXPECT_NE(all.find('"' + text), std::string::npos) << text << ", " << seed;
    for (const std::optional<OpenWindow>& window : windows)
        if (window && window->edited) {
            const std::string vocab = std::to_string(window->session.document.architecture.vocab);
            EXPECT_NE(all.find("\"vocab\": \"" + vocab), std::string::npos) << vocab << ", " << seed;
        }
}

TEST_F(Windows, LoseNothingInWhateverOrderTheySave) {
    for (unsigned seed = 0; seed < 15; ++seed) {
        lose_nothing(seed, Locks::there);
        lose_nothing(seed, Locks::none);
    }
}

}  // namespace
}  // namespace headcount
