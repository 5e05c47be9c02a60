// Experiments on a run: what they are called, which numbers they change, and that they hold for every pass.
#include "core/runtime/changes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "core/runtime/dump.hpp"
#include "tests/core/runtime/golden_model.hpp"
#include "tests/core/runtime/weight_file.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using namespace testing_data;

const std::vector<std::int32_t> seven_ids{1, 2, 3, 4, 5, 6, 7};

std::shared_ptr<const Model> llama_model() { return *random_model(architecture_of(small_llama()), 1); }

Change parsed(Change::Kind kind, const std::string& text) {
    const Result<Change> change = parse_change(kind, text);
    if (!change) throw std::runtime_error(sentence(change.error()));
    return *change;
}

RunLengths lengths_of(const std::vector<std::int32_t>& ids, const std::vector<std::int32_t>& source = {}) {
    return {std::ssize(ids), std::ssize(ids) + 5, std::ssize(source)};
}

std::string refusal(const std::string& text, Change::Kind kind = Change::Kind::off,
                    std::shared_ptr<const Model> model = llama_model()) {
    const Result<Change> change = parse_change(kind, text);
    if (!change) return sentence(change.error());
    const Result<NodeChange> found = resolve(*change, model->architecture, model->graph, lengths_of(seven_ids));
    return found ? "" : sentence(found.error());
}

TEST(Changes, APlaceReadsAsItIsWritten) {
    for (const char* place :
         {"layer.0.attention", "layer.12.feed_forward", "layer.1.attention.head:3", "layer.1.feed_forward.expert:17",
          "stream.2@5", "encoder.layer.1.attention", "decoder.stream.0@0", "layer.3.linear_attention", "stream.1",
          "stream.1.column:7@2", "layer.0.feed_forward.neuron:3", "layer.0.feed_forward.expert:1.neuron:3@4",
          "layer.0.attention.keys@2", "layer.0.attention.keys.head:1.column:2@5", "layer.0.attention@2",
          "layer.0.attention.head.scores.head:3.column:2@5", "embedded@1", "encoder.final_norm.column:3"}) {
        const Result<Change> change = parse_change(Change::Kind::off, place);
        ASSERT_TRUE(change) << place;
        EXPECT_EQ(place_text(change->place), place);
    }
    EXPECT_EQ(change_text(parsed(Change::Kind::scale, "layer.0.attention=-0.5")), "layer.0.attention × -0.5");
    EXPECT_EQ(change_text(parsed(Change::Kind::patch, "stream.0@1=a=b.safetensors")),
              "stream.0@1 from a=b.safetensors");
    EXPECT_EQ(change_text(parsed(Change::Kind::off, "stream.0@1")), "stream.0@1 off");
    EXPECT_EQ(change_text(parsed(Change::Kind::mean, "stream.0@1")), "stream.0@1 as it is on average");
    EXPECT_EQ(change_text(parsed(Change::Kind::put, "embedded=-1.5")), "embedded = -1.5");
}

TEST(Changes, WhatIsNoPlaceIsASentence) {
    for (const char* text :
         {"", "layer.", "layer.1", "layer.x.attention", "layer.1.attention.head:", "layer.1.attention.head:3x",
          "layer.-1.attention", "stream.1@", "stream.1.neuron:2", "layer.1.feed_forward.column:2",
          "layer.0.attention.keys.neuron:2", "layer.99999999999999999999.attention", "layer.1.attention=2",
          "layer.1.Attention head", "layer.1.attention@2.head:1"})
        EXPECT_TRUE(refusal(text).find("is no place in a run: name layer.I.attention, ") != std::string::npos) << text;
    EXPECT_EQ(refusal("layer.0.attention", Change::Kind::scale),
              "there is no factor: layer.0.attention: write layer.0.attention=0.5");
    EXPECT_EQ(refusal("layer.0.attention=", Change::Kind::patch),
              "there is no file: layer.0.attention: write layer.0.attention=FILE, a file that --dump wrote");
    for (const char* factor : {"much", "nan", "inf", "1e39", "2x"})
        EXPECT_EQ(refusal("layer.0.attention=" + std::string(factor), Change::Kind::scale),
                  "\"" + std::string(factor) + "\" is no factor: layer.0.attention: give a number such as 0.5");
}

