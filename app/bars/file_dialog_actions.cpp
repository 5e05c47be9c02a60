// What is done in the file dialog: going into folders, opening, saving, completing what is typed.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "app/bars/file_dialog_parts.hpp"
#include "core/grading/class.hpp"

namespace headcount::file_dialog {
namespace {

// The name as it is typed, in whichever folder.
TypedPath typed(const Dialog& dialog) { return typed_path(dialog.current, dialog.text.data()); }

fs::path first_folder(const Session& session) {
    std::error_code failure;
    if (!session.view.folder.empty() && fs::is_directory(session.view.folder, failure)) return session.view.folder;
    const fs::path here = fs::current_path(failure);
    const char* const home = std::getenv("HOME");
    // A desktop starts programs in the root.
    if (home && *home && (failure || here == here.root_path())) return home;
    return failure ? fs::path("/") : here;
}

// Where the words would be saved, with the ending that belongs to them.
fs::path target(const Dialog& dialog) {
    const TypedPath at = typed(dialog);
    std::string name = at.rest;
    const std::string_view ending = info(*dialog.task).ending;
    if (!name.empty() && !name.ends_with(ending)) name += ending;
    return name.empty() ? fs::path() : at.folder / name;
}

void save_as(Filling& filling, const fs::path& path) {
    const FileTask task = *filling.dialog.task;
    if (task == FileTask::png || task == FileTask::diagram_png || task == FileTask::chart_png ||
        task == FileTask::frames || task == FileTask::gif) {
        filling.intents.push_back(WritePicture{path.string(), filling.session.view.chart.slide});
        return;
    }
    if (task == FileTask::trained) {
        filling.intents.push_back(AtTrain{SaveTraining{path.string()}});
        filling.intents.push_back(AskForFile{});
        return;
    }
    Result<std::string> text = file_text(filling.ui, filling.session, task);
    if (text)
        filling.intents.push_back(WriteFile{path.string(), std::move(*text), std::string(info(task).what)});
    else
        filling.dialog.refusal = sentence(text.error());
}

void save(Filling& filling) {
    Dialog& dialog = filling.dialog;
    std::error_code ignored;
    const fs::path path = target(dialog);
    if (path.empty()) {
        dialog.refusal = "Type a name for the file.";
    } else if (fs::is_directory(typed(dialog).folder / typed(dialog).rest, ignored) &&
               !(info(*dialog.task).form == FileForm::folder && is_model_folder(path))) {
        go_to(dialog, typed(dialog).folder / typed(dialog).rest);
        set_text(dialog, proposed_name(filling.session, *dialog.task));
    } else if (!fs::is_directory(path.parent_path(), ignored)) {
        dialog.refusal = "There is no folder " + path.parent_path().string() + ".";
    } else if (fs::exists(path, ignored)) {
        dialog.asked = path.string();
    } else {
        save_as(filling, path);
    }
}

// A model's folder, or one of a class's answers.
bool is_opened_whole(const Dialog& dialog, const fs::path& folder) {
    if (dialog.task == FileTask::open_class) return worksheet_of_answers(folder).has_value();
    return is_model_folder(folder) || (dialog.task == FileTask::open && worksheet_of_answers(folder));
}

void open(Filling& filling) {
    Dialog& dialog = filling.dialog;
    const TypedPath at = typed(dialog);
    std::error_code ignored;
    // What is typed in full comes before what it would match.
    const fs::path exact = at.folder / at.rest;
    if (!at.rest.empty() && fs::is_directory(exact, ignored) && is_opened_whole(dialog, exact))
        filling.intents.push_back(opening(*dialog.task, exact.string()));
    else if (!at.rest.empty() && fs::is_directory(exact, ignored))
        go_to(dialog, exact);
    else if (!at.rest.empty() && fs::exists(exact, ignored))
        filling.intents.push_back(opening(*dialog.task, exact.string()));
    else if (const FolderEntry* entry = marked(dialog))
        take(filling, *entry);
    else
        dialog.refusal =
            at.rest.empty() ? "There is nothing here to open." : "There is no file " + exact.string() + ".";
}

}  // namespace

bool saves(const Dialog& dialog) { return headcount::saves(*dialog.task); }

void set_text(Dialog& dialog, std::string_view text) {
    const std::size_t length = std::min(text.size(), dialog.text.size() - 1);
    std::memcpy(dialog.text.data(), text.data(), length);
    dialog.text[length] = '\0';
    dialog.replace_text = true;
}

void refresh(Dialog& dialog) {
    const TypedPath at = typed(dialog);
    if (at.folder != dialog.folder || dialog.list.path != at.folder) {
        dialog.folder = at.folder;
        dialog.list = read_folder(at.folder, info(*dialog.task));
    }
    // A name to be saved under is no filter: one looks what is there already.
    dialog.matching = matching_entries(dialog.list, saves(dialog) ? "" : at.rest);
    dialog.row = std::min(dialog.row, static_cast<int>(dialog.matching.size()) - 1);
}

void mark_first(Dialog& dialog) {
    dialog.row = saves(dialog) ? -1 : 0;
    dialog.follow = true;
}

void go_to(Dialog& dialog, const fs::path& folder) {
    dialog.current = folder;
    if (saves(dialog))
        set_text(dialog, typed(dialog).rest);
    else
        set_text(dialog, "");
    mark_first(dialog);
    dialog.refusal.clear();
    refresh(dialog);
}

void go_up(Dialog& dialog) {
    const fs::path was = dialog.list.path;
    const std::string name = was.filename().string();
    go_to(dialog, was.parent_path());
    for (std::size_t i = 0; i < dialog.matching.size(); ++i)
        if (dialog.list.entries[static_cast<std::size_t>(dialog.matching[i])].name == name)
            dialog.row = static_cast<int>(i);
}

void open_dialog(Dialog& dialog, const Session& session) {
    dialog = Dialog{};
    dialog.task = session.view.task;
    dialog.current = first_folder(session);
    if (saves(dialog)) set_text(dialog, proposed_name(session, *dialog.task));
    dialog.proposed = saves(dialog);
    mark_first(dialog);
    refresh(dialog);
}

const FolderEntry* marked(const Dialog& dialog) {
    if (dialog.row < 0) return nullptr;
    const auto row = static_cast<std::size_t>(dialog.row);
    return row < dialog.matching.size() ? &dialog.list.entries[static_cast<std::size_t>(dialog.matching[row])]
                                        : nullptr;
}

void take(Filling& filling, const FolderEntry& entry) {
    Dialog& dialog = filling.dialog;
    const fs::path path = dialog.list.path / entry.name;
    switch (entry.kind) {
        case EntryKind::this_folder: filling.intents.push_back(opening(*dialog.task, dialog.list.path.string())); break;
        case EntryKind::folder:
        case EntryKind::model_folder: go_to(dialog, path); break;
        case EntryKind::file:
            if (saves(dialog)) {
                dialog.current = dialog.list.path;
                set_text(dialog, entry.name);
                dialog.asked = path.string();
            } else {
                filling.intents.push_back(opening(*dialog.task, path.string()));
            }
            break;
        case EntryKind::other:
            dialog.refusal = saves(dialog)
                                 ? info(*dialog.task).form == FileForm::folder
                                       ? "It is saved as a folder: type its name."
                                       : "The file's name has to end in " + std::string(info(*dialog.task).ending) + "."
                                 : entry.name + " is no file that Headcount can open.";
            break;
    }
}

void confirm(Filling& filling) {
    Dialog& dialog = filling.dialog;
    dialog.refusal.clear();
    if (!dialog.asked.empty())
        save_as(filling, std::exchange(dialog.asked, {}));
    else if (!saves(dialog))
        open(filling);
    else if (const FolderEntry* entry = marked(dialog); entry && entry->kind == EntryKind::folder)
        take(filling, *entry);
    else
        save(filling);
}

void step_back(Filling& filling) {
    if (!filling.dialog.asked.empty())
        filling.dialog.asked.clear();
    else
        filling.intents.push_back(AskForFile{});
}

void complete_typing(Dialog& dialog) {
    dialog.complete = false;
    const std::string text = dialog.text.data();
    const std::size_t kept = text.rfind('/') == std::string::npos ? 0 : text.rfind('/') + 1;
    const std::string rest = text.substr(kept);
    const std::string whole = completed(dialog.list, rest);
    if (whole != rest) set_text(dialog, text.substr(0, kept) + whole);
    refresh(dialog);
}

}  // namespace headcount::file_dialog
