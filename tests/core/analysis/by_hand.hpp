// Parameters counted from the definitions, with no graph: what two people who count by hand would agree on.
#pragma once

#include "core/arch/family.hpp"

namespace headcount::test {

std::int64_t counted_by_hand(const Architecture& arch);
// The experts that a token is not sent to, and towers and connectors.
std::int64_t idle_by_hand(const Architecture& arch);
// `table`: the embedding's numbers.
// Of what makes rows as narrow as the embedding's whatever reads them, and not scores for tokens alone; 0: nothing.
std::int64_t narrowed_inside_by_hand(const Architecture& arch);
std::int64_t output_by_hand(const Architecture& arch, std::int64_t table);
// What a family's models have besides, at this place; nothing: everywhere.
std::int64_t besides_by_hand(const Architecture& arch, std::optional<Component> place = {});

}  // namespace headcount::test
