// Reads a *.safetensors.index.json and the headers of the shards that it names.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/base/json_file.hpp"
#include "core/base/json_walk.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/checkpoints/safetensors.hpp"
#include "core/checkpoints/written.hpp"

namespace headcount {
namespace {

constexpr const char* map_key = "weight_map";
constexpr const char* index_metadata_key = "metadata";
constexpr std::size_t longest_name = 255;  // of a file, on every system in use

// Whether it names a file beside the index, whatever else the system's paths can say.
bool is_plain_file_name(std::string_view name) {
    return !name.empty() && name.size() <= longest_name && name != "." && name != ".." &&
           name.find_first_of(std::string_view("/\\\0", 3)) == std::string_view::npos;
}

class IndexVisitor : public JsonVisitor {
  public:
    bool opens(const JsonPath& path, bool array) override {
        if (path.depth() == 0) return !array || refuse("an index's top is an object, not an array", check_writer);
        if (path.depth() == 1) {
            for (const auto& [key, seen] :
                 {std::pair{map_key, &map_seen_}, std::pair{index_metadata_key, &metadata_seen_}})
                if (path.key(0) == key) {
                    if (array) return refuse("an array, where an object was expected", check_writer);
                    if (std::exchange(*seen, true)) return refuse("this key stands there twice", check_writer);
                }
            return true;
        }
        return !in_map(path) || refuse("a shard's file name was expected", check_writer);
    }
    bool closes(const JsonPath&) override { return true; }

    bool text(const JsonPath& path, const std::string& value) override {
        if (path.depth() < 2) return top(path);
        if (path.depth() > 2) return true;
        if (path.key(0) == index_metadata_key) return add_metadata(path.key(1), value);
        if (!in_map(path)) return true;
        if (!is_plain_file_name(value))
            return refuse(in_quotes(value) + " is not the plain name of a file beside the index", check_writer);
        index_.entries.push_back({std::string(path.key(1)), shard(value)});
        return true;
    }

    bool plain(const JsonPath& path, const nlohmann::json& value) override {
        if (path.depth() < 2) return top(path);
        if (in_map(path)) return refuse("a shard's file name was expected", check_writer);
        if (path.depth() == 2 && path.key(0) == index_metadata_key) return add_metadata(path.key(1), value);
        return true;
    }

    // What was read, in order; asked once, after the walk.
    Result<ShardIndex> finish(const std::string& file) {
        if (!map_seen_) return Error{"weight_map is missing", file, "this is no index of safetensors files"};
        if (index_.entries.empty()) return Error{"it names no tensors", file + json_path(), check_writer};
        sort_shards();
        ShardIndex sorted{std::move(index_.shards), {}, std::move(index_.metadata)};
        sorted.entries.reserve(index_.entries.size());
        for (const std::size_t i :
             order_by(index_.entries, [](const auto& each) { return std::string_view(each.tensor); })) {
            ShardIndex::Entry& entry = index_.entries[i];
            if (!sorted.entries.empty() && sorted.entries.back().tensor == entry.tensor)
                return Error{"this tensor stands there twice", file + ", " + json_pointer({map_key, entry.tensor}),
                             check_writer};
            sorted.entries.push_back(std::move(entry));
        }
        return sorted;
    }

  private:
    static bool in_map(const JsonPath& path) { return path.depth() >= 2 && path.key(0) == map_key; }
    static std::string json_path() { return ", " + json_pointer({map_key}); }

    bool top(const JsonPath& path) {
        if (path.depth() == 0) return refuse("an object was expected", check_writer);
        if (path.key(0) != map_key && path.key(0) != index_metadata_key) return true;
        return refuse("an object was expected", check_writer);
    }

    bool add_metadata(std::string_view key, nlohmann::json value) {
        if (index_.metadata.size() == most_metadata)
            return refuse("more than " + grouped(most_metadata) + " entries of metadata", check_writer);
        return index_.metadata.emplace(key, std::move(value)).second ||
               refuse("this key stands there twice", check_writer);
    }

