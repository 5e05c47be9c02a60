// Claims about axes: round ticks within the range, labels that never touch.
#include "app/charts/axis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/screen.hpp"

namespace headcount {
namespace {

std::vector<std::string> labels_of(const Axis& axis, int wanted) {
    std::vector<std::string> labels;
    for (const Tick& tick : axis_ticks(axis, wanted))
        if (!tick.label.empty()) labels.push_back(tick.label);
    return labels;
}

TEST(Axis, TicksAreRoundNumbersInTheUnitOfTheLargest) {
    EXPECT_EQ(labels_of({6.4e9, 8.1e9, false, AxisUnit::count, {}}, 5),
              (std::vector<std::string>{"6.5 B", "7.0 B", "7.5 B", "8.0 B"}));
    EXPECT_EQ(labels_of({0, 10'240, false, AxisUnit::plain, {}}, 5), (std::vector<std::string>{"0", "5000", "10000"}));
    EXPECT_EQ(labels_of({0, 2.0 * 1024 * 1024 * 1024, false, AxisUnit::bytes, {}}, 4),
              (std::vector<std::string>{"0", "0.5 GiB", "1.0 GiB", "1.5 GiB", "2.0 GiB"}));
    EXPECT_EQ(labels_of({-1e6, 1e6, false, AxisUnit::count, {}}, 4),
              (std::vector<std::string>{"-1.0 M", "-0.5 M", "0", "0.5 M", "1.0 M"}));
}

TEST(Axis, ALogarithmicAxisLabelsItsDecades) {
    EXPECT_EQ(labels_of({1e8, 1e12, true, AxisUnit::count, {}}, 5),
              (std::vector<std::string>{"100 M", "1 B", "10 B", "100 B", "1 T"}));
    EXPECT_EQ(labels_of({1, 100, true, AxisUnit::plain, {}}, 8),
              (std::vector<std::string>{"1", "2", "5", "10", "20", "50", "100"}));
    EXPECT_EQ(labels_of({1024, 16'384, true, AxisUnit::bytes, {}}, 5),
              (std::vector<std::string>{"1 KiB", "2 KiB", "4 KiB", "8 KiB", "16 KiB"}));
}

TEST(Axis, TicksLieInTheRangeAscendAndAreAsManyAsAskedForAboutWhateverTheRange) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> exponent(-6, 18), width(0.001, 3);
    for (int i = 0; i < 2000; ++i) {
        const bool logarithmic = i % 2 == 0;
        const double from = std::pow(10, exponent(random));
        const Axis axis{from, from * (1 + std::pow(10, width(random))), logarithmic, static_cast<AxisUnit>(i % 6), {}};
        const std::vector<Tick> ticks = axis_ticks(axis, 6);
        int labels = 0;
        for (std::size_t k = 0; k < ticks.size(); ++k) {
            EXPECT_GE(ticks[k].position, -1e-6);
            EXPECT_LE(ticks[k].position, 1 + 1e-6);
            labels += ticks[k].label.empty() ? 0 : 1;
            if (k > 0) {
                EXPECT_GT(ticks[k].value, ticks[k - 1].value);
            }
        }
        EXPECT_LE(labels, 14) << axis.from << " " << axis.to;
        if (axis.unit != AxisUnit::bytes || axis.from > 1) {
            EXPECT_GE(labels, 2) << axis.from << " " << axis.to;
        }
    }
}

TEST(Axis, NoTwoLabelsThatFitTouch) {
    test::Screen screen;
    screen.frame([](const Ui& ui) {
        std::mt19937 random(3);
        std::uniform_real_distribution<double> exponent(0, 13);
        std::uniform_real_distribution<float> length(40, 1200);
        for (int i = 0; i < 400; ++i) {
            const double a = std::pow(10, exponent(random)), b = std::pow(10, exponent(random));
            const Axis axis{std::min(a, b), std::max(a, b) * 1.01, i % 2 == 0, static_cast<AxisUnit>(i % 3), {}};
            const float room = length(random);
            float end = -1e9F;
            for (const Tick& tick : fitting_ticks(ui, axis, room, false)) {
                if (tick.label.empty()) continue;
                const float half = text_width(ui.fonts.mono_caption, tick.label) / 2;
                const float at = static_cast<float>(tick.position) * room;
                EXPECT_GE(at - half, end) << tick.label;
                end = at + half;
            }
        }
    });
}

TEST(Axis, AShortAxisHasThreeLabelsWhereTheyHaveRoom) {
    test::Screen screen;
    screen.frame([](const Ui& ui) {
        const Axis broken{5.9e9, 6.8e9, false, AxisUnit::count, {}}, whole{0, 7.1e9, false, AxisUnit::count, {}};
        EXPECT_GE(fitting_ticks(ui, broken, 300, false).size(), 3u);
        EXPECT_GE(fitting_ticks(ui, whole, 160, false).size(), 3u);
    });
}

TEST(Axis, NothingIsDrawnForARangeThatIsNone) {
    EXPECT_TRUE(axis_ticks({1, 1, false, AxisUnit::count, {}}, 5).empty());
    EXPECT_TRUE(axis_ticks({2, 1, false, AxisUnit::count, {}}, 5).empty());
    EXPECT_TRUE(axis_ticks({0, 10, true, AxisUnit::count, {}}, 5).empty());
    EXPECT_TRUE(axis_ticks({0, std::nan(""), false, AxisUnit::count, {}}, 5).empty());
    EXPECT_TRUE(axis_ticks({0, INFINITY, false, AxisUnit::count, {}}, 5).empty());
}

TEST(Axis, HoldsAllValuesAndBeginsAtZeroWhereThatIsNear) {
    const Axis wide = axis_over({1, 5, 10}, false, AxisUnit::count);
    EXPECT_EQ(wide.from, 0);
    EXPECT_GT(wide.to, 10);
    const Axis narrow = axis_over({1000, 1010}, false, AxisUnit::count);
    EXPECT_GT(narrow.from, 900);
    EXPECT_LT(narrow.from, 1000);
    const Axis decades = axis_over({-1, 0, 10, 1e6, std::nan("")}, true, AxisUnit::count);
    EXPECT_LT(decades.from, 10);
    EXPECT_GT(decades.from, 0);
    EXPECT_GT(decades.to, 1e6);
    for (const bool logarithmic : {false, true}) {
        for (const std::vector<double>& values : {std::vector<double>{}, {0}, {5}, {5, 5}, {-3, -2}}) {
            const Axis axis = axis_over(values, logarithmic, AxisUnit::count);
            EXPECT_LT(axis.from, axis.to);
        }
    }
}

TEST(Axis, APositionMeansItsValue) {
    EXPECT_NEAR((Axis{10, 1e6, true, AxisUnit::count, {}}.position(1e3)), 0.4, 1e-9);
    EXPECT_NEAR((Axis{-5, 20, false, AxisUnit::count, {}}.position(2.5)), 0.3, 1e-9);
}

TEST(AxisLabel, IsShortAndExact) {
    EXPECT_EQ(axis_label(6.8e9, AxisUnit::count), "6.8 B");
    EXPECT_EQ(axis_label(2'000'000, AxisUnit::count), "2 M");
    EXPECT_EQ(axis_label(131'072, AxisUnit::bytes), "128 KiB");
    EXPECT_EQ(axis_label(4096, AxisUnit::plain), "4096");
    EXPECT_EQ(axis_label(0.002, AxisUnit::seconds), "2 ms");
    EXPECT_EQ(axis_label(12.5, AxisUnit::percent), "12.5 %");
    EXPECT_EQ(axis_label(9.02e9, AxisUnit::flop), "9.02 GFLOP");
}

}  // namespace
}  // namespace headcount
