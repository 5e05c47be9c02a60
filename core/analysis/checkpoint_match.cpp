// A file of weights beside the computed tensors.
#include "core/analysis/checkpoint_match.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/analysis/checkpoint_names.hpp"
#include "core/base/checked.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/checkpoints/gguf_published.hpp"
#include "core/checkpoints/quantized_names.hpp"

namespace headcount {
namespace {

constexpr std::int64_t most_tensors = 5'000'000;

struct Expected {
    std::vector<std::int64_t> shape;
    bool found = false;
};
using Wanted = std::unordered_map<std::string, Expected>;

// Buffers that checkpoints store beside their parameters: masks, rotary tables, xIELU's bounds.
bool is_known_buffer(std::string_view name) {
    constexpr std::array<std::string_view, 8> endings{"rotary_emb.inv_freq", ".attn.bias",   ".attn.masked_bias",
                                                      ".attention.bias",     ".masked_bias", "rope_freqs.weight",
                                                      ".act_fn.beta",        ".act_fn.eps"};
    return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

// "layers.3.experts.7.up" and "layers.0.experts.1.up" are of one kind: each number is "*".
std::string kind_of(std::string_view name) {
    std::string kind;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool digit = name[i] >= '0' && name[i] <= '9';
        const bool begins = kind.empty() || kind.back() == '.';
        if (digit && begins)
            kind += '*';
        else if (!digit || kind.back() != '*')
            kind += name[i];
    }
    return kind;
}

using Types = std::map<std::string_view, std::size_t>;  // how many tensors there are of each

// The type of more than half of them; empty where there is none.
std::string_view most_common(const Types& types) {
    std::size_t all = 0;
    for (const auto& [type, count] : types) all += count;
    for (const auto& [type, count] : types)
        if (2 * count > all) return type;
    return {};
}

// Numbers of a byte or less are quantized: what is not, such as an embedding, is beside them on purpose.
bool is_quantized(const StorageType& type) { return type.bytes < 2 * type.elements; }

// Indices of those whose type is not that of most of their kind, which are those that differ in layer and expert alone.
// A matrix that is the only one of its kind is compared with all matrices of the file that are not quantized. A file
// that mixes formats by kind has none, nor has a kind that is divided evenly.
std::set<std::size_t> of_odd_type(std::span<const PublishedTensor> tensors) {
    std::map<std::string, Types> kinds;
    Types matrices;
    for (const PublishedTensor& tensor : tensors) {
        ++kinds[kind_of(tensor.name)][tensor.type.name];
        if (tensor.shape.size() > 1 && !is_quantized(tensor.type)) ++matrices[tensor.type.name];
    }
    std::set<std::size_t> odd;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const Types& kind = kinds[kind_of(tensors[i].name)];
        const bool alone = kind.size() == 1 && kind.begin()->second == 1;
        if (alone && (tensors[i].shape.size() < 2 || is_quantized(tensors[i].type))) continue;
        const std::string_view usual = most_common(alone ? matrices : kind);
        if (!usual.empty() && usual != tensors[i].type.name) odd.insert(i);
    }
    return odd;
}

class Matcher {
  public:
    Matcher(const Checkpoint& checkpoint, const Architecture& arch, const ModelGraph& graph)
        : checkpoint_(checkpoint), arch_(arch), graph_(graph) {
        for (const Module& module : arch.family->modules)
            if (contains(module.parts, Part::output_head)) head_ = std::string(module.name) + ".weight";
        // "encoder.embed_tokens.weight": the shared table once more.
        std::string_view stack;
        for (const Module& module : arch.family->modules) {
            if (is_stack(module.kind)) stack = module.name;
            if (!stack.empty() && !module.parts.empty() && *module.parts.begin() == Part::token_embedding)
                tables_.insert(std::string(stack) + "." + std::string(module.name) + ".weight");
        }
    }

    void want(const Parameters& parameters) {
        for_each_tensor(arch_, graph_, parameters, std::nullopt,
                        [&](const ParameterRow& row, const TensorPlace& place) {
                            std::string name = name_at(graph_.stored[row.stored].name, place);
                            order_.push_back(name);
                            std::string plain = plain_name(name);
                            if (arch_.whole || !name.ends_with(plain)) plain_.emplace(std::move(plain), name);
                            for (const std::string& piece : piece_names(graph_.stored[row.stored], name))
                                pieces_.emplace(plain_name(piece), name);
                            wanted_.emplace(std::move(name), Expected{row.shape});
                            return true;
                        });
    }

