// Claims about experiments on weights: what is named is changed, nothing else, and only in the copy.
#include "core/experiment/weight_changes.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "core/experiment/shipped.hpp"

namespace headcount {
namespace {

class WeightChanges : public testing::Test {
  protected:
    Result<std::shared_ptr<const Model>> with(Change::Kind kind, std::string_view text) const {
        const Result<Change> change = parse_change(kind, text);
        EXPECT_TRUE(change) << text;
        return with_changed_weights(model, std::span(&*change, 1));
    }
    // How many numbers of a parameter are others, in a layer.
    std::int64_t others(const Model& changed, const char* id, std::int64_t layer) const {
        const auto tensor = static_cast<TensorIndex>(model->graph.find(id) - model->graph.tensors.data());
        const MatrixView was = model->weights.view(tensor, layer), is = changed.weights.view(tensor, layer);
        std::int64_t count = 0;
        for (std::int64_t row = 0; row < was.rows; ++row)
            for (std::int64_t column = 0; column < was.columns; ++column)
                count += was.at(row, column) != is.at(row, column);
        return count;
    }

    std::shared_ptr<const Model> model = shipped_model()->model;
    static constexpr const char* query = "layer.attention.query.weight";
};

TEST_F(WeightChanges, OneNumberIsSetInItsLayerAlone) {
    const auto changed = with(Change::Kind::put, "layer.1.attention.query.weight.column:3@5=2.5");
    ASSERT_TRUE(changed);
    EXPECT_EQ(others(**changed, query, 1), 1);
    EXPECT_EQ(others(**changed, query, 0), 0);
    EXPECT_EQ(others(**changed, "layer.attention.key.weight", 1), 0);
    const auto tensor = static_cast<TensorIndex>(model->graph.find(query) - model->graph.tensors.data());
    EXPECT_EQ((*changed)->weights.view(tensor, 1).at(5, 3), 2.5F);
    EXPECT_NE(model->weights.view(tensor, 1).at(5, 3), 2.5F) << "the model itself stays";
}

TEST_F(WeightChanges, ARowAColumnOrAllOfItIsScaledOrOff) {
    const auto tensor = static_cast<TensorIndex>(model->graph.find(query) - model->graph.tensors.data());
    const MatrixView whole = model->weights.view(tensor, 2);
    EXPECT_EQ(others(**with(Change::Kind::scale, "layer.2.attention.query.weight@5=3"), query, 2), whole.columns);
    EXPECT_EQ(others(**with(Change::Kind::scale, "layer.2.attention.query.weight.column:3=3"), query, 2), whole.rows);
    EXPECT_EQ(others(**with(Change::Kind::off, "layer.2.attention.query.weight"), query, 2),
              whole.rows * whole.columns);
    EXPECT_EQ(others(**with(Change::Kind::off, "embedding.weight@7"), "embedding.weight", 0), model->architecture.dim);
}

TEST_F(WeightChanges, WhatIsNoWeightIsLeftToTheRun) {
    for (const char* place : {"layer.1.attention.head:3", "layer.1.attention.queries@2", "embedded", "stream.1"}) {
        const auto same = with(Change::Kind::off, place);
        ASSERT_TRUE(same) << place;
        EXPECT_EQ(*same, model) << place;
    }
}

TEST_F(WeightChanges, WhatCannotBeChangedSaysWhy) {
    for (const auto& [kind, place, says] :
         {std::tuple(Change::Kind::off, "layer.0.attention.query.weight.column:4000", "no column 4,000"),
          std::tuple(Change::Kind::off, "layer.0.attention.query.weight@4000", "no row 4,000"),
          std::tuple(Change::Kind::mean, "layer.0.attention.query.weight", "the same for all tokens"),
          std::tuple(Change::Kind::off, "layer.0.attention.query.weight.head:1", "heads are columns"),
          std::tuple(Change::Kind::off, "layer.0.attention.query.weight.expert:1", "no expert's")}) {
        const auto wrong = with(kind, place);
        ASSERT_FALSE(wrong) << place;
        EXPECT_NE(wrong.error().what.find(says), std::string::npos) << wrong.error().what;
        EXPECT_NE(wrong.error().where.find("layer.0.attention.query.weight"), std::string::npos);
    }
}

TEST_F(WeightChanges, ANumberOfTheGraphIsNamedAsItIsFound) {
    const auto tensor = static_cast<TensorIndex>(model->graph.find(query) - model->graph.tensors.data());
    const CellAt cell{tensor, 2, 0, 5, 3};
    const std::optional<ChangePlace> place = place_of_weight(model->graph, cell);
    ASSERT_TRUE(place);
    EXPECT_EQ(place_text(*place), "layer.2.attention.query.weight.column:3@5");
    EXPECT_EQ(weight_at(model->architecture, model->graph, *place), cell);
    const auto queries =
        static_cast<TensorIndex>(model->graph.find("layer.attention.queries") - model->graph.tensors.data());
    EXPECT_FALSE(place_of_weight(model->graph, {queries, 2, 0, 5, 3}));
}

}  // namespace
}  // namespace headcount
