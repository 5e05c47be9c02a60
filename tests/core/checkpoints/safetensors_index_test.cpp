// An index of safetensors files and the shards beside it: what they say together, and where they contradict each other.
#include <gtest/gtest.h>

#include "core/checkpoints/safetensors.hpp"
#include "tests/core/checkpoints/refusal.hpp"
#include "tests/core/checkpoints/safetensors_file.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using namespace testing_data;

Result<ShardIndex> as_index(std::string_view text) { return parse_safetensors_index(text, "bad.json"); }
std::string refused_map(const std::string& entries) { return refusal(as_index(R"({"weight_map":{)" + entries + "}}")); }

// An index in a folder of its own, with its shards.
class Model {
  public:
    void shard(const std::string& name, const std::vector<Bf16Tensor>& tensors) {
        const SafetensorsHead head = safetensors_head(tensors);
        std::filesystem::resize_file(scratch_.file(name, head.bytes), head.whole);
    }
    Result<Checkpoint> read(const nlohmann::json& index) {
        return read_checkpoint(scratch_.file("model.safetensors.index.json", index.dump()));
    }
    // Without the scratch folder.
    std::string refusal(const nlohmann::json& index) {
        std::string text = testing_data::refusal(read(index));
        const std::string folder = scratch_.folder().string() + "/";
        for (std::size_t at; (at = text.find(folder)) != std::string::npos;) text.erase(at, folder.size());
        return text;
    }
    std::filesystem::path folder() const { return scratch_.folder(); }

  private:
    Scratch scratch_;
};

TEST(SafetensorsIndex, PutsTheShardsTensorsTogether) {
    Model model;
    model.shard("model-2.safetensors", {{"norm", {8}}, {"head", {16, 8}}});
    model.shard("model-1.safetensors", {{"embedding", {16, 8}}});
    const Result<Checkpoint> whole = model.read(
        {{"metadata", {{"total_size", 528}, {"kind", "test"}, {"nested", {1, 2}}}},
         {"weight_map",
          {{"head", "model-2.safetensors"}, {"norm", "model-2.safetensors"}, {"embedding", "model-1.safetensors"}}}});
    ASSERT_TRUE(whole) << sentence(whole.error());
    EXPECT_EQ(whole->files, (std::vector<std::filesystem::path>{model.folder() / "model-1.safetensors",
                                                                model.folder() / "model-2.safetensors"}));
    ASSERT_EQ(whole->tensors.size(), 3u);
    EXPECT_EQ(whole->tensors[0].name, "embedding");
    EXPECT_EQ(whole->tensors[0].file, 0u);
    EXPECT_EQ(whole->tensors[1].name, "norm");
    EXPECT_EQ(whole->tensors[1].file, 1u);
    EXPECT_EQ(whole->tensors[2].shape, (std::vector<std::int64_t>{16, 8}));
    EXPECT_EQ(whole->metadata, nlohmann::json({{"total_size", 528}, {"kind", "test"}, {"format", "pt"}}));
    EXPECT_EQ(whole->format, "safetensors");
    const auto on_disk = std::filesystem::file_size(whole->files[0]) + std::filesystem::file_size(whole->files[1]);
    EXPECT_EQ(whole->bytes, static_cast<std::int64_t>(on_disk));
}

TEST(SafetensorsIndex, TensorsThatTheMapLeavesOutAreListedAllTheSame) {
    Model model;
    model.shard("a.safetensors", {{"one", {8}}, {"extra", {8}}});
    const Result<Checkpoint> whole = model.read({{"weight_map", {{"one", "a.safetensors"}}}});
    ASSERT_TRUE(whole) << sentence(whole.error());
    EXPECT_EQ(whole->tensors.size(), 2u);
}

TEST(SafetensorsIndex, AShardsHeaderMayBeLong) {
    Model model;
    std::vector<Bf16Tensor> tensors;
    for (int i = 0; i < 2000; ++i) tensors.push_back({"a.rather.long.name.of.tensor." + std::to_string(i), {4}});
    model.shard("a.safetensors", tensors);
    model.shard("b.safetensors", {{"last", {4}}});
    const nlohmann::json map = {{tensors[1999].name, "a.safetensors"}, {"last", "b.safetensors"}};
    const Result<Checkpoint> whole = model.read({{"weight_map", map}});
    ASSERT_TRUE(whole) << sentence(whole.error());
    EXPECT_EQ(whole->tensors.size(), 2001u);
}

