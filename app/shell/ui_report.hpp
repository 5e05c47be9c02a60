// What the interface shows, as a file for tests outside the process: --report-ui.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "app/views/views.hpp"
#include "core/base/result.hpp"

namespace headcount {

// The pointer as ImGui saw it in the frame, and how many keys, characters and buttons it was told of by then.
struct SeenInput {
    ImVec2 mouse = {-1, -1};
    bool mouse_down = false;
    std::int64_t events = 0;
    bool rests = false;  // nothing is to follow before something comes
};

// One JSON object: total, file, fields, effects, errors (typed text that cannot be read among them), messages, notes,
// selection, hover, undo, the named rectangles, the input, whether something still moves, and
// whether all has come to rest.
std::string ui_report(const Session& session, const Recorder& recorder, const UiMemory& memory, const SeenInput& input,
                      const Views& views = shipped_views());

class UiReporter {
  public:
    explicit UiReporter(std::filesystem::path file) : file_(std::move(file)) {}

    // Writes where something changed; whoever reads never finds half a file. Errors: the file cannot be written.
    Result<bool> update(const Session& session, const Recorder& recorder, const UiMemory& memory,
                        const SeenInput& input);

  private:
    std::filesystem::path file_;
    std::string written_;
};

}  // namespace headcount
