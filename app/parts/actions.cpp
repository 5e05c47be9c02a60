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
#include "app/state/options.hpp"
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
    if (!shows_own_model(session.view)) return Tell{"Undo is for the model: it is in Explore"};
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
        return Tell{"This build writes no GIF: save frames in a folder, of which ffmpeg makes a film"};
    const bool moves =
        session.run || session.view.workspace == run_view || !model_in_view(session).look.here.id.empty();
    if (!moves) return Tell{"Start a tour, run a model or go to a place first: the frames are those of the way there"};
    return AskForFile{task, {.slide = {.of = Slide::Of::diagram, .moves = true}}};
}

std::optional<Intent> hide(const Session& session, float) {
    if (const std::optional<Subject> subject = number_to_hide(session)) return Hide{*subject};
    return Tell{"Nothing there has a number that could be hidden"};
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
    if (session.run && view.workspace == explore_view) return LeaveTour{};
    if (view.welcome.open && view.workspace == explore_view) return ShowWelcome{false};
    return std::nullopt;
}

std::optional<Intent> open_copied(const Session&, float) {
    const char* const text = ImGui::GetClipboardText();
    if (text && is_link(text)) return OpenFile{text};
    return Tell{"What was copied is no link"};
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
    if (session.recording) return Tell{"A tour is being recorded already"};
    return Record{};
}

// Without a key, nor a line in the manual.
Action unlisted(std::string id, std::string name, decltype(Action::does) does) {
    return {.id = std::move(id), .name = std::move(name), .keys = {}, .does = std::move(does), .in_manual = false};
}

Action aid_action(std::string id, std::string name, std::vector<std::string> keys, decltype(Action::does) does) {
    return {.id = std::move(id),
            .name = std::move(name),
            .keys = std::move(keys),
            .does = std::move(does),
            .in_manual = false,
            .in_ask_bar = false};
}

// The one behind that which runs; the first where none does.
std::optional<Intent> next_tour(const Session& session, float) {
    if (session.tours.empty()) return Tell{"There are no tours"};
    if (!session.run) return StartTour{session.tours.front().id};
    const auto runs = std::ranges::find(session.tours, session.run->source.id, &Tour::id);
    if (runs == session.tours.end() || std::next(runs) == session.tours.end()) return Tell{"This is the last tour"};
    return StartTour{std::next(runs)->id};
}

std::optional<Intent> question_beside(const Session& session, int by) {
    if (!session.desk.sheet) return ShowWorkspace{worksheet_view};
    const auto to = static_cast<std::int64_t>(session.desk.progress().question) + by;
    if (to < 0 || to >= std::ssize(session.desk.sheet->questions))
        return Tell{by < 0 ? "This is the first question" : "This is the last question"};
    return AtDesk{ShowQuestion{static_cast<std::size_t>(to)}};
}

std::optional<Intent> next_question(const Session& session, float) {
    return question_beside(session, 1);
}

std::optional<Intent> back(const Session& session, float) {
    if (session.run) return StepTour{-1};
    if (session.view.workspace == worksheet_view && session.desk.sheet) return question_beside(session, -1);
    return GoTo{};
}

