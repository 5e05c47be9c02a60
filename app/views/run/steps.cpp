// What the tokenizer does with the prompt: normalized, cut into words, and one word merged step by step into tokens.
#include <algorithm>
#include <cmath>

#include "app/state/run/vocabulary.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/slider_row.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/run/parts.hpp"
#include "core/base/scripts.hpp"
#include "core/base/text.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {
namespace {

constexpr float piece_height = 24, between_pieces = 5, narrowest_piece = 22, piece_inset = 7, widest_piece = 260,
                between_lines = 3, between_columns = 28;  // unscaled
constexpr std::size_t most_merge_lines = 40, most_shown_words = 400;

class StepsPage {
  public:
    StepsPage(RunPanel& panel, const RunSnapshot& run)
        : panel_(panel), ui_(panel.ui), run_(run), list_(*ImGui::GetWindowDrawList()) {}

    void draw() {
        const float padding = ui_.px(size::panel_padding);
        start_ = ImGui::GetCursorScreenPos() + ImVec2(padding, 0);
        right_ = start_.x + ImGui::GetContentRegionAvail().x - 2 * padding - ui_.px(4);
        y_ = start_.y;
        const RunSteps* const found = panel_.page.steps.get();
        if (!found || found->by.lock() != run_.tokenizer) return;
        if (!found->steps) {
            ImGui::SetCursorScreenPos({start_.x, y_});
            message_card(ui_, "run.steps.wrong",
                         sentence(Error{found->steps.error().what, "", found->steps.error().fix}) + ".", {});
            return;
        }
        const TextSteps& steps = *found->steps;
        normalized(*found);
        chosen_ = chosen(steps);
        words(steps);
        if (!steps.words.empty()) {
            merged(steps, steps.words[chosen_]);
        }
        tokens(steps);
        place(start_, ImVec2(8, y_ - start_.y));
    }

  private:
    // The word whose token is looked at. Of none the first that falls into pieces which no text has trained, else the
    // one of most pieces.
    std::size_t chosen(const TextSteps& steps) const {
        if (panel_.place.position)
            for (std::size_t i = 0, end = steps.before.size(); i < steps.words.size(); ++i) {
                const std::size_t begin = std::exchange(end, end + steps.words[i].ids.size());
                const auto at = static_cast<std::size_t>(*panel_.place.position);
                if (at >= begin && at < end) return i;
            }
        std::size_t most = 0;
        for (std::size_t i = 0; i < steps.words.size(); ++i) {
            if (untrained(steps.words[i])) return i;
            if (steps.words[i].merges.size() > steps.words[most].merges.size()) most = i;
        }
        return most;
    }

    const TrainedRows* measured() const {
        const auto& trained = panel_.page.trained;
        return trained && trained->of.lock() == run_.values->shared_model() && trained->rows ? &*trained->rows
                                                                                             : nullptr;
    }
    // No text has trained it, or, where that is counted, hardly one.
    bool untrained(std::int32_t id) const {
        if (run_.tokenizer->counts()) return run_.tokenizer->hardly_read(id);
        const TrainedRows* const rows = measured();
        return rows && id < std::ssize(rows->distances) && rows->untrained(id);
    }
    bool untrained(const WordSteps& word) const {
        return std::ranges::any_of(word.ids, [this](std::int32_t id) { return untrained(id); });
    }
    std::string said_of(const WordSteps& word) const {
        const auto id = std::ranges::find_if(word.ids, [this](std::int32_t each) { return untrained(each); });
        if (id == word.ids.end()) return "Press to see how it came about.";
        if (const TokenCounts* const counts = run_.tokenizer->counts())
            return in_quotes(run_.tokenizer->piece(*id)) + " is in it. " + read_words(*counts, *id);
        return "It has a token whose row no text has trained: the model has never seen it.";
    }

