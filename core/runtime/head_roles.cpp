// Adds attention up over the places that a role means.
#include "core/runtime/head_roles.hpp"

#include <algorithm>

namespace headcount {
namespace {

constexpr double least_share = 0.1, least_times_even = 2;

constexpr std::array roles{HeadRole::previous, HeadRole::same, HeadRole::behind_same, HeadRole::stop, HeadRole::first};

// One token that looks, and where the role says.
struct Looking {
    std::int64_t from = 0;
    std::vector<std::int64_t> at;
};

bool is_place(HeadRole role, const AttendedText& text, std::int64_t from, std::int64_t at) {
    const auto same = [&](std::int64_t other) {
        return text.ids[static_cast<std::size_t>(other)] == text.ids[static_cast<std::size_t>(from)];
    };
    switch (role) {
        case HeadRole::previous: return at + 1 == from;
        case HeadRole::same: return at < from && same(at);
        case HeadRole::behind_same: return at > 0 && at < from && same(at - 1);
        case HeadRole::stop: return at < from && text.is_stop(at);
        case HeadRole::first: return at == 0 && from > 1;
    }
    return false;
}

std::vector<Looking> places_of(HeadRole role, const AttendedText& text) {
    std::vector<Looking> found;
    const std::int64_t tokens = std::ssize(text.ids);
    for (std::int64_t from = std::max<std::int64_t>(0, tokens - most_measured); from < tokens; ++from) {
        Looking looking{from, {}};
        for (std::int64_t at = 0; at <= from; ++at)
            if (is_place(role, text, from, at)) looking.at.push_back(at);
        if (!looking.at.empty()) found.push_back(std::move(looking));
    }
    return found;
}

double share_of(const MatrixView& weights, const std::vector<Looking>& places) {
    double sum = 0;
    for (const Looking& each : places)
        for (const std::int64_t at : each.at) sum += static_cast<double>(weights.at(each.from, at));
    return sum / static_cast<double>(places.size());
}

double even_share(const std::vector<Looking>& places) {
    double sum = 0;
    for (const Looking& each : places) sum += static_cast<double>(each.at.size()) / static_cast<double>(each.from + 1);
    return sum / static_cast<double>(places.size());
}

}  // namespace

std::string_view info(HeadRole role) {
    switch (role) {
        case HeadRole::previous: return "the word before";
        case HeadRole::same: return "the same word earlier";
        case HeadRole::behind_same: return "what followed the same word";
        case HeadRole::stop: return "full stops";
        case HeadRole::first: return "the beginning";
    }
    return {};
}

std::vector<HeadFound> find_heads(const AttendedText& text) {
    std::vector<HeadFound> found;
    for (const HeadRole role : roles) {
        const std::vector<Looking> places = places_of(role, text);
        if (places.empty()) continue;
        HeadFound best{.role = role, .even = even_share(places), .tokens = std::ssize(places)};
        for (std::int64_t layer = 0; layer < text.layers; ++layer)
            for (std::int64_t head = 0; head < text.heads(layer); ++head) {
                const MatrixView weights = text.attention(layer, head);
                if (!weights || std::min(weights.rows, weights.columns) < std::ssize(text.ids)) continue;
                const double share = share_of(weights, places);
                if (share > best.share) best.layer = layer, best.head = head, best.share = share;
            }
        if (best.share >= least_share && best.share >= least_times_even * best.even) found.push_back(best);
    }
    return found;
}

}  // namespace headcount
