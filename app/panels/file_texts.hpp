// What the File menu saves: for each task its words, its ending, a name to propose, and the text itself.
#pragma once

#include <string>
#include <string_view>

#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

struct FileTaskInfo {
    FileTask task;
    std::string_view key;     // "csv": for tests
    std::string_view menu;    // "Tensors (CSV)..."
    std::string_view title;   // of the dialog: "Export the tensors"
    std::string_view what;    // "the tensors": for the notice
    std::string_view ending;  // ".csv"; empty where a file is opened
};

const FileTaskInfo& info(FileTask task);

// "llama-2-7b-tensors.csv"
std::string proposed_name(const Session& session, FileTask task);

// All but the picture (PNG), which is the shell's. Fails where the family's configuration has no word for a choice.
Result<std::string> file_text(const Ui& ui, const Session& session, FileTask task);

}  // namespace headcount
