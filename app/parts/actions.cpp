// The list, and what each action does.
#include "app/parts/actions.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <iterator>

#include "app/parts/hidden.hpp"
#include "app/state/in_view.hpp"
#include "app/state/tour_run.hpp"
#include "app/state/window_options.hpp"
#include "core/base/text.hpp"
#include "core/link/link_text.hpp"

namespace headcount {
namespace {

constexpr std::array scales{least_scale, 0.9F, 1.0F, 1.1F, 1.25F, 1.5F, 1.75F, most_scale};

// A tensor's own number: a parameter's count in one layer, an activation's elements.
std::optional<std::int64_t> number_of(const Derived& derived, const TensorSubject& subject) {
    const Tensor* const tensor = derived.shown.graph.find(subject.id);
    if (!tensor) return std::nullopt;
    const auto count = element_count(tensor->shape, derived.shown.bindings);
    return count ? std::optional(*count) : std::nullopt;
}

std::optional<std::int64_t> number_of(const Shown& shown, const Subject& subject) {
    const Parameters& parameters = shown.derived.shown.parameters;
    if (const auto* tensor = std::get_if<TensorSubject>(&subject)) return number_of(shown.derived, *tensor);
    if (const auto* component = std::get_if<Component>(&subject)) return parameters.of(*component);
    if (const auto* field = std::get_if<Field>(&subject)) return field_number(shown.document.architecture, *field);
    return parameters.total;
}

// The number that belongs to the selection, or the total where nothing is selected.
Copy selected_number(const Shown& shown) {
    const auto number = number_of(shown, shown.look.selection);
    const std::string text = grouped(number.value_or(shown.derived.shown.parameters.total));
    return {text, text};
}

std::optional<Intent> larger(const Session& session, float most) {
    const float scale = session.view.scale;
    if (scale >= most && most < most_scale) return Tell{room_for_scale(most)};
    return SetScale{next_scale(scale, 1), most};
}

// The next below what is seen.
std::optional<Intent> smaller(const Session& session, float most) {
    return SetScale{next_scale(std::min(session.view.scale, most), -1)};
}

// Of the user's own model, so only where that is on the screen.
template <class What>
std::optional<Intent> of_own_model(const Session& session, float) {
    if (!shows_own_model(session.view)) return Tell{{"Undo is for the model: it is in Explore"}};
    return What{};
}

// Of the worksheet that is open; the view where none is.
template <FileTask task>
std::optional<Intent> of_sheet(const Session& session, float) {
    if (!session.desk.sheet) return ShowWorkspace{worksheet_view};
    return AskForFile{task};
}

// Of a tour, of the words of a run, or of the way to the place that is looked at.
template <FileTask task>
std::optional<Intent> save_frames(const Session& session, float) {
    if (task == FileTask::gif && !writes_gif())
        return Tell{{"This build writes no GIF: save frames in a folder, of which ffmpeg makes a film"}};
    const bool moves =
        session.run || session.view.workspace == run_view || !model_in_view(session).look.here.id.empty();
    if (!moves)
        return Tell{{"Start a tour, run a model or go to a place first: the frames are those of the way there"}};
    return AskForFile{task, {.slide = {.of = Slide::Of::diagram, .moves = true}}};
}

std::optional<Intent> hide(const Session& session, float) {
    if (const std::optional<Subject> subject = number_to_hide(session)) return Hide{*subject};
    return Tell{{"Nothing there has a number that could be hidden"}};
}

// What lies over the picture goes first, one thing a press: nothing where there is none.
std::optional<Aids> with_less(Aids aids) {
    if (aids.curtain != Curtain::none)
        aids.curtain = Curtain::none;
    else if (!aids.strokes.empty())
        aids.strokes.clear();
    else if (aids.pen || aids.spot)
        aids.pen = aids.spot = false;
    else
        return std::nullopt;
    return aids;
}

// While it presents; anywhere else the key does nothing.
auto aid(auto change) {
    return [change](const Session& session, float) -> std::optional<Intent> {
        const Show& show = session.view.show;
        if (!show.presenting) return std::nullopt;
        Aids aids = show.aids;
        change(aids);
        return SetAids{std::move(aids)};
    };
}
auto curtain(Curtain drawn) {
    return aid([drawn](Aids& aids) { aids.curtain = aids.curtain == drawn ? Curtain::none : drawn; });
}

// Whether the step is of the view on the screen: what it runs or trains has views of its own.
bool shows_tour(const Session& session) {
    const WorkedStep* const step = current_step(session);
    const std::string& view = session.view.workspace;
    return view == explore_view || is_toured(session) || (step && step->run && view == run_view) ||
           (step && step->train && view == train_view);
}

// Closes what is open, else lets go of what is selected.
std::optional<Intent> leave(const Session& session, float) {
    const View& view = session.view;
    const Look& look = model_in_view(session).look;
    if (view.sharing) return Share{false};
    if (view.manual) return ShowManual{};
    if (view.show.presenting)
        if (std::optional<Aids> less = with_less(view.show.aids)) return SetAids{std::move(*less)};
    if (view.workspace == run_view && !view.run.trail.empty()) return std::nullopt;  // the pinned number goes first
    if (view.show.presenting) return Present{false};
    if (!look.here.id.empty()) return std::nullopt;  // the canvas goes up
    if (!nothing(look.selection)) return Select{};
    if (session.run && shows_tour(session)) return LeaveTour{};
    if (view.welcome.open && view.workspace == explore_view) return ShowWelcome{false};
    return std::nullopt;
}

std::optional<Intent> open_copied(const Session&, float) {
    const char* const text = ImGui::GetClipboardText();
    if (text && is_link(text)) return OpenFile{text};
    return Tell{{"What was copied is no link"}};
}

// Opens the manual there, or closes it where it is open there.
auto manual_at(const ManualPlace& place) {
    return [place](const Session& session, float) -> std::optional<Intent> {
        if (session.view.task || session.view.asking || session.view.sharing) return std::nullopt;
        return session.view.manual == place ? ShowManual{} : ShowManual{place};
    };
}

// What does the same whatever is on the screen.
auto always(auto intent) {
    return [intent](const Session&, float) -> std::optional<Intent> { return intent; };
}

// Of the diagram that is on the screen, or of the window.
auto of_model(auto make) {
    return [make](const Session& session, float) -> std::optional<Intent> { return make(model_in_view(session)); };
}
auto of_view(auto make) {
    return [make](const Session& session, float) -> std::optional<Intent> { return make(session.view); };
}

std::optional<Intent> record(const Session& session, float) {
    if (session.recording) return Tell{{"A tour is being recorded already"}};
    return Record{};
}

struct Flags {
    bool of_diagram = false, always = false, repeats = false, in_manual = true, in_ask_bar = true;
};
constexpr Flags unlisted{.in_manual = false};  // without a key, nor a line in the manual
constexpr Flags of_aids{.in_manual = false, .in_ask_bar = false};

Action make(std::string id, std::string name, std::vector<std::string> keys, decltype(Action::does) does,
            const Flags& flags = {}) {
    return {.id = std::move(id),
            .name = std::move(name),
            .keys = std::move(keys),
            .does = std::move(does),
            .of_diagram = flags.of_diagram,
            .always = flags.always,
            .repeats = flags.repeats,
            .in_manual = flags.in_manual,
            .in_ask_bar = flags.in_ask_bar};
}

// The one behind that which runs; the first where none does.
std::optional<Intent> next_tour(const Session& session, float) {
    if (session.tours.empty()) return Tell{{"There are no tours"}};
    if (!session.run) return StartTour{session.tours.front().id};
    const auto runs = std::ranges::find(session.tours, session.run->source.id, &Tour::id);
    if (runs == session.tours.end() || std::next(runs) == session.tours.end()) return Tell{{"This is the last tour"}};
    return StartTour{std::next(runs)->id};
}

std::optional<Intent> question_beside(const Session& session, int by) {
    if (!session.desk.sheet || session.view.workspace != worksheet_view) return ShowWorkspace{worksheet_view};
    const auto to = static_cast<std::int64_t>(session.desk.progress().question) + by;
    if (to < 0 || to >= std::ssize(session.desk.sheet->questions))
        return Tell{{by < 0 ? "This is the first question" : "This is the last question"}};
    return AtDesk{ShowQuestion{static_cast<std::size_t>(to)}};
}

std::optional<Intent> next_question(const Session& session, float) { return question_beside(session, 1); }

std::optional<Intent> back(const Session& session, float) {
    if (session.run) return StepTour{-1};
    if (session.view.workspace == worksheet_view && session.desk.sheet) return question_beside(session, -1);
    return GoTo{};
}

std::vector<Action> made() {
    const auto present = [](const Session& session, float) -> std::optional<Intent> {
        const View& view = session.view;
        if (view.task || view.asking || view.sharing) return std::nullopt;
        return Present{!view.show.presenting};
    };
    const auto notes = [](const Session& session, float) -> std::optional<Intent> {
        if (session.view.one_window) return Tell{{"A page has no window beside it for speaker notes"}};
        return ShowNotesWindow{!session.view.show.notes};
    };
    const auto other_theme = [](const View& view) {
        return SetTheme{view.theme == ThemeChoice::dark ? ThemeChoice::light : ThemeChoice::dark};
    };
    return {
        make("ask", "Ask for a number, a model, a command", {"Ctrl+K"}, always(Ask{true}), {.in_ask_bar = false}),
        make("open", "Open a file", {"Ctrl+O"}, always(AskForFile{FileTask::open})),
        make("save", "Save the model as a file", {"Ctrl+S"}, always(AskForFile{FileTask::save})),
        make("picture", "Export a picture (PNG), for slides", {}, always(AskForFile{FileTask::png}), unlisted),
        make("svg", "Export the diagram (SVG)", {}, always(AskForFile{FileTask::svg}), unlisted),
        make("frames", "Save what moves as frames in a folder, for a film", {}, save_frames<FileTask::frames>,
             unlisted),
        make("gif", "Save what moves as a GIF", {}, save_frames<FileTask::gif>, unlisted),
        make("print", "Print the worksheet", {}, of_sheet<FileTask::sheet_html>, unlisted),
        make("print_key", "Print the worksheet's key, for the teacher", {}, of_sheet<FileTask::key_html>, unlisted),
        make("question_bank", "Export the worksheet as a question bank for Moodle", {}, of_sheet<FileTask::moodle>,
             unlisted),
        make("question_bank_qti", "Export the worksheet as a question bank for other platforms (QTI)", {},
             of_sheet<FileTask::qti>, unlisted),
        make("scorm", "Export the worksheet as a package for learning platforms (SCORM)", {}, of_sheet<FileTask::scorm>,
             unlisted),
        make("next_tour", "The next tour", {}, next_tour, unlisted),
        make("next_question", "The worksheet's next question", {}, next_question, unlisted),
        make("back", "Back: the step or the question before, or the whole model", {}, back, unlisted),
        make("record", "Record a tour: each thing that is done is a step", {}, record, unlisted),
        make("share", "Share: a link to this, with a QR code", {"Ctrl+L"}, always(Share{})),
        make("paste", "Open the link that was copied", {"Ctrl+V"}, open_copied, {.in_ask_bar = false}),
        make("undo", "Undo", {"Ctrl+Z"}, of_own_model<Undo>, {.repeats = true}),
        make("redo", "Redo", {"Ctrl+Shift+Z", "Ctrl+Y"}, of_own_model<Redo>, {.repeats = true}),
        make("copy", "Copy the selected number, or the table", {"Ctrl+C"}, of_model(selected_number)),
        make("leave", "Close; end presenting, a tour; up; let go", {"Esc"}, leave, {.in_ask_bar = false}),
        make("fit", "The whole model", {"F"}, always(GoTo{}), {.of_diagram = true}),
        make("in", "Further in: to what is selected, or what is in the middle", {}, always(GoIn{}),
             {.of_diagram = true, .in_manual = false}),
        make("tilt", "Tilt the diagram, or see it flat", {"P"},
             of_model([](const Shown& shown) { return Tilt{!shown.look.tilted}; }), {.of_diagram = true}),
        make("log_sides", "Sides by their logarithm, or to scale", {"L"},
             of_model([](const Shown& shown) { return DrawLogSides{!shown.look.log_sides}; }), {.of_diagram = true}),
        make("decode", "One decoding step, or the whole prompt", {"D"},
             of_model([](const Shown& shown) { return SetInput{with_other_step(shown.document)}; }),
             {.of_diagram = true}),
        make("hide", "Hide a number to be guessed, or show it", {"H"}, hide),
        make("show_hidden", "Show all hidden numbers", {"Shift+H"}, always(ShowHidden{})),
        make("larger", "Larger interface; Ctrl+- smaller", {"Ctrl++"}, larger, {.always = true, .repeats = true}),
        make("smaller", "Smaller interface", {"Ctrl+-"}, smaller,
             {.always = true, .repeats = true, .in_manual = false}),
        make("usual_size", "Usual size", {"Ctrl+0"}, always(SetScale{1}), {.always = true}),
        make("theme", "Dark or light", {"T"}, of_view(other_theme)),
        make("motion", "Motion reduced or as usual", {"M"},
             of_view([](const View& view) { return ReduceMotion{!view.reduced_motion}; })),
        make("present", "Present, or go back", {"F5"}, present, {.always = true}),
        make("notes", "Speaker notes on the second screen", {"N"}, notes),
        make("black", "While presenting: black, or the picture", {"B", "."}, curtain(Curtain::black), of_aids),
        make("white", "While presenting: white, or the picture", {"W"}, curtain(Curtain::white), of_aids),
        make("spot", "While presenting: a dot that follows the pointer", {"S"},
             aid([](Aids& aids) { aids.spot = !aids.spot; }), of_aids),
        make("pen", "While presenting: a pen", {"I"}, aid([](Aids& aids) { aids.pen = !aids.pen; }), of_aids),
        make("erase", "While presenting: erase what was drawn", {"E"}, aid([](Aids& aids) { aids.strokes.clear(); }),
             of_aids),
        make("manual", "The manual, at this view", {"F1"}, manual_at(PageOfView{}), {.always = true}),
        make("welcome", "Welcome: where to begin", {}, always(ShowWelcome{}), unlisted),
        make("keys", "Keys and symbols", {"?"}, manual_at(std::string(keys_page)), {.always = true}),
    };
}

}  // namespace

const std::vector<Action>& common_actions() {
    static const std::vector<Action> actions = made();
    return actions;
}

const Action& action(std::string_view id) {
    const std::vector<Action>& all = common_actions();
    const auto found = std::ranges::find_if(all, [&](const Action& each) { return each.id == id; });
    assert(found != all.end());
    return *found;
}

std::string tooltip_of(std::string_view id, std::string_view words) {
    const Action& does = action(id);
    return (words.empty() ? does.name : std::string(words)) + " (" + does.keys.front() + ")";
}

float next_scale(float scale, int direction) {
    constexpr float tolerance = 0.01F;  // a saved scale is rounded to whole per cents
    if (direction > 0) {
        for (float step : scales)
            if (step > scale + tolerance) return step;
        return scales.back();
    }
    for (auto step = scales.rbegin(); step != scales.rend(); ++step)
        if (*step < scale - tolerance) return *step;
    return scales.front();
}

}  // namespace headcount
