// A model as a file of Headcount's own: its architecture, and what was said of it beside that. What is opened again
// counts, and is said, as what was saved.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/result.hpp"
#include "core/files/open.hpp"

namespace headcount {

// {"architecture": {...}, "stored": "layers=fp8,rest=bf16", "cache": null, "weights_about": "...", "notes": ["..."]}:
// the formats of weights and of keys and values, null where nothing says them; why the weights' is only about right.
nlohmann::ordered_json saved_model_json(const Opened& model);

// Its architecture is valid. What a file of an earlier Headcount does not say follows from what the architecture
// carries of its configuration. Errors name the place in `path`.
Result<Opened> opened_saved_model(const nlohmann::json& json, const std::filesystem::path& path);

}  // namespace headcount
