// What the panels of the Run view share: how numbers and tokens are written, and the parts that they are made of.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/parts/run_pointed.hpp"
#include "app/parts/words.hpp"
#include "app/state/run/next.hpp"
#include "app/ui/menu.hpp"
#include "app/views/run/panels.hpp"

namespace headcount {

struct TokenCounts;  // core/tokenizer/token_counts.hpp

inline std::string in_quotes(const std::string& words) { return "\xE2\x80\x9C" + words + "\xE2\x80\x9D"; }

// A token of the run as its chip says it; and a candidate's.
inline std::string token_text(const RunSnapshot& run, std::int64_t position) {
    return chip_text(run.tokens[static_cast<std::size_t>(position)].text);
}
inline std::string source_text(const RunSnapshot& run, std::int64_t position) {
    return chip_text(run.source[static_cast<std::size_t>(position)].text);
}
inline std::string candidate_text(const RunSnapshot& run, std::int32_t id) { return chip_text(piece_of(run, id)); }
// Of those that stand beside each other: `all` have ids that `id_of` says.
template <class All, class IdOf>
ChipTexts candidate_texts(const RunSnapshot& run, const All& all, IdOf id_of) {
    std::vector<std::string> pieces;
    for (const auto& each : all) pieces.push_back(piece_of(run, static_cast<std::int32_t>(std::invoke(id_of, each))));
    return ChipTexts(pieces);
}

// What tells a token from another that is written alike: " Lily" from "Lily". Empty where they are not.
inline std::string told_apart(const RunSnapshot& run, std::int32_t id, std::int32_t other) {
    if (id == other || candidate_text(run, id) != candidate_text(run, other)) return "";
    return piece_of(run, id).starts_with(' ') ? "with a space" : "no space";
}

// What comes behind the last token; nothing while that is not known or another position is looked at.
std::optional<std::int32_t> coming_token(const RunSnapshot& run, const RunNext* next);

// What the newest token's step has come to, while it goes layer by layer: "token 8: layer 2"; and what the next press
// of Step does: "Next: layer 3 of token 8", to be drawn with scripts.
std::string stage_words(const RunSnapshot& run);
std::string step_words(const RunPage& page, RunSpeed speed);
std::string not_yet_words(const RunSnapshot& run);  // for whoever points at what the step has not come to

// "Layer 0", "Layer 1" ..., to be chosen from.
struct NumberedEntries {
    NumberedEntries(const std::string& word, std::int64_t count);

    std::vector<std::string> names;
    std::vector<MenuEntry> entries;  // of these names
};

// Parts of the left panel: the text so far; which model runs; the colours of the numbers; what the model takes and
// whether shapes are as predicted, with a line above, where a model can run.
void draw_run_text(const RunPanel& panel);
// A text and what was added to it, at the cursor, so wide; of a long one the last lines. Takes their room.
void draw_text_flow(const Ui& ui, std::string_view name, std::string_view text, std::string_view added, float width,
                    int lines);
void draw_run_model(RunPanel& panel, const Shown& own, std::span<const std::string> recent);
void draw_run_legend(RunPanel& panel);
void draw_run_sizes(const RunPanel& panel);

// "The training has read it 9 times among 16,794,605 tokens: the model hardly knows it."
std::string read_words(const TokenCounts& counts, std::int32_t id);
// That, what a token stands for that is no text itself, such as <unk>, and the code points of letters of far scripts;
// empty of any other.
std::string note_on(const RunSnapshot& run, std::int32_t id);

// What a word of the run looks at in the layer and head that are looked at: the one under the pointer, or the current
// one. Empty where no weights are kept, or they are still to come.
struct AttentionBands {
    std::int64_t from = 0;
    bool at_source = false;     // of an encoder's tokens
    std::vector<float> shares;  // by token that is looked at
};
AttentionBands attention_bands(const RunPanel& panel, const RunSnapshot& run);

// Below the middle of each chip, pixels of the screen.
struct ChipFeet {
    std::vector<ImVec2> source, tokens;
};
void draw_attention_bands(const Ui& ui, const AttentionBands& bands, const ChipFeet& feet);

// Which number of each candidate for the next token is shown.
enum class NextStage { logit, plain, tempered, kept };
// Its share there: those of all candidates add up to 1. Of logits 0.
double share_at(NextStage stage, const Candidate& candidate);

// A part of the right panel; and the height that its triangle may have, unscaled, whatever is in it.
void draw_run_attention(RunPanel& panel, const RunSnapshot& run);
float run_attention_height(const RunPanel& panel);
inline constexpr float least_labelled = 11;  // unscaled: a row that is as high has room for its word

// How an attention map is drawn: in a square of `room` pixels behind its labels; the others are unscaled.
struct MapLook {
    float room = 0;
    float labels = 64, most_side = 18;     // room for the words at its rows; the side of a cell at most
    bool large = false;                    // with words at its columns and shares in its cells, and nothing beside it
    std::optional<std::int64_t> row = {};  // that is looked at, of another text; absent: the panel's
};
// Of the layer and the head that are looked at, recorded as `name`. Returns how large it is; 0 where there is none.
ImVec2 draw_attention_map(RunPanel& panel, const RunSnapshot& run, const std::string& name, ImVec2 start, float width,
                          const MapLook& look);
// "there" looks at: what it looks at most, so many, as words with their shares; of the panel's row, or this one of
// another text. Returns how high that is.
float draw_looked(const RunPanel& panel, const RunSnapshot& run, ImVec2 min, ImVec2 max, std::size_t most,
                  std::optional<std::int64_t> row = {});
// Menus "Layer 1" and "Head 1" that choose what is looked at; `right` is where they end.
void choose_layer_and_head(RunPanel& panel, const RunValues& values, float right, float centre);

// Attention weights as cells of `side` pixels, without those that are always masked; many tokens share a cell of a
// small picture, which has the greatest of them. Only the first `rows` are there.
struct AttentionCells {
    const MatrixView& weights;
    AttentionMask mask = AttentionMask::causal;
    std::int64_t cells = 0, across = 0;  // down and along
    std::int64_t rows = 0;

