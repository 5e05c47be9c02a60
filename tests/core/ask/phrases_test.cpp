// Claims about assets/ask/phrases.json.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "core/ask/words.hpp"
#include "core/files/presets.hpp"
#include "core/graph/graph.hpp"

namespace headcount {
namespace {

TEST(AskPhrases, NoWordsMeanTwoThings) {
    std::set<std::string> seen;
    for (const AskPhrase& phrase : ask_phrases()) EXPECT_TRUE(seen.insert(phrase.words).second) << phrase.words;
    EXPECT_GT(seen.size(), 500U);
}

TEST(AskPhrases, AreSpelledAsAQuestionIsRead) {
    for (const AskPhrase& phrase : ask_phrases()) {
        const std::vector<Atom> atoms = atoms_of(phrase.words);
        EXPECT_EQ(spelled_at(atoms, 0, phrase.words), atoms.size()) << phrase.words;
        EXPECT_FALSE(atoms.empty());
    }
}

TEST(AskPhrases, WhatTheySpeakOfIsInTheGraphOfSomePreset) {
    std::set<std::string> ids;
    for (const Preset& preset : *shipped_presets())
        for (const Cache cache : {Cache::empty, Cache::filled})
            for (const Tensor& tensor : expand(preset.architecture, cache).tensors) ids.insert(tensor.id);
    for (const Notion& notion : notions())
        for (const std::string& places : {notion.activation, notion.head, notion.parameter}) {
            std::istringstream words(places);
            for (std::string id; words >> id;) EXPECT_TRUE(ids.count(id)) << notion.name << ": " << id;
        }
}

}  // namespace
}  // namespace headcount
