// Documents of presets and of files, and what they are called.
#include "core/files/documents.hpp"

#include "core/analysis/counted_model.hpp"
#include "core/arch/validate.hpp"
#include "core/files/stored_formats.hpp"

namespace headcount {

Result<Document> document_of(const Opened& opened, const std::string& path, const Input& input) {
    constexpr std::int64_t usual_vocab = 32000;  // Llama 1's and 2's, whose params.json leaves it open
    Architecture base = opened.architecture;
    if (base.vocab == 0) base.vocab = usual_vocab;
    Result<Document> document = document_of(base, input);
    if (!document) return document;
    document->architecture = opened.architecture;
    if (opened.preset)
        document->preset = opened.preset->id;
    else
        document->file = path;
    document->stored = opened.precision;
    return document;
}

Result<Document> document_of(const Architecture& opened, const Input& input) {
    Document document{opened, opened, "", input};
    Result<Counted> counted = count(opened, {.tokens = 1, .source = first_input(opened).source});
    if (!counted) return counted.error();
    return document;
}

Document document_of(const Preset& preset) {
    return {preset.architecture, preset.architecture, preset.id, published_input(preset.architecture)};
}

std::string absolute_path(const std::string& path) {
    std::error_code failure;
    std::filesystem::path whole = std::filesystem::absolute(path, failure);
    if (failure) return path;
    whole = whole.lexically_normal();
    // "model/" is the same folder as "model".
    if (!whole.has_filename() && whole.has_relative_path()) whole = whole.parent_path();
    return whole.string();
}

std::string title_of(const Document& document) {
    constexpr std::string_view remark = ", edited";
    const std::string& name = document.base.name;
    if (document.architecture == document.base || name.ends_with(remark)) return name;
    if (document.architecture.vocab == 0) {  // the file left it open: nobody has edited that
        Document filled = document;
        filled.architecture.vocab = document.base.vocab;
        return title_of(filled);
    }
    return name + std::string(remark);
}

}  // namespace headcount