TEST(Changes, WhatTheModelDoesNotHaveIsASentence) {
    EXPECT_EQ(refusal("layer.2.attention"), "there is no layer 2 among 2: layer.2.attention: count from 0 to 1");
    EXPECT_EQ(refusal("layer.1.attention.head:4"),
              "there is no head 4 among 4: layer.1.attention.head:4: count from 0 to 3");
    EXPECT_EQ(refusal("layer.1.mamba"), "layer 1 has no 'mamba': layer.1.mamba: it has attention and feed_forward");
    EXPECT_EQ(refusal("layer.1.feed_forward.expert:0"),
              "'feed_forward' of layer 1 has no experts: layer.1.feed_forward.expert:0: name the whole of it");
    EXPECT_EQ(refusal("layer.1.feed_forward.head:0"),
              "'feed_forward' has no heads: layer.1.feed_forward.head:0: name the whole of it");
    EXPECT_EQ(refusal("stream.1@12"), "there is no token 12 among 12: stream.1@12: count from 0 to 11");
    EXPECT_EQ(refusal("layer.1.feed_forward.neuron:999"),
              "there is no neuron 999 among 64: layer.1.feed_forward.neuron:999: count from 0 to 63");
    EXPECT_EQ(refusal("stream.1.column:999"),
              "there is no column 999 among 32: stream.1.column:999: count from 0 to 31");
    EXPECT_EQ(refusal("layer.1.attention.keys.head:2"),
              "there is no head 2 among 2: layer.1.attention.keys.head:2: count from 0 to 1");
    EXPECT_EQ(refusal("layer.1.attention.norm.head:0"),
              "no heads stand side by side in it: layer.1.attention.norm.head:0: leave the head out");
    EXPECT_EQ(refusal("layer.1.attention.head.scores"),
              "each head makes its own: layer.1.attention.head.scores: name one, as .head:0");
    EXPECT_EQ(refusal("queries"),
              "nothing that can be changed is called 'queries' outside of layers: queries: there is embedded, "
              "final_norm, logits");
    EXPECT_NE(refusal("layer.0.attention.key_cache").find("there is attention.norm, attention.queries, attention.keys"),
              std::string::npos);
    EXPECT_EQ(refusal("layer.0.attention.keys.expert:3"),
              "no expert makes it: layer.0.attention.keys.expert:3: leave the expert out");
    EXPECT_EQ(refusal("layer.0.attention.head:1.expert:3"),
              "a head has no experts: layer.0.attention.head:1.expert:3: leave one of them out");
    EXPECT_EQ(refusal("layer.0.attention", Change::Kind::mean),
              "a mean is of the numbers of a run, and there is none: layer.0.attention: run the prompt first");
    EXPECT_EQ(
        refusal("layer.0.attention.head.scores.head:1", Change::Kind::mean),
        "what tokens look at has no mean over tokens: layer.0.attention.head.scores.head:1: set it to a number, or "
        "multiply it");
    EXPECT_EQ(refusal("encoder.layer.0.attention"),
              "this model has no encoder beside a decoder: encoder.layer.0.attention: name the layer alone, as "
              "layer.0.attention");
}

