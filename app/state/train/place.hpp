// What the Train view remembers: what is learned, how, and where the user looks; and what it asks for. Small, and none
// of it touches the document.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/train/settings.hpp"

namespace headcount {

// Which model learns: a small one that ships for it, a decoder, an encoder or both, or the document's architecture with
// first weights of its own.
enum class TrainSource { small, encoder, stacks, own };
// In the same order: in saved documents and for tests.
inline constexpr std::array<std::string_view, 4> train_source_keys{"small", "encoder", "stacks", "own"};
// Of assets/models, in the same order.
inline constexpr std::array<std::string_view, 3> small_models{"micro", "micro-encoder", "micro-stacks"};
inline std::string_view small_model(TrainSource source) { return small_models[static_cast<std::size_t>(source)]; }

// Steps a second.
enum class TrainSpeed { one, ten, most };
inline constexpr std::array<std::string_view, 3> train_speed_keys{"1", "10", "max"};

// Whose weights and gradients are shown.
enum class TrainShows { mixer, feed_forward };
inline constexpr std::array<std::string_view, 2> train_shows_keys{"mixer", "feed_forward"};

// A number of a gradient, of the layer that is looked at.
struct GradientCell {
    std::string tensor;  // the parameter's id
    std::int64_t row = 0, column = 0;

    bool operator==(const GradientCell&) const = default;
};

struct TrainPlace {
    TrainSource source = TrainSource::small;
    TrainSettings settings;  // without the text of a file
    std::string text_file;   // one's own, for the task of that name
    TrainSpeed speed = TrainSpeed::most;
    TrainShows shows = TrainShows::mixer;
    std::int64_t layer = 0, head = 0;  // that are looked at; panels keep them inside the model
    std::optional<std::int64_t> step;  // that is looked back at; nothing: the newest
    std::optional<GradientCell> cell;  // that is asked where it comes from

    bool operator==(const TrainPlace&) const = default;
};

struct SetTrain {
    TrainPlace place;
};
struct ReadText {  // one's own, whatever was learned before
    std::string path;
};
struct PlayTraining {
    bool playing = true;
};
struct StepTraining {};
struct RestartTraining {};  // first weights again
struct TakeTraining {};     // the worker has news: the shell says so
struct OpenTraining {};     // the weights that are looked at as the document, and Run is on the screen
struct SaveTraining {       // the same as files
    std::string folder;
};
struct KeepTraining {};   // it stands beside another one from now on, which begins as it did
struct LetGoTraining {};  // the one that stands beside
using TrainIntent = std::variant<SetTrain, ReadText, PlayTraining, StepTraining, RestartTraining, TakeTraining,
                                 OpenTraining, SaveTraining, KeepTraining, LetGoTraining>;

}  // namespace headcount
