// The parts of the Run view's right panel, and the grid of attention that it shares with the thumbnails below.
#pragma once

#include "app/views/run/parts.hpp"

namespace headcount {

// Which number of each candidate for the next token is shown.
enum class NextStage { logit, plain, tempered, kept };
// Its share there: those of all candidates add up to 1. Of logits 0.
double share_at(NextStage stage, const Candidate& candidate);

void draw_run_next(const Ui& ui, const Session& session);
void draw_run_attention(const Ui& ui, const Session& session, Intents& intents);
float run_attention_height(const Ui& ui);  // that its triangle may have, unscaled, whatever is in it
void draw_run_cache(const Ui& ui, const Session& session);

// The lower triangle of attention weights as cells of `side` pixels; many tokens share a cell of a small picture, which
// has the greatest of them. Only the first `rows` are there.
void draw_attention_cells(const Ui& ui, ImDrawList& list, ImVec2 min, float side, const MatrixView& weights,
                          std::int64_t cells, std::int64_t rows);

// How many of a layer's rows are shown: all but the newest token's where its step has not come so far.
std::int64_t rows_there(const RunSnapshot& run, std::int64_t layer);

// Menus "Layer 1" and "Head 1" that choose what is looked at; `right` is where they end.
void choose_layer_and_head(const Ui& ui, const Session& session, float right, float centre, Intents& intents);

}  // namespace headcount
