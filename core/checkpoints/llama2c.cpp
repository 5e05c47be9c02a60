// Reads the .bin files of llama2.c, in the order in which run.c and runq.c map them.
#include "core/checkpoints/llama2c.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr const char* not_llama2c = "this is no file of llama2.c, or not a whole one";
constexpr std::uint32_t magic = 0x616b3432;  // "ak42", the highest byte first
constexpr std::uint64_t marked_header = 256;
constexpr StorageType float_type{"F32", 1, 4};
// The file's size bounds them too, but a tiny layer takes more memory here than in the file.
constexpr std::int64_t most_layers = 10'000;

struct Header {
    std::int64_t dim = 0, hidden_dim = 0, layers = 0, heads = 0, kv_heads = 0, vocab = 0, positions = 0;
    bool shared_classifier = true;
    int version = 0;
    StorageType type = float_type;  // of the matrices; norms are floats always
    std::uint64_t bytes = 0;        // of the header

    std::int64_t head_dim() const { return dim / heads; }
    std::int64_t kv_dim() const { return head_dim() * kv_heads; }
};

// Reads one of the seven, which must be from 1 to `most`.
std::int64_t dimension(ByteReader& reader, const char* name, std::int64_t most = std::numeric_limits<int>::max()) {
    const std::uint64_t at = reader.at();
    const auto value = reader.number<std::int32_t>(name);
    if (reader.ok() && (value < 1 || value > most))
        reader.fail(
            at, std::string(name) + " is " + std::to_string(value) + ", from 1 to " + grouped(most) + " was expected",
            not_llama2c);
    return value;
}

// The seven numbers.
void read_dimensions(ByteReader& reader, Header& header) {
    header.dim = dimension(reader, "dim");
    header.hidden_dim = dimension(reader, "hidden_dim");
    header.layers = dimension(reader, "n_layers", most_layers);
    const std::uint64_t heads_at = reader.at();
    header.heads = dimension(reader, "n_heads");
    header.kv_heads = dimension(reader, "n_kv_heads");
    const std::uint64_t vocab_at = reader.at();
    const auto vocab = reader.number<std::int32_t>("vocab_size");
    // In the oldest version a negative number says that the output has weights of its own.
    header.vocab = header.version == 0 && vocab < 0 ? -static_cast<std::int64_t>(vocab) : vocab;
    if (header.version == 0) header.shared_classifier = vocab > 0;
    if (reader.ok() && header.vocab < 1)
        reader.fail(vocab_at, "vocab_size is " + std::to_string(vocab) + ", at least 1 was expected", not_llama2c);
    header.positions = dimension(reader, "seq_len");
    if (!reader.ok()) return;
    if (header.dim % header.heads != 0 || header.head_dim() % 2 != 0)
        reader.fail(heads_at,
                    "n_heads is " + std::to_string(header.heads) + ", which does not divide dim, " +
                        std::to_string(header.dim) + ", into heads of an even width",
                    not_llama2c);
    else if (header.heads % header.kv_heads != 0)
        reader.fail(heads_at,
                    "n_heads is " + std::to_string(header.heads) + ", no multiple of n_kv_heads, " +
                        std::to_string(header.kv_heads),
                    not_llama2c);
}

void read_marked_header(ByteReader& reader, Header& header) {
    reader.skip(sizeof(magic), "the mark");
    header.version = reader.number<std::int32_t>("the version");
    if (reader.ok() && header.version != 1 && header.version != 2)
        reader.fail(sizeof(magic), "version " + std::to_string(header.version) + " is not known, 1 or 2 was expected",
                    "export the model again with one of them");
    read_dimensions(reader, header);
    std::uint64_t at = reader.at();
    const auto shared = reader.number<std::uint8_t>("shared_classifier");
    if (shared > 1)
        reader.fail(at, "shared_classifier is " + std::to_string(shared) + ", 0 or 1 was expected", not_llama2c);
    header.shared_classifier = shared == 1;
    if (header.version == 2) {
        at = reader.at();
        const std::int64_t group = dimension(reader, "group_size");
        header.type = {"Q8_0", group, group + 4};
        // Then it divides every matrix: one of the two sides is dim.
        if (reader.ok() && header.dim % group != 0)
            reader.fail(
                at,
                "group_size is " + std::to_string(group) + ", which does not divide dim, " + std::to_string(header.dim),
                not_llama2c);
    }
    if (reader.ok()) reader.skip(marked_header - reader.at(), "the header");
}

// Lays the tensors out one after the other, as long as their places fit 63 bits.
class Layout {
  public:
    Layout(const Header& header, Checkpoint& checkpoint)
        : header_(header),
          tensors_(checkpoint.tensors),
          file_bytes_(checkpoint.bytes),
          at_(static_cast<std::int64_t>(header.bytes)) {}

    // Both widths at most 2^31.
    void matrix(std::string name, std::int64_t out, std::int64_t in) { add(std::move(name), {out, in}, header_.type); }
    void norm(std::string name) { add(std::move(name), {header_.dim}, float_type); }

    // The same tensor of every layer, which these formats keep together.
    void matrices(const char* name, std::int64_t out, std::int64_t in) { in_layers(name, {out, in}, header_.type); }
    void norms(const char* name) { in_layers(name, {header_.dim}, float_type); }

    void skip(std::optional<std::int64_t> bytes) { at_ = at_ && bytes ? checked_add(*at_, *bytes) : std::nullopt; }
    std::optional<std::int64_t> at() const { return at_; }

  private:
    using Shape = std::vector<std::int64_t>;

