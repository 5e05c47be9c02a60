// Claims about folders of worksheets.
#include "tests/support/class.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using namespace testing_data;

TEST(WorksheetFiles, AreListedUnworkedAndRefusedWhereOneIsOpened) {
    const Scratch scratch;
    const std::string wrong = scratch.file("2-wrong.json", R"({"title": "Wrong", "architecture": "gpt2", "questions":
        [{"id": "q", "kind": "count", "ask": "?", "answer": "count of nothing.weight"}]})");
    const Result<std::vector<Worksheet>> listed = load_worksheets(scratch.folder());
    ASSERT_TRUE(listed) << sentence(listed.error());
    ASSERT_EQ(listed->size(), 1U);
    EXPECT_EQ(listed->front().id, "2-wrong");
    EXPECT_EQ(listed->front().title, "Wrong");
    const Result<Worksheet> opened = read_worksheet(wrong, presets());
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().where, wrong + ", questions[0].answer");

    scratch.file("3-none.json", "{}");
    EXPECT_FALSE(load_worksheets(scratch.folder())) << "it has no title to be listed by";
}

}  // namespace
}  // namespace headcount
