// What is said of an opened file beside its numbers.
#include <algorithm>
#include <array>

#include "core/arch/computation.hpp"
#include "core/arch/family.hpp"
#include "core/arch/whole_senses.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/families/unknown.hpp"
#include "core/files/class_said.hpp"
#include "core/files/documents.hpp"
#include "core/files/open.hpp"
#include "core/files/unlike_weights.hpp"

namespace headcount {
namespace {

constexpr std::string_view ahead = "num_nextn_predict_layers";

// Where they are no part of the text's own object, they describe what reads pictures or sound.
constexpr std::array<std::string_view, 3> senses{"audio_config", "vision_config", "visual"};

bool is_sense(const Architecture& arch, std::string_view field) {
    if (!contains(senses, field)) return false;
    const std::string* value = arch.carried.find(field);
    return value && value->starts_with('{');
}

// What is counted and not understood; nothing where the model runs without it, and neither sees nor hears by it.
std::string note_on_besides(const Architecture& arch) {
    if (!arch.family->besides) return "";
    const std::vector<Extra> besides = arch.family->besides(arch);
    const bool senses = std::ranges::any_of(besides, [](const Extra& each) { return each.place == Component::tower; });
    if (besides.empty() || (!senses && computation_of(arch))) return "";
    const auto telling = std::ranges::find_if(besides, [](const Extra& each) { return each.place != Component::norm; });
    const auto others = static_cast<std::int64_t>(besides.size()) - 1;
    return "Counted by name and shape alone: " + (telling == besides.end() ? besides.front() : *telling).name +
           (others > 0 ? " and " + grouped(others) + " more" : "") +
           ". What is made with them is not computed here: operations, activations and caches leave it out, and all of "
           "it counts as active.";
}

// A type's files need not have a tower, nor what leads to the text from there.
std::string note_on_whole(const Architecture& arch) {
    const Result<Senses> senses = senses_of(arch);
    if (!senses || !*senses || (*senses)->empty())
        return "The whole file: text alone, since it describes nothing that reads pictures or sound.";
    const bool tower = std::ranges::any_of(**senses, [](const Extra& each) { return each.place == Component::tower; });
    if (tower) return std::string(whole_file_note);
    return "The whole file: text and connector, since this type has no tower. The connector is counted by name and "
           "shape; operations, activations and caches are those of the text alone, and its tokens pass no parameter of "
           "the rest.";
}

}  // namespace

std::string note_on_unread(const Architecture& arch) {
    constexpr std::int64_t most_named = 30;
    std::string fields;
    std::int64_t count = 0;
    for (const std::string& field : unread_fields(arch))
        if (field != ahead && !is_sense(arch, field) && ++count <= most_named)
            fields += (fields.empty() ? "" : ", ") + shown(field);
    if (count > most_named) fields += " and " + grouped(count - most_named) + " more";
    return fields.empty() ? "" : "Not read, though it may change shapes: " + fields + ".";
}

std::string note_on_difference(const Architecture& arch) {
    return arch.family->differs && !arch.carried.find(compared_field) ? std::string(arch.family->differs(arch)) : "";
}

std::vector<std::string> notes_on(const Architecture& arch) {
    std::vector<std::string> notes;
    const std::vector<std::string> unread = unread_fields(arch);
    const auto is_unread = [&](std::string_view field) { return std::ranges::count(unread, field) > 0; };
    if (is_unread(ahead))
        notes.push_back("Not counted: the layers that only predict further tokens (" + std::string(ahead) + ").");
    if (std::string note = note_on_difference(arch); !note.empty()) notes.push_back(std::move(note));
    if (std::string note = note_on_class(arch); !note.empty()) notes.push_back(std::move(note));
    if (std::string note = note_on_weights(arch); !note.empty()) notes.push_back(std::move(note));
    // Meta's models before scaled positions have a head of their own; of those with them, the small ones share it.
    if (arch.carried.find("use_scaled_rope"))
        notes.push_back(
            "Assumed, since params.json does not say: an output head of its own (Llama 3.2 1B and 3B tie it).");
    if (std::string note = note_on_unread(arch); !note.empty()) notes.push_back(std::move(note));
    for (const std::string& field : impossible_fields(arch))
        notes.push_back("Not read: " + field + ". Give a whole number from 1 up, or leave it out.");
    if (std::string note = note_on_besides(arch); !note.empty())
        notes.push_back(std::move(note));
    else if (const Result<Computation> computed = computation_of(arch); !computed)
        notes.push_back("Counted, but it cannot run: " + sentence(computed.error()) + ".");
    if (arch.pooling_head && !has_head(arch))
        notes.emplace_back(
            "Counted by name and shape alone: the head that makes one row of all. Operations and activations leave out "
            "what it makes.");
    if (arch.whole) notes.push_back(note_on_whole(arch));
    const bool other =
        std::ranges::any_of(senses, [&](std::string_view field) { return is_unread(field) && is_sense(arch, field); });
    if (other) notes.emplace_back(only_text_note);
    if (arch.vocab == 0) notes.emplace_back(no_vocabulary_note);
    return notes;
}

std::string doubt_on(const Document& document) {
    const Architecture& read = document.base;
    if (!read.family->verified)
        return "This model_type is not known. What is shown is the decoder that its fields look like; the real model "
               "may have parts that are not counted here.";
    if (!document.preset.empty()) return "";
    std::string doubt;
    for (const std::string& each :
         {note_on_unread(read), note_on_difference(read), note_on_class(read), note_on_weights(read)})
        if (!each.empty()) doubt += (doubt.empty() ? "" : " ") + each;
    return doubt;
}

std::string title_as_known(const Document& document) {
    return title_of(document) + (doubt_on(document).empty() ? "" : " (≈: not verified)");
}

}  // namespace headcount
