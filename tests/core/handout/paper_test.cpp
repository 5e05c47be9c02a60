// The sheet on paper: what stands beside its questions.
#include <algorithm>

#include "core/handout/handout.hpp"
#include "tests/support/class.hpp"

namespace headcount {
namespace {

using namespace testing_data;

TEST(Handout, WhoIsToPointAtSomethingHasThePictureAroundIt) {
    const Sheet sheet = shipped("5-kv-cache");
    std::vector<std::string> drawn;
    const HandoutOptions options{.picture = [&](const CountedModel&, const std::string& place, PictureNumbers numbers) {
        EXPECT_EQ(numbers, PictureNumbers::covered);
        drawn.push_back(place);
        return "<svg id=\"" + place + "\"/>";
    }};
    const std::string paper = handout_html(sheet, options);
    EXPECT_EQ(std::ranges::count(drawn, "layer"), 1);
    EXPECT_EQ(std::ranges::count(drawn, "layer.attention.key.weight"), 0) << "what is lit would be the answer";
    EXPECT_GT(paper.find("<svg id=\"layer\"/>"), paper.find("Point at the matrix")) << "beside the question";
}

}  // namespace
}  // namespace headcount
