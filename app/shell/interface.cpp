// Makes ImGui's context, keeps fonts and style up to date, and draws a frame.
#include "app/shell/interface.hpp"

#include <algorithm>
#include <utility>

#include "app/parts/explore_layout.hpp"
#include "app/shell/frame.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/imgui_drawing.hpp"
#include "app/ui/measured_fonts.hpp"
#include "app/views/show/presenter.hpp"

namespace headcount {

Interface::Interface() : context_(ImGui::CreateContext()), theme_(dark_theme()) {
    ImGuiIO& io = ImGui::GetIO();
    io.MouseDoubleClickTime = 0.5F;  // as desktops have it; ImGui's 0.3 s is short for a projector's pointer
    io.IniFilename = nullptr;        // windows stand where the layout puts them; nothing of ImGui's is worth keeping
    io.LogFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    // As every OpenGL 3.3 can: without it a list has at most the vertices that 16 bits can number.
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    compat::number_keys();
}

bool Interface::prepare(const View& view, float density, ImVec2 display) {
    const bool presents = view.show.presenting;
    // How much larger things are than in the Explore view.
    const float enlarged = presents ? presenter_scale(display, density) : 1;
    const ImVec2 lengths(display.x / density, display.y / density);
    most_ = (presents ? largest_presenter_scale(lengths) : largest_scale(lengths)) / enlarged;
    const float scale = std::min(view.scale, most_) * enlarged * density;
    const bool dark = view.theme == ThemeChoice::dark;
    const bool new_letters = far_.wanting() && far_.take(), new_size = scale != scale_ || new_letters;
    if (dark == theme_.dark && presents == presents_ && !new_size) return false;
    theme_ = dark ? dark_theme() : light_theme();
    if (presents) theme_ = presenter_theme(theme_);
    presents_ = presents;
    apply_style(theme_, scale);
    panels_.clear();
    if (!new_size) return false;
    fonts_ = load_embedded_fonts(*ImGui::GetIO().Fonts, scale, fineness_, &far_);
    memory_.heights.clear();  // they were in pixels of the former size
    scale_ = scale;
    return true;
}

Intents Interface::draw(const Session& session) {
    ImGui::NewFrame();
    memory_.begin_frame();
    recorder_.begin_frame();
    Intents intents = draw_frame(ui(session), session, &panels_, most_, painter_);
    ImGui::Render();
    return intents;
}

ScenePainter Interface::paint_with(ScenePainter painter) {
    panels_.clear();  // one that stayed as it was would go on with the former painter
    return std::exchange(painter_, std::move(painter));
}

bool Interface::refine(float fineness) {
    compat::refine_curves(fineness);
    if (fineness == fineness_) return false;
    fineness_ = fineness;
    fonts_ = load_embedded_fonts(*ImGui::GetIO().Fonts, scale_, fineness, &far_);
    panels_.clear();
    return true;
}

Result<std::string> Interface::diagram(const Session& session, bool crop) {
    const Result<DiagramOf> of = diagram_in_view(session);
    return of ? canvas_svg(ui(session), *of, crop) : Result<std::string>(of.error());
}

Result<std::string> Interface::diagram(const Session& session, ImVec2 extent, const Slide& slide) {
    const Result<DiagramOf> of = diagram_in_view(session);
    if (!of) return of.error();
    measure_fonts(*ImGui::GetIO().Fonts);
    const Ui on = ui(session);
    Result<Still> still = still_diagram(on, *of, extent, slide.crop);
    if (!still) return still.error();
    return svg_of(on, *of, *std::move(still), slide.ground);
}

Result<SlideList> Interface::draw_slide(const Session& session, const Slide& slide, float fineness,
                                        std::optional<ImVec2> extent) {
    memory_.slide = {.chart = slide.of == Slide::Of::chart ? slide.chart : 0, .fineness = fineness};
    draw(session);
    const UiMemory::Slide chart = std::exchange(memory_.slide, {});
    if (slide.of == Slide::Of::window) return SlideList{nullptr, {0, 0}, ImGui::GetIO().DisplaySize, theme_.panel};
    if (slide.of == Slide::Of::chart && !chart.list)
        return Error{"the chart is no longer on the screen", "", "ask for its picture again where it is"};
    if (slide.of == Slide::Of::chart) return SlideList{chart.list, chart.min, chart.max, theme_.panel};
    const Result<DiagramOf> of = diagram_in_view(session);
    if (!of) return of.error();
    Theme look = theme_;
    if (!slide.ground)  // nor have cards anything behind their parts
        for (ImU32* const colour : {&look.deck, &look.canvas}) *colour &= ~IM_COL32_A_MASK;
    const Ui own = ui(session);
    const Ui on{look, own.fonts, own.recorder, own.memory, own.scale, own.reduced_motion, own.chrome};
    const Result<Still> still =
        extent ? still_diagram(on, *of, *extent, slide.crop) : still_diagram(on, *of, slide.crop);
    if (!still) return still.error();
    SlideList drawn{compat::new_list({0, 0}, still->extent, fineness), {0, 0}, still->extent, theme_.canvas, *still};
    draw_still(on, *still, *drawn.list, painter_);
    return drawn;
}

Ui Interface::ui(const Session& session) {
    return {.theme = theme_,
            .fonts = fonts_,
            .recorder = recorder_,
            .memory = memory_,
            .scale = scale_,
            .reduced_motion = session.view.reduced_motion,
            .chrome = session.view.chrome};
}

}  // namespace headcount
