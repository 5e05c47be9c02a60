// Devices in a question: "h100", "rtx 4090", "a laptop"; and names that look so and are none that is known.
#include <algorithm>

#include "core/ask/reader.hpp"

namespace headcount {
namespace {

// How many atoms from `at` on are these. What is one word of a letter and a number there must be one in the question:
// "t4" is a device, "T = 4" an input.
std::size_t same_at(std::span<const Atom> atoms, std::size_t at, std::span<const Atom> as) {
    if (as.size() > atoms.size() - at) return 0;
    for (std::size_t i = 0; i < as.size(); ++i) {
        const bool torn = as[i].glued && as[i].number && !atoms[at + i].glued;
        if (atoms[at + i].text != as[i].text || torn) return 0;
    }
    return as.size();
}

// How many name the device: its name, or its id with words of the name around it ("nvidia h100").
std::size_t device_at(std::span<const Atom> atoms, std::size_t at, const Device& device) {
    const std::vector<Atom> id = atoms_of(device.id), name = atoms_of(device.name);
    if (const std::size_t whole = same_at(atoms, at, name); whole > 0) return whole;
    const auto of_name = [&](std::size_t i) {
        return i < atoms.size() && !atoms[i].number &&
               std::any_of(name.begin(), name.end(), [&](const Atom& each) { return each.text == atoms[i].text; });
    };
    std::size_t end = at;
    while (of_name(end) && atoms[end].text != id.front().text) ++end;
    const std::size_t named = same_at(atoms, end, id);
    if (named == 0) return 0;
    end += named;
    while (of_name(end)) ++end;
    return end - at;
}

}  // namespace

QuestionReader::Found QuestionReader::device(std::size_t at) {
    const Device* longest = nullptr;
    std::size_t atoms = 0;
    for (const Device& each : about_.devices)
        if (const std::size_t named = device_at(atoms_, at, each); named > atoms) {
            longest = &each;
            atoms = named;
        }
    if (!longest) return {};
    return {atoms, [=, this] {
                heard_.device = longest;
                understood(at, atoms, longest->name);
            }};
}

bool QuestionReader::stuck(std::size_t at) const {
    return at < atoms_.size() && atoms_[at].text.size() == 1 && !atoms_[at].number && !atoms_[at].glued &&
           at + 1 < atoms_.size() && atoms_[at + 1].number && atoms_[at + 1].glued;
}

bool QuestionReader::named_by_article(std::size_t at) const {
    return stuck(at) && at > 0 && (atoms_[at - 1].text == "a" || atoms_[at - 1].text == "an");
}

}  // namespace headcount
