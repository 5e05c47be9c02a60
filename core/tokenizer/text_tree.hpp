// Texts, each with an id, that are looked for at the beginning of another text: a tree of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headcount {

class TextTree {
  public:
    using Node = std::uint32_t;
    static constexpr Node root = 0;

    // `text` is not empty; of two that are the same the later counts.
    void put(std::string_view text, std::int32_t id) {
        Node node = root;
        for (const char byte : text) {
            const auto [step, fresh] = steps_.try_emplace(key(node, byte), static_cast<Node>(ids_.size()));
            if (fresh) ids_.push_back(-1);
            node = step->second;
        }
        ids_[node] = id;
    }

    // Where the texts go on that begin with this one; nothing where none does.
    std::optional<Node> behind(std::string_view beginning) const {
        Node node = root;
        for (const char byte : beginning) {
            const auto step = steps_.find(key(node, byte));
            if (step == steps_.end()) return std::nullopt;
            node = step->second;
        }
        return node;
    }

    // found(length, id) for every text, or what of it is behind `from`, that `in` begins with, the shortest first.
    template <class Found>
    void find(std::string_view in, Node from, const Found& found) const {
        Node node = from;
        for (std::size_t at = 0; at < in.size(); ++at) {
            const auto step = steps_.find(key(node, in[at]));
            if (step == steps_.end()) return;
            node = step->second;
            if (ids_[node] >= 0) found(at + 1, ids_[node]);
        }
    }

  private:
    static std::uint64_t key(Node node, char byte) {
        return std::uint64_t{node} << 8 | static_cast<unsigned char>(byte);
    }

    std::unordered_map<std::uint64_t, Node> steps_;  // by key
    std::vector<std::int32_t> ids_{-1};              // by node: of the text that ends there; -1: none does
};

}  // namespace headcount
