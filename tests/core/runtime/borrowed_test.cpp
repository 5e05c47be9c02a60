// Claims about layers that use the keys and values of an earlier one.
#include "core/runtime/borrowed.hpp"

#include <gtest/gtest.h>

#include "core/arch/fields.hpp"
#include "tests/support/presets.hpp"

namespace headcount {
namespace {

Architecture llama_of(std::string_view layers, std::string_view borrowing) {
    const Architecture arch = *with_field(testing_data::preset("llama-2-7b"), Field::layers, layers);
    return *with_field(arch, Field::borrowing_layers, borrowing);
}

TEST(Borrowed, IsOfTheLastLayerThatHasItsOwn) {
    const Architecture arch = llama_of("5", "00011");
    const ModelGraph graph = expand(arch);
    const auto found = borrowed(arch, graph);
    ASSERT_TRUE(found) << sentence(found.error());
    ASSERT_EQ(found->size(), 2u);
    EXPECT_EQ(graph.tensors[(*found)[0].tensor].id, "layer_borrowing.attention.borrowed_keys");
    EXPECT_EQ(graph.tensors[(*found)[0].of].id, "layer.attention.key_cache");
    EXPECT_EQ(graph.tensors[(*found)[1].of].id, "layer.attention.value_cache");
    for (const Borrowed& each : *found) EXPECT_EQ(each.layer, 2);
}

TEST(Borrowed, IsNothingWhereEveryLayerHasItsOwn) {
    const Architecture arch = testing_data::preset("llama-2-7b");
    const auto found = borrowed(arch, expand(arch));
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->empty());
}

TEST(Borrowed, SaysWhereNobodyLends) {
    const Architecture first = llama_of("4", "1000"), in_turn = llama_of("4", "0101");
    EXPECT_EQ(
        sentence(borrowed(first, expand(first)).error()),
        "no layer before layer 0 has keys and values to lend it: borrowing_layers: let a layer of its kind before "
        "it have its own");
    EXPECT_EQ(sentence(borrowed(in_turn, expand(in_turn)).error()),
              "layer 3 borrows of another layer than those like it, which is not computed here: borrowing_layers: let "
              "the last layers borrow, and no others");
}

}  // namespace
}  // namespace headcount