    void title(std::string_view words, const std::string& remark) {
        draw_text_in(list_, ui_.fonts.body_bold, {start_.x, y_}, {right_, y_ + ui_.px(22)}, ui_.theme.text_high, words);
        const float from = start_.x + text_width(ui_.fonts.body_bold, words) + ui_.px(14);
        draw_text_in(list_, ui_.fonts.caption, {from, y_}, {right_, y_ + ui_.px(22)}, ui_.theme.text_low, remark,
                     Align::right);
        y_ += ui_.px(28);
    }
    void wrapped(const Font& font, ImU32 ink, const std::string& words) {
        draw_wrapped(list_, font, {start_.x, y_}, ink, words, right_ - start_.x);
        y_ += wrapped_extent(font, words, right_ - start_.x).y + ui_.px(10);
    }

    void normalized(const RunSteps& found) {
        title("1  Normalized", found.steps->normalized == found.text ? "as it was typed" : "");
        wrapped(ui_.fonts.mono, ui_.theme.text_mid, Tokenizer::piece_with_dots(found.steps->normalized));
    }

    float width_of(const std::string& text) const {
        return std::clamp(text_width(ui_.fonts.mono, text) + 2 * ui_.px(piece_inset), ui_.px(narrowest_piece),
                          std::max(ui_.px(narrowest_piece), std::min(ui_.px(widest_piece), right_ - start_.x)));
    }
    // A piece at x, in the next line where it has no room. Returns its box.
    std::pair<ImVec2, ImVec2> next(float& x, const std::string& text, float below = 0) {
        const float width = width_of(text);
        if (x > start_.x && x + width > right_) {
            x = start_.x;
            y_ += ui_.px(piece_height + between_pieces) + below;
        }
        const ImVec2 min(std::round(x), std::round(y_)),
            max(std::round(x + width), std::round(y_ + ui_.px(piece_height)));
        x = max.x + ui_.px(between_pieces);
        return {min, max};
    }
    void piece(ImVec2 min, ImVec2 max, const std::string& text, ImU32 fill, bool strong, bool wrong = false) {
        draw_box(list_, min, max, fill, strong ? ui_.theme.selection : ui_.theme.strong_line,
                 ui_.px(size::radius_field));
        if (wrong) draw_dashed_rect(list_, min, max, ui_.theme.wrong, ui_.px(4), std::max(1.0F, ui_.px(1.5F)));
        draw_text_in(list_, ui_.fonts.mono, min + ImVec2(ui_.px(4), 0), max - ImVec2(ui_.px(4), 0), ui_.theme.text_high,
                     text, Align::centre);
    }

    void words(const TextSteps& steps) {
        const auto marked =
            std::ranges::count_if(steps.words, [this](const WordSteps& each) { return untrained(each); });
        title("2  Cut into words", std::to_string(steps.words.size()) + ", press one");
        float x = start_.x;
        const std::size_t shown = std::min(steps.words.size(), most_shown_words);
        std::int64_t begin = std::ssize(steps.before);
        for (std::size_t i = 0; i < shown; ++i) {
            const WordSteps& word = steps.words[i];
            const std::string text = Tokenizer::piece_with_dots(word.text),
                              name = "run.steps.word." + std::to_string(i);
            const auto [min, max] = next(x, text);
            ui_.recorder.record(name, min, max);
            const IdScope scope(name);
            const Press press = press_area(ui_, "word", min, max, size::radius_field, i == 0);
            piece(min, max, text, press.hovered ? ui_.theme.hover : ui_.theme.canvas, i == chosen_, untrained(word));
            if (press.pressed) panel_.set([begin](RunPlace& place) { place.position = begin; });
            begin += std::ssize(word.ids);
            if (press.hovered)
                show_tooltip(ui_, {std::to_string(word.ids.size()) + (word.ids.size() == 1 ? " token" : " tokens"),
                                   {},
                                   {},
                                   said_of(word)});
        }
        y_ += ui_.px(piece_height + 8);
        if (shown < steps.words.size())
            wrapped(ui_.fonts.caption, ui_.theme.text_low,
                    grouped(static_cast<std::int64_t>(steps.words.size() - shown)) + " words more");
        if (!panel_.presents)
            measure(marked);
        else if (marked > 0)
            wrapped(ui_.fonts.caption, ui_.theme.text_mid,
                    "Dashed: words with a token that the training has hardly read.");
    }

