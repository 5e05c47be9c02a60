// The file dialog's parts: what it remembers, what is done in it, and what is drawn of it.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/bars/file_texts.hpp"
#include "app/bars/folder_list.hpp"
#include "app/bars/panels.hpp"
#include "app/ui/buttons.hpp"

namespace headcount::file_dialog {

namespace fs = std::filesystem;

// What the dialog remembers from frame to frame while it is open.
struct Dialog {
    std::optional<FileTask> task;
    fs::path folder;   // that is listed, as the field stands
    fs::path current;  // that the field's words are read in
    FolderList list;
    std::vector<int> matching;      // rows: indices of the list's entries
    int row = 0;                    // the marked one; below 0 where none is
    bool follow = false;            // the list scrolls to it
    std::array<char, 1024> text{};  // of the field
    bool replace_text = false;      // `text` was changed by the program: the field must take it over
    bool proposed = false;          // ... by a name that typing replaces
    bool complete = false;          // Tab was pressed
    std::string asked;              // a file that is there already: whether to replace it
    std::string refusal;            // a sentence
};

struct Filling {
    const Ui& ui;
    const Session& session;
    Dialog& dialog;
    Intents intents;
};

bool saves(const Dialog& dialog);
void open_dialog(Dialog& dialog, const Session& session);
// Replaces what stands in the field.
void set_text(Dialog& dialog, std::string_view text);
// Reads the folder and filters its list as the field stands.
void refresh(Dialog& dialog);
// Where typing goes on: to be opened is the first that matches; to be saved under is the name alone.
void mark_first(Dialog& dialog);
const FolderEntry* marked(const Dialog& dialog);  // null where none is
void go_to(Dialog& dialog, const fs::path& folder);
void go_up(Dialog& dialog);
void complete_typing(Dialog& dialog);
// A folder is gone into; a file, or the folder that stands for itself, is taken.
void take(Filling& filling, const FolderEntry& entry);
void confirm(Filling& filling);
void step_back(Filling& filling);

// Each at the cursor, as wide as there is room.
bool draw_title(Filling& filling);
// The folder's own name last, and as many of those around it as there is room for.
void draw_places(Filling& filling);
// The only thing that takes the keyboard. Returns whether its text was changed by typing.
bool draw_field(Filling& filling);
void draw_entries(Filling& filling, float height);

// What the buttons need, and the height of the sentence beside them.
struct Footer {
    std::string words;
    bool wrong = false;
    float width = 0, height = 0;  // of the words
    Button cancel, confirm;
};
Footer footer_of(const Filling& filling);
void draw_footer(Filling& filling, const Footer& footer);

}  // namespace headcount::file_dialog
