// Claims about ends that come from outside.
#include "app/shell/ending.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace headcount {
namespace {

// As where nobody has it ignored: a shell that starts this in the background does.
void hold(int signal) {
    std::signal(signal, SIG_DFL);
    hold_ends();
}

void hold_and_watch(int signal) {
    hold(signal);
    std::atomic<bool> woken = false;
    EndWatch watch([&] { woken = true; });
    kill(getpid(), signal);
    while (!woken) std::this_thread::yield();
    std::fputs(watch.asked() ? "asked" : "not asked", stderr);
}

TEST(EndingDeathTest, ASignalIsAskedAboutAndDoesNotKill) {
    for (const int signal : {SIGTERM, SIGHUP, SIGINT})
        EXPECT_EXIT((hold_and_watch(signal), std::_Exit(0)), testing::ExitedWithCode(0), "^asked");
}

TEST(EndingDeathTest, TheSecondSignalKills) {
    const auto ask_twice = [] {
        hold(SIGINT);
        const EndWatch watch([] {});
        while (true) kill(getpid(), SIGINT);
    };
    EXPECT_EXIT(ask_twice(), testing::KilledBySignal(SIGINT), "");
}

TEST(EndingDeathTest, AWatchThatNobodyAskedEndsByItself) {
    const auto never_ask = [] {
        hold_ends();
        EndWatch([] { std::fputs("woken", stderr); });
        std::_Exit(0);
    };
    EXPECT_EXIT(never_ask(), testing::ExitedWithCode(0), "^$");
}

TEST(EndingDeathTest, WritingToWhatHasGoneIsAnErrorAndDoesNotKill) {
    const auto write_to_nobody = [] {
        hold_ends();
        int ends[2];
        if (pipe(ends) != 0) std::_Exit(1);
        close(ends[0]);
        std::_Exit(write(ends[1], "x", 1) < 0 && errno == EPIPE ? 0 : 1);
    };
    EXPECT_EXIT(write_to_nobody(), testing::ExitedWithCode(0), "^$");
}

#ifdef __GLIBC__
TEST(EndingDeathTest, TheLastActIsDoneWhereALibraryEndsTheProcess) {
    const auto end_within = [] {
        const LastAct act([] { std::fputs("saved", stderr); });
        std::exit(1);
    };
    EXPECT_EXIT(end_within(), testing::ExitedWithCode(1), "^saved");
}

TEST(EndingDeathTest, TheLastActIsNotDoneAfterAnEndAsUsual) {
    const auto end_after = [] {
        {
            const LastAct act([] { std::fputs("saved", stderr); });
        }
        std::exit(0);
    };
    EXPECT_EXIT(end_after(), testing::ExitedWithCode(0), "^$");
}
#endif

}  // namespace
}  // namespace headcount
