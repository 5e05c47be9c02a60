// What the File menu saves: a name to propose, and the text itself.
#pragma once

#include <string>

#include "app/parts/file_tasks.hpp"
#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// "llama-2-7b-tensors.csv"
std::string proposed_name(const Session& session, FileTask task);

// All but the picture (PNG), which is the shell's. Fails where the family's configuration has no word for a choice, or
// no worksheet is open.
Result<std::string> file_text(const Ui& ui, const Session& session, FileTask task);

// Of a picture within a printed page: small, so that its words are as large as those around it.
inline constexpr float paper_width = 860, paper_height = 500;

}  // namespace headcount
