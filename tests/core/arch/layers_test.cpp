// Where the layers of a model differ: groups, their counts and names.
#include "core/arch/layers.hpp"

#include <gtest/gtest.h>

#include "core/arch/fields.hpp"

namespace headcount {
namespace {

Architecture with(std::initializer_list<std::pair<const char*, const char*>> changes) {
    Architecture arch;
    for (const auto& [key, text] : changes) arch = *with_field(std::move(arch), key, text);
    return arch;
}

TEST(Layers, AreOneGroupWhereTheyAreAlike) {
    const Architecture arch;
    const std::vector<LayerGroup> groups = layer_groups(arch);
    ASSERT_EQ(groups.size(), 1u);
    EXPECT_EQ(groups[0], (LayerGroup{{false, true, false}, 0, 32, "layer", "", true}));
    EXPECT_EQ(in_symbols(LayerKinds(arch).count(groups[0])), "L");
}

TEST(Layers, DenseOnesComeBeforeAMixture) {
    const Architecture arch = with({{"layers", "61"}, {"experts", "256"}, {"mixture_layers", "000|1"}});
    const std::vector<LayerGroup> groups = layer_groups(arch);
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(groups[0], (LayerGroup{{false, true, false}, 0, 3, "layer_dense", "dense", false, "dense"}));
    EXPECT_EQ(groups[1], (LayerGroup{{false, true, true}, 3, 58, "layer", "mixture", true, "mixture"}));
    EXPECT_EQ(in_symbols(LayerKinds(arch).count(groups[0])), "3");
    EXPECT_EQ(in_symbols(LayerKinds(arch).count(groups[1])), "L - 3");
}

TEST(Layers, SlideAndSeeAllInTurn) {
    const Architecture arch = with({{"layers", "26"}, {"window", "512"}, {"window_layers", "111110"}});
    const std::vector<LayerGroup> groups = layer_groups(arch);
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(groups[0], (LayerGroup{{true, true, false}, 0, 22, "layer", "sliding", true, "sliding"}));
    EXPECT_EQ(groups[1], (LayerGroup{{false, true, false}, 5, 4, "layer_full", "full", false, "full"}));
    EXPECT_EQ(in_symbols(LayerKinds(arch).count(groups[1])), "4");
}

TEST(Layers, OfEveryKindAddUpToAll) {
    for (const char* layers : {"1", "2", "7", "48", "1000000000000"}) {
        const Architecture arch = with({{"layers", layers},
                                        {"window", "8192"},
                                        {"window_chunked", "true"},
                                        {"window_layers", "1110"},
                                        {"rotated_layers", "1110"},
                                        {"experts", "16"},
                                        {"mixture_layers", "01"}});
        std::int64_t sum = 0;
        std::vector<std::string> ids;
        for (const LayerGroup& group : layer_groups(arch)) {
            sum += group.count;
            EXPECT_EQ(layer_kind(arch, group.first), group.kind);
            EXPECT_EQ(std::count(ids.begin(), ids.end(), group.name), 0) << group.name;
            ids.push_back(group.name);
        }
        EXPECT_EQ(sum, arch.layers);
        EXPECT_EQ(std::count(ids.begin(), ids.end(), "layer"), 1);
    }
}

TEST(Layers, APatternThatNeverComesRoundIsAProblem) {
    EXPECT_EQ(pattern_length(Architecture{}), 1);
    Architecture arch = with({{"window", "8"}, {"experts", "4"}});
    arch.layer.attention.window->layers = LayerSet::every(4093);
    arch.layer.mixture->layers = LayerSet::every(4091);
    EXPECT_GT(pattern_length(arch), longest_pattern);
}

}  // namespace
}  // namespace headcount
