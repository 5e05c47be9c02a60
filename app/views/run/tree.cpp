// How the text may go on: the likeliest ways as a tree, with the share of each word behind the one before, and of the
// whole way.
#include "app/state/run/tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/choices.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/slider_row.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/run/parts.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float choice_height = 44, above_tree = 8, branch_row = 19, most_branch_row = 52, branch_chip = 24,
                between_branches = 2, root_width = 84, root_gap = 24, way_width = 64, least_column = 96,
                widest_edge = 7;  // unscaled
constexpr std::array<std::int64_t, 4> widths{3, 5, 8, 12}, depths{2, 3, 4, 6};

class TreePage {
  public:
    TreePage(RunPanel& panel, const RunSnapshot& run)
        : panel_(panel), ui_(panel.ui), run_(run), list_(*ImGui::GetWindowDrawList()) {}

    void draw() {
        const float padding = ui_.px(size::panel_padding);
        const ImVec2 start = ImGui::GetCursorScreenPos() + ImVec2(padding, 0);
        const float width = ImGui::GetContentRegionAvail().x - 2 * padding;
        // To a class the tree has all of the room.
        if (!panel_.presents) choices(start);
        const ImVec2 below = start + ImVec2(0, ui_.px(panel_.presents ? above_tree : choice_height));
        // One of other tokens is not shown: its places may not be there.
        const RunTree* const tree = panel_.page.tree.get();
        if (!tree || tree->of.lock() != run_.values) return say(below, width, "Looking for the likeliest ways.");
        if (tree->wrong) {
            ImGui::SetCursorScreenPos(below);
            message_card(ui_, "run.tree.wrong", sentence(*tree->wrong) + ".", {});
            return;
        }
        float head = below.y - start.y;
        if (!panel_.presents) {
            const std::string words = said(*tree);
            draw_wrapped(list_, ui_.fonts.caption, below, ui_.theme.text_mid, words, width);
            head += wrapped_extent(ui_.fonts.caption, words, width).y + ui_.px(10);
        }
        tree_of(*tree, start + ImVec2(0, head), width);
        place(start, ImVec2(8, head + row_ * static_cast<float>(leaves_) + ui_.px(8)));
    }

  private:
    void say(ImVec2 at, float width, std::string_view words) {
        draw_wrapped(list_, ui_.fonts.table, at, ui_.theme.text_low, words, width);
    }

    // Of the tokens behind the one that is looked at.
    std::string said(const RunTree& tree) const {
        const Sampling& sampling = tree.rules.sampling;
        std::string words = "The " + std::to_string(tree.rules.width) +
                            " likeliest ways of each length, of those that go on from the likeliest a word before; at "
                            "an end stands the share of the whole way. ";
        if (sampling.temperature <= 0)
            return words + "The shares are the model's own, with nothing cut: the likeliest would always be taken.";
        return words + "The shares are those of the sampling at the left: temperature " +
               decimal_text(sampling.temperature, 2) + ", and what it cuts is not there.";
    }

    void choices(ImVec2 start) {
        const float middle = start.y + ui_.px(12);
        float x = start.x;
        const auto choose = [&](const char* name, std::string_view label, std::span<const std::int64_t> numbers,
                                std::int64_t RunTreeSize::*number) {
            std::vector<std::string> texts;
            for (const std::int64_t each : numbers) texts.push_back(std::to_string(each));
            const std::vector<std::string_view> words(texts.begin(), texts.end());
            const auto now = std::ranges::find(numbers, panel_.place.tree.*number);
            const int current = now == numbers.end() ? -1 : static_cast<int>(now - numbers.begin());
            draw_text(list_, ui_.fonts.table, {x, text_top(ui_.fonts.table, middle)}, ui_.theme.text_mid, label);
            x += text_width(ui_.fonts.table, label) + ui_.px(8);
            ImGui::SetCursorScreenPos({std::round(x), std::round(start.y)});
            const ChoiceResult chosen = segmented(ui_, name, words, current);
            x = chosen.right + ui_.px(20);
            if (chosen.chosen)
                panel_.set(
                    [&](RunPlace& place) { place.tree.*number = numbers[static_cast<std::size_t>(*chosen.chosen)]; });
        };
        choose("run.tree.width", "Ways", widths, &RunTreeSize::width);
        choose("run.tree.depth", "Words ahead", depths, &RunTreeSize::depth);
    }

    void tree_of(const RunTree& tree, ImVec2 start, float width) {
        const std::vector<Branch>& all = tree.branches;
        heights_.assign(all.size(), 0);
        leaves_ = 0;
        texts_ = candidate_texts(run_, all, &Branch::id);
        const float root = arrange(all, {});
        const float room = ImGui::GetWindowPos().y + ImGui::GetWindowSize().y - start.y - ui_.px(12);
        row_ = std::clamp(room / static_cast<float>(std::max(leaves_, 1)), ui_.px(branch_row), ui_.px(most_branch_row));
        const auto depth = static_cast<float>(tree.rules.depth);
        column_ = std::max(ui_.px(least_column), (width - ui_.px(root_width + root_gap + way_width)) / depth);
        start_ = start;
        const ImVec2 from(start.x, start.y + root * row_);
        const std::string text = token_text(run_, tree.position);
        chip(text, from, ui_.px(root_width) - ui_.px(6), ui_.theme.canvas, false);
        for (std::size_t i = 0; i < all.size(); ++i) edge(all, i, from);
        for (std::size_t i = 0; i < all.size(); ++i) branch(tree, i);
    }

