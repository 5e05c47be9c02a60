// Reads the fields of a config.json with their defaults, keeping the first thing that is wrong; latent attention in
// DeepSeek's spellings among them.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/arch/architecture.hpp"
#include "core/base/result.hpp"

namespace headcount {

// The value as the file has it, for an error: in quotes where it is text, at most 40 characters, none of which steers a
// terminal.
std::string as_written(const nlohmann::json& value);

// 512, and 512.0, as some writers have it; nothing where it is no whole number, or one that 64 bits do not hold.
std::optional<std::int64_t> whole_number(const nlohmann::json& value);

// What stands there; nothing where the field is absent or null.
const nlohmann::json* said(const nlohmann::json& config, std::string_view key);
// The object that stands there; an empty one where there is none.
nlohmann::json object_said(const nlohmann::json& config, std::string_view key);
// The model_type, where it is a text; else empty.
std::string_view type_said(const nlohmann::json& config);
// The first of `architectures`; empty where none is named.
std::string class_said(const nlohmann::json& config);

// A field may have several spellings, newest first; the first that is there counts, and an empty one is none. null
// reads as absent. After all fields are read, `error()` has the first that could not be, with its name.
class ConfigReader {
  public:
    using Names = std::initializer_list<std::string_view>;

    // No number that is read may be above `largest`.
    explicit ConfigReader(const nlohmann::json& config, std::int64_t largest = std::numeric_limits<std::int64_t>::max())
        : config_(config), largest_(largest) {}

    // A whole number of at least `least`; 512.0 is one.
    std::int64_t number(Names names, std::int64_t otherwise, std::int64_t least = 1);
    std::optional<std::int64_t> optional_number(Names names, std::int64_t least = 1);
    // The same where a list says one number for each layer: all of them have to be one.
    std::int64_t number_of_all(Names names, std::int64_t otherwise, std::int64_t least = 1);
    // Leaves a field that was read among what is carried.
    void carry(std::string_view name) { known_.erase(std::string(name)); }
    double real(Names names, double otherwise);
    // A finite number above zero.
    std::optional<double> positive(Names names, const char* fix = "give a number such as 1.0");
    bool flag(Names names, bool otherwise);
    std::string text(Names names, std::string_view otherwise);

    // The value of whatever kind, or nothing where it is absent or null.
    const nlohmann::json* find(Names names);
    // An object inside the configuration, or nothing; what is read of it is the caller's.
    const nlohmann::json* object(Names names);

    // Columns of each head that positions turn, from partial_rotary_factor at the top or inside rope_parameters (times
    // the head's size, as transformers rounds it); absent where all are.
    std::optional<std::int64_t> rotary_dim(double otherwise, std::int64_t head_dim);

    // One flag a layer from a list of words, true where `word` stands; nothing where the list is absent. A list of
    // another length than the number of layers is an error, and where `other` is given, a word that is neither.
    std::optional<LayerSet> layers_with(Names names, std::string_view word, std::int64_t layers,
                                        std::string_view other = {});
    // One word a layer, each one of these.
    std::optional<std::vector<std::string>> layer_words(Names names, std::int64_t layers, Names known);
    // One flag a layer from a list of 0 and 1.
    std::optional<LayerSet> layers_flagged(Names names, std::int64_t layers);
    // A list of layers' indices: those that are in it.
    std::optional<LayerSet> layers_listed(Names names, std::int64_t layers);

    // Rejects a file of another class than this one.
    void only_class(std::string_view name, std::string_view other = {});
    // Rejects the class that the file names: it "is no form of it", and `fix` is to be given.
    void refuse_class(std::string_view what, std::string_view fix);

    // The architecture with what the configuration says besides, or the first error.
    Result<Architecture> finish(Architecture arch) const;

    // Says that a value was read but is not supported: of that name, or of the one that was found last.
    void reject(std::string_view name, std::string what, std::string fix);
    void reject(std::string what, std::string fix) { reject(name_, std::move(what), std::move(fix)); }

    // A value of another kind than is wanted; where it would do without its quotes, that is what is wrong with it.
    void reject_kind(const nlohmann::json& value, const std::function<bool(const nlohmann::json&)>& does,
                     std::string_view is_not, std::string fix);

    const std::optional<Error>& error() const { return error_; }
    const nlohmann::json& config() const { return config_; }

  private:
    // The same of that kind; what is of another is rejected.
    const nlohmann::json* find_of(Names names, bool (nlohmann::json::*kind)() const, const char* wrong,
                                  const char* fix);
    const nlohmann::json* list(Names names, std::int64_t layers);

    const nlohmann::json& config_;
    std::int64_t largest_;
    std::string name_;                          // the spelling that was found last
    std::set<std::string, std::less<>> known_;  // every spelling that was asked for
    std::optional<Error> error_;
};

// Reads hidden_act and its other spellings; a function that is not known is an error that names it.
Activation read_activation(ConfigReader& reader, ConfigReader::Names names, std::string_view otherwise);

// The name that transformers gives the function: "silu", "gelu", "gelu_new", "relu". Of several names that it has, the
// one that is `usual`.
std::string_view activation_name(Activation activation, std::string_view usual = {});

// What the file leaves out is as in `otherwise`; null says that there is no bottleneck before the queries.
Latent read_latent(ConfigReader& reader, const Latent& otherwise);
void write_latent(nlohmann::ordered_json& config, const Latent& latent);

}  // namespace headcount
