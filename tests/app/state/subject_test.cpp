// What can be pointed at, as text, and what it lights.
#include "app/state/subject.hpp"

#include <gtest/gtest.h>

#include "core/families/families.hpp"

namespace headcount {
namespace {

ModelGraph llama() {
    Architecture arch;
    arch.family = &llama_family;
    return expand(arch);
}

TEST(Subject, ReadsItsOwnKeyBack) {
    std::vector<Subject> subjects{Subject{}, TotalSubject{}};
    for (Component component : components) subjects.emplace_back(component);
    for (const FieldInfo& field : fields()) subjects.emplace_back(field.field);
    for (const Tensor& tensor : llama().tensors) subjects.emplace_back(TensorSubject{tensor.id});
    for (const Subject& subject : subjects)
        EXPECT_EQ(subject_from_key(subject_key(subject)), subject) << subject_key(subject);
}

TEST(Subject, IsNothingForAComponentOrFieldThatDoesNotExist) {
    EXPECT_TRUE(nothing(subject_from_key("component.router")));
    EXPECT_TRUE(nothing(subject_from_key("field.colour")));
}

TEST(Subject, AFieldLightsTheTensorsWhoseShapeHasItsDimension) {
    ModelGraph graph = llama();
    Subject heads = Field::kv_heads;
    EXPECT_TRUE(lights(heads, *graph.find("layer.attention.key.weight")));
    EXPECT_TRUE(lights(heads, *graph.find("layer.attention.keys")));
    EXPECT_FALSE(lights(heads, *graph.find("layer.attention.query.weight")));
}

TEST(Subject, ADimensionOfTheInputLightsTheActivationsThatHaveIt) {
    ModelGraph graph = llama();
    EXPECT_TRUE(lights(Symbol::tokens, *graph.find("layer.attention.keys")));
    EXPECT_FALSE(lights(Symbol::tokens, *graph.find("layer.attention.key.weight")));
}

TEST(Subject, TheInputLightsWhatDependsOnIt) {
    const ModelGraph graph = llama();
    for (const Tensor& tensor : graph.tensors) {
        const bool parameter = tensor.role == Role::parameter;
        EXPECT_EQ(lights(Symbol::batch, tensor), !parameter) << tensor.id;
        EXPECT_EQ(lights(Symbol::cached, tensor), kept_in_cache(tensor)) << tensor.id;
        EXPECT_EQ(lights(Precision::bf16, tensor), tensor.role != Role::input) << tensor.id;
    }
    Architecture arch;
    arch.family = &llama_family;
    EXPECT_TRUE(lights(Symbol::cached, *expand(arch, Cache::filled).find("layer.attention.head.scores")));
}

TEST(Subject, ATensorLightsItsComponentAndItsSliders) {
    ModelGraph graph = llama();
    Subject up = TensorSubject{"layer.feed_forward.up.weight"};
    EXPECT_TRUE(lights(up, graph, Component::feed_forward));
    EXPECT_FALSE(lights(up, graph, Component::attention));
    EXPECT_TRUE(lights(up, graph, Field::ffn_dim));
    EXPECT_FALSE(lights(up, graph, Field::vocab));
}

TEST(Subject, AComponentLightsItsParametersAndNoActivations) {
    ModelGraph graph = llama();
    Subject attention = Component::attention;
    EXPECT_TRUE(lights(attention, *graph.find("layer.attention.output.weight")));
    EXPECT_FALSE(lights(attention, *graph.find("layer.attention.output")));
}

}  // namespace
}  // namespace headcount
