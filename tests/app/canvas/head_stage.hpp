// Heads laid out for the tests of their page, and what is asked of their scenes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount::head_stage {

inline constexpr Rect small{{0, 0}, {700, 480}}, middle{{16, 40}, {916, 660}}, large{{0, 0}, {1400, 960}};

// 7 pixels a character, however many bytes it takes.
inline float stub_width(std::string_view text, TextRole /*role*/) {
    return 7.0F * static_cast<float>(std::count_if(
                      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

struct Head {
    explicit Head(const Architecture& architecture, const Input& input = {})
        : graph(expand(architecture, input)), numbers(bindings(architecture, input)) {}

    Scene scene(Rect area = middle, float unit = 1) const {
        auto width = [unit](std::string_view text, TextRole role) { return unit * stub_width(text, role); };
        return layout_head({{graph, numbers}, {graph, numbers}, area, unit, width});
    }

    ModelGraph graph;
    Bindings numbers;
};

// Every preset that is tested, with every input.
template <class Check>
void for_each_head(Check check) {
    for (std::string_view id : {"llama-2-7b", "llama-3-8b", "gpt2", "smollm2-135m", "mistral-7b", "llama-3.1-405b"})
        for (std::int64_t tokens : {1, 100, 8192, 1'000'000})
            for (std::int64_t cached : {0, 100, 1'000'000}) {
                const Head head(preset(id), {.tokens = tokens, .cached = cached});
                check(head, std::string(id) + " T=" + std::to_string(tokens) + " P=" + std::to_string(cached));
            }
}

inline std::vector<Slab> slabs_of(const Scene& scene, std::string_view id) {
    std::vector<Slab> found;
    std::copy_if(scene.slabs.begin(), scene.slabs.end(), std::back_inserter(found),
                 [&](const Slab& slab) { return slab.id == id && slab.grid_columns == 0; });
    return found;
}

inline Slab slab_of(const Scene& scene, std::string_view id) {
    const std::vector<Slab> found = slabs_of(scene, id);
    EXPECT_EQ(found.size(), 1U) << id;
    return found.empty() ? Slab{} : found.front();
}

inline const Frame& frame_of(const Scene& scene, FrameKind kind) {
    return *std::find_if(scene.frames.begin(), scene.frames.end(),
                         [&](const Frame& each) { return each.kind == kind; });
}

inline bool says(const Scene& scene, std::string_view text) {
    return std::any_of(scene.labels.begin(), scene.labels.end(), [&](const Label& each) { return each.text == text; });
}

// Where there is ink, as the labels are dropped by.
inline Rect ink_of(const Label& label) {
    const float width = stub_width(label.text, label.role);
    const float left = label.at.x - (label.anchor == Anchor::left     ? 0
                                     : label.anchor == Anchor::centre ? width / 2
                                                                      : width);
    return {{left, label.at.y + 2}, {left + width, label.at.y + 13}};
}

}  // namespace headcount::head_stage
