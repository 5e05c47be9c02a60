// What can be opened and saved: for each task its words and its ending.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "app/state/intent.hpp"

namespace headcount {

enum class FileForm {
    file,     // that ends so
    folder,   // which is named
    answers,  // .json or .csv, or a folder with such files
    text,     // whatever it is called
};

struct FileTaskInfo {
    FileTask task;
    std::string_view key;     // "csv": for tests
    std::string_view menu;    // "Tensors (CSV)..."
    std::string_view title;   // of the dialog: "Export the tensors"
    std::string_view what;    // "the tensors": for the notice
    std::string_view ending;  // ".csv"; empty where any file is opened
    FileForm form = FileForm::file;

    bool opens_models() const { return form == FileForm::file && ending.empty(); }
};

const FileTaskInfo& info(FileTask task);

bool saves(FileTask task);  // a file; else one is opened
// Opens what was chosen for it, the first of so many.
Intent opening(FileTask task, std::string path, std::size_t others = 0);

}  // namespace headcount
