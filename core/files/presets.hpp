// The models that ship with the program: one JSON file each in assets/presets.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/arch/architecture.hpp"
#include "core/base/result.hpp"

namespace headcount {

// Of the model that the window opens with, and that questions are about where nothing else is said.
inline constexpr std::string_view first_preset = "llama-2-7b";

struct Preset {
    std::string id;     // the file's name without .json: "llama-2-7b"
    std::string group;  // heading in the menu: "Llama 2"
    std::optional<int> year;
    std::string source;                  // where its configuration is published
    std::string note;                    // a sentence about what it leaves out; mostly empty
    std::string after = {};              // the id of the preset that it was made from, or in the image of
    std::vector<std::string> also = {};  // other names, and names of other models that have this very shape
    Architecture architecture;
    bool ships_weights = false;  // it is the model that ships with them
    std::filesystem::path file = {};

    bool operator==(const Preset&) const = default;
};

// Reads every *.json of the directory: {"name", "family", "year", "source", "checked", "note", "after", "also",
// "config", "weights", "set"}, where "checked" is for people, "config" is a Hugging Face configuration, "weights" in
// its place a model that ships with those, and "set" changes fields by their names (core/arch/fields.hpp) after it is
// read. Sorted by group and size. One file that is wrong is an error that names it.
Result<std::vector<Preset>> load_presets(const std::filesystem::path& directory);

// The presets that ship with the program, less those whose files are damaged, on each of which `left_out` gets a
// sentence; that there are none is an error.
Result<std::vector<Preset>> shipped_presets(std::vector<std::string>* left_out = nullptr);

// Of those, what opening `text` needs: the one with that id alone, none where it is the path of something, and all
// where it is neither, so that the nearest can be named.
Result<std::vector<Preset>> presets_to_open(std::string_view text);

// What is wrong with the preset of this id, where its file is damaged.
std::optional<Error> damaged_preset(std::string_view id);

// Null where there is none of this id.
const Preset* find_preset(std::span<const Preset> presets, std::string_view id);

// "meta-llama/Llama-2-7b-hf", as its source says where it is published on Hugging Face; empty where it does not.
std::string_view published_name(const Preset& preset);

// All that people call so: by its id, its name, what it is published as with the owner or without, or a name in `also`,
// whatever stands between words and numbers ("Llama 3.1 70B"). What is tuned has the shapes of what it was tuned from,
// so that endings such as "-instruct" count for nothing where the whole name is none; and where that is none either,
// all whose names begin so: "t5". Several where one file was read in several ways: with what sees pictures, or without.
std::vector<const Preset*> presets_called(std::span<const Preset> presets, std::string_view name);

// The one that is called so; null where that is none, or several.
const Preset* preset_called(std::span<const Preset> presets, std::string_view name);

// Why that is null: the nearest of none, the ids of several.
Error no_one_preset(std::span<const Preset> presets, std::string_view name, std::string_view where);

// Of find_preset where a file names it: an unknown one is an error of that place of the file.
Result<const Preset*> preset_named(std::span<const Preset> presets, std::string_view id, std::string_view where);

}  // namespace headcount