    // The first column that a row has not, of so many in all.
    std::int64_t end_seen(std::int64_t row, std::int64_t all) const {
        return mask == AttentionMask::full ? all : std::min(row + 1, all);
    }
};
// Of the heads that are looked at: the model's own, or that of an encoder's text, all of which is seen.
AttentionMask mask_looked_at(const RunPanel& panel, const RunValues& values);
void draw_attention_cells(const Ui& ui, ImDrawList& list, ImVec2 min, float side, const AttentionCells& of);

// Why a layer of a run shows no attention.
std::string_view no_attention_words(const RunValues& values, std::int64_t layer);

// In the right panel while somebody else's activations are compared: what differs, and the mistake that makes it.
void draw_run_diagnosis(RunPanel& panel);

// The page of words, at the cursor: what each word of the text looks at in one head, and which heads are worth a look.
void draw_run_words(RunPanel& panel, const RunSnapshot& run);
// Where its map has stood, until the diagram is drawn, which goes on from there.
struct MapSeen {
    std::optional<Rect> rect;
};
inline MapSeen& map_seen(const Ui& ui) { return kept<MapSeen>(ui, "run.map_seen"); }
// What stands beside its map, at the cursor: what the word looks at, and the heads.
void draw_run_looked(RunPanel& panel, const RunSnapshot& run);

// The page of the words that the model knows, at the cursor: the two directions in which their rows of the embedding
// differ most, the words that are nearest to one, and its row.
void draw_run_map(RunPanel& panel, const RunSnapshot& run);

// The page of what the tokenizer does with the prompt, at the cursor, step by step.
void draw_run_steps(RunPanel& panel, const RunSnapshot& run);

// The page of how the text may go on, at the cursor: a tree, each of whose words can be taken.
void draw_run_tree(RunPanel& panel, const RunSnapshot& run);

// The way to what is shown, at the top of the window: words or diagram, and the layer whose numbers that has, each to
// be chosen.
void draw_run_way(RunPanel& panel, const RunSnapshot& run);

// What is shown below it, at the cursor, unless that is the diagram. A page that is higher than its room scrolls.
void draw_run_page(RunPanel& panel, const RunSnapshot& run);

// The diagram at the cursor, and in it the card of the cell that is pointed at, or pinned.
Intents draw_run_diagram(RunPanel panel, const Session& session, const ScenePainter& painter);

// How many of the rows of a layer's attention are shown: all but the newest token's where its step has not come so far;
// while the computation is watched, those before the token whose row is still to be made.
std::int64_t rows_there(const RunPanel& panel, const RunSnapshot& run, std::int64_t layer);

}  // namespace headcount
