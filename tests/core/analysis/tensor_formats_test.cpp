// Single tensors in their formats, against the sum that memory has.
#include "core/analysis/tensor_formats.hpp"

#include <gtest/gtest.h>

#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

// Numbers of a matrix's inputs and of the matrix, and some layers of a tensor in another format.
Formats mixed(const ModelGraph& graph) {
    Formats formats = *parse_formats("layers=int4:20/128:32/column:128/tensor,rest=bf16", "");
    for (const StoredTensor& stored : graph.stored)
        if (stored.layer && formats.named.empty() && stored.shape.rank() == 2)
            formats.named.push_back({stored.name, {{0, 0}, {3, 5}}, Precision::fp32});
    return formats;
}

TEST(TensorFormats, AddUpToTheWeightsOfEveryPreset) {
    for (const Preset& preset : testing_data::all_presets())
        for (const Formats& formats : {Formats(Precision::fp32), Formats(Precision::int4_g64_zeros),
                                       Formats(Recipe::q4_k_m), mixed(expand(preset.architecture))}) {
            Input input = first_input(preset.architecture);
            input.precision = formats;
            const Result<CountedModel> model = count_model(preset.architecture, input);
            ASSERT_TRUE(model) << preset.id;
            const TensorFormats stored(*model);
            std::int64_t sum = 0;
            for_each_tensor(model->architecture, model->graph, model->parameters, {},
                            [&](const ParameterRow& row, const TensorPlace& place) {
                                const std::optional<StoredAs> as = stored.of(row, place);
                                sum += as ? as->bytes : 0;
                                return as.has_value();
                            });
            EXPECT_EQ(sum, weight_bytes(*model).value_or(-1)) << preset.id << " in " << formats_text(formats);
        }
}

}  // namespace
}  // namespace headcount
