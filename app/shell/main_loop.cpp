// One turn: wait, draw, obey, save, report.
#include "app/shell/main_loop.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/gl/pixels.hpp"
#include "app/parts/file_tasks.hpp"
#include "app/shell/platform.hpp"
#include "app/shell/slide.hpp"
#include "app/shell/work.hpp"
#include "app/state/in_view.hpp"
#include "app/state/run/page.hpp"
#include "app/state/session_files.hpp"
#include "app/ui/imgui_compat.hpp"

namespace headcount {
namespace {

constexpr double notice_seconds = 4;
constexpr std::chrono::milliseconds longest_catch_up{16};  // a frame of most screens

std::chrono::steady_clock::time_point soon() { return std::chrono::steady_clock::now() + longest_wait_for_run; }

// What is done here is kept in a file that nobody chose, so nobody can choose another.
std::string not_kept(bool answering, const Error& why) {
    const std::string what = answering ? "The model and the answers are" : "The model is", where = why.where;
    return what + " not kept for the next time: " + why.what + ", " + where +
           ": make room there or make it writable, or " +
           (answering ? "hand the answers in as a file (Export)" : "save it elsewhere (Ctrl+S)");
}

}  // namespace

MainLoop::MainLoop(Window& window, SceneRenderer& scenes, Session& session, Keeper& keeper,
                   std::optional<UiReporter> reporter)
    : window_(window),
      scenes_(scenes),
      session_(session),
      keeper_(keeper),
      reporter_(std::move(reporter)),
      ends_(wake_up),
      last_act_([this] { (void)save_what_is_left(); }),
      glfw_(window) {
    interface_.paint_with([&](const Drawing& drawing) {
        if (look_.reading())
            look_.read(drawing);
        else
            scenes.draw(drawing, window_.framebuffer().height, ImGui::GetIO().DisplayFramebufferScale.x);
    });
    // What a link or a file that was opened has begun could wake nobody: it begins again.
    session_.running = {};
    session_.training = {};
    session_.comparison = {};
    session_.running.wake = session_.training.wake = session_.comparison.wake = wake_up;
    look_at_view(session_);
}

MainLoop::~MainLoop() {
    filming_.reset();
    session_.running = {};
    session_.training = {};
    session_.comparison = {};
}

std::optional<Error> MainLoop::run() {
    const auto error = go_on();
    if (keeper_.unsaved()) session_.view.window = window_.place(session_.view.window);
    const auto lost = save_what_is_left();
    return error ? error : lost;
}

std::optional<Error> MainLoop::go_on() {
    while (!window_.closing() && !ends_.asked())
        if (auto error = once()) return error;
    return std::nullopt;
}

std::optional<Error> MainLoop::once() {
    wait();
    if (headcount::has_news(session_.running)) {
        take_news_of_run();
        take_news_until(soon());
    }
    take_news_of_training();
    take_news_of_numbers();
    if (pacing_.frame_is_due() && !window_.minimised()) {
        // What a frame asks for is on the screen in the next one: only then are rectangles and state of one piece.
        const bool changed = turn();
        if (auto error = changed ? std::nullopt : report()) return error;
    }
    if (const Intents asked = notes_.follow(session_, window_, now()); !asked.empty()) obey(asked);
    go_on_filming();
    notice_move();
    save_if_due();
    end_notice_if_due();
    look_at_file_if_due();
    return std::nullopt;
}

bool MainLoop::has_news() const {
    return headcount::has_news(session_.running) || headcount::has_news(session_.training) ||
           headcount::has_news(session_.comparison);
}

bool MainLoop::rests() const { return window_.rests() && !has_news() && !filming_; }

void MainLoop::wait() {
    const bool typing = ImGui::GetIO().WantTextInput;
    const bool came = window_.look();
    if (has_news()) pacing_.happened();  // after the look, which takes in what news wakes with
    stirred_ = came || window_.wait(seconds_to_wait());
    if (stirred_)
        pacing_.happened();
    else if (typing)
        pacing_.blinks();
}

std::optional<double> MainLoop::seconds_to_wait() const {
    if (filming_) return 0;
    std::optional<double> other = keeper_.due_in(now());
    if (notice_ends_) {
        const double left = std::max(0.0, *notice_ends_ - now());
        other = std::min(other.value_or(left), left);
    }
    if (const auto due = notes_.due_in(now())) other = std::min(other.value_or(*due), *due);
    if (const auto look = file_watch_.due_in(session_, now()); look && !window_.minimised())
        other = std::min(other.value_or(*look), *look);
    return window_.minimised() ? other : pacing_.wait(ImGui::GetIO().WantTextInput, other);
}

// Before anybody saw the picture of a press that changes something it would be old: the one that answers takes its
// place. Where that asks for something in turn (what is under the pointer now), once more; what never ends is seen
// going on. Nor is there a picture of every key while more of them wait.
bool MainLoop::turn() {
    constexpr int most_answers = 2;
    const auto begun = std::chrono::steady_clock::now(), until = soon();
    step();
    for (int i = 0; changed_ && i < most_answers; ++i) {
        take_news_until(until);
        step();
    }
    while (input_waits() && std::chrono::steady_clock::now() < begun + longest_catch_up) step();
    if (picture_ && !input_waits()) write_picture();
    show_frame();
    if (window_.shown()) window_.fill_screen(session_.view.show.presenting);
    return changed_;
}

void MainLoop::step() { changed_ = obey(build_frame()); }

Intents MainLoop::build_frame() {
    const PictureSize extent = window_.extent();
    const ImVec2 display(static_cast<float>(extent.width), static_cast<float>(extent.height));
    if (interface_.prepare(session_.view, window_.density(), display)) {
        opengl_.forget_fonts();
        window_.events().damaged = true;
    }
    opengl_.begin_frame();
    glfw_.begin_frame(changed_);
    Intents intents = interface_.draw(session_);
    WindowEvents& events = window_.events();
    const FileTask task = std::exchange(events.dropped_for, FileTask::open);
    if (const std::vector<std::string> files = std::exchange(events.dropped, {}); !files.empty()) {
        const bool class_folder = task == FileTask::open_class && files.size() > 1;  // a page puts them into one
        intents.push_back(
            opening(task, class_folder ? std::filesystem::path(files.front()).parent_path().string() : files.front(),
                    files.size() - 1));
    }
    pacing_.drawn(interface_.moving() || input_waits());
    return intents;
}

// Most frames after which everything has settled look as the one before: these are not drawn.
void MainLoop::show_frame() {
    const ImU32 ground = interface_.theme().panel;
    const bool same = look_.stays(*ImGui::GetDrawData(), ground);
    const bool damaged = std::exchange(window_.events().damaged, false);
    if (same && !damaged) {
        if (!input_waits()) pacing_.looked_the_same();
        return;
    }
    const PictureSize size = window_.framebuffer();
    const ImVec4 back = ImGui::ColorConvertU32ToFloat4(ground);
    clear_frame(size.width, size.height, {back.x, back.y, back.z, 1});
    opengl_.draw();
    window_.present();
    window_.show();
}

bool MainLoop::obey(const Intents& intents) {
    const Effects effects = headcount::apply(session_, intents);
    const bool changed = effects.document_changed || effects.view_changed;
    if (changed) keeper_.changed(now());
    if (effects.clipboard) ImGui::SetClipboardText(effects.clipboard->c_str());
    if (effects.written) platform::hand_out(*effects.written);
    std::optional<FileTask>& task = session_.view.task;
    if (task && !saves(*task) && platform::pick_file(*task)) task.reset();
    if (effects.picture) {
        picture_ = effects.picture;
        slide_ = effects.slide;
    }
    if (effects.notice_ends) notice_ends_ = now() + notice_seconds;
    if (!changed) return false;
    pacing_.happened();
    window_.set_title(window_title(session_));
    return true;
}

// From the whole model to the place that one is at, as the diagram alone; or the tour from its step on, or the words of
// a run from its prompt on, as a class sees them, with their words. What runs here goes on as it is: the frames have
// runs of their own.
std::optional<Error> MainLoop::begin_film(const std::filesystem::path& file) {
    if (filming_) return Error{"another film is being saved", file.string(), "wait for it, or cancel it"};
    if (is_gif(file))
        if (std::optional<Error> error = cannot_save(session_, file)) return error;
    const ImGuiIO& io = ImGui::GetIO();
    RenderOptions options{.at = model_in_view(session_).look.here, .slide = slide_, .frames = file};
    options.size = {static_cast<int>(io.DisplaySize.x), static_cast<int>(io.DisplaySize.y)};
    Session copy = session_;
    copy.running = {};
    copy.training = {};
    copy.comparison = {};
    copy.view.notice = {};
    copy.view.file_changed = false;
    copy.view.show.aids = {};
    look_at_view(copy);
    begin_work_for_step(copy);  // the film learns
    if (!copy.run) go_to(model_in_view(copy).look, {});
    if (copy.run || options.at.id.empty()) {
        options.slide.of = Slide::Of::window;
        headcount::apply(copy, Intents{Present{true}});
    }
    Result<std::unique_ptr<Filming>> filming =
        Filming::begin(std::move(copy), options, scenes_, io.DisplayFramebufferScale.x);
    if (!filming) return filming.error();
    filming_ = *std::move(filming);
    session_.view.film.emplace();
    film_said_ = now();
    return std::nullopt;
}

// A frame of it. How far that is, is said now and then: to say it takes a frame of the window.
void MainLoop::go_on_filming() {
    constexpr double between_words = 0.25;
    if (!filming_) return;
    if (!session_.view.film) {
        filming_.reset();
        return;
    }
    const Result<std::optional<std::filesystem::path>> written = filming_->go_on();
    if (written && !*written) {
        if (now() < film_said_ + between_words) return;
        film_said_ = now();
        const Film& film = filming_->film();
        session_.view.film = film.progress();
        session_.view.film->frames = filming_->frames();
        pacing_.happened();
        return;
    }
    const std::filesystem::path place = filming_->place();
    filming_.reset();
    session_.view.film.reset();
    say_written(written ? Result<std::filesystem::path>(place) : written.error(), is_gif(place) ? "GIF" : "frames");
}

void MainLoop::say_written(const Result<std::filesystem::path>& written, const std::string& what) {
    session_.view.notice =
        notice_of_program(written ? "Saved the " + what + " as " + written->string()
                                  : "The " + what + " could not be saved: " + sentence(written.error()));
    notice_ends_.reset();
    if (written) {
        notice_ends_ = now() + notice_seconds;
        platform::hand_out(*written);
    }
    pacing_.happened();
}

// Of what was built just now, before it is shown; the frame that is shown says that it was written.
void MainLoop::write_picture() {
    const float density = ImGui::GetIO().DisplayFramebufferScale.x;
    const std::filesystem::path file = *std::exchange(picture_, {});
    const auto written = [&]() -> Result<std::filesystem::path> {
        const Result<Pixels> pixels = draw_slide(interface_, opengl_, scenes_, session_, slide_, {}, density);
        if (!pixels) return pixels.error();
        if (std::optional<Error> error = cannot_save(session_, file)) return *std::move(error);
        return write_png(file, *pixels);
    };
    if (!slide_.moves)
        say_written(written(), "picture");
    else if (const std::optional<Error> error = begin_film(file))
        say_written(*error, is_gif(file) ? "GIF" : "frames");
    pacing_.happened();
    step();
}

void MainLoop::save_if_due() {
    const bool due = keeper_.due_in(now()) == 0.0;
    // Whoever goes on in this window has touched it: nobody else needs to see at once what another window saved.
    if (!due && (!stirred_ || ImGui::GetIO().WantTextInput || !keeper_.others_saved(now()))) return;
    const Result<bool> saved = save();
    if (!saved) session_.view.notice = notice_of_program(not_kept(session_.desk.sheet != nullptr, saved.error()));
    if (!saved || *saved) {
        notice_ends_.reset();
        pacing_.happened();
    }
}

std::optional<Error> MainLoop::save_what_is_left() {
    if (!keeper_.unsaved()) return std::nullopt;
    const Result<bool> saved = keeper_.save(session_, Taking::later);
    return saved ? std::nullopt : std::optional(saved.error());
}

Result<bool> MainLoop::save() {
    session_.view.window = window_.place(session_.view.window);
    return keeper_.save(session_, ImGui::GetIO().WantTextInput ? Taking::later : Taking::now);
}

// The first place is where it was opened, which is no change.
void MainLoop::notice_move() {
    if (!window_.shown() || !std::exchange(window_.events().moved, false)) return;
    if (std::exchange(placed_, true)) keeper_.changed(now());
}

void MainLoop::look_at_file_if_due() {
    if (!file_watch_.look(session_, now())) return;
    obey(Intents{FileChanged{}});
}

void MainLoop::take_news_of_run() {
    if (!headcount::has_news(session_.running)) return;
    obey(Intents{AtRun{TakeRun{}}});
    pacing_.happened();
}

void MainLoop::take_news_of_training() {
    if (!headcount::has_news(session_.training)) return;
    obey(Intents{AtTrain{TakeTraining{}}});
    pacing_.happened();
}

void MainLoop::take_news_of_numbers() {
    if (!headcount::has_news(session_.comparison)) return;
    obey(Intents{AtCompare{TakeNumbers{}}});
    pacing_.happened();
}

// A small model's token takes less time than a picture: one that is worth waiting for saves showing what was before it.
void MainLoop::take_news_until(std::chrono::steady_clock::time_point until) {
    constexpr int steps = 2;  // the token, and what may follow it
    for (int i = 0; i < steps && news_comes(session_.running, until); ++i) take_news_of_run();
}

void MainLoop::end_notice_if_due() {
    if (!notice_ends_ || now() < *notice_ends_) return;
    notice_ends_.reset();
    if (!std::exchange(session_.view.notice, {}).text.empty()) pacing_.happened();
}

std::optional<Error> MainLoop::report() {
    if (!reporter_) return std::nullopt;
    const ImGuiIO& io = ImGui::GetIO();
    SeenInput seen{.mouse_down = io.MouseDown[0],
                   .events = window_.events().input.pressed(),
                   .rests = !pacing_.frame_is_due() && !input_waits()};
    if (ImGui::IsMousePosValid(&io.MousePos)) seen.mouse = io.MousePos;
    const auto done = reporter_->update(session_, interface_.recorder(), interface_.memory(), seen);
    return done ? std::nullopt : std::optional(done.error());
}

bool MainLoop::input_waits() const { return window_.events().input.waiting() || compat::input_waits(); }

std::string window_title(const Session& session) {
    return model_in_view(session).document.architecture.name + " - Headcount";
}

}  // namespace headcount
