// The manual as it stands in docs/, which the build embeds: documents, cut into pages at their headings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headcount {

// Words in one style.
struct ManualWords {
    std::string text;
    bool strong = false, code = false;
    std::string link = {};  // a place in the manual or an address of the web; empty: they lead nowhere

    bool same_style(const ManualWords& other) const {
        return strong == other.strong && code == other.code && link == other.link;
    }
};
using ManualLine = std::vector<ManualWords>;

std::string text_of(const ManualLine& line);

enum class ManualKind { heading, paragraph, item, listing, table };

struct ManualBlock {
    ManualKind kind = ManualKind::paragraph;
    int level = 0;                              // of a heading, from 1; in how many lists it stands
    std::string mark = {};                      // before an item: a dot, or its number
    ManualLine line = {};                       // of a heading, a paragraph, an item
    std::string listing = {};                   // as it is, with its line ends
    std::vector<std::vector<ManualLine>> rows;  // of a table, its head first
};

// What stands below a heading of the second level, or before the first of these.
struct ManualPage {
    std::string document;  // "command-line"
    std::string heading;   // "memory"; of the first page the document's own
    bool first = false;    // in its document
    std::vector<ManualBlock> blocks;
    std::string words = {};  // all that is written there, for who searches
};

// The pages of one document, of which the first ends with a list of the others. Links are resolved: "other.md#part" is
// the place "other#part". Pictures are left out, with the tables that hold them.
std::vector<ManualPage> pages_of(std::string_view document, std::string_view markdown);

// All that ship, read when they are asked for first.
const std::vector<ManualPage>& manual_pages();

// A heading as places and links have it: "the-run-view".
std::string anchor_of(std::string_view heading);

// "views#the-run-view".
std::string place_of(const ManualPage& page);

// The page that a place is on, its heading or one below it; null: there is none.
const ManualPage* page_with(std::string_view place);

}  // namespace headcount
