// What the program starts with: what was asked for, else what was left, else the first preset.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/state/kept_file.hpp"
#include "app/state/session.hpp"
#include "app/state/window_options.hpp"
#include "core/base/result.hpp"

namespace headcount {

struct Start {
    Session session;
    std::optional<Seat> seat;  // where the document is kept; nothing where it is not
};

// With what was saved the last time; a damaged file is set aside and the session's notice says so. Errors: no presets.
Result<Start> start_where_left(const WindowOptions& options);

// The same at every start, whatever was saved; for pictures. Without a document it is the first preset's. Reads the
// presets that ship where none are given. Errors: there are none.
Result<Session> start_afresh(const std::optional<Document>& document, ThemeChoice theme,
                             std::vector<Preset> presets = {});

// Starts a tour, by its id or from its file, and goes on by so many steps. Nothing for an empty name.
void begin_tour(Session& session, const std::string& tour, std::size_t step);

}  // namespace headcount