// What may not be looked at stays so, however the pass is cut, and what comes later is changed too.
TEST(Changes, OfWeightsAreOfWhatATokenMaySee) {
    const std::shared_ptr<const Model> model = llama_model();
    const std::vector<std::int32_t> ids{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const NodeChange change =
        resolved(*model, Change::Kind::put, "layer.0.attention.head.weights.head:1=0.25", {3, 3, 0});
    const auto run_of = [&](std::size_t first) {
        headcount::Run run = start(model);
        run.set_changes({change});
        append(run, std::span(ids).first(first));
        for (const std::int32_t id : std::span(ids).subspan(first)) append(run, std::span(&id, 1));
        return run;
    };
    const Tensor* const weights = model->graph.find("layer.attention.head.weights");
    ASSERT_TRUE(weights);
    const headcount::Run whole = run_of(ids.size()), begun = run_of(3);
    const MatrixView view = whole.activation(static_cast<TensorIndex>(weights - model->graph.tensors.data()), 0, 1);
    ASSERT_TRUE(view);
    for (std::int64_t row = 0; row < view.rows; ++row)
        for (std::int64_t key = 0; key < view.columns; ++key)
            EXPECT_EQ(view.at(row, key), key <= row ? 0.25f : 0.0f) << row << ' ' << key;
    EXPECT_LE(difference(logits_of(begun),
                         [&] {
                             std::vector<float> cells;
                             const MatrixView all = logits_of(whole);
                             for (std::int64_t row = 0; row < all.rows; ++row)
                                 for (std::int64_t column = 0; column < all.columns; ++column)
                                     cells.push_back(all.at(row, column));
                             return cells;
                         }()),
              agreement);
}

// Every place of a model, off in turn.
std::vector<std::string> places_of(const GoldenModel& golden, const ModelGraph& graph) {
    std::vector<std::string> places;
    const auto add = [&](const std::string& stack, std::int64_t layers, bool encoder) {
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            const std::size_t group = graph.group_of(layer_kind(golden.architecture, layer, encoder));
            places.push_back(stack + "stream." + std::to_string(layer) + "@2");
            for (std::size_t i = 0; i < graph.blocks.size(); ++i) {
                const Block& block = graph.blocks[i];
                if (!graph.is_part(static_cast<BlockIndex>(i), graph.layers[group].block)) continue;
                const bool heads = std::ranges::any_of(
                    graph.blocks, [&](const Block& each) { return each.kind == BlockKind::head && each.parent == i; });
                const std::string name = stack + "layer." + std::to_string(layer) + "." + block.name;
                places.push_back(name);
                if (heads) places.push_back(name + ".head:1");
                const bool experts = block.kind == BlockKind::feed_forward && graph.layers[group].group.kind.mixture;
                if (experts) places.push_back(name + ".expert:1");
                if (block.kind == BlockKind::feed_forward)
                    places.push_back(name + (experts ? ".expert:1" : "") + ".neuron:2");
            }
        }
    };
    // Every activation of the first layer of each kind, and those outside of layers.
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& tensor = graph.tensors[i];
        const std::optional<std::size_t> group = graph.layer_of(tensor.block);
        std::int64_t layer = 0;
        while (group && graph.group_of(
                            layer_kind(golden.architecture, layer, graph.layers[*group].group.kind.encoder)) != *group)
            ++layer;
        std::optional<ChangePlace> place = place_of(graph, static_cast<TensorIndex>(i), layer);
        if (!place) continue;
        if (graph.is(tensor.block, BlockKind::head)) place->head = 0;
        if (graph.is(tensor.block, BlockKind::expert)) place->expert = 1;
        place->column = 0;
        places.push_back(place_text(*place));
        place->token = 1;
        places.push_back(place_text(*place));
    }
    if (golden.architecture.encoder) add("encoder.", golden.architecture.encoder->layers, true);
    add("", golden.architecture.layers, false);
    return places;
}

std::vector<float> cells_of(const MatrixView& view) {
    std::vector<float> cells;
    for (std::int64_t row = 0; row < view.rows; ++row)
        for (std::int64_t column = 0; column < view.columns; ++column) cells.push_back(view.at(row, column));
    return cells;
}

double apart(const headcount::Run& a, const headcount::Run& b) {
    return difference(logits_of(a), cells_of(logits_of(b)));
}

class ChangedRun : public testing::TestWithParam<std::string> {
  protected:
    headcount::Run changed(const NodeChange& change) const {
        headcount::Run run = start(model);
        give_texts(run, golden);
        run.set_changes({change});
        return run;
    }

    GoldenModel golden = golden_run(GetParam());
    std::shared_ptr<const Model> model = model_of(golden);
    RunLengths lengths = lengths_of(golden.prompt, golden.source);
};