    // In rows: those that nothing stands behind one below the other, and a word in the middle of what stands behind it.
    float arrange(const std::vector<Branch>& all, std::optional<std::size_t> parent) {
        float first = 0, last = 0;
        bool any = false;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].parent != parent) continue;
            last = heights_[i] = all[i].followed ? arrange(all, i) : static_cast<float>(leaves_++) + 0.5F;
            if (!any) first = last;
            any = true;
        }
        return any ? (first + last) / 2 : 0.5F;
    }

    ImVec2 place_of(const Branch& branch, std::size_t i) const {
        return {start_.x + ui_.px(root_width + root_gap) + column_ * static_cast<float>(branch.depth - 1),
                start_.y + heights_[i] * row_};
    }
    std::string word_of(const Branch& branch) const { return texts_.of(piece_of(run_, branch.id)); }
    float word_width(const std::string& text) const {
        return std::min(column_ - ui_.px(62), text_width(ui_.fonts.mono, text) + ui_.px(16));
    }
    float left_of(const Branch& branch, std::size_t i) const { return place_of(branch, i).x + ui_.px(56); }

    void edge(const std::vector<Branch>& all, std::size_t i, ImVec2 root) {
        const Branch& branch = all[i];
        ImVec2 from = root + ImVec2(root_end(), 0);
        if (branch.parent) {
            const Branch& parent = all[*branch.parent];
            const std::string text = word_of(parent);
            from = {left_of(parent, *branch.parent) + word_width(text), place_of(parent, *branch.parent).y};
        }
        // Straight below the share that stands on it.
        const ImVec2 bent = place_of(branch, i), end(left_of(branch, i), bent.y);
        const float middle = (from.x + bent.x) / 2;
        const float thick = std::max(1.0F, ui_.px(widest_edge) * std::sqrt(static_cast<float>(branch.way)));
        const ImU32 ink = with_alpha(ui_.theme.output_head, branch.followed || last(all, branch) ? 0.75F : 0.35F);
        list_.PathLineTo(from);
        list_.PathBezierCubicCurveTo({middle, from.y}, {middle, bent.y}, bent);
        list_.PathLineTo(end);
        list_.PathStroke(ink, 0, thick);
    }
    bool last(const std::vector<Branch>& all, const Branch& branch) const {
        return branch.over || branch.depth == all.back().depth;
    }
    float root_end() const { return ui_.px(root_width) - ui_.px(6); }
    float chip_half() const { return std::min(ui_.px(branch_chip), row_ - ui_.px(between_branches)) / 2; }

    void chip(const std::string& text, ImVec2 left, float width, ImU32 fill, bool strong) {
        const float half = chip_half();
        const ImVec2 min(std::round(left.x), std::round(left.y - half)),
            max(std::round(left.x + width), std::round(left.y + half));
        draw_box(list_, min, max, fill, strong ? ui_.theme.selection : ui_.theme.strong_line,
                 ui_.px(size::radius_field));
        draw_text_in(list_, ui_.fonts.mono, min + ImVec2(ui_.px(6), 0), max - ImVec2(ui_.px(6), 0), ui_.theme.text_high,
                     text, Align::centre);
    }

    void branch(const RunTree& tree, std::size_t i) {
        const Branch& branch = tree.branches[i];
        const std::string text = word_of(branch);
        const ImVec2 left(left_of(branch, i), place_of(branch, i).y);
        const float width = word_width(text), half = chip_half();
        const ImVec2 min(left.x, left.y - half), max(left.x + width, left.y + half);
        const std::string name = "run.tree." + std::to_string(i);
        ui_.recorder.record(name, min, max);
        const IdScope scope(name);
        const bool takes = run_.source.empty();  // what an encoder reads is another text
        const Press press = press_area(ui_, "word", min, max, size::radius_field, i == 0);
        const bool leads = branch.followed || last(tree.branches, branch);
        chip(text, left, width, press.hovered ? ui_.theme.hover : ui_.theme.panel, press.hovered);
        const std::string share = share_text(branch.probability);
        const ImVec2 figure(left.x - text_width(ui_.fonts.mono_caption, share) - ui_.px(4), left.y - ui_.px(17));
        put_text(list_, ui_.fonts.mono_caption, figure, leads ? ui_.theme.text_mid : ui_.theme.text_low, share);
        if (!branch.followed)
            draw_text(list_, leads ? ui_.fonts.mono_medium : ui_.fonts.mono_caption,
                      {max.x + ui_.px(8), text_top(leads ? ui_.fonts.mono_medium : ui_.fonts.mono_caption, left.y)},
                      leads ? ui_.theme.text_high : ui_.theme.text_low, share_text(branch.way));
        if (press.hovered)
            show_tooltip(ui_, {in_quotes(text_of_branch(run_, tree, i)),
                               share_text(branch.way) + " of the whole way",
                               {},
                               "This word has " + share_text(branch.probability) + " behind the one before." +
                                   (branch.over ? " The text ends here." : "") +
                                   (takes ? " Press to take the text as far as here." : "")});
        if (!press.pressed || !takes) return;
        const std::string taken = text_of_branch(run_, tree, i);
        panel_.set([&](RunPlace& place) {
            place.prompt = taken;
            place.position.reset();
            place.trail.clear();
        });
    }

    RunPanel& panel_;
    const Ui& ui_;
    const RunSnapshot& run_;
    ImDrawList& list_;
    std::vector<float> heights_;  // of each branch, in rows
    ChipTexts texts_{{}};
    int leaves_ = 0;
    float row_ = 0, column_ = 0;
    ImVec2 start_;
};

}  // namespace

void draw_run_tree(RunPanel& panel, const RunSnapshot& run) { TreePage(panel, run).draw(); }

}  // namespace headcount