    // Below 2^62: at most two widths of 31 bits.
    static std::int64_t elements_of(const Shape& shape) {
        std::int64_t elements = 1;
        for (const std::int64_t length : shape) elements *= length;
        return elements;
    }
    static std::optional<std::int64_t> bytes_of(const Shape& shape, const StorageType& type) {
        return checked_multiply(elements_of(shape) / type.elements, type.bytes);
    }

    void in_layers(const char* name, const Shape& shape, const StorageType& type) {
        for (std::int64_t i = 0; i < header_.layers; ++i) {
            // What does not lie in the file is no use to anybody, and could be much.
            if (!in_file()) {
                const auto bytes = bytes_of(shape, type);
                return skip(bytes ? checked_multiply(*bytes, header_.layers - i) : std::nullopt);
            }
            add("model.layers." + std::to_string(i) + "." + name + ".weight", shape, type);
        }
    }

    void add(std::string name, Shape shape, const StorageType& type) {
        const auto start = at_;
        skip(bytes_of(shape, type));
        if (!in_file()) return;
        const std::int64_t elements = elements_of(shape);
        tensors_.push_back(
            {std::move(name), std::move(shape), type, elements, *at_ - *start, 0, static_cast<std::uint64_t>(*start)});
    }

    bool in_file() const { return at_ && *at_ <= file_bytes_; }

    const Header& header_;
    std::vector<CheckpointTensor>& tensors_;
    const std::int64_t file_bytes_;
    std::optional<std::int64_t> at_;
};

void attention(Layout& layout, const Header& header) {
    layout.matrices("self_attn.q_proj", header.dim, header.dim);
    layout.matrices("self_attn.k_proj", header.kv_dim(), header.dim);
    layout.matrices("self_attn.v_proj", header.kv_dim(), header.dim);
    layout.matrices("self_attn.o_proj", header.dim, header.dim);
}

// w1, w2, w3.
void feed_forward(Layout& layout, const Header& header) {
    layout.matrices("mlp.gate_proj", header.hidden_dim, header.dim);
    layout.matrices("mlp.down_proj", header.dim, header.hidden_dim);
    layout.matrices("mlp.up_proj", header.hidden_dim, header.dim);
}

// Both tables of the oldest version: (positions, head_dim / 2) floats each. Nothing where that does not fit.
std::optional<std::int64_t> freq_cis_bytes(const Header& header) {
    return checked_multiply(header.positions * (header.head_dim() / 2), 2 * float_type.bytes);
}

void lay_out(Layout& layout, const Header& header, nlohmann::json& metadata) {
    const bool oldest = header.version == 0;
    if (oldest) {
        layout.matrix("model.embed_tokens.weight", header.vocab, header.dim);
        layout.norms("input_layernorm");
        attention(layout, header);
        layout.norms("post_attention_layernorm");
        feed_forward(layout, header);
        layout.norm("model.norm.weight");
        const auto at = layout.at();
        const auto tables = freq_cis_bytes(header);
        layout.skip(tables);
        if (at && tables)
            metadata["freq_cis"] = {{"tables", 2},
                                    {"shape", {header.positions, header.head_dim() / 2}},
                                    {"offset", *at},
                                    {"bytes", *tables}};
    } else {
        layout.norms("input_layernorm");
        layout.norms("post_attention_layernorm");
        layout.norm("model.norm.weight");
        layout.matrix("model.embed_tokens.weight", header.vocab, header.dim);
        attention(layout, header);
        feed_forward(layout, header);
    }
    if (!header.shared_classifier) layout.matrix("lm_head.weight", header.vocab, header.dim);
}

nlohmann::json metadata_of(const Header& header) {
    nlohmann::json metadata = {{"dim", header.dim},
                               {"hidden_dim", header.hidden_dim},
                               {"n_layers", header.layers},
                               {"n_heads", header.heads},
                               {"n_kv_heads", header.kv_heads},
                               {"vocab_size", header.vocab},
                               {"seq_len", header.positions},
                               {"version", header.version},
                               {"shared_classifier", header.shared_classifier}};
    if (header.version == 2) metadata["group_size"] = header.type.elements;
    return metadata;
}

}  // namespace

bool has_llama2c_magic(std::span<const std::byte> bytes) {
    std::uint32_t first = 0;
    if (bytes.size() < sizeof(first)) return false;
    std::memcpy(&first, bytes.data(), sizeof(first));
    return first == magic;
}

Result<Checkpoint> read_llama2c(FileBytes bytes, const std::string& name) {
    const auto first = bytes.at(0, std::min<std::uint64_t>(bytes.size(), sizeof(magic)));
    const bool marked = first && has_llama2c_magic(*first);
    ByteReader reader(bytes, name);
    Header header;
    if (marked)
        read_marked_header(reader, header);
    else
        read_dimensions(reader, header);
    if (!reader.ok()) return reader.error();
    header.bytes = reader.at();

    Checkpoint checkpoint;
    checkpoint.format = "llama2.c";
    checkpoint.files = {name};
    checkpoint.metadata = metadata_of(header);
    checkpoint.bytes = static_cast<std::int64_t>(bytes.size());
    Layout layout(header, checkpoint);
    lay_out(layout, header, checkpoint.metadata);
    if (layout.at() != checkpoint.bytes)
        return Error{"the numbers in its header explain " +
                         (layout.at() ? grouped(*layout.at()) : "more than 2^63 - 1") + " bytes, the file has " +
                         grouped(checkpoint.bytes),
                     name + ", byte " + std::to_string(header.version == 0 ? 0 : 8), not_llama2c};
    return checkpoint;
}

}  // namespace headcount
