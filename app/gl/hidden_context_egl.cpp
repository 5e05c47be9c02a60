// The hidden context where there is EGL: on Mesa's surfaceless platform, else on a device, else on the default display.
#if HEADCOUNT_EGL
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <string_view>
#include <vector>

#include "app/gl/offscreen.hpp"
#include "app/gl/shader_cache.hpp"

namespace headcount {

namespace {

bool has_client_extension(std::string_view name) {
    const char* all = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    return all && std::string_view(all).find(name) != std::string_view::npos;
}

template <class Function>
Function egl_function(const char* name) {
    return reinterpret_cast<Function>(eglGetProcAddress(name));
}

// In the order in which they are tried. Only the last needs a display server, and on some drivers not even that.
std::vector<EGLDisplay> possible_displays() {
    std::vector<EGLDisplay> displays;
    const auto platform_display = egl_function<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
    if (platform_display && has_client_extension("EGL_MESA_platform_surfaceless"))
        displays.push_back(platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    const auto query_devices = egl_function<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
    if (platform_display && query_devices && has_client_extension("EGL_EXT_platform_device")) {
        EGLDeviceEXT devices[8];
        EGLint count = 0;
        if (query_devices(8, devices, &count))
            for (EGLint i = 0; i < count; ++i)
                displays.push_back(platform_display(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
    }
    displays.push_back(eglGetDisplay(EGL_DEFAULT_DISPLAY));
    return displays;
}

// A context that is current on this thread, or EGL_NO_CONTEXT.
EGLContext current_context(EGLDisplay display) {
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr) || !eglBindAPI(EGL_OPENGL_API))
        return EGL_NO_CONTEXT;
    const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint found = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &found) || found == 0) return EGL_NO_CONTEXT;
    const EGLint version[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (context == EGL_NO_CONTEXT) return EGL_NO_CONTEXT;
    if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return context;
    eglDestroyContext(display, context);
    return EGL_NO_CONTEXT;
}

// The display stays initialised: EGL has one of it a process, and ending it would end every other context on it.
void destroy(EGLDisplay display, EGLContext context) {
    if (eglGetCurrentContext() == context) eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);
}

}  // namespace

Result<HiddenContext> HiddenContext::create() {
    spare_full_disk();
    for (EGLDisplay display : possible_displays()) {
        const EGLContext context = current_context(display);
        if (context != EGL_NO_CONTEXT)
            return HiddenContext(Handle(context, [display](void* owned) { destroy(display, owned); }),
                                 eglGetProcAddress);
    }
    return Error{"no OpenGL 3.3 without a display", "EGL", "install Mesa's drivers (Debian: libegl1 libgl1-mesa-dri)"};
}

}  // namespace headcount
#endif
