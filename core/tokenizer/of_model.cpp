// Finds the tokenizer that belongs to a model on disk.
#include "core/base/json_file.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {
namespace {

Result<Tokenizer> read_json_file(const std::filesystem::path& path) {
    const Result<std::string> text = read_text(path);
    if (!text) return text.error();
    return Tokenizer::from_json(*text, path.string());
}

}  // namespace

Result<std::filesystem::path> Tokenizer::file_of_model(const std::filesystem::path& model) {
    std::error_code ignored;
    if (!std::filesystem::exists(model, ignored))
        return Error{"a tokenizer lies beside a model's weights, and there are none", model.string(),
                     "give ids of tokens in the place of a text"};
    const bool directory = std::filesystem::is_directory(model, ignored);
    if (model.extension() == ".gguf" && !directory) return model;
    const std::filesystem::path beside = directory ? model : model.parent_path();
    for (const char* name : {"tokenizer.json", "tokenizer.bin"})
        if (std::filesystem::exists(beside / name, ignored)) return beside / name;
    return Error{"there is no tokenizer.json", (beside.empty() ? "." : beside).string(),
                 "put the model's there, or give ids of tokens in the place of a text"};
}

Result<Tokenizer> Tokenizer::of_model(const std::filesystem::path& model, std::int64_t vocab) {
    const Result<std::filesystem::path> path = file_of_model(model);
    if (!path) return path.error();
    if (path->extension() == ".json") return read_json_file(*path);
    Result<FileBytes> file = FileBytes::open(*path);
    if (!file) return file.error();
    return path->extension() == ".gguf" ? from_gguf(*std::move(file), path->string())
                                        : from_llama2c(*std::move(file), path->string(), vocab);
}

}  // namespace headcount
