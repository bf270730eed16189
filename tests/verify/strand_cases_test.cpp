#include <gtest/gtest.h>

#include <rivulet/verify/case.h>

namespace rivulet::verify {
namespace {

std::vector<Case> strand_cases() {
    std::vector<Case> all = all_cases();
    std::erase_if(all, [](const Case& c) { return c.room != "strand"; });
    return all;
}

class StrandCase : public testing::TestWithParam<Case> {};

TEST_P(StrandCase, QuickVersionPasses) {
    const Outcome outcome = GetParam().run(Options{true});
    EXPECT_FALSE(outcome.quantities.empty());
    for (const Quantity& q : outcome.quantities)
        EXPECT_TRUE(q.passed()) << q.name << ": " << q.value << ", reference " << q.reference << ", order "
                                << q.order.value_or(0);
}

INSTANTIATE_TEST_SUITE_P(Quick, StrandCase, testing::ValuesIn(strand_cases()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace rivulet::verify
