// Claims about the thread that gives memory back: whoever lets go last does not do it.
#include <gtest/gtest.h>

#include <atomic>
#include <optional>

#include "app/state/run/work.hpp"

namespace headcount {
namespace {

struct Large {
    explicit Large(std::atomic<std::thread::id>& where) : gone(where) {}
    ~Large() { gone = std::this_thread::get_id(); }
    std::atomic<std::thread::id>& gone;
};

TEST(RunBin, DestroysOnAThreadOfItsOwn) {
    std::atomic<std::thread::id> where{};
    {
        const RunBin bin;
        auto thing = bin.collected(std::make_shared<Large>(where));
        const std::shared_ptr<const Large> other = thing;
        thing.reset();
        EXPECT_EQ(where.load(), std::thread::id()) << "somebody has it still";
    }
    EXPECT_NE(where.load(), std::thread::id());
    EXPECT_NE(where.load(), std::this_thread::get_id());
}

TEST(RunBin, WhatOutlivesItIsDestroyedWhereItEnds) {
    std::atomic<std::thread::id> where{};
    std::optional<RunBin> bin(std::in_place);
    auto thing = bin->collected(std::make_shared<Large>(where));
    bin.reset();
    EXPECT_EQ(where.load(), std::thread::id());
    thing.reset();
    EXPECT_EQ(where.load(), std::this_thread::get_id());
}

// As a run owns its model.
TEST(RunBin, TakesWhatAThingInItHeld) {
    struct Holder {
        std::shared_ptr<Large> held;
    };
    std::atomic<std::thread::id> where{};
    {
        const RunBin bin;
        auto holder = bin.collected(std::make_shared<Holder>());
        holder->held = bin.collected(std::make_shared<Large>(where));
    }
    EXPECT_NE(where.load(), std::this_thread::get_id());
    EXPECT_NE(where.load(), std::thread::id());
}

}  // namespace
}  // namespace headcount
