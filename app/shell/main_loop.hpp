// The program while its window is open: waits for something to happen, draws, applies what was asked for, keeps the
// document.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/gl/scene_renderer.hpp"
#include "app/shell/ending.hpp"
#include "app/shell/frame_look.hpp"
#include "app/shell/frames.hpp"
#include "app/shell/glfw_backend.hpp"
#include "app/shell/interface.hpp"
#include "app/shell/keeper.hpp"
#include "app/shell/notes_window.hpp"
#include "app/shell/opengl_backend.hpp"
#include "app/shell/pacing.hpp"
#include "app/shell/ui_report.hpp"

namespace headcount {

class MainLoop {
  public:
    MainLoop(Window& window, SceneRenderer& scenes, Session& session, Keeper& keeper,
             std::optional<UiReporter> reporter);

    ~MainLoop();  // what runs ends before the window does
    MainLoop(const MainLoop&) = delete;
    MainLoop& operator=(const MainLoop&) = delete;

    // Until the window is closed, or a signal asks for the end. Errors: the report for tests cannot be written, or what
    // was left to save.
    std::optional<Error> run();

    std::optional<Error> once();  // one turn of it; errors: the report cannot be written
    bool has_news() const;        // from a thread
    bool rests() const;           // nothing is to be done yet, where the last turn did not wait

  private:
    std::optional<Error> go_on();
    void wait();
    bool turn();  // shows one frame; whether that still asked for what the next one shows
    void step();  // builds one and obeys it
    Intents build_frame();
    void show_frame();
    bool obey(const Intents& intents);  // whether anything changed, so that another frame is due
    void write_picture();
    std::optional<Error> begin_film(const std::filesystem::path& file);
    void go_on_filming();
    void say_written(const Result<std::filesystem::path>& written, const std::string& what);
    void look_at_file_if_due();
    void take_news_of_run();
    void take_news_of_training();
    void take_news_of_numbers();
    void take_news_until(std::chrono::steady_clock::time_point until);
    void notice_move();
    void save_if_due();
    Result<bool> save();  // as the keeper does
    std::optional<Error> save_what_is_left();
    void end_notice_if_due();
    std::optional<double> seconds_to_wait() const;
    std::optional<Error> report();
    bool input_waits() const;  // for the next frame

    Window& window_;
    SceneRenderer& scenes_;
    Session& session_;
    Keeper& keeper_;
    std::optional<UiReporter> reporter_;
    EndWatch ends_;
    LastAct last_act_;  // Xlib ends the process when the display has gone
    Interface interface_;
    GlfwBackend glfw_;
    OpenGlBackend opengl_;
    FrameLook look_;  // of the frame that is on the screen
    NotesWindow notes_;
    Pacing pacing_;
    FileWatch file_watch_;
    bool stirred_ = false;                // something came from the system in this turn
    bool placed_ = false;                 // the window has been where it was opened
    bool changed_ = false;                // by the last frame
    std::optional<std::string> picture_;  // where what is seen is to be written
    Slide slide_;                         // what of it
    std::optional<double> notice_ends_;   // of a notice that needs no answer
    std::unique_ptr<Filming> filming_;    // what moves is being written, a frame a turn; null: nothing is
    double film_said_ = 0;                // when it was said last how far that is
};

// "Llama 2 7B - Headcount"
std::string window_title(const Session& session);

}  // namespace headcount
