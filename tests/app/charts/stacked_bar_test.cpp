// Claims about stacked bars: segments follow each other at one scale, beside a capacity.
#include "app/charts/stacked_bar.hpp"

#include <gtest/gtest.h>

#include "tests/support/screen.hpp"

namespace headcount {
namespace {

StackSegment segment(int bar, double value) {
    StackSegment made;
    made.bar = bar;
    made.value = value;
    made.label = "part";
    made.text = "x";
    return made;
}

struct Memory {
    std::vector<StackBar> bars{{"A", "3 GiB"}, {"B", "8 GiB"}};
    std::vector<StackSegment> segments{segment(0, 1), segment(0, 2), segment(1, 5), segment(1, 0), segment(1, 3)};
    StackedBars chart() const {
        StackedBars made;
        made.title = "Memory";
        made.bars = bars;
        made.segments = segments;
        made.capacity = 16;
        made.capacity_text = "16 GiB";
        return made;
    }
};

TEST(StackSpans, FollowEachOtherInProportion) {
    const Memory memory;
    const StackedBars chart = memory.chart();
    const std::vector<StackSpan> spans = stack_spans(chart, 1632);
    EXPECT_NEAR(stack_scale(chart), 16.32, 1e-9);
    EXPECT_FLOAT_EQ(spans[0].from, 0);
    EXPECT_NEAR(spans[0].to, 100, 0.01);
    EXPECT_NEAR(spans[1].from, 100, 0.01);
    EXPECT_NEAR(spans[1].to, 300, 0.01);
    EXPECT_FLOAT_EQ(spans[2].from, 0);
    EXPECT_NEAR(spans[4].to, 800, 0.01);
    EXPECT_EQ(spans[3].from, spans[3].to);
}

TEST(StackSpans, AWholeLargerThanTheCapacityStillFits) {
    Memory memory;
    memory.segments.push_back(segment(0, 97));
    const StackedBars chart = memory.chart();
    EXPECT_DOUBLE_EQ(stack_scale(chart), 100);
    EXPECT_FLOAT_EQ(stack_spans(chart, 200).back().to, 200);
}

TEST(StackSpans, NoneOverlapsWhateverIsThin) {
    Memory memory;
    memory.segments.clear();
    for (int i = 0; i < 30; ++i) memory.segments.push_back(segment(0, i == 0 ? 1e9 : 1e-3));
    const std::vector<StackSpan> spans = stack_spans(memory.chart(), 300);
    float end = 0;
    for (const StackSpan& span : spans) {
        EXPECT_GE(span.from, end - 1e-3F);
        EXPECT_GE(span.to, span.from);
        EXPECT_LE(span.to, 300);
        end = span.to;
    }
}

TEST(StackedBars, ASegmentOfABarThatIsNotThereIsNotDrawn) {
    test::Screen screen;
    Memory memory;
    memory.segments.push_back(segment(7, 5));
    memory.segments.push_back(segment(-1, 5));
    screen.frames(2, [&](const Ui& ui) { stacked_bars(ui, "memory", memory.chart()); });
    EXPECT_DOUBLE_EQ(stack_scale(memory.chart()), 16.32);
    ASSERT_TRUE(screen.recorder.find("memory.2"));
}

}  // namespace
}  // namespace headcount
