// The speaker's window beside the one that presents: a window of the system, with an OpenGL and a Dear ImGui context of
// its own, so that nothing of the other one is touched. Keys that are pressed in it go to the other one.
#pragma once

#include <memory>
#include <optional>

#include "app/shell/window.hpp"
#include "app/state/session.hpp"
#include "app/views/show/notes.hpp"

namespace headcount {

class NotesWindow {
  public:
    NotesWindow();
    ~NotesWindow();
    NotesWindow(const NotesWindow&) = delete;
    NotesWindow& operator=(const NotesWindow&) = delete;

    // Opens, draws or closes it, as the view asks: while notes are asked for, and while it presents where there is
    // another screen. Draws where something has changed. False: the person has closed it.
    bool follow(const Session& session, Window& presents, double now);

    // Until it has to be drawn again; nothing where it is not open.
    std::optional<double> due_in(double now) const;

  private:
    struct Open;
    std::unique_ptr<Open> open_;
    std::optional<double> began_;  // to present, or to show notes
    bool was_presenting_ = false;
    bool dismissed_ = false;  // closed by hand while it presents
};

}  // namespace headcount
