// Tower and connector of a whole file, as the text part stands.
#include "core/arch/whole_senses.hpp"

#include <cassert>
#include <nlohmann/json.hpp>
#include <string>

namespace headcount {

Result<Senses> senses_of(const Architecture& arch) {
    assert(arch.whole);
    nlohmann::json file = arch.whole->file.object();
    if (file.contains("encoder")) {
        nlohmann::json& decoder = file["decoder"];
        decoder = {{"hidden_size", arch.dim}};
        if (const std::string* const read = arch.carried.find("cross_attention_hidden_size"))
            decoder["cross_attention_hidden_size"] = nlohmann::json::parse(*read, nullptr, false);
    }
    return arch.whole->type->senses(file);
}

}  // namespace headcount
