// The family tree: parents, costs, and a sheet on which all is to scale and nothing lies over anything else.
#include "core/poster/poster.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "core/base/text.hpp"
#include "core/poster/sheet.hpp"
#include "tests/support/presets.hpp"

namespace headcount {
namespace {

using poster::Placed;
using testing_data::all_presets;

std::vector<const Preset*> named(std::initializer_list<std::string_view> ids) {
    std::vector<const Preset*> presets;
    for (const std::string_view id : ids) presets.push_back(find_preset(all_presets(), id));
    return presets;
}

const std::vector<TreeNode>& whole_tree() {
    static const std::vector<TreeNode> tree = [] {
        std::vector<const Preset*> presets;
        for (const Preset& preset : all_presets()) presets.push_back(&preset);
        return *family_tree(presets, all_presets());
    }();
    return tree;
}

TEST(FamilyTree, EveryPresetCameAfterOneThatShipsAndIsNoYounger) {
    for (const Preset& preset : all_presets()) {
        if (preset.after.empty()) continue;
        const Preset* const parent = find_preset(all_presets(), preset.after);
        ASSERT_TRUE(parent) << preset.id << " after " << preset.after;
        EXPECT_LE(*parent->year, *preset.year) << preset.id;
    }
}

TEST(FamilyTree, HasEveryPresetOfAYearOnceBehindItsParentWithWhatThatCost) {
    const std::vector<TreeNode>& tree = whole_tree();
    const auto dated = std::ranges::count_if(all_presets(), [](const Preset& each) { return each.year.has_value(); });
    EXPECT_EQ(static_cast<std::ptrdiff_t>(tree.size()), dated);
    std::size_t roots = 0;
    for (std::size_t i = 0; i < tree.size(); ++i) {
        if (!tree[i].parent) {
            ++roots;
            continue;
        }
        ASSERT_LT(*tree[i].parent, i) << tree[i].preset->id;
        EXPECT_EQ(tree[i].cost, tree[i].total - tree[*tree[i].parent].total) << tree[i].preset->id;
    }
    EXPECT_LT(roots, tree.size() / 3) << "most came after another";
}

TEST(FamilyTree, SaysWhatChangedWithTheCostliestFirst) {
    const std::vector<TreeNode> tree = *family_tree(named({"llama-2-7b", "llama-3-8b"}), all_presets());
    ASSERT_EQ(tree.size(), 2u);
    EXPECT_EQ(tree[1].preset->id, "llama-3-8b");
    EXPECT_EQ(tree[1].cost, 8'030'261'248 - 6'738'415'616);
    ASSERT_EQ(tree[1].changes.size(), 3u);
    EXPECT_EQ(tree[1].changes[0], "FFN hidden 11008 → 14336");
}

TEST(FamilyTree, LeadsPastWhatIsNotShown) {
    const std::vector<TreeNode> tree = *family_tree(named({"llama-3-8b", "llama-7b"}), all_presets());
    ASSERT_EQ(tree.size(), 2u);
    EXPECT_EQ(tree[1].preset->id, "llama-3-8b");
    EXPECT_EQ(tree[1].parent, 0u);
}

double left_of(const Placed& model) { return std::min(model.x, model.words_x); }

double right_of(const Placed& model) { return std::max(model.x + model.side, model.words_x + model.room); }

void expect_to_scale_and_apart(std::span<const TreeNode> tree) {
    const poster::Sheet sheet = poster::lay_out(tree);
    ASSERT_EQ(sheet.models.size(), tree.size());
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const Placed& model = sheet.models[i];
        const std::string& id = tree[i].preset->id;
        EXPECT_NEAR(model.side * model.side * sheet.scale / static_cast<double>(tree[i].total), 1, 1e-9) << id;
        EXPECT_GE(model.y, poster::top) << id;
        EXPECT_LE(model.bottom, poster::bottom + poster::gap + 1) << id;
        EXPECT_LE(model.x + model.side, poster::width - poster::margin + 1) << id;
        for (std::size_t j = 0; j < i; ++j) {
            const Placed& other = sheet.models[j];
            const bool apart_across = right_of(model) <= left_of(other) || right_of(other) <= left_of(model);
            const bool apart_down = model.y >= other.bottom - 0.01 || other.y >= model.bottom - 0.01;
            EXPECT_TRUE(apart_across || apart_down) << id << " and " << tree[j].preset->id;
        }
    }
    for (std::size_t i = 1; i < sheet.years.size(); ++i) EXPECT_LT(sheet.years[i - 1].year, sheet.years[i].year);
}

TEST(Poster, HasAllModelsAtOneScaleAndNoneOverAnother) {
    expect_to_scale_and_apart(whole_tree());
    expect_to_scale_and_apart(*family_tree(named({"gpt2"}), all_presets()));
    expect_to_scale_and_apart(*family_tree(named({"gpt2", "llama-3.1-405b", "tiny-stories"}), all_presets()));
}

TEST(Poster, CutsNoParentsName) {
    const std::vector<TreeNode>& tree = whole_tree();
    const poster::Sheet sheet = poster::lay_out(tree);
    ASSERT_EQ(sheet.models.size(), tree.size());
    for (std::size_t i = 0; i < tree.size(); ++i) {
        if (!tree[i].parent) continue;
        const std::string lines = listed(
            sheet.models[i].lines, [](const std::string& line) { return line; }, " ");
        const std::string& parent = tree[*tree[i].parent].preset->architecture.name;
        EXPECT_NE(lines.find(parent), lines.npos) << tree[i].preset->id << ": " << lines;
    }
}

TEST(Poster, DrawsAWordsHaloAsATextOfItsOwnBelowIt) {
    const std::string svg = *poster_svg(whole_tree());
    const std::string name = ">" + whole_tree().front().preset->architecture.name + "<";
    const std::size_t halo = svg.find(name), end = svg.find("</g>", halo);
    EXPECT_LT(svg.rfind("<g stroke=", halo), halo);
    EXPECT_NE(svg.find(name, end), svg.npos) << "behind the halo, so above it";
    EXPECT_EQ(svg.find("paint-order"), svg.npos);
}

TEST(Poster, OfMoreModelsThanHaveRoomIsRefused) {
    std::vector<TreeNode> tree;
    for (int i = 0; i < 20; ++i) tree.insert(tree.end(), whole_tree().begin(), whole_tree().end());
    const Result<std::string> svg = poster_svg(tree);
    ASSERT_FALSE(svg);
    EXPECT_NE(sentence(svg.error()).find("no room"), std::string::npos);
}

TEST(Poster, IsOneSheetOfA2WithEveryName) {
    const std::string svg = *poster_svg(whole_tree());
    EXPECT_NE(svg.find("width=\"2245.04\" height=\"1587.4\""), svg.npos) << svg.substr(0, 200);
    for (const TreeNode& node : whole_tree())
        EXPECT_NE(svg.find(">" + node.preset->architecture.name + "<"), svg.npos) << node.preset->id;
    EXPECT_FALSE(std::regex_search(svg, std::regex(R"(\bnan\b)")));
}

}  // namespace
}  // namespace headcount