    // By which measure words are marked.
    void measure(std::int64_t marked) {
        if (const TokenCounts* const counts = run_.tokenizer->counts()) {
            const std::string words = marked == 0
                                          ? "No word here falls into tokens that the training has hardly read"
                                          : std::to_string(marked) + (marked == 1 ? " word has" : " words have") +
                                                " a token that the training has hardly read (dashed)";
            wrapped(ui_.fonts.caption, marked > 0 ? ui_.theme.text_mid : ui_.theme.text_low,
                    words + ": less often than " + grouped(counts->least()) + " times among " + grouped(counts->all) +
                        " tokens, a twentieth of what one of this vocabulary is read on average.");
            return;
        }
        const TrainedRows* const rows = measured();
        if (!rows) {
            wrapped(ui_.fonts.caption, ui_.theme.text_low,
                    panel_.page.trained
                        ? "Which tokens a training has seen cannot be told: this tokenizer has too few that "
                          "no text can have, to measure by."
                        : "Measuring which tokens a training has seen.");
            return;
        }
        const std::string of = grouped(rows->count_untrained()) + " of " + grouped(std::ssize(rows->distances));
        wrapped(ui_.fonts.caption, marked > 0 ? ui_.theme.text_mid : ui_.theme.text_low,
                (marked == 0 ? std::string("No word here has a token that no text has trained")
                             : std::to_string(marked) + (marked == 1 ? " word has" : " words have") +
                                   " a token that no text has trained (dashed)") +
                    ". The measure: " + of + " rows of the embedding lie within " + decimal_text(rows->limit, 2) +
                    " of the mean of the " + std::to_string(rows->references) +
                    " for what no text has, about as near as these lie to each other.");
    }

