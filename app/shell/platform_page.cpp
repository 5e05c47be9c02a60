// A page in a browser: what app/shell/page has in JavaScript is called from here, and what it has for us is fetched
// here.
#ifdef __EMSCRIPTEN__
#include <emscripten/emscripten.h>
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "app/shell/main_loop.hpp"
#include "app/shell/platform.hpp"
#include "core/base/json_file.hpp"
#include "core/base/write_file.hpp"
#include "core/base/zip.hpp"

// What JavaScript is given has names that no C++ has.
#pragma clang diagnostic ignored "-Wdollar-in-identifier-extension"

namespace headcount::platform {
namespace {

struct Page {
    std::shared_ptr<MainLoop> loop;
    Window& window;
};

// A folder's files in one archive beside it: of each download by itself a browser would ask. Empty where there is no
// room for it.
std::filesystem::path packed(const std::filesystem::path& folder) {
    std::vector<ZipEntry> files;
    std::error_code none;
    for (std::filesystem::directory_iterator each(folder, none), end; !none && each != end; each.increment(none))
        if (Result<std::string> bytes = read_text(each->path()))
            files.push_back({each->path().filename().string(), *std::move(bytes)});
    std::ranges::sort(files, {}, &ZipEntry::name);
    std::filesystem::path archive = folder;
    archive += ".zip";
    const Result<std::filesystem::path> written = write_text(archive, zip_archive(files));
    return written ? *written : std::filesystem::path();
}

// What was dropped or picked since: the paths of its files, a line each.
void take_files(WindowEvents& events) {
    char* const lines = static_cast<char*>(EM_ASM_PTR({
        const files = Module.files.shift();
        if (!files) return 0;
        Module.picked = files.task;
        return stringToNewUTF8(files.paths.join(String.fromCharCode(10)));
    }));
    if (!lines) return;
    std::istringstream text(lines);
    std::free(lines);
    events.dropped.clear();
    for (std::string path; std::getline(text, path);) events.dropped.push_back(path);
    events.dropped_for = static_cast<FileTask>(EM_ASM_INT({ return Module.picked; }));
    events.stirred = true;
}

void turn(void* argument) {
    Page& page = *static_cast<Page*>(argument);
    take_files(page.window.events());
    if (page.loop->rests()) return;
    if (const std::optional<Error> error = page.loop->once())
        std::fprintf(stderr, "headcount: %s\n", sentence(*error).c_str());
    EM_ASM({ Module.turned(); });
}

}  // namespace

const bool lengths_are_pixels = true;
const bool has_screens = false;

void hint_window() {
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);  // as many pixels as the screen has
    glfwWindowHint(GLFW_ALPHA_BITS, 0);                // else the page behind it shines through
}

std::optional<PictureSize> page_size() {
    return PictureSize{EM_ASM_INT({ return Math.max(1, innerWidth); }),
                       EM_ASM_INT({ return Math.max(1, innerHeight); })};
}

void wait(std::optional<double>) {}

// The page heard what is pasted before the program hears of the key. Where the caret is, the page has a field of its
// own.
void share_text() {
    ImGuiIO& io = ImGui::GetIO();
    io.SetClipboardTextFn = [](void*, const char* text) { EM_ASM({ Module.copy(UTF8ToString($0)); }, text); };
    io.GetClipboardTextFn = [](void*) {
        return static_cast<const char*>(EM_ASM_PTR({
            if (Module.pastedAt) _free(Module.pastedAt);
            return Module.pastedAt = stringToNewUTF8(Module.pasted);
        }));
    };
    io.SetPlatformImeDataFn = [](ImGuiViewport*, ImGuiPlatformImeData* caret) {
        EM_ASM({ Module.types($0 != 0, $1, $2, $3); }, caret->WantVisible ? 1 : 0, caret->InputPos.x, caret->InputPos.y,
               caret->InputLineHeight);
    };
}

void prefer(View& view) {
    if (EM_ASM_INT({ return matchMedia('(prefers-color-scheme: light)').matches ? 1 : 0; }))
        view.theme = ThemeChoice::light;
    view.reduced_motion = EM_ASM_INT({ return matchMedia('(prefers-reduced-motion: reduce)').matches ? 1 : 0; }) != 0;
}

std::string address() {
    char* const text = static_cast<char*>(EM_ASM_PTR({ return stringToNewUTF8(location.origin + location.pathname); }));
    const std::string address(text);
    std::free(text);
    return address;
}

std::optional<std::filesystem::path> lessons() { return "/home/web_user/.local/state/lessons"; }

void hand_out(const std::filesystem::path& file) {
    std::error_code none;
    const std::filesystem::path whole = std::filesystem::is_directory(file, none) ? packed(file) : file;
    if (whole.empty()) return;
    EM_ASM({ Module.handOut(UTF8ToString($0)); }, whole.c_str());
    if (whole != file) std::filesystem::remove(whole, none);
}

bool pick_file(FileTask task) {
    EM_ASM({ Module.pickFile($0); }, static_cast<int>(task));
    return true;
}

std::optional<Error> run(const std::shared_ptr<MainLoop>& loop, Window& window) {
    emscripten_set_main_loop_arg(turn, new Page{loop, window}, 0, false);
    return std::nullopt;
}

}  // namespace headcount::platform
#endif
