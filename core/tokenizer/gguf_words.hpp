// How the models that tokenizer.ggml.pre names cut a text into words: GGUF has the name alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/tokenizer/steps.hpp"

namespace headcount {

struct GgufWords {
    std::vector<PreTokenizer> steps;  // the last makes letters of bytes
    bool whole_words = false;         // see TokenizerParts
    bool bos = false;                 // <s> goes before a text where the file does not say
};

// An unknown name is an error: any other pattern would make other tokens.
Result<GgufWords> gguf_words(std::string_view name, const std::string& where);

}  // namespace headcount
