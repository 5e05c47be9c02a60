// A link as a state: a model, and how it is looked at. It says what differs from the preset and from how the program
// begins, by the names that saved documents and the command line have for it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/view.hpp"
#include "core/files/document.hpp"
#include "core/link/linked_model.hpp"

namespace headcount {

struct LinkedSheet {
    std::string worksheet;              // the id of one that ships; empty: none
    std::optional<std::uint64_t> seed;  // of other numbers
    std::size_t question = 0;           // from 0

    bool operator==(const LinkedSheet&) const = default;
};

struct Linked {
    Document document;
    View view;               // what is on the screen with the places of the views; the rest is as new
    std::string select, at;  // as `render` takes them, of the model that the view shows; empty: nothing, all of it
    bool tilted = false, log_sides = false;
    LinkedSheet sheet;
    std::string lesson = {};  // a tour or worksheet by its address below the page's; empty: none

    bool operator==(const Linked&) const = default;
};

struct ReadLink {
    Linked state;
    bool themed = false;            // it says which theme
    std::vector<std::string> lost;  // a sentence each about what was passed over

    bool operator==(const ReadLink&) const = default;
};

// Errors: what is no link, or names a model that there is not: then nothing is taken over.
Result<ReadLink> read_link(std::string_view text, std::span<const Preset> presets);

struct WrittenLink {
    std::string text;               // from its # on
    std::vector<std::string> lost;  // a sentence each about what is not in it
};

// The longest of what is looked at goes where the link would have more than `longest_link` letters. Errors: the model
// cannot be said, or is too long by itself.
Result<WrittenLink> write_link(const Linked& state, std::span<const Preset> presets);

// The questions of a sheet alone, on the page at this address. `worksheet`: the id of one that ships, or the path of a
// file, which has to lie beside the page, in `lessons`.
std::string sheet_address(std::string_view page, const std::string& worksheet, std::optional<std::uint64_t> seed);

// Whether a link says by this key how a model is looked at.
bool is_look_key(std::string_view key);

// One more entry of a link, as `read_link` has it: such as {prompt, "Once"}. Errors: no such key, or a value that it
// does not take.
std::optional<Error> set_linked(Linked& state, const LinkEntry& entry);

}  // namespace headcount
