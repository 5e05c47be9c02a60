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

    // Opens, draws or closes it, as the view asks; draws where something has changed. Returns what it asks for in turn:
    // to be there while it presents and there is another screen, and to be closed where the person has done so, or the
    // system has no window for it.
    Intents follow(const Session& session, Window& presents, double now);

    // Until it has to be drawn again; nothing where it is not open.
    std::optional<double> due_in(double now) const;

  private:
    struct Open;
    static std::unique_ptr<Open> opened(Window& presents, GLFWmonitor* screen);  // null: there is no window for it
    Intents begun_or_ended(const Show& show, bool beside);

    std::unique_ptr<Open> open_;
    std::optional<double> began_;  // to present, or to show notes
    bool was_presenting_ = false, was_beside_ = false;
    bool by_itself_ = false;  // nobody has asked for it
};

}  // namespace headcount
