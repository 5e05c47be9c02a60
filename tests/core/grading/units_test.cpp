// Claims about letters behind a number: B is bytes, billions or the batch, T trillions or tokens, k thousands, 1,024 or
// experts. A unit at the end is a unit, and whichever reading is right is accepted.
#include "tests/support/class.hpp"

namespace headcount {
namespace {

using namespace testing_data;

void right(const Sheet& sheet, std::initializer_list<const char*> answers, const std::string& id = "q") {
    for (const char* typed : answers) {
        const Grade grade = graded(sheet, id, typed);
        EXPECT_EQ(grade.verdict, Outcome::right) << typed << ": " << grade.hint;
    }
}

// 2 bytes · 2 · 1,024 tokens · 4 texts · 8 heads · 128 · 32 layers.
TEST(Units, AUnitBehindAFormulaIsAUnit) {
    const Sheet sheet = shipped("5-kv-cache");
    right(sheet,
          {"2*2*1024*4*8*128*32 B",
           "2*2*1024*4*8*128*32B",
           "2*2*1024*4*8*128*32 bytes",
           "2·2·1024·4·8·128·32 Bytes",
           "2*2*1024*4*8*128*32 B = 512 MiB",
           "2*2*1024*4*8*128*32 B (512 MiB)",
           "2*2*(T+P)*B*h_kv*d_h*L B",
           "2*2*(T+P)*B*h_kv*d_h*L bytes",
           "2*2*(T+P)*B*h_kv*d_h*L",
           "2^29 B",
           "4*128 MiB",
           "2*256MiB",
           "1/2 GiB",
           "512 * 1024 KiB",
           "2*2*1024*4*8*128*32 / 2^20 MiB",
           "537 megabytes",
           "512 mebibytes",
           "0.537 billion bytes",
           "537 million",
           "536870912B"},
          "bytes");
}

TEST(Units, ACommaBeforeNoThousandsIsAPoint) {
    right(shipped("5-kv-cache"), {"0,5 GiB", "0,537 GB", "0,50 GiB", "536,9 MB", "536,870,912", "536,871 KB"}, "bytes");
    right(one("count", "count of model", "llama-7b", "{}", R"(, "round": 2)"), {"6,7 B", "6,738,415,616"});
}

TEST(Units, WhereALetterIsTwoThingsEitherIsAccepted) {
    const Sheet cache = shipped("5-kv-cache");
    right(cache, {"2*2*(T+P)*h_kv*d_h*L B", "512M", "512 M", "537 M", "0.5G"}, "bytes");
    right(cache, {"2*1024*8*128*32 B", "256k*1024", "2*1K*B*8*128*32"}, "numbers");
    right(one("count", "T*d"), {"4096 T", "100 d", "409.6 k"});
    right(one("count", "d"), {"4k", "4 K", "4096 d"});
    right(one("count", "1000*h"), {"32k", "32 K"});
    right(one("count", "T"), {"100 T", "100 tokens", "0.1k tokens"});
    right(one("count", "d*d"), {"16M", "16,777,216"});
    right(one("shape", "T x d"), {"100 x 4k", "100 T x 4096 d", "100 tokens x 4k", "0.1k x 4096"});
    right(one("count", "k*d", "mixtral-8x7b"), {"4096 k", "4096k", "2*4096"});
    right(one("count", "count of model", "llama-7b", "{}", R"(, "round": 1)"), {"7 B", "7B", "7b params", "7 billion"});
}

TEST(Units, OfHowManyThereAreAnExtraUnitIsSaidAndNoOtherMistake) {
    const Grade numbers = graded(shipped("5-kv-cache"), "numbers", "268435456 B");
    EXPECT_EQ(numbers.verdict, Outcome::wrong);
    EXPECT_EQ(numbers.hint, "268435456 B: the number is right without its unit, which stands for 1,000,000,000.");
    const Grade thousands = graded(one("count", "d"), "q", "4096 K");
    EXPECT_EQ(thousands.hint, "4096 K: the number is right without its unit, which stands for 1,000.");
}

TEST(Units, AWrongSizeSaysHowItsLetterWasRead) {
    const Sheet sheet = shipped("5-kv-cache");
    const Grade grade = graded(sheet, "bytes", "2*2*1024*4*8*128*32*2 B");
    EXPECT_EQ(grade.verdict, Outcome::wrong);
    EXPECT_EQ(grade.given, "1,073,741,824");
    EXPECT_EQ(grade.mistake, Mistake::bytes);
    EXPECT_NE(grade.hint.find("B is read as bytes; for the batch write ·B."), std::string::npos) << grade.hint;
    EXPECT_EQ(graded(sheet, "bytes", "1073741824 B").hint.find("batch write"), std::string::npos)
        << "a number of bytes is nothing else";
    EXPECT_NE(graded(sheet, "bytes", "13.4 M").hint.find("write MB or MiB"), std::string::npos);
}

TEST(Units, AFieldThatIsStillEmptyIsSaidInWords) {
    const Sheet sheet = one("shape", "T x d");
    EXPECT_EQ(graded(sheet, "q", "100 × ").hint,
              "the columns are missing: write rows x columns, such as 100 x 64 or T x d");
    EXPECT_EQ(graded(sheet, "q", " × 4096").hint,
              "the rows are missing: write rows x columns, such as 100 x 64 or T x d");
}

}  // namespace
}  // namespace headcount