std::vector<Action> made() {
    return {
        {.id = "ask",
         .name = "Ask for a number, a model, a command",
         .keys = {"Ctrl+K"},
         .does = always(Ask{true}),
         .in_ask_bar = false},
        {"open", "Open a file", {"Ctrl+O"}, always(AskForFile{FileTask::open})},
        {"save", "Save the model as a file", {"Ctrl+S"}, always(AskForFile{FileTask::save})},
        unlisted("picture", "Export a picture (PNG), for slides", always(AskForFile{FileTask::png})),
        unlisted("svg", "Export the diagram (SVG)", always(AskForFile{FileTask::svg})),
        unlisted("frames", "Save what moves as frames in a folder, for a film", save_frames<FileTask::frames>),
        unlisted("gif", "Save what moves as a GIF", save_frames<FileTask::gif>),
        unlisted("print", "Print the worksheet", of_sheet<FileTask::sheet_html>),
        unlisted("print_key", "Print the worksheet's key, for the teacher", of_sheet<FileTask::key_html>),
        unlisted("question_bank", "Export the worksheet as a question bank for Moodle", of_sheet<FileTask::moodle>),
        unlisted("question_bank_qti", "Export the worksheet as a question bank for other platforms (QTI)",
                 of_sheet<FileTask::qti>),
        unlisted("scorm", "Export the worksheet as a package for learning platforms (SCORM)",
                 of_sheet<FileTask::scorm>),
        unlisted("next_tour", "The next tour", next_tour),
        unlisted("next_question", "The worksheet's next question", next_question),
        unlisted("back", "Back: the step or the question before, or the whole model", back),
        unlisted("record", "Record a tour: each thing that is done is a step", record),
        {"share", "Share: a link to this, with a QR code", {"Ctrl+L"}, always(Share{})},
        {.id = "paste",
         .name = "Open the link that was copied",
         .keys = {"Ctrl+V"},
         .does = open_copied,
         .in_ask_bar = false},
        {.id = "undo", .name = "Undo", .keys = {"Ctrl+Z"}, .does = of_own_model<Undo>, .repeats = true},
        {.id = "redo", .name = "Redo", .keys = {"Ctrl+Shift+Z", "Ctrl+Y"}, .does = of_own_model<Redo>, .repeats = true},
        {"copy", "Copy the selected number, or the table", {"Ctrl+C"}, of_model(selected_number)},
        {.id = "leave",
         .name = "Close; end presenting, a tour; up; let go",
         .keys = {"Esc"},
         .does = leave,
         .in_ask_bar = false},
        {.id = "fit", .name = "The whole model", .keys = {"F"}, .does = always(GoTo{}), .of_diagram = true},
        {.id = "in",
         .name = "Further in: to what is selected, or what is in the middle",
         .keys = {},
         .does = always(GoIn{}),
         .of_diagram = true,
         .in_manual = false},
        {.id = "tilt",
         .name = "Tilt the diagram, or see it flat",
         .keys = {"P"},
         .does = of_model([](const Shown& shown) { return Tilt{!shown.look.tilted}; }),
         .of_diagram = true},
        {.id = "log_sides",
         .name = "Sides by their logarithm, or to scale",
         .keys = {"L"},
         .does = of_model([](const Shown& shown) { return DrawLogSides{!shown.look.log_sides}; }),
         .of_diagram = true},
        {.id = "decode",
         .name = "One decoding step, or the whole prompt",
         .keys = {"D"},
         .does = of_model([](const Shown& shown) { return SetInput{with_other_step(shown.document)}; }),
         .of_diagram = true},
        {"hide", "Hide a number to be guessed, or show it", {"H"}, hide},
        {"show_hidden", "Show all hidden numbers", {"Shift+H"}, always(ShowHidden{})},
        {.id = "larger",
         .name = "Larger interface; Ctrl+- smaller",
         .keys = {"Ctrl++"},
         .does = larger,
         .always = true,
         .repeats = true},
        {.id = "smaller",
         .name = "Smaller interface",
         .keys = {"Ctrl+-"},
         .does = smaller,
         .always = true,
         .repeats = true,
         .in_manual = false},
        {.id = "usual_size", .name = "Usual size", .keys = {"Ctrl+0"}, .does = always(SetScale{1}), .always = true},
        {"theme", "Dark or light", {"T"}, of_view([](const View& view) {
             return SetTheme{view.theme == ThemeChoice::dark ? ThemeChoice::light : ThemeChoice::dark};
         })},
        {"motion", "Motion reduced or as usual", {"M"}, of_view([](const View& view) {
             return ReduceMotion{!view.reduced_motion};
         })},
        {.id = "present",
         .name = "Present, or go back",
         .keys = {"F5"},
         .does = [](const Session& session, float) -> std::optional<Intent> {
             const View& view = session.view;
             if (view.task || view.asking || view.sharing) return std::nullopt;
             return Present{!view.show.presenting};
         },
         .always = true},
        {.id = "notes",
         .name = "Speaker notes on the second screen",
         .keys = {"N"},
         .does = [](const Session& session, float) -> std::optional<Intent> {
             if (session.view.one_window) return Tell{"A page has no window beside it for speaker notes"};
             return ShowNotesWindow{!session.view.show.notes};
         }},
        aid_action("black", "While presenting: black, or the picture", {"B", "."}, curtain(Curtain::black)),
        aid_action("white", "While presenting: white, or the picture", {"W"}, curtain(Curtain::white)),
        aid_action("spot", "While presenting: a dot that follows the pointer", {"S"},
                   aid([](Aids& aids) { aids.spot = !aids.spot; })),
        aid_action("pen", "While presenting: a pen", {"I"}, aid([](Aids& aids) { aids.pen = !aids.pen; })),
        aid_action("erase", "While presenting: erase what was drawn", {"E"},
                   aid([](Aids& aids) { aids.strokes.clear(); })),
        {.id = "manual",
         .name = "The manual, at this view",
         .keys = {"F1"},
         .does = manual_at(PageOfView{}),
         .always = true},
        unlisted("welcome", "Welcome: where to begin", always(ShowWelcome{})),
        {.id = "keys",
         .name = "Keys and symbols",
         .keys = {"?"},
         .does = manual_at(std::string(keys_page)),
         .always = true},
    };
}

}  // namespace

const std::vector<Action>& common_actions() {
    static const std::vector<Action> actions = made();
    return actions;
}

const Action& action(std::string_view id) {
    const std::vector<Action>& all = common_actions();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Action& each) { return each.id == id; });
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