// Of every family's small model. Expert 1 may have been sent no token, and a pooler sees the first token alone.
TEST_P(ChangedRun, EveryPlaceChangesWhatComesOutAndTokenByTokenTheSame) {
    headcount::Run whole = start(model);
    give_texts(whole, golden);
    append(whole, golden.prompt);
    for (const std::string& place : places_of(golden, model->graph)) {
        const NodeChange change = resolved(*model, Change::Kind::off, place, lengths);
        headcount::Run at_once = changed(change), one_by_one = changed(change);
        append(at_once, golden.prompt);
        for (const std::int32_t id : golden.prompt) append(one_by_one, std::span(&id, 1));
        EXPECT_LE(apart(one_by_one, at_once), 2 * agreement) << place;  // what is off may make rounding more
        const bool must_show = !change.copy && !change.token && change.columns > 1;
        EXPECT_TRUE(!must_show || apart(at_once, whole) > 1e-4) << place;
    }
}

TEST_P(ChangedRun, WhatIsTakenFromTheSameRunChangesNothing) {
    const Scratch scratch;
    const std::string file = (scratch.folder() / "dump.safetensors").string();
    headcount::Run whole = start(model);
    give_texts(whole, golden);
    append(whole, golden.prompt);
    ASSERT_FALSE(write_activations(whole, file));
    for (const std::string& place : places_of(golden, model->graph)) {
        const NodeChange change = resolved(*model, Change::Kind::patch, place + "=" + file, lengths);
        EXPECT_FALSE(change.rows.empty() && !change.copy) << place;
        headcount::Run again = changed(change);
        append(again, golden.prompt);
        EXPECT_EQ(apart(again, whole), 0) << place;
    }
}

