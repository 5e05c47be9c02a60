// What tours say of layers: of models whose layers are not all alike, and of two stacks.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "core/base/text.hpp"
#include "core/lesson/reference.hpp"
#include "core/tours/tour.hpp"
#include "tests/support/class.hpp"
#include "tests/support/presets.hpp"

namespace headcount {
namespace {

using namespace testing_data;

// The words of a preset's step of the first tour with this in its title.
std::string said(std::string_view id, std::string_view title) {
    const FoundTours found = find_tours(HEADCOUNT_ASSETS_DIR "/tours");
    const Result<WorkedTour> made = make_tour(found.tours.front(), presets(), preset(id), {.tokens = 100});
    if (!made) return sentence(made.error());
    const auto step = std::ranges::find_if(
        made->steps, [&](const WorkedStep& each) { return each.title.find(title) != std::string::npos; });
    return step == made->steps.end() ? "no such step" : step->title + "\n" + step->caption + "\n" + step->answer;
}

std::string filled(std::string_view text, std::string_view id) {
    const Result<CountedModelPtr> model = counted_model(preset(id), {.tokens = 100});
    const Result<std::string> words = model ? filled_text(text, **model, presets()) : model.error();
    return words ? *words : sentence(words.error());
}

TEST(LayersInWords, AreCountedByKindWhereTheyDiffer) {
    EXPECT_EQ(said("deepseek-v3", "one after the other"),
              "61 layers, one after the other\n"
              "11,507,286,016 parameters in each of 58 mixture layers and 583,483,392 in each of 3 dense layers: "
              "669,173,039,104 in all.\n"
              "No: each layer has its own numbers, also where all shapes are the same.");
    EXPECT_TRUE(said("t5-base", "one after the other")
                    .starts_with("12 + 12 layers, one after the other\n"
                                 "7,079,424 parameters in each of 12 encoder layers and 9,439,488 in each of 12 "
                                 "decoder layers: 198,226,944 in all.\n"))
        << said("t5-base", "one after the other");
    EXPECT_NE(said("gemma-3n-e4b", "Attention: tokens").find("8,650,752 in each of 15 layers"), std::string::npos)
        << said("gemma-3n-e4b", "Attention: tokens");
    EXPECT_NE(said("qwen3-next-80b-a3b", "one after the other").find("in each of 36 linear layers and "),
              std::string::npos);
}

TEST(LayersInWords, AreCountedOnceWhereAllAreAlike) {
    EXPECT_NE(said("llama-2-7b", "one after the other")
                  .find("32 layers, one after the other\n202,383,360 parameters in each layer: 6,476,267,520 in all."),
              std::string::npos);
    EXPECT_EQ(filled("{count by kind of layer.attention without norms}", "llama-2-7b"),
              "67,108,864 parameters in each layer");
}

TEST(LayersInWords, AddUpToAllOfThem) {
    const std::regex kind(R"(([\d,]+) (?:parameters )?in (?:its )?(?:each of ([\d,]+)|one|each) )");
    const auto number = [](const std::string& text) { return *parse_whole_number(text, "count", 0); };
    int unlike = 0;
    for (const Preset& each : presets()) {
        const Result<CountedModelPtr> model = counted_model(each.architecture, {.tokens = 10});
        if (!model) continue;  // one that reads images alone takes other inputs
        const ModelGraph& graph = (*model)->graph;
        const bool shares =
            std::ranges::any_of(graph.tensors, [](const Tensor& tensor) { return tensor.shared_in.has_value(); });
        // What DeBERTa convolves stands in its first layer, and files have it beside the layers.
        const bool beside = std::ranges::any_of(graph.stored, [&](const StoredTensor& stored) {
            return !stored.layer && graph.layer_of(graph.tensors[stored.parts.front()].block);
        });
        if (shares || beside || graph.tied_layers) continue;  // once for several layers
        const std::string words = *filled_text("{count by kind of layer} ", **model, presets());
        const std::int64_t layers = number(*filled_text("{count of layers}", **model, presets()));
        std::int64_t sum = 0;
        for (std::sregex_iterator at(words.begin(), words.end(), kind), end; at != end; ++at) {
            std::int64_t all = 0;
            for (const LayerBlock& layer : graph.layers) all += layer.group.count;
            const bool one = (*at)[0].str().find("one ") != std::string::npos;
            sum += number((*at)[1]) * ((*at)[2].matched ? number((*at)[2]) : one ? 1 : all);
        }
        EXPECT_EQ(sum, layers) << each.id << ": " << words;
        unlike += words.find(" and ") != std::string::npos ? 1 : 0;
    }
    EXPECT_GT(unlike, 10);
}

TEST(LayersInWords, WhatIsInNoLayerIsNamed) {
    EXPECT_NE(filled("{count by kind of embedding.weight}", "gpt2").find("embedding.weight"), std::string::npos);
    EXPECT_TRUE(check_text("{count by kind of layer in gpt2}"));
    EXPECT_FALSE(check_text("{layers} with {count by kind of layer.attention without norms}"));
    EXPECT_EQ(subjects_in("{count by kind of layer.attention}"), (std::vector<std::string>{"layer.attention"}));
}

}  // namespace
}  // namespace headcount
