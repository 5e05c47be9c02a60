// What the Worksheet view asks for. Small, and none of it touches the document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace headcount {

struct OpenSheet {
    std::string worksheet;              // the id of one that ships, or a path
    std::optional<std::uint64_t> seed;  // of other numbers; absent: the file's own
};
struct ShowQuestion {
    std::size_t question = 0;
};
struct GiveAnswer {
    std::string blank, text;  // of a shape as shape_text writes it
};
struct CheckFields {
    std::vector<std::string> fields;
};
struct AskHint {
    std::string of;  // a question's id; of one with several blanks a blank's
};
struct ShowAnswer {
    std::string blank;
};
struct StartOver {
    std::optional<std::string> question;  // absent: the whole sheet
};
struct ResetDesk {};  // for the next student of a class
struct NameStudent {
    std::string name;
};
struct ShowKey {
    bool shown = false;
    std::string word = {};  // that opens it, where it has one
};
struct SetKeyWord {
    std::string word;  // empty: it opens without
};
struct CheckAtEnd {
    bool at_end = false;
};

struct OpenClass {
    std::string path;  // a folder of answers, or one file of them
};
// How the students are listed, and what is seen of them.
enum class ClassOrder { name, right, wrong };
struct ClassLook {
    ClassOrder order = ClassOrder::name;
    bool names_hidden = false;
    std::size_t first = 0;  // question of those that are seen

    bool operator==(const ClassLook&) const = default;
};
struct LookAtClass {
    ClassLook look;
};
struct CloseClass {};

using DeskIntent =
    std::variant<OpenSheet, ShowQuestion, GiveAnswer, CheckFields, AskHint, ShowAnswer, StartOver, ResetDesk,
                 NameStudent, ShowKey, SetKeyWord, CheckAtEnd, OpenClass, LookAtClass, CloseClass>;

}  // namespace headcount
