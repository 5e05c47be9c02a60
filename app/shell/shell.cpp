// The program's two ways to show itself, step by step; a picture has the same frames as the window.
#include "app/shell/shell.hpp"

#include <cstdio>
#include <memory>

#include "app/bars/file_texts.hpp"
#include "app/diagram/panels.hpp"
#include "app/gl/offscreen.hpp"
#include "app/gl/scene_renderer.hpp"
#include "app/shell/ending.hpp"
#include "app/shell/frames.hpp"
#include "app/shell/interface.hpp"
#include "app/shell/main_loop.hpp"
#include "app/shell/opengl_backend.hpp"
#include "app/shell/platform.hpp"
#include "app/shell/slide.hpp"
#include "app/shell/start.hpp"
#include "app/shell/work.hpp"
#include "app/state/in_view.hpp"
#include "app/state/open_link.hpp"
#include "app/ui/veil.hpp"
#include "core/base/utf8.hpp"
#include "core/base/write_file.hpp"

namespace headcount {
namespace {

int fail(const Error& error) {
    std::fprintf(stderr, "headcount: %s\n", printable(sentence(error)).c_str());
    return 1;
}

int say(const Result<std::filesystem::path>& written) {
    if (!written) return fail(written.error());
    std::fputs(wrote(*written).c_str(), stdout);
    return 0;
}

Result<std::filesystem::path> write_picture(Session session, PictureSize size, const std::filesystem::path& file,
                                            const Slide& slide = {}) {
    const Result<Pixels> pixels = draw_picture(std::move(session), size, slide);
    if (!pixels) return pixels.error();
    return write_png(file, *pixels);
}

// As it is on the screen of whoever made the link. What is not there is said on standard error.
void open_linked(Session& session, const std::optional<ReadLink>& link) {
    if (!link) return;
    std::vector<std::string> lost = open_link(session, *link);
    work_for_picture(session);
    for (std::string& each : look_as_linked(session, link->state)) lost.push_back(std::move(each));
    for (const std::string& each : lost) std::fprintf(stderr, "headcount: note: %s\n", printable(each).c_str());
}

// The part of a view that was named.
template <class Options>
void show_tab(Session& session, const Options& options) {
    if (options.view == what_if_view) headcount::apply(session, Intents{AtWhatIf{ShowWhatIfTab{options.what_if}}});
    if (options.view == compare_view && options.compare)
        headcount::apply(session, Intents{AtCompare{ShowCompareTab{*options.compare}}});
}

// What was asked for, over what was left or linked. A file that cannot be read is said in the window's notice.
void begin(Session& session, const WindowOptions& options) {
    if (!options.opens.empty()) headcount::apply(session, Intents{OpenFile{options.opens}});
    begin_tour(session, options.tour, 0);
    if (options.view.empty()) return;
    headcount::apply(session, Intents{ShowWorkspace{options.view}});
    show_tab(session, options);
}

// The window's picture with nothing but the view in it: the same wherever it is made, and without a display too.
int write_screenshot(const WindowOptions& options) {
    Result<Session> session = start_afresh(options.document, options.theme.value_or(ThemeChoice::dark));
    if (!session) return fail(session.error());
    open_linked(*session, options.link);
    const std::string worked = options.link ? session->view.workspace : std::string();  // of which view it is done
    begin(*session, options);
    if (!options.opens.empty() && !session->view.notice.text.empty()) {
        std::fprintf(stderr, "headcount: %s\n", printable(session->view.notice.text).c_str());
        return 1;
    }
    if (session->run)
        work_for_step(*session);
    else if (session->view.workspace != worked)
        work_for_picture(*session);
    if (options.welcome) headcount::apply(*session, Intents{ShowWelcome{}});
    return say(write_picture(std::move(*session), options.size.value_or(PictureSize{}), *options.screenshot));
}

// Puts the sheet on the desk, and checks what was answered in it.
std::vector<DeskIntent> sheet_intents(const OpenedSheet& sheet) {
    std::vector<DeskIntent> intents;
    if (!sheet.worksheet.empty()) intents.push_back(OpenSheet{sheet.worksheet, sheet.seed});
    for (const auto& [blank, text] : sheet.given) {
        intents.push_back(GiveAnswer{blank, text});
        intents.push_back(CheckFields{{blank, blank + ".rows", blank + ".columns"}});
    }
    if (sheet.question > 0) intents.push_back(ShowQuestion{sheet.question});
    return intents;
}

constexpr int fewest_frames = 3;  // ImGui's windows know their sizes one frame late, and cards theirs after that
constexpr int most_picture_frames = 60;

// All that a window is, together on the heap: a page goes on with it when the program has returned to the browser.
struct WholeWindow {
    Start start;
    Window window;
    SceneRenderer scenes;
    Keeper keeper;
    std::optional<MainLoop> loop = {};
};

}  // namespace

int run_window(const WindowOptions& options) {
    if (options.screenshot) return write_screenshot(options);
    hold_ends();
    Result<Start> start = start_where_left(options);
    if (!start) return fail(start.error());
    Session& session = start->session;
    Result<Window> window = Window::open(window_title(session), options.size, session.view.window);
    if (!window) return fail(window.error());
    Result<SceneRenderer> scenes = SceneRenderer::create();
    if (!scenes) return fail(scenes.error());
    Keeper keeper(std::move(start->seat), session);
    if (options.link) show_link(session, *options.link);
    begin(session, options);
    if (options.link || !options.tour.empty() || !options.view.empty() || !options.opens.empty()) keeper.changed(0);
    std::optional<UiReporter> reporter;
    if (options.report_ui) reporter.emplace(*options.report_ui);
    const std::shared_ptr<WholeWindow> opened(
        new WholeWindow{std::move(*start), std::move(*window), std::move(*scenes), std::move(keeper)});
    MainLoop& loop = opened->loop.emplace(opened->window, opened->scenes, opened->start.session, opened->keeper,
                                          std::move(reporter));
    const auto error = platform::run({opened, &loop}, opened->window);
    return error ? fail(*error) : 0;
}

Result<std::filesystem::path> write_rendered(const RenderOptions& options) {
    Result<Session> session = start_afresh(options.document, options.theme, options.presets);
    if (!session) return session.error();
    View& view = session->view;
    open_linked(*session, options.link);
    view.costs = options.costs;
    Look& look = session->look;
    if (!nothing(options.selection)) look.selection = options.selection;
    look.tilted |= options.tilted;
    look.log_sides |= options.log_sides;
    view.scale = options.scale;
    if (options.on_canvas) view.run.shows = RunShows::diagram;
    const bool worked = options.link && (options.view.empty() || view.workspace == options.view);
    if (!options.view.empty()) headcount::apply(*session, Intents{ShowWorkspace{options.view}});
    show_tab(*session, options);
    const bool words = options.moves() && options.at.id.empty();  // which are made one after the other
    if (!worked && !words) work_for_picture(*session);
    if (!options.at.id.empty() && !options.moves()) go_to(model_in_view(*session).look, options.at);
    for (const DeskIntent& what : sheet_intents(options.sheet)) headcount::apply(*session, Intents{AtDesk{what}});
    if (!options.claim.claim.empty())
        headcount::apply(*session, Intents{AtClaims{ChooseClaim{options.claim.file, options.claim.claim}}});
    begin_tour(*session, options.tour, options.step);
    if (!options.against.empty())
        headcount::apply(*session, Intents{OpenFile{.path = options.against, .against = true}});
    work_for_step(*session);
    if (options.present) headcount::apply(*session, Intents{Present{true}});
    if (options.welcome) headcount::apply(*session, Intents{ShowWelcome{}});
    if (options.moves()) return write_frames(*std::move(session), options);
    if (options.format == PictureFormat::svg) {
        const Result<std::string> diagram = draw_diagram(*session, options.size, options.slide);
        if (!diagram) return diagram.error();
        return write_text(options.output, *diagram);
    }
    return write_picture(std::move(*session), options.size, options.output, options.slide);
}

int render_picture(const RenderOptions& options) { return say(write_rendered(options)); }

Result<Pixels> draw_picture(Session session, PictureSize size, const Slide& slide) {
    if (slide.of == Slide::Of::diagram && session.view.workspace == compare_view) return no_diagram(session.view);
    Result<Offscreen> offscreen = Offscreen::create(size.width, size.height);
    if (!offscreen) return offscreen.error();
    Result<SceneRenderer> scenes = SceneRenderer::create();
    if (!scenes) return scenes.error();
    Interface interface;
    interface.paint_with([](const Drawing&) {});  // there is a picture of the last frame alone
    const OpenGlBackend backend;
    session.view.reduced_motion = true;
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(size.width), static_cast<float>(size.height));
    io.DeltaTime = 1.0F / 60;
    for (int frame = 0; frame < fewest_frames || (interface.moving() && frame < most_picture_frames); ++frame) {
        if (interface.prepare(session.view, 1, io.DisplaySize)) backend.forget_fonts();
        backend.begin_frame();
        const Intents intents = interface.draw(session);
        headcount::apply(session, intents);
    }
    if (!session.view.show.presenting && !interface.has_room_for(session.view.scale))
        std::fprintf(stderr, "headcount: note: %s.\n", room_for_scale(interface.room()).text.c_str());
    return draw_slide(interface, backend, *scenes, session, slide, io.DisplaySize);
}

Result<std::string> draw_diagram(const Session& session, PictureSize size, const Slide& slide) {
    // Two that are compared would be another picture than that of one.
    if (session.view.workspace == compare_view) return no_diagram(session.view);
    const ImVec2 extent(static_cast<float>(size.width), static_cast<float>(size.height));
    Interface interface;
    interface.prepare(session.view, 1, extent);
    return interface.diagram(session, extent, slide);
}

std::string draw_place(const Architecture& model, const Input& input, const std::string& place,
                       PictureNumbers numbers) {
    const Result<Document> document = document_of(model, input);
    if (!document) return {};
    Session session = start_session({}, *document);
    session.view.theme = ThemeChoice::light;
    light(session, place);
    const ImVec2 on_paper(paper_width, paper_height);
    Interface interface;
    interface.prepare(session.view, 1, on_paper);
    Veil veil{.everything = numbers == PictureNumbers::covered};
    const VeilOver over(veil);
    return *interface.diagram(session, on_paper, {});
}

}  // namespace headcount
