// DeepSeek V3: V2 with a bias that balances the load of the experts (transformers, modeling_deepseek_v3.py).
#include "core/families/deepseek.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace deepseek_v3 {

Result<Architecture> read(const nlohmann::json& config) {
    return read_deepseek(config, deepseek_v3_family(), deepseek_v3_type);
}

nlohmann::ordered_json write(const Architecture& arch) {
    return write_deepseek(arch, deepseek_v3_type);
}

constexpr Family family{"deepseek_v3", "DeepSeek V3", "DeepseekV3RMSNorm", "model", deepseek_v3_modules,
                        read,          write,         compute_deepseek_v3};

}  // namespace deepseek_v3

const Family& deepseek_v3_family() {
    return deepseek_v3::family;
}

}  // namespace headcount