    // From bytes or letters to tokens, a line a merge.
    void merged(const TextSteps& steps, const WordSteps& word) {
        const float begins = y_;
        const bool ranks = steps.by == Segmentation::ranked_merges;
        title("3  " + in_quotes(Tokenizer::piece_with_dots(word.text)) + " becomes tokens", way_of(steps.by));
        if (word.added)
            return wrapped(ui_.fonts.caption, ui_.theme.text_mid, "A token of its own, found before all else.");
        const std::vector<std::vector<std::string>> lines = lines_of_merges(word, most_merge_lines);
        std::vector<std::string> orders;
        float ordered = 0, widest = 0;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            orders.push_back(i > 0                    ? order_of(word.merges[i - 1].order, ranks)
                             : word.first.size() == 1 ? std::string()
                                                      : "begins as");
            ordered = std::max(ordered, text_width(ui_.fonts.mono_caption, orders.back()) + ui_.px(12));
            float width = -ui_.px(between_pieces);
            for (const std::string& each : lines[i])
                width += width_of(Tokenizer::piece_with_dots(each)) + ui_.px(between_pieces);
            widest = std::max(widest, width);
        }
        widest += ordered;
        // Side by side where they have the room, each column read down: a long word's last merge is in sight, too.
        const float gap = ui_.px(between_columns), top = y_;
        const auto fits = static_cast<std::size_t>(std::max(1.0F, (right_ - start_.x + gap) / (widest + gap)));
        const std::size_t down = (lines.size() + fits - 1) / fits;
        float bottom = y_;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (i % down == 0) y_ = top;
            float x = start_.x + static_cast<float>(i / down) * (widest + gap);
            ui_.recorder.record("run.steps.merge." + std::to_string(i), {x, y_},
                                {x + widest, y_ + ui_.px(piece_height)});
            draw_text_in(list_, ui_.fonts.mono_caption, {x, y_}, {x + ordered, y_ + ui_.px(piece_height)},
                         ui_.theme.text_mid, orders[i]);
            x += ordered;
            const std::size_t made = i == 0 ? lines[i].size() : made_at(lines, i);
            for (std::size_t k = 0; k < lines[i].size(); ++k) {
                const std::string text = Tokenizer::piece_with_dots(lines[i][k]);
                const auto [min, max] = next(x, text);
                piece(min, max, text, k == made ? ui_.theme.hover : ui_.theme.canvas, k == made);
            }
            y_ += ui_.px(piece_height + between_lines);
            bottom = std::max(bottom, y_);
        }
        y_ = bottom;
        if (word.merges.size() + 1 > lines.size())
            wrapped(ui_.fonts.caption, ui_.theme.text_low,
                    grouped(static_cast<std::int64_t>(word.merges.size() + 1 - lines.size())) + " merges more");
        for (std::size_t i = 0; i < word.scores.size(); ++i)
            wrapped(ui_.fonts.mono_caption, ui_.theme.text_mid,
                    Tokenizer::piece_with_dots(run_.tokenizer->bytes(word.ids[i])) + "   log probability " +
                        decimal_text(word.scores[i], 2));
        keep_in_sight(begins);
        y_ += ui_.px(8);
    }
    // Where another word is looked at than before, as much as there is room for of what is said of it from there on.
    void keep_in_sight(float begins) const {
        auto& seen = kept<std::optional<std::int64_t>>(ui_, "run.steps.seen");
        const std::optional<std::int64_t> before = std::exchange(seen, panel_.place.position);
        if (!seen || before == seen) return;
        const float top = ImGui::GetWindowPos().y, foot = top + ImGui::GetWindowHeight();
        const float down = std::min(begins - top, y_ - foot);
        if (down <= 0) return;
        ImGui::SetScrollY(ImGui::GetScrollY() + down);
        ui_.memory.animating = true;
    }
    static std::string order_of(double order, bool ranks) {
        return ranks ? "rank " + grouped(static_cast<std::int64_t>(order)) : "score " + decimal_text(order, 2);
    }
    static std::string way_of(Segmentation by) {
        constexpr std::array<std::string_view, 4> ways{
            "byte pair encoding: the pair that was learned first is merged first",
            "the pair whose piece has the highest score is merged first",
            "the longest piece that it begins with, then the longest of the rest",
            "of all ways to cut it the likeliest"};
        return std::string(ways[static_cast<std::size_t>(by)]);
    }
    // Where a line has the piece that was merged last.
    static std::size_t made_at(const std::vector<std::vector<std::string>>& lines, std::size_t line) {
        const auto [was, is] = std::ranges::mismatch(lines[line - 1], lines[line]);
        return static_cast<std::size_t>(is - lines[line].begin());
    }

    void tokens(const TextSteps& steps) {
        std::vector<std::int32_t> ids = steps.before;
        for (const WordSteps& word : steps.words) ids.insert(ids.end(), word.ids.begin(), word.ids.end());
        ids.insert(ids.end(), steps.after.begin(), steps.after.end());
        title("4  Tokens", std::to_string(ids.size()) + ", each with its id");
        float x = start_.x;
        const float below = ui_.px(16);
        for (std::size_t i = 0; i < std::min(ids.size(), 2 * most_shown_words); ++i) {
            const std::string text = Tokenizer::piece_with_dots(run_.tokenizer->bytes(ids[i])),
                              id = std::to_string(ids[i]);
            const auto [min, max] = next(x, text.size() < id.size() ? id : text, below);
            const std::string name = "run.steps.token." + std::to_string(i);
            ui_.recorder.record(name, min, max);
            piece(min, max, text, ui_.theme.canvas, false, untrained(ids[i]));
            const IdScope scope(name);
            if (press_area(ui_, "token", min, max, size::radius_field, false).hovered)
                show_tooltip(ui_, {"Token " + id, in_quotes(without_scripts(text)), {}, note_on(run_, ids[i])});
            draw_text_in(list_, ui_.fonts.mono_caption, {min.x, max.y}, {max.x, max.y + below}, ui_.theme.text_low, id,
                         Align::centre);
        }
        y_ += ui_.px(piece_height) + below + ui_.px(16);
    }

    RunPanel& panel_;
    const Ui& ui_;
    const RunSnapshot& run_;
    ImDrawList& list_;
    std::size_t chosen_ = 0;
    ImVec2 start_;
    float right_ = 0, y_ = 0;
};

}  // namespace

void draw_run_steps(RunPanel& panel, const RunSnapshot& run) { StepsPage(panel, run).draw(); }

}  // namespace headcount
