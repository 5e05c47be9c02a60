// What can be opened and saved: for each task its words and its ending.
#pragma once

#include <string_view>

#include "app/state/view.hpp"

namespace headcount {

struct FileTaskInfo {
    FileTask task;
    std::string_view key;     // "csv": for tests
    std::string_view menu;    // "Tensors (CSV)..."
    std::string_view title;   // of the dialog: "Export the tensors"
    std::string_view what;    // "the tensors": for the notice
    std::string_view ending;  // ".csv"; empty where a file is opened
};

// Of what is saved as a folder that is named. No file ends so.
inline constexpr std::string_view folder_ending = "/";
// Of answers that are opened: .json, .csv, or a folder with such files.
inline constexpr std::string_view answers_ending = "*";

const FileTaskInfo& info(FileTask task);

}  // namespace headcount