    CheckpointMatch match() {
        for (const CheckpointTensor& tensor : checkpoint_.tensors) add_type(tensor);
        PublishedTensors published = published_names();
        const std::set<std::size_t> odd =
            is_gguf(checkpoint_) ? std::set<std::size_t>{} : of_odd_type(published.tensors);
        for (std::size_t i = 0; i < published.tensors.size(); ++i) {
            const PublishedTensor& tensor = published.tensors[i];
            MatchRow row = place(tensor);
            if (row.state == MatchState::matched && odd.contains(i)) row.state = MatchState::retyped;
            if (row.state == MatchState::matched) continue;
            if (row.state == MatchState::ignored) result_.parameters -= tensor.elements;
            keep(row);
        }
        for (std::size_t index : published.added) {
            const CheckpointTensor& tensor = checkpoint_.tensors[index];
            result_.parameters -= tensor.elements;
            keep({MatchState::ignored, tensor.name, tensor.name, {}, tensor.shape, tensor.type.name});
        }
        for (const std::string& name : published.in_metadata) {
            const auto found = wanted_.find(name);
            if (found == wanted_.end() || std::exchange(found->second.found, true)) continue;
            ++result_.matched;
            result_.parameters += checked_product(found->second.shape).value_or(0);
        }
        for (const std::string& name : order_) {
            const Expected& expected = wanted_.at(name);
            if (!expected.found) keep({MatchState::missing, name, "", expected.shape, {}, ""});
        }
        result_.rows.insert(result_.rows.end(), ignored_.begin(), ignored_.end());
        std::ranges::stable_sort(result_.rows, [](const MatchRow& a, const MatchRow& b) { return a.state < b.state; });
        std::ranges::stable_sort(result_.types,
                                 [](const TypeTotal& a, const TypeTotal& b) { return a.bytes > b.bytes; });
        return std::move(result_);
    }

  private:
    // The file's tensors by published names: GGUF has names and cuts of its own. Pieces of one are joined.
    PublishedTensors published_names() const {
        if (is_gguf(checkpoint_)) return published_tensors(checkpoint_);
        PublishedTensors all;
        std::unordered_map<std::string, std::size_t> joined;  // its place among all
        for (std::size_t i = 0; i < checkpoint_.tensors.size(); ++i) {
            const CheckpointTensor& tensor = checkpoint_.tensors[i];
            PublishedTensor published{tensor.name, tensor.shape, 1, tensor.type, tensor.elements, tensor.bytes, {i}};
            if (const auto whole = pieces_.find(plain_name(tensor.name)); whole != pieces_.end()) {
                published.name = whole->second;
                const auto [place, first] = joined.emplace(whole->second, all.tensors.size());
                if (!first && add_rows(all.tensors[place->second], published)) continue;
            }
            all.tensors.push_back(std::move(published));
        }
        return all;
    }

    // False where the two do not go together.
    static bool add_rows(PublishedTensor& to, const PublishedTensor& piece) {
        if (!alike_beyond_rows(to.shape, piece.shape)) return false;
        const auto rows = checked_add(to.shape.front(), piece.shape.front());
        const auto elements = checked_add(to.elements, piece.elements), bytes = checked_add(to.bytes, piece.bytes);
        if (!rows || !elements || !bytes) return false;
        to.shape.front() = *rows;
        to.elements = *elements;
        to.bytes = *bytes;
        to.from.push_back(piece.from.front());
        return true;
    }

    // The ways in which a file may say a published name: as it is, without the base model's prefix or with it, or
    // inside a model of several modes.
    std::vector<std::string> readings(const std::string& name) const {
        const std::string base = std::string(arch_.family->base_path()) + ".";
        std::vector<std::string> all;
        all.push_back(name);
        all.push_back(base + name);
        if (name.starts_with(base)) all.push_back(name.substr(base.size()));
        for (std::string_view prefix : {"language_model.", "model.language_model."})
            if (name.starts_with(prefix)) {
                const std::string inner = name.substr(prefix.size());
                all.push_back(inner);
                all.push_back(base + inner);
            }
        const std::string plain = plain_name(name);
        all.push_back(base + plain);
        if (const auto own = plain_.find(plain); own != plain_.end()) all.push_back(own->second);
        // Packed quantized numbers stand under a name of their own.
        for (std::size_t i = 0, end = all.size(); i < end; ++i)
            if (auto matrix = packed_matrix(all[i])) all.push_back(*matrix);
        return all;
    }

    MatchRow place(const PublishedTensor& tensor) {
        const std::string& in_file = checkpoint_.tensors[tensor.from.front()].name;
        std::vector<std::string> names = readings(tensor.name);
        // As TensorFlow calls the two of a norm, in the first files of BERT.
        for (const auto& [theirs, ours] :
             {std::pair<std::string_view, std::string_view>(".gamma", ".weight"), {".beta", ".bias"}})
            if (tensor.name.ends_with(theirs)) {
                const std::string stem = tensor.name.substr(0, tensor.name.size() - theirs.size());
                for (std::string& name : readings(stem + std::string(ours))) names.push_back(std::move(name));
            }
        for (const std::string& name : names)
            if (std::optional<MatchRow> row = place(tensor, name, in_file)) return *row;
        const bool table = std::ranges::any_of(names, [&](const std::string& name) { return tables_.contains(name); });
        const bool tied_head = graph_.tied_head && contains(names, head_);
        // "mtp.": layers behind the last that only predict further tokens are no part of the model (Qwen3-Next).
        const bool besides = table || tied_head || restores_numbers(in_file) || is_known_buffer(in_file) ||
                             in_file.starts_with("mtp.") || is_buffer(names);
        return {besides ? MatchState::ignored : MatchState::unexpected,
                names.front(),
                in_file,
                {},
                tensor.shape,
                tensor.type.name};
    }

