// The same frames as in the window, into a framebuffer of our own.
#include "app/shell/picture.hpp"

#include "app/bars/file_texts.hpp"
#include "app/diagram/panels.hpp"
#include "app/gl/offscreen.hpp"
#include "app/gl/scene_renderer.hpp"
#include "app/shell/interface.hpp"
#include "app/shell/opengl_backend.hpp"
#include "app/shell/start.hpp"

namespace headcount {
namespace {

constexpr int fewest_frames = 3;  // ImGui's windows know their sizes one frame late, and cards theirs after that
constexpr int most_picture_frames = 60;

std::array<float, 4> colour_of(ImU32 colour) {
    const ImVec4 parts = ImGui::ColorConvertU32ToFloat4(colour);
    return {parts.x, parts.y, parts.z, 1};
}

}  // namespace

Result<Pixels> draw_picture(Session session, PictureSize size) {
    Result<Offscreen> offscreen = Offscreen::create(size.width, size.height);
    if (!offscreen) return offscreen.error();
    Result<SceneRenderer> scenes = SceneRenderer::create();
    if (!scenes) return scenes.error();
    Interface interface;
    interface.paint_with([&](const Drawing& drawing) { scenes->draw(drawing, size.height); });
    const OpenGlBackend backend;
    session.view.reduced_motion = true;
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(size.width), static_cast<float>(size.height));
    io.DeltaTime = 1.0F / 60;
    interface.prepare(session.view, 1, io.DisplaySize);
    for (int frame = 0; frame < fewest_frames || (interface.moving() && frame < most_picture_frames); ++frame) {
        backend.begin_frame();
        const Intents intents = interface.draw(session);
        headcount::apply(session, intents);
    }
    offscreen->clear(colour_of(interface.theme().panel));
    backend.draw();
    return offscreen->read();
}

Result<std::string> draw_diagram(const Session& session, PictureSize size) {
    // Two that are compared would be another picture than that of one.
    if (session.view.workspace == compare_view) return no_diagram(session.view);
    const ImVec2 extent(static_cast<float>(size.width), static_cast<float>(size.height));
    Interface interface;
    interface.prepare(session.view, 1, extent);
    return interface.diagram(session, extent);
}

std::string draw_block(const Architecture& model, const Input& input, const std::string& block) {
    constexpr PictureSize on_paper{static_cast<int>(paper_width), static_cast<int>(paper_height)};
    const Result<Document> document = document_of(model, input);
    if (!document) return {};
    Result<Session> session = start_afresh(*document, ThemeChoice::light);
    if (!session) return {};
    go_to(session->look, {block, 0, {}});
    return *draw_diagram(*session, on_paper);
}

}  // namespace headcount
