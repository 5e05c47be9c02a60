// Claims about which hue stands for what.
#include "app/parts/part_colours.hpp"

#include <gtest/gtest.h>

namespace headcount {
namespace {

TEST(PartColours, DimensionsHaveThoseOfTheirParts) {
    const Theme theme = dark_theme();
    EXPECT_EQ(symbol_colour(theme, Symbol::heads), theme.query);
    EXPECT_EQ(symbol_colour(theme, Symbol::kv_rank), theme.key);
    EXPECT_EQ(symbol_colour(theme, Symbol::ffn_dim), part_colour(theme, Part::up));
    EXPECT_EQ(symbol_colour(theme, Symbol::vocab), part_colour(theme, Part::token_embedding));
    EXPECT_EQ(symbol_colour(theme, Symbol::context), theme.kv_edge);
}

TEST(PartColours, DimensionsOfSeveralPartsHaveNone) {
    for (const Symbol symbol : {Symbol::dim, Symbol::layers, Symbol::head_dim, Symbol::tokens, Symbol::rope_dim,
                                Symbol::nope_dim, Symbol::gate_rank})
        EXPECT_EQ(symbol_colour(dark_theme(), symbol), 0U) << info(symbol).key;
}

TEST(PartColours, WhatLiesBetweenTwoPartsIsBetweenTheirHues) {
    for (const Theme& theme : {dark_theme(), light_theme()}) {
        EXPECT_EQ(part_colour(theme, Part::router), writable(theme, mix(theme.gate, theme.up, 0.5F)));
        EXPECT_EQ(part_colour(theme, Part::query_down), writable(theme, mix(theme.query, theme.key, 0.5F)));
        EXPECT_EQ(part_colour(theme, Part::query), theme.query);
    }
}

}  // namespace
}  // namespace headcount
