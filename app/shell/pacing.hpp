// When the next frame is due, and the next look at the document's file: at once, after a while, or not before something
// happens. Times are in seconds.
#pragma once

#include <algorithm>
#include <optional>

#include "app/state/session.hpp"

namespace headcount {

// When the next frame is due.
class Pacing {
  public:
    // Something came that may change the picture. ImGui needs some frames until everything has settled.
    void happened() {
        due_ = settling_frames;
        only_moves_ = rests_ = false;
    }

    // A text field's cursor blinks: it needs a frame now and then.
    void blinks() { due_ = std::max(due_, 1); }

    // A frame was drawn; `moving`: an animation goes on, or input waits for the next frame.
    void drawn(bool moving) {
        if (due_ > 0) --due_;
        only_moves_ = due_ == 0 && moving;
        rests_ = false;
        if (moving) due_ = std::max(due_, 1);
    }

    // That frame looked as the one before it. No screen held it up: where nothing but an animation asks for the next
    // one, that has the time that a frame takes.
    void looked_the_same() { rests_ = only_moves_; }

    bool frame_is_due() const { return due_ > 0; }

    static constexpr double blink_seconds = 0.5, frame_seconds = 1.0 / 60;

    // How long to wait for events: 0 is not at all, nothing is for ever. `other` is something else to wake for.
    std::optional<double> wait(bool typing, std::optional<double> other) const {
        if (rests_) return std::min(other.value_or(frame_seconds), frame_seconds);
        if (due_ > 0) return 0;
        if (typing) return std::min(other.value_or(blink_seconds), blink_seconds);
        return other;
    }

  private:
    static constexpr int settling_frames = 3;
    int due_ = settling_frames;
    bool only_moves_ = false, rests_ = false;
};

// Looks now and then whether the document's file is another than was read.
class FileWatch {
  public:
    // A look is a few system calls and no frame: far below a thousandth of a core.
    static constexpr double between_looks = 2;

    // Until the next look is due; nothing where there is no file, or the user has been asked already.
    std::optional<double> due_in(const Session& session, double now) const {
        if (session.view.file_changed || !session.file()) return std::nullopt;
        return std::max(0.0, looked_ + between_looks - now);
    }

    // Looks if it is due. Whether the file is another now.
    bool look(const Session& session, double now) {
        if (due_in(session, now) != 0.0) return false;
        looked_ = now;
        return changed_on_disk(*session.file());
    }

  private:
    double looked_ = 0;
};

}  // namespace headcount
