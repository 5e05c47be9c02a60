// What the speaker sees while the class sees the step: its words with the answer, the next step, and the time.
#pragma once

#include <cstdint>
#include <string>

#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

struct SpeakerTime {
    std::string clock;         // "14:05"
    std::int64_t seconds = 0;  // since one began to present, or to show the notes

    bool operator==(const SpeakerTime&) const = default;
};

// What is said: of a tour's step its words, of a worksheet's question its answer, else what is on the screen.
struct SpeakerNotes {
    std::string position;               // "3 of 8"; empty where there are no steps
    std::string title, text;            // of what is shown now
    std::string ask, answer;            // of the class, whether or not it was revealed
    std::string next_title, next_text;  // of the step that follows; empty behind the last one

    bool operator==(const SpeakerNotes&) const = default;
};
SpeakerNotes speaker_notes(const Session& session);

// "0:07", "12:34", "1:02:03".
std::string time_text(std::int64_t seconds);

// Fills the display of ImGui's context with them. It asks for nothing.
void draw_speaker_notes(const Ui& ui, const SpeakerNotes& notes, const SpeakerTime& time);

}  // namespace headcount
