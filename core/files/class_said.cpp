// Reads what the class that a configuration names says of the output head.
#include "core/files/class_said.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "core/analysis/parameters.hpp"
#include "core/arch/class_form.hpp"
#include "core/arch/family.hpp"
#include "core/arch/validate.hpp"
#include "core/base/text.hpp"
#include "core/families/config_reader.hpp"
#include "core/families/families.hpp"
#include "core/families/vit_like.hpp"
#include "core/families/wrappers.hpp"

namespace headcount {
namespace {

constexpr std::string_view class_field = "architectures";

bool ends_in_one(std::string_view name, std::span<const std::string_view> ends) {
    return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
}

bool scores_tokens(std::string_view name) {
    constexpr std::array ends =
        std::to_array<std::string_view>({"ForCausalLM", "ForConditionalGeneration", "ForMaskedLM", "LMHeadModel"});
    return ends_in_one(name, ends);
}

// The ends of transformers' names of classes of types with scores for tokens that have none, or others besides, or that
// hold a part.
bool puts_another_head(std::string_view name) {
    constexpr std::array ends = std::to_array<std::string_view>(
        {"Classification", "Decoder", "DoubleHeadsModel", "Encoder", "EncoderModel", "MultipleChoice", "PreTraining",
         "QuestionAnswering", "QuestionAnsweringSimple", "Retrieval", "RewardModel", "WithProjection"});
    return ends_in_one(name, ends);
}

constexpr std::string_view text_stack = "TextModel";  // of the text part of what reads pictures, or sound, too

// Which other family's models are of that class; null: none's.
const Family* other_of_class(const std::string& name, const Family& family) {
    if (name == family.modules.front().class_name) return nullptr;
    const auto found = std::ranges::find(families(), std::string_view(name),
                                         [](const Family* each) { return each->modules.front().class_name; });
    return found == families().end() ? nullptr : *found;
}

// Whether the file has the same tensors as a model of the other type: a Mistral that was saved as a LLaMA.
bool has_those_of(const Family& other, const nlohmann::json& config, const Architecture& arch) {
    const Result<Architecture> read = other.read(config, other);
    if (!read || !validate(*read).empty() || !validate(arch).empty()) return false;
    const ModelGraph one = expand(arch), two = expand(*read);
    const Result<std::int64_t> total = TotalFormulas(one).total_at(bindings(arch, Input{}));
    const Result<std::int64_t> other_total = TotalFormulas(two).total_at(bindings(*read, Input{}));
    return total && other_total && *total == *other_total &&
           std::ranges::equal(one.stored, two.stored, {}, &StoredTensor::name, &StoredTensor::name);
}

// The class stays among what is carried, for a note on it.
void keep_class(const std::string& name, Architecture& arch) {
    arch.carried = arch.carried.with(std::string(class_field), nlohmann::json::array({name}));
}

}  // namespace

std::optional<Error> obey_class(const nlohmann::json& config, Architecture& arch) {
    if (arch.output != OutputKind::language && arch.output != OutputKind::masked) return std::nullopt;
    const std::string name = class_said(config), base = base_class(*arch.family);
    const std::string_view whole = arch.family->modules.front().class_name;
    if (!arch.family->verified || name.empty() || name == whole) return std::nullopt;
    if (scores_tokens(name)) {
        const Family* const other = other_of_class(name, *arch.family);
        if (other && !has_those_of(*other, config, arch)) keep_class(name, arch);
        return std::nullopt;
    }
    if (name == base && arch.family->scores_in_base())
        return Error{as_written(name) + " makes scores for tokens itself, and is known here as " + std::string(whole) +
                         " alone, which holds nothing else",
                     std::string(class_field), "give " + std::string(whole)};
    if (name == base || name.ends_with(text_stack)) {
        arch.output = OutputKind::none;
        arch.tied = arch.head_bias = false;
    } else if (puts_another_head(name)) {
        return Error{as_written(name) + " has another head than scores for tokens, which is not known here",
                     std::string(class_field),
                     "give " + std::string(whole) + ", or " + base + " for what it stands on"};
    } else {
        keep_class(name, arch);
    }
    return std::nullopt;
}

nlohmann::json of_stack(nlohmann::json config, const Family& family, const ClassForm& form) {
    config.erase(class_field);
    if (form.encoder_alone) config[class_field] = {family.encoder_class};
    return config;
}

std::optional<Error> put_classes(const nlohmann::json& config, const ClassForm& form, Architecture& arch) {
    ConfigReader reader(config);
    const std::string name = class_said(config);
    keep_class(name, arch);
    if (form.beside_tokens) return std::nullopt;
    if (form.says_stacks && !reader.flag({"is_encoder_decoder"}, true))
        reader.reject(as_written(name) + " on an encoder alone is not known here", "set it to true");
    if (!form.width_field.empty() && reader.number({form.width_field}, arch.dim) != arch.dim)
        return Error{"a classifier that reads other numbers than the model's is not known here",
                     std::string(form.width_field), "give the model's width, " + grouped(arch.dim)};
    arch.output = OutputKind::classes;
    arch.tied = false;
    arch.transform_dim.reset();
    arch.classes = form.classes ? *form.classes : labels_of(reader);
    arch.pooled = form.rows;
    arch.pooled_norm = !form.norm.empty();
    if (!form.projection.empty()) arch.classifier_dim = arch.dim;
    if (!form.by_transform) arch.transform_bias = true;
    arch.head_bias = form.bias && (!form.scores_by_transform || arch.transform_bias);
    return reader.error();
}

std::optional<Error> obey_class_of_whole(const nlohmann::json& config, Architecture& arch) {
    const std::string name = class_said(config);
    const Wrapper* wrapper = find_wrapper(type_said(config));
    if (name.empty() || !wrapper || name == wrapper->whole_class) return std::nullopt;
    if (!has_head(arch))
        return Error{as_written(name) + " is no form of it that is known here", std::string(class_field),
                     "give " + std::string(wrapper->whole_class)};
    if (scores_tokens(name)) return std::nullopt;
    const bool bare = name.ends_with("Model") && !name.ends_with(text_stack);
    // Of a text part alone it is as good as with the embedding for its head.
    if (puts_another_head(name) || name.ends_with(text_stack) ||
        (bare && (arch.family->scores_in_base() || (!wrapper->senses && !arch.tied))))
        return Error{as_written(name) + " has no scores for tokens, and of this type nothing else is known here",
                     std::string(class_field), "leave it out, for the model with its output head"};
    if (!bare) {
        keep_class(name, arch);
    } else if (wrapper->senses) {
        arch.output = OutputKind::none;
        arch.tied = arch.head_bias = false;
    }
    return std::nullopt;
}

std::string decoder_class(const Family& family) {
    constexpr std::string_view end = "Model";
    std::string name = base_class(family);
    return name.ends_with(end) ? name.replace(name.size() - end.size(), end.size(), "ForCausalLM") : "";
}

std::string note_on_class(const Architecture& arch) {
    const std::string name = arch.family->verified ? class_said(arch.carried.object()) : "";
    if (name.empty() || class_form(*arch.family, name)) return "";
    if (const Family* const other = other_of_class(name, *arch.family))
        return "Not checked: the class " + as_written(name) + " is of type " + as_written(other->type) +
               ". It is counted as the file's type, " + as_written(arch.family->type) + ", says.";
    return "Not checked: the class " + as_written(name) +
           " is not known. It is counted with scores for tokens, as its type has them; something else may stand on its "
           "layers, or nothing.";
}

std::string class_without_head(const Architecture& arch) {
    // Families of images and of sound name their towers themselves, and those without scores their only class.
    const bool bare = arch.output == OutputKind::none && !reads_numbers(arch) &&
                      std::ranges::any_of(arch.family->modules, [](const Module& module) {
                          return std::ranges::count(module.parts, Part::output_head) > 0;
                      });
    return bare ? base_class(*arch.family) : "";
}

}  // namespace headcount
