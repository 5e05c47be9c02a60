// Experiments on the families' small models make what transformers makes with PyTorch's hooks: scores, and how much
// each head and sub-block matters.
#include <gtest/gtest.h>

#include "core/runtime/dump.hpp"
#include "core/runtime/part_ranking.hpp"
#include "tests/core/runtime/golden_model.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using namespace testing_data;

class GoldenChanges : public testing::TestWithParam<std::string> {
  protected:
    RunLengths lengths() const {
        return {std::ssize(golden.prompt), std::ssize(golden.prompt), std::ssize(golden.source)};
    }
    std::vector<NodeChange> changes_of(const nlohmann::json& each, const std::string& file,
                                       const headcount::Run& as_it_is) const {
        std::vector<NodeChange> changes;
        const auto add = [&](Change::Kind kind, const std::string& text) {
            changes.push_back(resolved(*model, kind, text, lengths(), {.as_it_is = &as_it_is}));
        };
        for (const nlohmann::json& place : each.value("off", nlohmann::json::array())) add(Change::Kind::off, place);
        for (const nlohmann::json& place : each.value("mean", nlohmann::json::array())) add(Change::Kind::mean, place);
        for (const Change::Kind kind : {Change::Kind::scale, Change::Kind::put}) {
            const nlohmann::json numbers = each.value(std::string(key(kind)), nlohmann::json::object());
            for (auto number = numbers.begin(); number != numbers.end(); ++number)
                add(kind, number.key() + "=" + number.value().dump());
        }
        for (const nlohmann::json& place : each.value("patch", nlohmann::json::array()))
            add(Change::Kind::patch, place.get<std::string>() + "=" + file);
        return changes;
    }

    nlohmann::json about = read_json_file(golden_folder() / "changes" / (GetParam() + ".json"));
    GoldenModel golden = golden_run(GetParam());
    std::shared_ptr<const Model> model = model_of(golden);
};

TEST_P(GoldenChanges, ScoresAgree) {
    const Scratch scratch;
    const std::string file = (scratch.folder() / "other.safetensors").string();
    GoldenModel other = golden;
    other.prompt = about.at("other").get<std::vector<std::int32_t>>();
    other.source = about.at("other_source").get<std::vector<std::int32_t>>();
    headcount::Run donor = start(model);
    give_texts(donor, other);
    append(donor, other.prompt);
    ASSERT_FALSE(write_activations(donor, file));
    headcount::Run as_it_is = start(model);
    give_texts(as_it_is, golden);
    append(as_it_is, golden.prompt);
    double worst = 0;
    for (const nlohmann::json& each : about.at("changes")) {
        headcount::Run run = start(model);
        give_texts(run, golden);
        run.set_changes(changes_of(each, file, as_it_is));
        append(run, golden.prompt);
        const MatrixView logits = logits_of(run);
        MatrixView last = logits;
        last.data += logits.offset(logits.rows - 1, 0);
        last.rows = 1;
        const auto expected = each.at("logits").get<std::vector<float>>();
        const double apart = difference(last, expected);
        EXPECT_LE(apart, agreement) << each.dump().substr(0, 80);
        worst = std::max(worst, apart);
    }
    testing::Test::RecordProperty("worst", std::to_string(worst));
}

TEST_P(GoldenChanges, RanksAgree) {
    const nlohmann::json& expected = about.at("rank");
    headcount::Run run = begin(golden);
    const Result<Rank> rank = rank_parts(run, golden.prompt, {});
    ASSERT_EQ(rank.operator bool(), !expected.is_null());
    if (!rank) return;
    EXPECT_EQ(rank->token, expected.at("token"));
    double worst = 0;
    const auto compare = [&](const std::optional<double>& found, const nlohmann::json& number) {
        ASSERT_EQ(found.has_value(), !number.is_null());
        if (!found) return;
        const double apart = std::abs(*found - number.get<double>()) / std::max(1.0, std::abs(number.get<double>()));
        EXPECT_LE(apart, agreement) << number;
        worst = std::max(worst, apart);
    };
    for (const PartRank& part : rank->parts) {
        if (part.stack == ChangePlace::Stack::encoder || !expected.contains(part.block)) continue;
        const nlohmann::json& layers = expected.at(part.block);
        ASSERT_EQ(part.layers.size(), layers.size());
        for (std::size_t layer = 0; layer < layers.size(); ++layer) {
            compare(part.layers[layer], layers[layer]);
            if (part.block != "attention") continue;
            const nlohmann::json& heads = expected.at("heads").at(layer);
            ASSERT_EQ(part.heads[layer].size(), heads.size());
            for (std::size_t head = 0; head < heads.size(); ++head) compare(part.heads[layer][head], heads[head]);
        }
    }
    testing::Test::RecordProperty("worst", std::to_string(worst));
}

INSTANTIATE_TEST_SUITE_P(Runtime, GoldenChanges, testing::ValuesIn(files_in("changes")), [](const auto& instance) {
    std::string name = instance.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
}  // namespace headcount
