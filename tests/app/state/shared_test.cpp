// Claims about merging what several windows changed.
#include "app/state/shared.hpp"

#include <gtest/gtest.h>

namespace headcount {
namespace {

const SheetChoice sheet{"1-one-head", {}};

Shared answered(std::map<std::string, std::string> given) {
    Shared shared;
    shared.desk.progress[sheet].given = std::move(given);
    return shared;
}

std::map<std::string, std::string> given_in(const MergedShared& all) {
    const auto found = all.shared.desk.progress.find(sheet);
    return found == all.shared.desk.progress.end() ? std::map<std::string, std::string>{} : found->second.given;
}

using Given = std::map<std::string, std::string>;

TEST(Shared, AnswersToDifferentQuestionsBothStay) {
    const MergedShared all =
        merged(answered({{"a", "1"}}), answered({{"a", "1"}, {"b", "2"}}), answered({{"a", "1"}, {"c", "3"}}));
    EXPECT_EQ(given_in(all), (Given{{"a", "1"}, {"b", "2"}, {"c", "3"}}));
    EXPECT_FALSE(all.clash);
}

TEST(Shared, WhatOnlyOneChangedIsAsThatOneLeftIt) {
    const Shared base = answered({{"a", "1"}});
    EXPECT_EQ(given_in(merged(base, answered({{"a", "2"}}), base)), (Given{{"a", "2"}}));
    EXPECT_EQ(given_in(merged(base, base, answered({{"a", "2"}}))), (Given{{"a", "2"}}));
    EXPECT_EQ(given_in(merged(base, answered({}), base)), Given{});
    EXPECT_EQ(given_in(merged(base, base, answered({}))), Given{});
}

TEST(Shared, WhatOneEmptiedAndTheOtherTypedStays) {
    const Shared base = answered({{"a", "1"}});
    for (const MergedShared& all :
         {merged(base, answered({{"a", "2"}}), answered({})), merged(base, answered({}), answered({{"a", "2"}}))}) {
        EXPECT_EQ(given_in(all), (Given{{"a", "2"}}));
        EXPECT_FALSE(all.clash);
    }
}

TEST(Shared, TheSameTypedDifferentlyIsAClashAndOursStays) {
    const MergedShared all = merged(answered({}), answered({{"a", "1"}}), answered({{"a", "2"}}));
    EXPECT_TRUE(all.clash);
    EXPECT_EQ(given_in(all), (Given{{"a", "1"}}));
    EXPECT_FALSE(merged(answered({}), answered({{"a", "1"}}), answered({{"a", "1"}})).clash);
    Shared ada, bob;
    ada.desk.student = "Ada";
    bob.desk.student = "Bob";
    EXPECT_TRUE(merged({}, ada, bob).clash);
}

TEST(Shared, MarksAndNumbersOfSheetsFollowWhoeverChangedThem) {
    Shared base, ours, theirs;
    base.desk.progress[sheet].shown = {"a"};
    ours.desk.progress[sheet].shown = {"a", "b"};
    theirs.desk.progress[sheet].hinted = {"c"};
    ours.desk.seeds["one"] = 0;
    theirs.desk.seeds["two"] = 7;
    const MergedShared all = merged(base, ours, theirs);
    EXPECT_EQ(all.shared.desk.progress.at(sheet).shown, std::set<std::string>{"b"});
    EXPECT_EQ(all.shared.desk.progress.at(sheet).hinted, std::set<std::string>{"c"});
    EXPECT_EQ(all.shared.desk.seeds, (std::map<std::string, std::uint64_t>{{"one", 0}, {"two", 7}}));
}

TEST(Shared, FilesThatEitherOpenedAreListedAndThoseTakenOutAreNot) {
    Shared base, ours, theirs;
    base.recent = {"a", "b"};
    ours.recent = {"c", "a", "b"};
    theirs.recent = {"d", "a"};
    EXPECT_EQ(merged(base, ours, theirs).shared.recent, (std::vector<std::string>{"c", "d", "a"}));
    theirs.recent.assign(most_recent, "");
    for (std::size_t i = 0; i < most_recent; ++i) theirs.recent[i] = std::to_string(i);
    EXPECT_EQ(merged(base, ours, theirs).shared.recent.size(), most_recent);
    EXPECT_EQ(merged(base, ours, theirs).shared.recent.front(), "c");
}

}  // namespace
}  // namespace headcount