    std::size_t shard(const std::string& name) {
        // Tensors of one shard mostly follow each other.
        if (!index_.shards.empty() && index_.shards[last_] == name) return last_;
        const auto [found, added] = numbers_.emplace(name, index_.shards.size());
        if (added) index_.shards.push_back(name);
        return last_ = found->second;
    }

    void sort_shards() {
        std::vector<std::size_t> place(index_.shards.size());
        std::size_t next = 0;
        for (const auto& [name, number] : numbers_) {
            place[number] = next;
            index_.shards[next++] = name;
        }
        for (ShardIndex::Entry& entry : index_.entries) entry.shard = place[entry.shard];
    }

    ShardIndex index_;
    bool map_seen_ = false, metadata_seen_ = false;
    std::map<std::string, std::size_t> numbers_;  // of the shards, in the order in which they came
    std::size_t last_ = 0;
};

// Takes over the tensors of a shard and what its metadata add.
void join(Checkpoint& whole, Checkpoint shard, std::size_t number) {
    whole.bytes += shard.bytes;
    for (CheckpointTensor& tensor : shard.tensors) {
        tensor.file = number;
        whole.tensors.push_back(std::move(tensor));
    }
    for (const auto& [key, value] : shard.metadata.items()) whole.metadata.emplace(key, value);
}

// Whether the shards have what the map says of them, and nothing twice.
std::optional<Error> compare(const ShardIndex& index, const Checkpoint& whole, const std::string& file) {
    const std::vector<CheckpointTensor>& tensors = whole.tensors;
    const auto order = order_by(tensors, [](const CheckpointTensor& each) { return std::string_view(each.name); });
    const auto where = [&](const std::string& name) { return file + ", " + json_pointer({map_key, name}); };
    for (std::size_t i = 1; i < order.size(); ++i) {
        const CheckpointTensor &one = tensors[order[i - 1]], &other = tensors[order[i]];
        if (one.name == other.name)
            return Error{"this tensor is in two shards, " + in_quotes(index.shards[one.file]) + " and " +
                             in_quotes(index.shards[other.file]),
                         where(one.name), "remove one of the two"};
    }
    std::size_t at = 0;
    for (const ShardIndex::Entry& entry : index.entries) {
        while (at < order.size() && tensors[order[at]].name < entry.tensor) ++at;
        const bool there = at < order.size() && tensors[order[at]].name == entry.tensor;
        if (there && tensors[order[at]].file == entry.shard) continue;
        return Error{in_quotes(index.shards[entry.shard]) + " does not hold this tensor" +
                         (there ? ", " + in_quotes(index.shards[tensors[order[at]].file]) + " does" : ""),
                     where(entry.tensor), "take index and shards from the same place"};
    }
    return std::nullopt;
}

}  // namespace

Result<ShardIndex> parse_safetensors_index(std::string_view text, const std::string& file) {
    IndexVisitor visitor;
    if (std::optional<Error> error = walk_json(text, {file, {}, check_writer}, visitor)) return *std::move(error);
    return visitor.finish(file);
}

Result<Checkpoint> read_safetensors_index(const std::filesystem::path& path) {
    const Result<std::string> text = read_text(path);
    if (!text) return text.error();
    Result<ShardIndex> index = parse_safetensors_index(*text, path.string());
    if (!index) return index.error();

    Checkpoint whole;
    whole.format = "safetensors";
    whole.metadata = std::move(index->metadata);
    whole.tensors.reserve(index->entries.size());
    std::vector<std::byte> buffer;
    for (std::size_t i = 0; i < index->shards.size(); ++i) {
        whole.files.push_back(path.parent_path() / index->shards[i]);
        Result<Checkpoint> shard = read_safetensors(whole.files.back(), buffer);
        if (!shard) return within("of the shards that the index names", shard.error());
        join(whole, *std::move(shard), i);
    }
    if (std::optional<Error> error = compare(*index, whole, path.string())) return *std::move(error);
    return whole;
}

}  // namespace headcount
