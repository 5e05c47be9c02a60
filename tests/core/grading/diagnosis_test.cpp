// Each known mistake is found from the number that it leads to; and answers are read in every sensible form.
#include "core/worksheet/new_numbers.hpp"
#include "tests/support/class.hpp"

namespace headcount {
namespace {

using namespace testing_data;

TEST(Diagnosis, FindsTheFactorOfAShape) {
    const Sheet queries = one("shape", "shape of layer.attention.head.queries");
    EXPECT_EQ(mistake_of(queries, "100 x 4096"), Mistake::all_heads);
    EXPECT_EQ(mistake_of(queries, "128 x 100"), Mistake::swapped);
    const Grade grade = graded(queries, "q", "100 x 4096");
    EXPECT_TRUE(grade.rows_right);
    EXPECT_FALSE(grade.columns_right);
    EXPECT_EQ(grade.hint.find("128"), std::string::npos) << "a hint does not say the answer: " << grade.hint;
    EXPECT_NE(grade.hint.find("all 32 heads together"), std::string::npos) << grade.hint;
    EXPECT_EQ(mistake_of(one("shape", "shape of layer.attention.queries"), "100 x 128"), Mistake::one_head);
    EXPECT_EQ(mistake_of(one("shape", "shape of layer.attention.head.queries", "gemma-7b"), "100 x 3072"),
              Mistake::width_for_head_size);
    EXPECT_EQ(mistake_of(one("shape", "shape of layer.attention.keys", "llama-3-8b"), "100 x 4096"),
              Mistake::query_for_kv_heads);
    EXPECT_EQ(
        mistake_of(one("shape", "shape of layer.attention.head.scores", "llama-7b", R"({"tokens": 10, "cached": 50})"),
                   "10 x 10"),
        Mistake::no_cached);
}

TEST(Diagnosis, FindsWhatACountLeavesOutOrHasTooMuch) {
    EXPECT_EQ(mistake_of(one("count", "elements of layer.attention.head.scores"), "320,000"), Mistake::all_heads);
    EXPECT_EQ(mistake_of(one("count", "count of layer.feed_forward.up.weight"), "1442840576"), Mistake::all_layers);
    EXPECT_EQ(mistake_of(one("count", "all of layer.feed_forward.up.weight"), "45088768"), Mistake::one_layer);
    EXPECT_EQ(mistake_of(one("count", "count of layer.attention.query.weight"), "524288"), Mistake::one_head);
    const Sheet gpt2 = one("count", "count of model", "gpt2");
    EXPECT_EQ(mistake_of(gpt2, "163,037,184"), Mistake::tied_twice);
    EXPECT_EQ(mistake_of(one("count", "count of layer.attention", "gpt2"), "2,360,832"), Mistake::no_bias);
    EXPECT_EQ(mistake_of(one("count", "count of model"), "6607343616"), Mistake::no_output);
    EXPECT_EQ(mistake_of(one("count", "count of layer.attention.output.weight"), "34359738368"), Mistake::tokens)
        << "W_o times the context of 2,048";
    EXPECT_EQ(mistake_of(one("count", "count of layer.attention.output.weight"), "409600"), Mistake::activation);
    EXPECT_EQ(mistake_of(one("count", "count of active", "mixtral-8x7b"), "46702792704"), Mistake::total);
    EXPECT_EQ(mistake_of(one("count", "elements of cache", "llama-3-8b", R"({"tokens": 10, "batch": 3})"), "655360"),
              Mistake::no_batch);
    EXPECT_EQ(mistake_of(one("count", "ceil_to(2*4*d/3, 256)"), "10922"), Mistake::not_rounded_up);
    EXPECT_EQ(mistake_of(one("count", "count of model"), "67384156160"), Mistake::power);
}

TEST(Diagnosis, ConcludesNoHeadsOrLayersWhereThereAreNone) {
    // Of what divides, one alone is more and no part.
    EXPECT_EQ(mistake_of(one("count", "h/h_kv", "llama-3-8b"), "32"), Mistake::factor);
    EXPECT_EQ(mistake_of(one("count", "V", "gpt2"), "603084"), Mistake::other) << "the vocabulary of 12 layers";
    EXPECT_EQ(mistake_of(one("count", "16", "gpt2"), "192"), Mistake::other);
    EXPECT_EQ(mistake_of(one("count", "ceil_to(2*4*d/3, 256)"), "352256"), Mistake::other);
    EXPECT_EQ(mistake_of(one("count", "{count of model} - {count of active}", "mixtral-8x7b"), "33691795456"),
              Mistake::other)
        << "a difference has no output head to leave out";
    // A state's heads are its own.
    EXPECT_EQ(mistake_of(one("count", "N*d_s", "mamba2-130m"), "196608"), Mistake::all_heads);
    EXPECT_EQ(mistake_of(one("count", "h_s*N*d_s", "mamba2-130m"), "8192"), Mistake::one_head);
    EXPECT_EQ(mistake_of(one("count", "h_s*N*d_s", "mamba2-130m"), "4718592"), Mistake::all_layers);
}

std::string hint_of(const Sheet& sheet, const std::string& typed) { return graded(sheet, "q", typed).hint; }

TEST(Diagnosis, SaysWhichPartAloneANumberIs) {
    const Sheet layer = one("count", "count of layer", "llama-3-8b"), layers = one("count", "count of layers");
    EXPECT_EQ(hint_of(layer, "41,943,040"), "41,943,040 is this part alone: Attention.");
    EXPECT_EQ(hint_of(layer, "176160768"), "176,160,768 is this part alone: Feed-forward.");
    EXPECT_EQ(hint_of(layers, "2147483648"), "2,147,483,648 is the parameters of this part: Attention.");
}

TEST(Diagnosis, KnowsTheOtherModelThatIsAskedAbout) {
    const Sheet layer = one("count", "{count of layer in llama-2-7b}", "llama-3-8b");
    EXPECT_EQ(hint_of(layer, "67,108,864"), "67,108,864 is this part alone: Attention.");
    EXPECT_EQ(mistake_of(layer, "202,375,168"), Mistake::left_out) << hint_of(layer, "202,375,168");
    EXPECT_EQ(hint_of(layer, "6,738,415,616"), "6,738,415,616 is all parameters of Llama 2 7B.");
    EXPECT_EQ(graded(layer, "q", "202,383,360").verdict, Outcome::right);
}

// Numbers of models are powers of two and their products: what they happen to be is not what somebody did.
TEST(Diagnosis, PrefersWhatIsLikelyToWhatIsACoincidence) {
    const Sheet expert = one("count", "count of layer.feed_forward.expert", "mixtral-8x7b");
    EXPECT_EQ(hint_of(expert, "1409286144"), "1,409,286,144 is all E = 8 experts of a layer; one is asked about.");
    const Sheet total = one("count", "count of model", "llama-3-8b");
    EXPECT_EQ(hint_of(total, "16,060,522,496"),
              "16,060,522,496 is how many bytes they take at 2 each; how many there are is asked.");
    const Sheet cache = one("count", "bytes of cache", "llama-3-8b",
                            R"({"tokens": 24, "batch": 4, "cached": 1000, "precision": "bf16"})", R"(, "round": 3)");
    EXPECT_EQ(graded(cache, "q", "512 MiB").verdict, Outcome::right);
    EXPECT_EQ(hint_of(cache, "512 GiB"),
              "512 GiB: the digits are right, the unit is too large: 1 GiB is 1,073,741,824 bytes.");
    EXPECT_EQ(hint_of(cache, "537 GB"),
              "537 GB: the digits are right, the unit is too large: 1 GB is 1,000,000,000 bytes.");
    EXPECT_EQ(hint_of(cache, "500 GB"), "500 GB is too large.") << "one digit fits some unit by chance";
    EXPECT_EQ(hint_of(cache, "537"), "537: the digits are right, but not of single bytes. Which unit is it?");
    EXPECT_EQ(hint_of(cache, "0.512 GB"), "0.512 GB: 1,000 and 1,024 are mixed: 1 GiB is 1,024 MiB, 1 GB is 1,000 MB.");
    EXPECT_EQ(hint_of(one("count", "d*d_ff"), "352256000"),
              "352,256,000 is what V (vocabulary) in place of d (width) would give.");
}

// LLaMA 7B has as many layers as heads, and only the heads make the size of one.
TEST(Diagnosis, NamesOfDimensionsThatAreAsLargeTheOneThatIsGiven) {
    const Sheet queries = one("shape", "shape of layer.attention.head.queries", "llama-7b", R"({"tokens": 100})");
    const std::string hint = hint_of(queries, "100 x 32");
    EXPECT_NE(hint.find("32 is what h (heads) in place of d_h (head size)"), std::string::npos) << hint;
}

TEST(Diagnosis, NamesALayerCountLastAndNoShapeThatAnotherBlankAsksFor) {
    const Sheet head = shipped("1-one-head");
    const std::string weights = graded(head, "head.weights", "4096 x 32").hint;
    EXPECT_NE(weights.find("32 is what h (heads) in place of T"), std::string::npos) << weights;
    const std::string output = graded(head, "head.output", "100 x 128").hint;
    EXPECT_EQ(output.find("is the shape of"), std::string::npos) << "the queries are asked for: " << output;
    EXPECT_NE(hint_of(one("shape", "shape of layer.attention.output"), "100 x 128").find("Queries of one head"),
              std::string::npos);
}

TEST(Diagnosis, TellsUnitsAndRoundingApart) {
    const Sheet bytes =
        one("count", "bytes of cache", "llama-7b", R"({"tokens": 4096, "precision": "fp16"})", R"(, "round": 2)");
    EXPECT_EQ(graded(bytes, "q", "2.0 GiB").verdict, Outcome::right);
    EXPECT_EQ(graded(bytes, "q", "2147483648").verdict, Outcome::right);
    EXPECT_EQ(graded(bytes, "q", "2.1 GB").verdict, Outcome::right);
    EXPECT_EQ(mistake_of(bytes, "2.0 GB"), Mistake::gb_for_gib);
    EXPECT_EQ(mistake_of(bytes, "1073741824"), Mistake::bytes);
    const Sheet total = one("count", "count of model", "llama-7b", "{}", R"(, "round": 3)");
    EXPECT_EQ(graded(total, "q", "6.74 B").verdict, Outcome::right);
    EXPECT_EQ(graded(total, "q", "6740 million").verdict, Outcome::right);
    EXPECT_EQ(mistake_of(total, "6.73B"), Mistake::cut);
    EXPECT_EQ(mistake_of(total, "7 B"), Mistake::rounded);
    EXPECT_EQ(mistake_of(one("count", "count of model"), "6.74 B"), Mistake::rounded);
}

TEST(Typed, ShapesInEverySensibleForm) {
    const Sheet sheet = one("shape", "T x d");
    for (const char* typed :
         {"100x4096", "100 x 4096", "100×4,096", "100 by 4096", "100*4096", "(100, 4096)", "[100, 4096]", "100 4096",
          "100,4096", "T x d", "Txd", "t × D", "100 rows, 4096 columns", "100 x 2^12", "(100,4096)", "T x (h*d_h)",
          "tokens x dim", "100\u00a0×\u00a04096", "100 X 4_096"})
        EXPECT_EQ(graded(sheet, "q", typed).verdict, Outcome::right) << typed << graded(sheet, "q", typed).hint;
    for (const char* typed :
         {"100 x 5k", "4096", "100 x 32 x 128", "a x b", "x", "100 x", "100 x 4.096", "((((", "100 x d_q"})
        EXPECT_EQ(graded(sheet, "q", typed).verdict, Outcome::unreadable) << typed;
    EXPECT_NE(graded(sheet, "q", "100 x 5k").hint.find("5,000 or 5,120"), std::string::npos);
    EXPECT_EQ(graded(sheet, "q", "  ").verdict, Outcome::empty);
}

TEST(Typed, OneCommaPartsTheSidesOfAShape) {
    const Sheet sheet = one("shape", "shape of layer.attention.head.queries");
    for (const char* typed : {"(100,128)", "[100,128]", "100,128", "(100, 128)", "100;128"})
        EXPECT_EQ(graded(sheet, "q", typed).verdict, Outcome::right) << typed << graded(sheet, "q", typed).hint;
    for (const char* typed : {"4,096", "(4,096)"})
        EXPECT_EQ(graded(sheet, "q", typed).verdict, Outcome::unreadable) << typed;
    EXPECT_EQ(graded(one("shape", "d x T"), "q", "(4,096, 100)").verdict, Outcome::right);
}

TEST(Typed, NumbersAsPeopleWriteThem) {
    const Sheet layer = one("count", "count of layer"),
                total = one("count", "count of model", "llama-3-8b", "{}", R"(, "round": 3)");
    for (const char* typed : {"202,383,360.0", "202383360.0", "202,383,360.00", "2.0238336e8"})
        EXPECT_EQ(graded(layer, "q", typed).verdict, Outcome::right) << typed << hint_of(layer, typed);
    for (const char* typed : {"8.03e9", "8.03E+9", "8.03·10^9", "8.03 x 10^9", "8.03 * 10^9", "8030 million"})
        EXPECT_EQ(graded(total, "q", typed).verdict, Outcome::right) << typed << hint_of(total, typed);
    EXPECT_EQ(mistake_of(total, "8.02e9"), Mistake::other);
    EXPECT_NE(hint_of(total, "13 GB").find("\"13 GB\" is a size in bytes; how many there are is asked"),
              std::string::npos);
    EXPECT_NE(hint_of(layer, "4.096").find("can be read in two ways"), std::string::npos);
    EXPECT_NE(hint_of(layer, "202,383,360.5").find("is no whole number"), std::string::npos);
    EXPECT_NE(hint_of(total, "8.03").find("\"8.03\" has no unit"), std::string::npos);
}

TEST(Typed, FormulasAreComparedOnManyModels) {
    const Sheet sheet = one("formula", "d*d_ff");
    EXPECT_EQ(graded(sheet, "q", "dff × d").verdict, Outcome::right);
    EXPECT_EQ(graded(sheet, "q", "h·d_h·d_ff").verdict, Outcome::right) << "d = h·d_h in this model";
    EXPECT_EQ(graded(sheet, "q", "45088768").verdict, Outcome::wrong);
    EXPECT_EQ(graded(sheet, "q", "d*V").verdict, Outcome::wrong);
}

TEST(Typed, SymbolsOneBehindTheOtherAreAProduct) {
    for (const char* typed : {"2Vd", "2 V d", "2V·d", "2 Vd"}) {
        const Grade grade = graded(one("formula", "2*V*d"), "q", typed);
        EXPECT_EQ(grade.verdict, Outcome::right) << typed << ": " << grade.hint;
    }
    EXPECT_EQ(graded(one("formula", "2*L*h_kv*d_h"), "q", "2 L h_kv d_h").verdict, Outcome::right);
    EXPECT_EQ(graded(one("formula", "2*V*d*d"), "q", "2Vd^2").verdict, Outcome::right);
    const Grade foreign = graded(one("formula", "2*V*d"), "q", "2Vy");
    EXPECT_EQ(foreign.verdict, Outcome::unreadable);
    EXPECT_NE(foreign.hint.find("· or *"), std::string::npos) << foreign.hint;
}

TEST(Typed, NothingTypedBreaksAnything) {
    std::vector<Sheet> sheets{one("shape", "T x d"), one("count", "count of model"), one("formula", "T*d"),
                              one("select", "layer")};
    Draw draw(5);
    constexpr std::string_view letters = "0123456789xX*·/+-(),._^ =TdhkBMG~%e\xff\xc3\x00";
    for (int i = 0; i < tries(4000); ++i) {
        std::string typed;
        for (std::size_t k = draw.below(24); k > 0; --k) typed += letters[draw.below(letters.size())];
        for (const Sheet& sheet : sheets) graded(sheet, "q", typed);
    }
    for (const Sheet& sheet : sheets) {
        graded(sheet, "q", std::string(100'000, '('));
        graded(sheet, "q", std::string(100'000, '9'));
        graded(sheet, "q", "9223372036854775807 x 9223372036854775807");
        graded(sheet, "q", "2^63");
    }
}

}  // namespace
}  // namespace headcount
