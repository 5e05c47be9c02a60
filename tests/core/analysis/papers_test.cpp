// Tables of papers: parameters, states and arithmetic as the papers count them, out of the models that ship.
#include <gtest/gtest.h>

#include "core/analysis/arithmetic.hpp"
#include "core/analysis/parameters.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using testing_data::preset;
using testing_data::with;

std::int64_t total(const Architecture& arch) { return count_parameters(expand(arch), bindings(arch, {}))->total; }

std::int64_t rounded(std::int64_t number, std::int64_t unit) { return (number + unit / 2) / unit * unit; }

double forward(const Architecture& arch, std::int64_t tokens) {
    const Input input{.tokens = tokens};
    return static_cast<double>(arithmetic(expand(arch, input), bindings(arch, input), {})->flops.full);
}

constexpr std::int64_t million = 1'000'000, billion = 1'000 * million;

// Devlin et al. 2018, section 3: 110M and 340M, with what predicts the next sentence out of the first row. Clark et al.
// 2020, tables 1 and 2, have 110M and 335M of the same models, which is without it, and 14M of ELECTRA small, with the
// head that judges each token.
TEST(Papers, SizesOfBertAreWithWhatPredictsTheNextSentence) {
    const auto pooler = [](std::int64_t d) { return d * d + d + 2 * d + 2; };
    EXPECT_EQ(rounded(total(preset("bert-base-uncased")) + pooler(768), 10 * million), 110 * million);
    EXPECT_EQ(rounded(total(preset("bert-large-uncased")) + pooler(1024), 10 * million), 340 * million);
    EXPECT_EQ(rounded(total(preset("bert-base-uncased")), million), 110 * million);
    EXPECT_EQ(rounded(total(preset("bert-large-uncased")), million), 335 * million);
    EXPECT_EQ(rounded(total(preset("electra-small")) + 256 * 256 + 256 + 256 + 1, million), 14 * million);
}

// Raffel et al. 2020, section 3.7: 60, 220 and 770 million, 2.8 and 11 billion. The 770 million are as many as there
// are with the table of words twice, and the 2.8 billion as many as without it.
TEST(Papers, SizesOfT5CountTheWordsOnceTwiceAndNotAtAll) {
    const std::int64_t words = 32128 * 1024;
    EXPECT_EQ(rounded(total(preset("t5-small")), 10 * million), 60 * million);
    EXPECT_EQ(rounded(total(preset("t5-base")), 10 * million), 220 * million);
    EXPECT_EQ(rounded(total(preset("t5-large")) + words, 10 * million), 770 * million);
    EXPECT_EQ(rounded(total(preset("t5-large")), 10 * million), 740 * million);
    EXPECT_EQ(rounded(total(preset("t5-3b")) - words, billion / 10), 28 * billion / 10);
    EXPECT_EQ(rounded(total(preset("t5-3b")), billion / 10), 29 * billion / 10);
    EXPECT_EQ(rounded(total(preset("t5-11b")), billion), 11 * billion);
}

// Dosovitskiy et al. 2021, table 1: 86M, 307M and 632M. Base has no classifier in it; Large has as many with patches of
// 32 pixels and 1,000 classes, and 304M with those of 16; Huge has its 1,000 classes.
TEST(Papers, SizesOfVisionTransformersAreOfOtherPatchesAndHeads) {
    const Architecture base = preset("vit-base-patch16-224"), large = preset("vit-large-patch16-224");
    const auto classifier = [](const Architecture& arch) { return (arch.dim + 1) * arch.classes; };
    EXPECT_EQ(rounded(total(base) - classifier(base), million), 86 * million);
    EXPECT_EQ(rounded(total(base), million), 87 * million);
    EXPECT_EQ(rounded(total(with(large, "patch", "32")), million), 307 * million);
    EXPECT_EQ(rounded(total(large), million), 304 * million);
    EXPECT_EQ(rounded(total(preset("vit-huge-patch14-224")), million), 632 * million);
}

// Dao & Gu 2024, section 9: models of 130M, 370M, 780M, 1.3B and 2.7B; recurrent states 8 times as large as Mamba's
// (section 1).
TEST(Papers, SizesAndStatesOfMamba2) {
    EXPECT_EQ(rounded(total(preset("mamba2-130m")), 10 * million), 130 * million);
    EXPECT_EQ(rounded(total(preset("mamba2-370m")), 10 * million), 370 * million);
    EXPECT_EQ(rounded(total(preset("mamba2-780m")), 10 * million), 780 * million);
    EXPECT_EQ(rounded(total(preset("mamba2-1.3b")), billion / 10), 13 * billion / 10);
    EXPECT_EQ(rounded(total(preset("mamba2-2.7b")), billion / 10), 27 * billion / 10);
    const auto state = [](const char* id) {
        const Architecture arch = preset(id);
        const ModelGraph graph = expand(arch);
        const std::int64_t copies = arch.layers * arch.layer.recurrence->heads;
        return copies * *element_count(graph.find("layer.state_space.head.state")->shape, bindings(arch, {}));
    };
    EXPECT_EQ(state("mamba-2.8b"), 64 * 5120 * 16);
    EXPECT_EQ(state("mamba2-2.7b"), 8 * state("mamba-2.8b"));
}

// Clark et al. 2020, tables 1 and 2, as their flops_computation.py counts: a pass backwards like one forwards, a row of
// a table as a product with all of its rows, and scores of 15.625 % of the tokens. BERT was trained on a million
// batches of 256 texts with 512 tokens; what is inferred is a text of 128 tokens, without scores.
TEST(Papers, ArithmeticOfBertIsThatOfElectrasTables) {
    const auto lookups = [](const Architecture& arch, std::int64_t tokens) {
        return 2.0 * static_cast<double>(tokens * arch.vocab * arch.embedding_dim.value_or(arch.dim));
    };
    const auto rows = [](Architecture arch) {
        arch.output = OutputKind::none;
        return arch;
    };
    for (const auto& [id, training] : {std::pair{"bert-base-uncased", 6.4e19}, {"bert-large-uncased", 1.9e20}}) {
        const Architecture arch = preset(id);
        const double layers = forward(rows(arch), 512), scores = forward(arch, 512) - layers;
        const double all = 2 * 256e6 * (layers + lookups(arch, 512) + 0.15625 * scores);
        EXPECT_NEAR(all / training, 1, 0.02) << id << ": " << all;
    }
    for (const auto& [id, inferred] :
         {std::pair{"bert-base-uncased", 2.9e10}, {"electra-base", 2.9e10}, {"electra-small", 3.7e9}}) {
        const Architecture arch = rows(preset(id));
        const double all = forward(arch, 128) + lookups(arch, 128);
        EXPECT_NEAR(all / inferred, 1, 0.03) << id << ": " << all;
    }
}

}  // namespace
}  // namespace headcount