INSTANTIATE_TEST_SUITE_P(Runtime, ChangedRun, testing::ValuesIn(golden_runs_of_text()), [](const auto& instance) {
    std::string name = instance.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST(Changes, ScaleTheColumnsOfTheirHeadAlone) {
    const auto model = llama_model();
    headcount::Run plain = start(model), scaled = start(model);
    scaled.set_changes({resolved(*model, Change::Kind::scale, "layer.0.attention.head:2=-3", lengths_of(seven_ids))});
    append(plain, seven_ids);
    append(scaled, seven_ids);
    const MatrixView before = activation_of(plain, "layer.attention.joined");
    const MatrixView after = activation_of(scaled, "layer.attention.joined");
    for (std::int64_t row = 0; row < before.rows; ++row)
        for (std::int64_t column = 0; column < before.columns; ++column)
            EXPECT_EQ(after.at(row, column), (column / 8 == 2 ? -3 : 1) * before.at(row, column));
    EXPECT_EQ(cells_of(activation_of(scaled, "layer.attention.head.output", 0, 2)).front(), after.at(0, 16));
}

TEST(Changes, AreObeyedInTheirOrderAndForgottenWithTheNextOnes) {
    const auto model = llama_model();
    const auto change = [&](Change::Kind kind, const char* text) {
        return resolved(*model, kind, text, lengths_of(seven_ids));
    };
    headcount::Run plain = start(model), twice = start(model);
    append(plain, seven_ids);
    const NodeChange half = change(Change::Kind::scale, "layer.1.feed_forward=0.5");
    const NodeChange back = change(Change::Kind::scale, "layer.1.feed_forward=2");
    twice.set_changes({half, back});
    append(twice, seven_ids);
    EXPECT_EQ(apart(twice, plain), 0);
    twice.keep_first(0);
    twice.set_changes({half, back, change(Change::Kind::off, "layer.1.feed_forward")});
    append(twice, seven_ids);
    for (const float each : cells_of(activation_of(twice, "layer.feed_forward.output", 1))) EXPECT_EQ(each, 0);
    twice.keep_first(0);
    twice.set_changes({});
    append(twice, seven_ids);
    EXPECT_EQ(apart(twice, plain), 0);
}

// With all of a token's stream another run's, the scores behind it are that run's, and no earlier token's are.
TEST(Changes, WhatLeavesTheLastLayerDecidesTheScores) {
    const Scratch scratch;
    const auto model = llama_model();
    const std::string file = (scratch.folder() / "other.safetensors").string();
    const std::vector<std::int32_t> other_prompt{9, 8, 7, 6, 5, 4, 3, 2};
    headcount::Run other = start(model), plain = start(model), patched = start(model);
    append(other, other_prompt);
    ASSERT_FALSE(write_activations(other, file));
    append(plain, seven_ids);
    patched.set_changes({resolved(*model, Change::Kind::patch, "stream.1@4=" + file, lengths_of(seven_ids))});
    append(patched, seven_ids);
    for (std::int64_t row = 0; row < 7; ++row)
        for (std::int64_t column = 0; column < 50; ++column)
            EXPECT_EQ(logits_of(patched).at(row, column), logits_of(row == 4 ? other : plain).at(row, column));
}

TEST(Changes, OneTokensNumbersAreTakenFromARunOfAnotherLength) {
    const Scratch scratch;
    const auto model = llama_model();
    const std::string file = (scratch.folder() / "other.safetensors").string();
    headcount::Run other = start(model), plain = start(model), patched = start(model);
    append(other, std::vector<std::int32_t>{9, 8, 7, 6, 5, 4, 3, 2});
    ASSERT_FALSE(write_activations(other, file));
    append(plain, seven_ids);
    patched.set_changes(
        {resolved(*model, Change::Kind::patch, "layer.0.attention.keys.column:3@4=" + file, lengths_of(seven_ids))});
    append(patched, seven_ids);
    const auto keys = [](const headcount::Run& run) { return activation_of(run, "layer.attention.keys"); };
    for (std::int64_t row = 0; row < 7; ++row)
        for (std::int64_t column = 0; column < keys(plain).columns; ++column)
            EXPECT_EQ(keys(patched).at(row, column), keys(row == 4 && column == 3 ? other : plain).at(row, column));
}

TEST(Changes, AnUnfitFileIsASentence) {
    const Scratch scratch;
    const auto model = llama_model();
    const auto dump = [&](const char* name, const std::vector<std::int32_t>& ids) {
        headcount::Run run = start(model);
        append(run, ids);
        const std::string file = (scratch.folder() / name).string();
        EXPECT_FALSE(write_activations(run, file));
        return file;
    };
    const auto refused = [](const std::string& place, const std::string& file) {
        return refusal(place + "=" + file, Change::Kind::patch);
    };
    const std::string shorter = dump("short", {1, 2, 3});
    EXPECT_EQ(refused("layer.0.attention", shorter),
              "'layer.0.attention.output' has the shape [3, 32], not [7, 32]: layer.0.attention, " + shorter +
                  ": give the dump of a run of the same model on as many tokens, or name one token alone, as "
                  "layer.0.attention@0");
    for (const char* place : {"stream.0", "layer.0.attention", "layer.0.attention.head:1", "layer.0.attention.keys"}) {
        SCOPED_TRACE(place);
        EXPECT_EQ(refused(place + std::string("@2"), shorter), "") << "one token is taken, however many there are";
        const std::string beyond = refused(place + std::string("@3"), shorter);
        EXPECT_NE(beyond.find("has the shape [3, "), std::string::npos) << beyond;
        EXPECT_NE(beyond.find("not [4, "), std::string::npos) << beyond;
    }
    EXPECT_NE(refused("layer.0.attention.head.scores.head:0@2", shorter), "") << "a column for each token";
    EXPECT_NE(refused("layer.0.attention", scratch.file("no", "{}")), "");
    const std::string weights = shipped_folder("tiny-stories") / "model.safetensors";
    EXPECT_EQ(refused("stream.0@2", weights), "the file has no tensor 'hidden.1': stream.0@2, " + weights +
                                                  ": give what --dump wrote of a run of the same model");
    EXPECT_TRUE(refused("stream.0@2", "/no/file").find("/no/file") != std::string::npos);
    // A number that is none, in the place of the first.
    const std::string broken = dump("broken", seven_ids);
    const Result<Checkpoint> file = read_checkpoint(broken);
    ASSERT_TRUE(file);
    const auto hidden = std::ranges::find(file->tensors, "hidden.1", &CheckpointTensor::name);
    ASSERT_NE(hidden, file->tensors.end());
    std::fstream bytes(broken, std::ios::in | std::ios::out | std::ios::binary);
    const float none = std::nanf("");
    bytes.seekp(static_cast<std::streamoff>(hidden->offset));
    bytes.write(reinterpret_cast<const char*>(&none), sizeof none);
    bytes.close();
    EXPECT_EQ(refused("stream.0@2", broken),
              "'hidden.1' holds a number that is none: stream.0@2, " + broken + ": give another run's dump");
}

}  // namespace
}  // namespace headcount