TEST(SafetensorsIndex, AThousandShardsAreAThousandFiles) {
    Model model;
    nlohmann::json map = nlohmann::json::object();
    for (int i = 0; i < 1000; ++i) {
        const std::string number = std::to_string(10'000 + i), shard = "model-" + number + ".safetensors";
        model.shard(shard, {{number + ".up", {4096, 1024}}, {number + ".down", {1024, 4096}}});
        map[number + ".up"] = map[number + ".down"] = shard;
    }
    const Result<Checkpoint> whole = model.read({{"weight_map", map}});
    ASSERT_TRUE(whole) << sentence(whole.error());
    EXPECT_EQ(whole->files.size(), 1000u);
    ASSERT_EQ(whole->tensors.size(), 2000u);
    EXPECT_EQ(whole->tensors.back().name, "10999.down");
    EXPECT_EQ(whole->tensors.back().file, 999u);
}

TEST(HostileIndex, IndicesThatAreNone) {
    EXPECT_EQ(refusal(as_index("")), "there is nothing in it: bad.json");
    EXPECT_EQ(refusal(as_index("[]")), "an index's top is an object, not an array: bad.json");
    EXPECT_EQ(refusal(as_index("7")), "an object was expected: bad.json");
    EXPECT_EQ(refusal(as_index("{}")), "weight_map is missing: bad.json");
    EXPECT_EQ(refusal(as_index(R"({"weight_map":)")),
              "this is not JSON: it ends in the middle: bad.json, line 1, column 15");
    EXPECT_EQ(refusal(as_index(R"({"weight_map":[]})")),
              "an array, where an object was expected: bad.json, /weight_map");
    EXPECT_EQ(refusal(as_index(R"({"weight_map":7})")), "an object was expected: bad.json, /weight_map");
    EXPECT_EQ(refusal(as_index(R"({"weight_map":{}})")), "it names no tensors: bad.json, /weight_map");
    EXPECT_EQ(refusal(as_index(R"({"metadata":"x"})")), "an object was expected: bad.json, /metadata");
    EXPECT_EQ(refusal(as_index(R"({"weight_map":{},"weight_map":{}})")),
              "this key stands there twice: bad.json, /weight_map");
    EXPECT_EQ(refusal(as_index(R"({"metadata":{"a":1,"a":2}})")), "this key stands there twice: bad.json, /metadata/a");
    EXPECT_EQ(refusal(as_index("\xEF\xBB\xBF{}")), "a byte order mark before JSON: bad.json, line 1, column 1");
    EXPECT_EQ(refusal(as_index("{\"\x80\":1}")), "a text is not UTF-8: bad.json, line 1, column 3");
    EXPECT_TRUE(refusal(as_index(R"({"x":)" + std::string(100'000, '[')))
                    .starts_with("nested more than 64 deep: bad.json, /x/0/0"));
}

TEST(HostileIndex, EntriesOfTheMapThatNameNoFileBesideIt) {
    EXPECT_EQ(refused_map(R"("a":7)"), "a shard's file name was expected: bad.json, /weight_map/a");
    EXPECT_EQ(refused_map(R"("a":{"b":"c"})"), "a shard's file name was expected: bad.json, /weight_map/a");
    for (const char* name : {"/etc/passwd", "../secret", "..", ".", "", "a/b", R"(..\\b)", R"(a\u0000b)"})
        EXPECT_TRUE(refused_map(R"("a":")" + std::string(name) + "\"")
                        .ends_with("' is not the plain name of a file beside the index: bad.json, /weight_map/a"))
            << name;
    EXPECT_TRUE(refused_map(R"("a":")" + std::string(256, 'x') + "\"").find("is not the plain name") < 100);
    EXPECT_EQ(refused_map(R"("a":"x","b":"x","a":"y")"), "this tensor stands there twice: bad.json, /weight_map/a");
}

TEST(HostileIndex, ShardsThatDoNotHoldWhatTheMapSays) {
    Model model;
    model.shard("a.safetensors", {{"one", {8}}, {"two", {8}}});
    model.shard("b.safetensors", {{"three", {8}}});
    model.shard("c.safetensors", {{"one", {8}}});
    const auto map = [](const nlohmann::json& entries) { return nlohmann::json({{"weight_map", entries}}); };
    EXPECT_EQ(model.refusal(map({{"four", "a.safetensors"}})),
              "'a.safetensors' does not hold this tensor: model.safetensors.index.json, /weight_map/four");
    EXPECT_EQ(model.refusal(map({{"one", "a.safetensors"}, {"two", "b.safetensors"}})),
              "'b.safetensors' does not hold this tensor, 'a.safetensors' does: model.safetensors.index.json, "
              "/weight_map/two");
    EXPECT_EQ(model.refusal(map({{"two", "a.safetensors"}, {"one", "c.safetensors"}})),
              "this tensor is in two shards, 'a.safetensors' and 'c.safetensors': model.safetensors.index.json, "
              "/weight_map/one");
    EXPECT_EQ(model.refusal(map({{"one", "gone.safetensors"}})),
              "cannot be read: No such file or directory: of the shards that the index names, gone.safetensors");
}

TEST(HostileIndex, AShardThatIsBrokenIsNamed) {
    Model model;
    const nlohmann::json index = {{"weight_map", {{"one", "a.safetensors"}}}};
    model.shard("a.safetensors", {{"one", {8}}});
    std::filesystem::resize_file(model.folder() / "a.safetensors", 40);
    EXPECT_EQ(model.refusal(index),
              "the file ends within the header: 89 bytes were expected, 32 are there: of the shards that the index "
              "names, a.safetensors, byte 8");
    std::filesystem::remove(model.folder() / "a.safetensors");
    std::filesystem::create_directory(model.folder() / "a.safetensors");
    EXPECT_EQ(model.refusal(index), "this is a directory: of the shards that the index names, a.safetensors");
}

}  // namespace
}  // namespace headcount
