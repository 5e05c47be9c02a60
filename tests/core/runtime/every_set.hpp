// Tests of the kernels run with each instruction set of this machine that they are compiled for.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <string>

#include "core/runtime/kernels.hpp"

namespace headcount::testing_data {

class EverySet : public testing::TestWithParam<std::int64_t> {
  protected:
    void SetUp() override {
        choose(GetParam());
        const std::string_view set = kernels::instruction_set();
        if (set != hwy::TargetName(GetParam())) GTEST_SKIP() << "the kernels are not compiled for it";
    }
    void TearDown() override { choose(0); }

  private:
    static void choose(std::int64_t target) {
        hwy::SetSupportedTargetsForTest(target);  // 0: all that there are
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
};

inline auto every_set() { return testing::ValuesIn(hwy::SupportedAndGeneratedTargets()); }
inline std::string name_of_set(const testing::TestParamInfo<std::int64_t>& set) { return hwy::TargetName(set.param); }

}  // namespace headcount::testing_data
