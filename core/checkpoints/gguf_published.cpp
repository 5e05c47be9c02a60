// A GGUF file's tensors as the published checkpoint has them. Only shapes are changed here, nothing of the weights.
#include "core/checkpoints/gguf_published.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/base/checked.hpp"

namespace headcount {
namespace {

using Shape = std::vector<std::int64_t>;

// How many rows of a joined matrix are queries, and how many are keys, or values.
struct Heads {
    std::int64_t query = 0, key = 0;
};

std::int64_t number(const nlohmann::json& metadata, const std::string& key, std::int64_t otherwise) {
    const auto found = metadata.find(key);
    if (found == metadata.end()) return otherwise;
    // One number a layer, all alike, is one for all; that they are is checked where the configuration is made.
    const nlohmann::json& value = found->is_array() && !found->empty() ? found->front() : *found;
    return value.is_number_integer() ? value.get<std::int64_t>() : otherwise;
}

// Those between braces: r, w and k of "x_{rwk}".
std::string_view letters_in(std::string_view name) {
    const std::size_t first = name.find('{'), end = name.find('}');
    return first == name.npos || end == name.npos ? std::string_view() : name.substr(first + 1, end - first - 1);
}

// [columns, kernel], or with sides of 1 among these.
Shape as_filters(const Shape& shape) {
    Shape filters{1, 1, shape.back()};
    for (std::size_t i = 0; i + 1 < shape.size(); ++i) filters[0] = std::max(filters[0], shape[i]);
    return filters;
}

// "blk.46." of a layer's tensor; of one outside the layers other words, or none.
std::string_view layer_of(std::string_view name) {
    const std::size_t first = name.find('.'), end = name.find('.', first == name.npos ? first : first + 1);
    return end == name.npos ? std::string_view() : name.substr(0, end + 1);
}

class Publisher {
  public:
    explicit Publisher(const Checkpoint& gguf);
    PublishedTensors publish();

  private:
    void add(std::size_t index);
    void add_values(const std::string& key);
    void add_stacked(const CheckpointTensor& tensor, PublishedTensor published, bool matrix_transposed);
    bool add_latent(const CheckpointTensor& tensor, PublishedTensor published, bool keys);
    bool add_qkv(const CheckpointTensor& tensor, const PublishedTensor& published);
    bool add_each(const CheckpointTensor& tensor, PublishedTensor published);
    bool add_lettered(const CheckpointTensor& tensor, const PublishedTensor& published);
    void join(PublishedTensor published, std::size_t dimension);
    void keep(PublishedTensor published) { result_.tensors.push_back(std::move(published)); }

