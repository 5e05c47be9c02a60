// Meta's params.json, and the vocabulary that it leaves to the tokenizer beside it.
#include "core/files/params.hpp"

#include <gtest/gtest.h>

#include "core/arch/family.hpp"
#include "core/arch/validate.hpp"
#include "core/files/open.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::Scratch;

constexpr const char* llama_2_70b =
    R"({"dim": 8192, "multiple_of": 4096, "ffn_dim_multiplier": 1.3, "n_heads": 64, "n_kv_heads": 8, "n_layers": 80,
        "norm_eps": 1e-05, "vocab_size": -1})";

// One SentencePiece piece: field 1, a message of `length` bytes.
std::string piece(std::size_t length) {
    return std::string("\x0a") + static_cast<char>(length) + std::string(length, 'x');
}

TEST(Params, AreReadWithMetasRule) {
    Result<Architecture> arch = read_params(nlohmann::json::parse(llama_2_70b), 32000, "params.json");
    ASSERT_TRUE(arch) << sentence(arch.error());
    const Bindings values = bindings(*arch, {});
    EXPECT_EQ(values[Symbol::ffn_dim], 28672);
    EXPECT_EQ(in_symbols(ffn_dim_rule(*arch)), "ceil_to(13·(2·4·d/3)/10, 4096)");
    EXPECT_EQ(kv_heads(*arch), 8);
    EXPECT_EQ(arch->vocab, 32000);
    EXPECT_EQ(arch->norm.epsilon, 1e-5);
}

TEST(Params, OfMistralGiveTheWidth) {
    Result<Architecture> arch = read_params(
        nlohmann::json::parse(
            R"({"dim": 4096, "n_layers": 32, "head_dim": 128, "hidden_dim": 14336, "n_heads": 32, "n_kv_heads": 8,
                "norm_eps": 1e-05, "vocab_size": 32000})"),
        {}, "params.json");
    ASSERT_TRUE(arch) << sentence(arch.error());
    EXPECT_EQ(arch->family->type, "mistral");
    EXPECT_EQ(bindings(*arch, {})[Symbol::ffn_dim], 14336);
}

TEST(Params, AskForAVocabularyThatNobodySays) {
    Scratch scratch;
    Result<Opened> opened = open_architecture(scratch.file("params.json", llama_2_70b), {});
    ASSERT_TRUE(opened) << sentence(opened.error());
    EXPECT_EQ(opened->architecture.vocab, 0);
    ASSERT_EQ(validate(opened->architecture).size(), 1u);
    ASSERT_FALSE(opened->notes.empty());
    EXPECT_NE(opened->notes.front().find("vocabulary"), std::string::npos);
}

TEST(Params, TakeTheVocabularyFromTheTokenizerBesideThem) {
    Scratch scratch;
    const std::string path = scratch.file("params.json", llama_2_70b);
    scratch.file("tokenizer.model", piece(3) + piece(100) + piece(0));
    EXPECT_EQ(open_architecture(path, {})->architecture.vocab, 3);
    scratch.file("tokenizer.model", "IQ== 0\nIg== 1\n");
    EXPECT_EQ(open_architecture(path, {})->architecture.vocab, 2 + 256) << "Llama 3's list and its special tokens";
    std::filesystem::remove(scratch.folder() / "tokenizer.model");
    scratch.file("tokenizer.json", R"({"model": {"vocab": {"a": 0, "b": 1}}, "added_tokens": [{"id": 9}]})");
    EXPECT_EQ(open_architecture(path, {})->architecture.vocab, 10);
}

TEST(Params, NameWhatTheyDoNotRead) {
    const Scratch scratch;
    const auto notes = [&](const std::string& more) {
        const Result<Opened> opened = open_architecture(
            scratch.file("params.json", R"({"dim": 64, "n_layers": 2, "n_heads": 4, "vocab_size": 100, )" + more + "}"),
            {});
        return opened ? opened->notes : std::vector<std::string>{sentence(opened.error())};
    };
    const std::vector<std::string> unread = notes(R"("rope_theta": 500000.0, "moe_args": {"num_experts": 16})");
    ASSERT_EQ(unread.size(), 1u);
    EXPECT_EQ(unread.front(), "Not read, though it may change shapes: moe_args.");
    const std::vector<std::string> scaled = notes(R"("use_scaled_rope": true)");
    ASSERT_EQ(scaled.size(), 1u);
    EXPECT_TRUE(scaled.front().starts_with("Assumed")) << scaled.front();
    EXPECT_TRUE(notes(R"("rope_theta": 10000.0)").empty());
}

TEST(Params, RefuseWhatIsNone) {
    for (const char* text :
         {R"({"dim": "a", "n_layers": 2})", R"({"dim": 0, "n_layers": 2, "n_heads": 2})",
          R"({"dim": 64, "n_layers": 2, "n_heads": 0})", R"({"dim": 64, "n_layers": 2, "n_heads": 4, "moe": 3})",
          R"({"dim": 64, "n_layers": 2, "n_heads": 4, "ffn_dim_multiplier": -1})",
          R"({"dim": 64, "n_layers": 2, "n_heads": 4, "multiple_of": "x"})",
          R"({"dim": 64, "n_layers": 2, "n_heads": 5})",
          R"({"dim": 64, "n_layers": 2, "n_heads": 4, "vocab_size": -2})"}) {
        Result<Architecture> arch = read_params(nlohmann::json::parse(text), 32000, "params.json");
        ASSERT_FALSE(arch) << text;
        EXPECT_NE(arch.error().where.find("params.json"), std::string::npos) << sentence(arch.error());
    }
}

TEST(TokenizerSize, RefusesWhatIsNoTokenizer) {
    const std::string cut = piece(100).substr(0, 50);
    for (const std::string& bytes : {std::string(), cut, std::string("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
                                     std::string(20, '\xff'), std::string("\x10\x01")}) {
        Result<std::int64_t> pieces = pieces_in(bytes, "tokenizer.model");
        ASSERT_FALSE(pieces);
        EXPECT_NE(pieces.error().where.find("tokenizer.model"), std::string::npos);
    }
    Scratch scratch;
    for (const char* text : {"{}", R"({"model": 3})", R"({"model": {"vocab": 3}})", "[]", "{"}) {
        scratch.file("tokenizer.json", text);
        EXPECT_FALSE(tokenizer_size_beside(scratch.folder())) << text;
    }
}

}  // namespace
}  // namespace headcount