    // Under one reading of its name; nothing where that is not wanted, or found already. A tensor may stand for all
    // experts of a layer.
    std::optional<MatchRow> place(const PublishedTensor& tensor, const std::string& name, const std::string& in_file) {
        MatchRow row{MatchState::matched, name, in_file, {}, tensor.shape, tensor.type.name};
        if (tensor.count > static_cast<std::int64_t>(wanted_.size())) return std::nullopt;
        for (std::int64_t copy = 0; copy < tensor.count; ++copy) {
            auto found = wanted_.find(name_at(name, {std::nullopt, copy}));
            if (found == wanted_.end() || found->second.found) return copy == 0 ? std::nullopt : std::optional(row);
            found->second.found = true;
            row.expected = found->second.shape;
            const bool packed = packs(tensor, row.expected);
            if (tensor.shape == row.expected || packed)
                ++result_.matched;
            else
                row.state = MatchState::reshaped;
            // What is packed counts as the numbers that it holds.
            if (packed)
                result_.parameters += checked_product(row.expected).value_or(0) - tensor.elements / tensor.count;
        }
        return row;
    }

    // Numbers of four bits, two in a byte, or of two, four or eight bits in a word of 32.
    static bool packs(const PublishedTensor& tensor, const std::vector<std::int64_t>& shape) {
        const std::optional<std::int64_t> all = checked_product(shape);
        const auto each_has = [&](std::int64_t numbers) {
            return all && checked_multiply(tensor.elements, numbers) == all;
        };
        if (tensor.type.name == "I32") return each_has(16) || each_has(8) || each_has(4);
        return (tensor.type.name == "U8" || tensor.type.name == "I8") && each_has(2);
    }

    bool is_buffer(const std::vector<std::string>& names) const {
        return std::ranges::any_of(graph_.buffers, [&](const StoredTensor& buffer) {
            const std::size_t index = buffer.name.find("{i}");
            const std::string_view after =
                std::string_view(buffer.name).substr(index == std::string::npos ? 0 : index + 3);
            return std::ranges::any_of(names, [&](const std::string& name) { return name.ends_with(after); });
        });
    }

    void add_type(const CheckpointTensor& tensor) {
        auto total =
            std::ranges::find_if(result_.types, [&](const TypeTotal& each) { return each.type == tensor.type.name; });
        if (total == result_.types.end()) total = result_.types.insert(total, {tensor.type.name});
        ++total->tensors;
        total->parameters += tensor.elements;
        total->bytes += tensor.bytes;
        result_.parameters += tensor.elements;
        result_.bytes += tensor.bytes;
    }

    void keep(const MatchRow& row) {
        const bool ignored = row.state == MatchState::ignored;
        if (!ignored && row.state != MatchState::retyped) ++result_.differences;
        // What is beside the point must not take the place of a difference.
        std::vector<MatchRow>& rows = ignored ? ignored_ : result_.rows;
        if (rows.size() < CheckpointMatch::most_rows)
            rows.push_back(row);
        else
            result_.cut = true;
    }

    const Checkpoint& checkpoint_;
    const Architecture& arch_;
    const ModelGraph& graph_;
    std::string head_;              // what the family calls its output head
    std::set<std::string> tables_;  // and the embedding where a stack has it once more
    Wanted wanted_;
    std::vector<std::string> order_;
    std::unordered_map<std::string, std::string> pieces_;  // wanted names by what all forms of their pieces' share
    std::unordered_map<std::string, std::string> plain_;   // wanted names of a whole file, by what all its forms share
    CheckpointMatch result_;
    std::vector<MatchRow> ignored_;
};

}  // namespace

std::string_view match_word(MatchState state) {
    constexpr std::array<std::string_view, 6> words{"matched",        "missing",    "different shape",
                                                    "different type", "unexpected", "besides"};
    return words[static_cast<std::size_t>(state)];
}

Result<CheckpointMatch> match_checkpoint(const Checkpoint& checkpoint, const Architecture& arch,
                                         const ModelGraph& graph, const Parameters& parameters) {
    const std::optional<std::int64_t> count = tensor_count(parameters, arch, graph, std::nullopt);
    if (!count || *count > most_tensors)
        return Error{"more than " + grouped(most_tensors) + " tensors cannot be compared", "the architecture",
                     "give fewer layers or experts"};
    Matcher matcher(checkpoint, arch, graph);
    matcher.want(parameters);
    return matcher.match();
}

}  // namespace headcount
