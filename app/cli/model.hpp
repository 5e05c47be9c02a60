// From the words ARCH, --set, --tokens and the like to a model that is counted.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/cli/arguments.hpp"
#include "app/cli/notes.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/arch/validate.hpp"
#include "core/files/document.hpp"
#include "core/files/open.hpp"

namespace headcount {

// What ARCH is, with every --set applied.
struct OpenedDocument {
    Document document;
    std::shared_ptr<const Checkpoint> checkpoint;  // weights that lie in or beside the file
    Notes notes;                                   // what a preset leaves out, what of a file was not read
    bool verified = true;                          // whether no note says that shapes may be other ones
    std::vector<std::filesystem::path> read = {};  // the files that it came from
};

// The architecture is valid: an impossible combination is an error that ends with the --set that would mend it. What is
// opened can be counted, as a document's base must be. Errors name the file. Appends the notes on a file to `said`,
// which is written to standard error.
Result<OpenedDocument> open_document(const ModelArguments& arguments, std::span<const Preset> presets, Notes& said);

// The same among the presets that ship.
Result<OpenedDocument> open_document(const ModelArguments& arguments, Notes& said);

// Fills in the input; what is absent stays as it is. The input fits the architecture.
Result<Document> with_input(Document document, const InputArguments& arguments);

// Opens it and fills in the input.
Result<OpenedDocument> open_document(const ModelArguments& arguments, const InputArguments& input, Notes& said);

// An error that the opened numbers make, seen from their file; of a preset's it is the same.
Error in_file(const Document& document, const ModelArguments& arguments, Error error);

// A model with what its file says besides.
struct OpenedModel : CountedModel {
    std::shared_ptr<const Checkpoint> checkpoint;
    Notes notes;
    bool verified = true;
    std::vector<std::filesystem::path> read = {};  // the files that it came from
};

// An edited model says so in its name.
Result<OpenedModel> open_model(const ModelArguments& arguments, Notes& said);

// A document with its input filled in, and what was counted of it.
struct CountedDocument {
    Document document;
    OpenedModel counted;
};
Result<CountedDocument> count_document(const ModelArguments& arguments, const InputArguments& input, Notes& said);

// The document as text, with "notes" behind what it has.
std::string noted_json(nlohmann::ordered_json json, const Notes& notes);

}  // namespace headcount
