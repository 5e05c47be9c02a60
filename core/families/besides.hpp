// How a family lists what its models have besides (Extra), with sizes that its files say.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/arch/family.hpp"
#include "core/families/config_reader.hpp"

namespace headcount {

// Layers that are listed one by one: no more than these.
inline constexpr std::int64_t most_listed = 1000;
Error too_many_layers(std::string field = {});

// A parameter that is counted by name and shape alone, with a bias for each of its outputs or without.
Extra counted_alone(Component component, std::string name, std::vector<Expr> weight, bool bias, bool alone);

// Of Longformer and LED: tokens that see all others, and are seen by them, have matrices of their own; a text alone has
// none of them.
std::vector<Extra> global_matrices(std::string_view before, Extra::Stacks stacks = {});

// Each parameter is of the place that `in_layers` or `in_model` said last.
class Besides {
  public:
    explicit Besides(const Architecture& arch) : fields_(arch.carried.object()) {}

    // What the file says, at most `largest`; what is wrong with a field is for the family's reader to say
    // (carry_number).
    std::int64_t number(std::string_view field, std::int64_t otherwise) {
        return std::min(fields_.number({field}, otherwise, 0), largest);
    }
    static constexpr std::int64_t largest = std::int64_t{1} << 30;  // so that few of them multiplied fit in 64 bits
    bool flag(std::string_view field, bool otherwise) { return fields_.flag({field}, otherwise); }

    Besides& in_layers(Component component, LayerSet layers = {});
    Besides& in_model(Component component);

    // A tensor of that name and shape, at most four sides.
    Besides& add(std::string name, std::vector<Expr> shape);
    Besides& buffer(std::string name, std::vector<Expr> shape);
    // "name.weight" [outputs, inputs], and "name.bias" where there is one.
    Besides& linear(std::string name, const Expr& outputs, const Expr& inputs, bool bias = false);
    // "name.weight" [rows, columns], of which rows are looked up.
    Besides& table(std::string name, const Expr& rows, const Expr& columns);
    // "name.weight" [width], and "name.bias" likewise.
    Besides& norm(std::string name, const Expr& width, bool bias = false);

    std::vector<Extra> take() { return std::move(all_); }

  private:
    Besides& put(std::string name, std::vector<Expr> weight, bool bias, bool alone, bool buffer);

    ConfigReader fields_;
    Component component_ = Component::embedding;
    bool in_layers_ = false;
    LayerSet layers_;
    std::vector<Extra> all_;
};

// A table for both stacks that is stored beside one of each.
Extra unread_table(const Expr& rows, const Expr& columns);

// Rows of the embedding behind the vocabulary's, of tokens that get no score; and model_modules with a place for them.
Extra unscored_rows(const Architecture& arch, const Expr& rows);
template <std::size_t N>
constexpr std::array<Module, N> with_unscored_rows(std::array<Module, N> modules) {
    for (Module& module : modules)
        if (module.kind == ModuleKind::embedding && *module.parts.begin() == Part::token_embedding)
            module.parts = {Part::token_embedding, Part::unscored_rows};
    return modules;
}

// What besides are made of: read, so that what is no such thing is an error, and left among what is carried. A number
// is from `least` to Besides::largest.
std::int64_t carry_number(ConfigReader& reader, std::string_view field, std::int64_t otherwise, std::int64_t least = 1);
void carry_numbers(ConfigReader& reader, std::string_view fields);  // spaces between; each from 0 up
bool carry_flag(ConfigReader& reader, std::string_view field, bool otherwise);
// A list of such numbers; nothing where it is absent, or wrong.
std::optional<std::vector<std::int64_t>> carry_list(ConfigReader& reader, std::string_view field,
                                                    std::int64_t least = 1);

// The numbers of a list that is carried, each from 0 to Besides::largest, as a document may say others; nothing where
// there is no list.
std::optional<std::vector<std::int64_t>> carried_list(const Architecture& arch, std::string_view field);

// The layers that a list of the file names so, from its start again where there are more; nothing where there is no
// such list.
std::optional<LayerSet> layers_called(const Architecture& arch, std::string_view list, std::string_view word);

}  // namespace headcount