    const Checkpoint& gguf_;
    std::string architecture_;
    std::string table_;
    std::set<std::string_view> whole_latent_;     // names of the kv_b that are there whole
    std::set<std::string_view> predicting_;       // "blk.46.": layers that only predict further tokens
    std::map<std::string, std::size_t> joining_;  // published name -> its place in the result
    Heads heads_;
    std::int64_t state_columns_ = 0;  // of a head, where all lie in a row
    PublishedTensors result_;
};

Publisher::Publisher(const Checkpoint& gguf) : gguf_(gguf) {
    const auto architecture = gguf.metadata.find("general.architecture");
    if (architecture != gguf.metadata.end() && architecture->is_string()) architecture_ = *architecture;
    heads_.query = number(gguf.metadata, architecture_ + ".attention.head_count", 0);
    heads_.key = number(gguf.metadata, architecture_ + ".attention.head_count_kv", heads_.query);
    state_columns_ = number(gguf.metadata, architecture_ + ".wkv.head_size", 0);
    table_ = gguf_table(gguf);
    for (const CheckpointTensor& tensor : gguf.tensors) {
        const std::string_view name = tensor.name;
        if (name.ends_with(".attn_kv_b.weight")) whole_latent_.insert(name);
        if (name.find(".nextn.") != name.npos) predicting_.insert(layer_of(name));
    }
}

PublishedTensors Publisher::publish() {
    for (std::size_t i = 0; i < gguf_.tensors.size(); ++i) add(i);
    for (const std::string key : {"xielu.alpha_p", "xielu.alpha_n"}) add_values(key);
    return std::move(result_);
}

// One number a layer; a long list stands as its length.
void Publisher::add_values(const std::string& key) {
    constexpr std::size_t most_layers = 99'999;
    const auto found = gguf_.metadata.find(key);
    if (found == gguf_.metadata.end() || !found->is_structured()) return;
    const std::size_t count = found->is_array() ? found->size() : found->value("length", std::size_t{0});
    for (std::size_t layer = 0; layer < std::min(count, most_layers); ++layer)
        result_.in_metadata.push_back(find_published_name(table_, "blk." + std::to_string(layer) + "." + key).name);
}

void Publisher::add(std::size_t index) {
    const CheckpointTensor& tensor = gguf_.tensors[index];
    if (added_by_gguf(tensor.name) || predicting_.contains(layer_of(tensor.name))) {
        result_.added.push_back(index);
        return;
    }
    const PublishedName found = find_published_name(table_, tensor.name);
    // What NVFP4's blocks are multiplied by besides, and what goes into their product.
    if (found.name.empty() && (tensor.name.ends_with(".scale") || tensor.name.ends_with(".input_scale"))) {
        result_.added.push_back(index);
        return;
    }
    PublishedTensor published{found.name, tensor.shape, 1, tensor.type, tensor.elements, tensor.bytes, {index}};
    const std::size_t sides = tensor.shape.size();
    const Fit fit = found.fit;
    if (fit == Fit::conv1d && sides == 2) std::swap(published.shape[0], published.shape[1]);
    if (fit == Fit::one_row && sides == 1) published.shape.insert(published.shape.begin(), 1);
    if ((fit == Fit::row || fit == Fit::bare_row) && sides > 1) published.shape = {tensor.elements};
    if (fit == Fit::bare_rows) published.shape = {1, 1, tensor.elements};
    if (fit == Fit::bare_turned && sides >= 2) std::swap(published.shape[sides - 2], published.shape[sides - 1]);
    if (fit == Fit::bare_heads && sides == 1 && state_columns_ > 0 && tensor.elements % state_columns_ == 0)
        published.shape = {tensor.elements / state_columns_, state_columns_};
    if (fit == Fit::filters && sides >= 2) published.shape = as_filters(tensor.shape);
    if (fit == Fit::joined_rows && sides >= 1) return join(std::move(published), 0);
    if ((fit == Fit::stacked || fit == Fit::stacked_rows) && sides >= 2)
        return add_stacked(tensor, std::move(published), fit == Fit::stacked);
    const bool each = fit == Fit::each_expert || fit == Fit::each_head;
    const bool latent = fit == Fit::latent_keys || fit == Fit::latent_values;
    if (each && add_each(tensor, published)) return;
    if (fit == Fit::qkv && add_qkv(tensor, published)) return;
    if (fit == Fit::lettered && add_lettered(tensor, published)) return;
    if (latent && add_latent(tensor, published, fit == Fit::latent_keys)) return;
    if (found.name.empty() || each || latent || fit == Fit::qkv || fit == Fit::lettered) {
        published.name = tensor.name;
        published.shape = tensor.shape;
    }
    keep(std::move(published));
}

// [experts, out, in] becomes `experts` tensors of [out, in].
bool Publisher::add_each(const CheckpointTensor& tensor, PublishedTensor published) {
    if (tensor.shape.size() < 2) return false;
    published.count = tensor.shape.front();
    published.shape.erase(published.shape.begin());
    keep(std::move(published));
    return true;
}

// [experts, out, in], or a bias [experts, out]; gate and up have the same name and lie side by side along `out`.
void Publisher::add_stacked(const CheckpointTensor& tensor, PublishedTensor published, bool matrix_transposed) {
    std::size_t out = 1;
    if (tensor.shape.size() == 3 && matrix_transposed) {
        std::swap(published.shape[1], published.shape[2]);
        out = 2;
    }
    join(std::move(published), out);
}

// Keys [heads, rank, nope] and values [heads, value, rank] below each other: [heads * (nope + value), rank].
bool Publisher::add_latent(const CheckpointTensor& tensor, PublishedTensor published, bool keys) {
    std::string whole = tensor.name;
    const std::size_t place = whole.find(keys ? "attn_k_b" : "attn_v_b");
    if (place != whole.npos && whole_latent_.contains(whole.replace(place, 8, "attn_kv_b"))) {
        result_.added.push_back(published.from.front());
        return true;
    }
    if (tensor.shape.size() != 3) return false;
    const std::optional<std::int64_t> rows = checked_multiply(tensor.shape[0], tensor.shape[keys ? 2 : 1]);
    if (!rows) return false;
    published.shape = {*rows, tensor.shape[keys ? 1 : 2]};
    join(std::move(published), 0);
    return true;
}

// Queries, keys and values below each other, of as many rows as their heads have.
bool Publisher::add_qkv(const CheckpointTensor& tensor, const PublishedTensor& published) {
    constexpr std::int64_t most_heads = 1 << 20;
    const std::size_t place = published.name.find("{qkv}");
    if (tensor.shape.empty() || place == published.name.npos || heads_.query < 1 || heads_.key < 1 ||
        heads_.query > most_heads || heads_.key > most_heads)
        return false;
    const std::int64_t heads = heads_.query + 2 * heads_.key, rows = tensor.shape.front();
    if (rows == 0 || rows % heads != 0) return false;
    std::int64_t first = 0;
    for (const char part : {'q', 'k', 'v'}) {
        PublishedTensor one = published;
        one.first = first;
        one.name.replace(place, 5, 1, part);
        one.shape.front() = rows / heads * (part == 'q' ? heads_.query : heads_.key);
        // Blocks do not reach over rows, so that each row has the same bytes.
        one.elements = tensor.elements / rows * one.shape.front();
        one.bytes = tensor.shape.size() > 1 ? tensor.bytes / rows * one.shape.front()
                                            : one.shape.front() / tensor.type.elements * tensor.type.bytes;
        first += one.elements;
        keep(std::move(one));
    }
    return true;
}

// One behind the other, in the order of the letters, of which the last are left out where there are fewer.
bool Publisher::add_lettered(const CheckpointTensor& tensor, const PublishedTensor& published) {
    const std::string_view letters = letters_in(published.name);
    const std::size_t place = published.name.find('{');
    if (tensor.shape.empty() || tensor.shape.front() < 1 || tensor.shape.front() > std::ssize(letters)) return false;
    const std::int64_t count = tensor.shape.front();
    std::int64_t first = 0;
    for (const char letter : letters.substr(0, static_cast<std::size_t>(count))) {
        PublishedTensor one = published;
        one.name.replace(place, letters.size() + 2, 1, letter);
        one.elements = tensor.elements / count;
        one.bytes = tensor.bytes / count;
        one.shape = {1, 1, one.elements};
        one.first = first;
        first += one.elements;
        keep(std::move(one));
    }
    return true;
}

// Beside what is there under the same name, or new.
void Publisher::join(PublishedTensor published, std::size_t dimension) {
    const auto [found, first] = joining_.try_emplace(published.name, result_.tensors.size());
    if (first) {
        keep(std::move(published));
        return;
    }
    PublishedTensor& whole = result_.tensors[found->second];
    Shape other = published.shape;
    if (other.size() == whole.shape.size()) other[dimension] = whole.shape[dimension];
    const auto length =
        other == whole.shape ? checked_add(whole.shape[dimension], published.shape[dimension]) : std::nullopt;
    const auto elements = checked_add(whole.elements, published.elements);
    const auto bytes = checked_add(whole.bytes, published.bytes);
    if (!length || !elements || !bytes) {
        published.name = gguf_.tensors[published.from.front()].name;
        keep(std::move(published));
        return;
    }
    whole.shape[dimension] = *length;
    whole.elements = *elements;
    whole.bytes = *bytes;
    whole.from.push_back(published.from.front());
}

}  // namespace

bool has_states(const Checkpoint& gguf) {
    return std::ranges::any_of(gguf.tensors, [](const CheckpointTensor& tensor) {
        return tensor.name.find(".ssm_") != std::string::npos || tensor.name.find(".time_mix") != std::string::npos;
    });
}

PublishedTensors published_tensors(const Checkpoint& gguf) { return Publisher(gguf).publish(); }

}  // namespace headcount
