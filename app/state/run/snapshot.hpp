// A run as the frame reads it: handed over by the worker, and never changed again.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/state/run/model.hpp"
#include "core/runtime/explain.hpp"
#include "core/runtime/run.hpp"

namespace headcount {

class Tokenizer;  // core/tokenizer/tokenizer.hpp

struct RunToken {
    std::int32_t id = 0;
    std::string text;        // as a tokenizer shows it, spaces kept; "[17]" where there is none
    bool generated = false;  // and not of the prompt
};

// The numbers of a run: all of them that are kept, of as many tokens as it had when they were handed over. Later tokens
// are put behind these, and change none.
class RunValues {
  public:
    RunValues(std::shared_ptr<const Model> model, std::shared_ptr<const Run> run);
    RunValues(const RunValues&) = delete;  // views point into its own copies
    RunValues& operator=(const RunValues&) = delete;

    const Model& model() const { return *model_; }
    const std::shared_ptr<const Model>& shared_model() const { return model_; }
    std::int64_t tokens() const { return tokens_; }
    // What was read, as if it had come in one pass.
    Input input() const {
        return {
            .tokens = tokens_, .batch = 1, .cached = 0, .precision = Precision::fp32, .source = std::ssize(source_)};
    }

    // As of Run, a state as the last of these tokens has left it; without data where it is not kept.
    MatrixView activation(TensorIndex tensor, std::int64_t layer = 0, std::int64_t copy = 0) const;
    MatrixView hidden(std::int64_t layer, bool encoder = false) const;
    // A parameter, as the graph has it.
    MatrixView parameter(TensorIndex tensor, std::int64_t layer = 0, std::int64_t copy = 0) const;

    std::span<const std::int32_t> ids() const { return ids_; }
    std::span<const std::int32_t> source() const { return source_; }  // that an encoder beside the decoder has read
    // As of Run.
    std::span<const std::int32_t> experts(std::int64_t layer, bool encoder = false) const;
    // Which expert the token is sent to whose row of what experts make the cell stands in, and whose copy says: to the
    // first, the second ... of its own; nothing where there is none.
    std::optional<std::int32_t> expert(const CellAt& cell) const;
    // The other way, where the copy is the expert's number: which of the token's own this one is; nothing where it is
    // sent to others.
    std::optional<std::int64_t> which(const CellAt& cell) const;

    // The attention weights of a layer's head: (tokens, tokens), or to what the encoder made, (tokens, source tokens).
    MatrixView attention(std::int64_t layer, std::int64_t head, bool cross = false) const;
    std::optional<TensorIndex> attention_tensor(std::int64_t layer,
                                                bool cross = false) const;  // whose numbers these are

    std::int64_t layers(bool encoder = false) const;  // of the decoder, or of the encoder beside it
    std::int64_t heads_of(std::int64_t layer) const;  // of its attention, or of its state

  private:
    // Every view was taken on the worker's thread: the run itself may go on meanwhile.
    struct Views {
        std::int64_t layers = 0, copies = 0;
        std::vector<MatrixView> all;  // by layer, then by copy
    };
    void take_views();
    std::span<const std::int32_t> experts_of(const CellAt& cell) const;
    void copy_states();

    std::shared_ptr<const Model> model_;
    std::shared_ptr<const Run> run_;  // whose memory it is
    std::int64_t tokens_ = 0;
    std::vector<Views> views_;                         // by TensorIndex
    std::vector<float> states_;                        // of all recurrent layers
    std::vector<MatrixView> hidden_, encoder_hidden_;  // before layer 0, and behind each
    std::vector<std::int32_t> ids_, source_;
    std::array<std::vector<std::vector<std::int32_t>>, 2> experts_;  // by layer, the encoder's last
};

enum class RunPhase {
    idle,     // nothing was asked for, or it was given back
    loading,  // weights
    reading,  // the prompt
    ready,
};

struct RunSnapshot {
    std::shared_ptr<const RunModel> of;  // null while nothing runs
    RunPhase phase = RunPhase::idle;
    double progress = 0;         // of what is under way, 0 to 1
    std::optional<Error> error;  // of what was tried last; `where` is "prompt" or "ids" where it is about them
    bool playing = false;        // goes on by itself
    bool rested = false;         // did, until nobody looked any more; nothing was asked for since
    bool stale = false;          // the prompt is another now, and is read when Play is pressed

    std::vector<RunToken> tokens, source;        // the latter of an encoder beside the decoder
    std::string prompt_text, generated_text;     // as the tokenizer writes them; empty where there is none
    std::size_t prompt = 0;                      // how many of these are the prompt's
    std::optional<std::int64_t> hidden;          // the position of the first token that a mask stands for
    std::shared_ptr<const RunValues> values;     // null before the first
    std::vector<float> logits;                   // of the last token
    std::int64_t layers_shown = 0;               // of the newest token's, none while it is only embedded; one more than
                                                 // there are: what follows it, too
    bool over = false;                           // nothing more can follow
    std::string why_over;                        // a sentence
    std::shared_ptr<const Tokenizer> tokenizer;  // null: there is none
    std::string no_tokenizer;                    // a sentence: why there is none

    std::int64_t bytes_held = 0;
    double prompt_seconds = 0, seconds = 0;   // of the prompt; of all tokens behind it
    std::int64_t generated = 0;               // that these took
    double last_seconds = 0, last_flops = 0;  // of the last pass: measured; and by the graph
    std::int64_t last_tokens = 0;             // that it read

    bool whole() const { return !values || layers_shown > values->layers(); }
    // Whether it is shown what so many layers have made of the token at this position: of the newest one, not before
    // its step has come so far.
    bool reached(std::int64_t position, std::int64_t layers) const {
        return whole() || position + 1 < values->tokens() || layers <= layers_shown;
    }
    bool prompt_is_wrong() const { return error && (error->where == "prompt" || error->where == "ids"); }
    double tokens_per_second() const { return seconds > 0 ? static_cast<double>(generated) / seconds : 0; }
};

// Whether a run makes a row of it for each token: unlike a weight, a state, which all tokens share, and what is made of
// a source.
inline bool has_row_for_each_token(const Tensor& tensor) {
    const bool made = tensor.role == Role::activation || tensor.role == Role::cache;
    return made && !uses(tensor.shape[0], Symbol::source);
}

// The row of a matrix that is this token's. A window's cache has the last tokens alone: below 0 for those before.
inline std::int64_t row_of_token(const RunValues& values, const MatrixView& view, std::int64_t position) {
    return position - (values.tokens() - view.rows);
}

// Whether the newest token has not been shown to come so far: its row of this tensor is empty then.
bool not_there(const RunSnapshot& run, TensorIndex tensor, std::int64_t layer);

// Whether rows of this tensor look at columns, and at none that comes later: of such a pair there is no number.
bool hides_later(const ModelGraph& graph, TensorIndex tensor);

// Whether there are words with a map of attention to be shown: a tokenizer says what they are, and some layer's weights
// are kept.
bool has_words(const RunSnapshot& run);

// The same input, of as many tokens as this run has read; it has values.
Input with_tokens_of(const RunSnapshot& run, Input input);

// Whether what may come next is the same in both: another snapshot may have got no further than to be of other orders.
inline bool same_numbers(const RunSnapshot& a, const RunSnapshot& b) {
    return a.values == b.values && a.layers_shown == b.layers_shown;
}

// A token as the run's tokenizer shows it; "[17]" without one.
std::string piece_of(const RunSnapshot& run, std::int32_t id);

}  // namespace headcount
