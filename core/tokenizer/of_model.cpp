// Finds the tokenizer that belongs to a model on disk.
#include "core/base/json_file.hpp"
#include "core/checkpoints/mapped_file.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {
namespace {

Result<Tokenizer> read_json_file(const std::filesystem::path& path) {
    const Result<std::string> text = read_text(path);
    if (!text) return text.error();
    return Tokenizer::from_json(*text, path.string());
}

}  // namespace

Result<Tokenizer> Tokenizer::of_model(const std::filesystem::path& model) {
    std::error_code ignored;
    if (!std::filesystem::exists(model, ignored))
        return Error{"a tokenizer lies beside a model's weights, and there are none", model.string(),
                     "give ids of tokens in the place of a text"};
    if (model.extension() == ".gguf" && std::filesystem::is_regular_file(model, ignored)) {
        const Result<MappedFile> file = MappedFile::open(model);
        if (!file) return file.error();
        return from_gguf(file->bytes(), model.string());
    }
    const bool directory = std::filesystem::is_directory(model, ignored);
    const std::filesystem::path beside = directory ? model : model.parent_path();
    if (const auto json = beside / "tokenizer.json"; std::filesystem::exists(json, ignored))
        return read_json_file(json);
    if (const auto bin = beside / "tokenizer.bin"; std::filesystem::exists(bin, ignored)) {
        const Result<MappedFile> file = MappedFile::open(bin);
        if (!file) return file.error();
        return from_llama2c(file->bytes(), bin.string());
    }
    return Error{"there is no tokenizer.json", (beside.empty() ? "." : beside).string(),
                 "put the model's there, or give ids of tokens in the place of a text"};
}

}  // namespace headcount
