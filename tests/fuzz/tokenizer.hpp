// What the fuzz targets promise of every tokenizer that was read: ids that are there, and text of them.
#pragma once

#include "core/tokenizer/tokenizer.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace headcount::fuzz {

inline void check(const Result<Tokenizer>& tokenizer, std::string_view text) {
    if (!read_or_refused(tokenizer)) return;
    constexpr std::size_t longest = 64;  // a hostile pattern may try a million ways a letter
    demand(tokenizer->size() > 0, "a tokenizer has tokens");
    for (const std::string_view each :
         {text.substr(0, longest), std::string_view("The ball.\n \xff 12 \xe2\x82\xac")}) {
        const Result<std::vector<std::int32_t>> ids = tokenizer->encode(each);
        if (!read_or_refused(ids)) continue;
        for (const std::int32_t id : *ids) {
            demand(id >= 0 && id < tokenizer->size(), "ids are the tokenizer's");
            tokenizer->piece(id);
        }
        tokenizer->decode(*ids, Specials::left_out);
    }
}

}  // namespace headcount::fuzz
