// Files that the session opens and writes, and what it remembers of them.
#pragma once

#include <filesystem>
#include <string>

#include "app/state/session.hpp"

namespace headcount {

// Whether it is what `open_file` opens beside a model: a worksheet, a tour, claims, a folder of answers, activations.
bool holds_no_model(const std::filesystem::path& path);

// A model, or one of these. One that cannot be read is said in the notice, and all stays.
void open_file(Session& session, const OpenFile& open);

// Why a file cannot be written: a save never replaces the weights that are looked at.
std::optional<Error> cannot_save(const Session& session, const std::filesystem::path& path);

// That a file, or a folder of files, was written for the user.
void note_saved(Session& session, const std::string& what, const std::string& path, Effects& effects);

void write_file(Session& session, const WriteFile& write, Effects& effects);

// The document's file is another now, and the user goes on with what was read of it.
void keep_as_read(Session& session, const std::string& path);

}  // namespace headcount
