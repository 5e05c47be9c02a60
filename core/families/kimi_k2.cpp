// Kimi K2: DeepSeek V3's layout and code under a type of its own (its published configuration names V3's classes).
#include "core/families/deepseek.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace kimi_k2 {

Result<Architecture> read(const nlohmann::json& config) {
    return read_deepseek(config, kimi_k2_family(), deepseek_v3_type);
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_deepseek(arch, deepseek_v3_type);
    config["model_type"] = "deepseek_v3";  // which it is in all but name, and transformers knows no other
    return config;
}

constexpr Family family{"kimi_k2", "Kimi K2", "DeepseekV3RMSNorm", "model", deepseek_v3_modules,
                        read,      write,     compute_deepseek_v3};

}  // namespace kimi_k2

const Family& kimi_k2_family() {
    return kimi_k2::family;
}

}  // namespace headcount
