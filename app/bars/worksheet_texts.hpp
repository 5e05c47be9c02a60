// What the Worksheet view writes to files: the sheet for paper, the teacher's key, the answers.
#pragma once

#include <string>

#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

bool is_sheet_task(FileTask task);

// "1-one-head-answers-ada"
std::string sheet_file_name(const Session& session, FileTask task);

// Fails where no sheet is open.
Result<std::string> sheet_file_text(const Ui& ui, const Session& session, FileTask task);

// Of a picture within a printed page: small, so that its words are as large as those around it.
inline constexpr float paper_width = 860, paper_height = 500;

}  // namespace headcount
