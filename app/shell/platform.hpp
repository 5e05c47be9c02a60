// What a desktop and a page in a browser do each in their own way; the one is in platform_desktop.cpp, the other in
// platform_page.cpp.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/state/window_options.hpp"
#include "core/base/result.hpp"

namespace headcount {

class MainLoop;
class Window;

namespace platform {

// Whether one of ImGui's lengths is always a pixel. Else it is one of the system's, which may enlarge it.
extern const bool lengths_are_pixels;
// Whether a window can be made as large as the screen, and others opened beside it.
extern const bool has_screens;

void hint_window();                                // what the window is asked for beside what every window is
std::optional<PictureSize> page_size();            // that the window has to have; nothing: it has one of its own
void wait(std::optional<double> seconds);          // for events, or for ever; in a page the browser waits
void share_text();                                 // clipboard and caret, after Dear ImGui's back end began
void prefer(View& view);                           // what the system says of colours and motion, at a first start
std::string address();                             // that links begin with; empty: none is known
std::optional<std::filesystem::path> lessons();    // where those of links were put; nothing: they are not fetched
void hand_out(const std::filesystem::path& file);  // that was written for the user, or its folder
// Asks for files to be opened, for whichever task. False: the program has to ask with a dialog of its own.
bool pick_file(FileTask task);

// Until the window is closed; a page never ends: it goes on when this has returned. Errors: as MainLoop::run.
std::optional<Error> run(const std::shared_ptr<MainLoop>& loop, Window& window);

}  // namespace platform
}  // namespace headcount
