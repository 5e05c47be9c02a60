// What the file dialog lists, and what typed text means in it.
#include "app/bars/folder_list.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::Scratch;

std::vector<std::string> names(const FolderList& list, std::string_view filter = "") {
    std::vector<std::string> all;
    for (const int index : matching_entries(list, filter))
        all.push_back(list.entries[static_cast<std::size_t>(index)].name);
    return all;
}

EntryKind kind_of(const FolderList& list, std::string_view name) {
    for (const FolderEntry& entry : list.entries)
        if (entry.name == name) return entry.kind;
    ADD_FAILURE() << name;
    return EntryKind::other;
}

TEST(FolderList, HasFoldersFirstAndSaysWhatCanBeOpened) {
    const Scratch scratch;
    for (const char* name : {"b.gguf", "A.safetensors", "readme.md", "x.headcount", ".hidden.json", "model.bin"})
        scratch.file(name, "x");
    scratch.file("zoo/config.json", "{}");
    scratch.file("plain/readme.md", "x");
    const FolderList list = read_folder(scratch.folder(), info(FileTask::open));
    EXPECT_EQ(names(list), (std::vector<std::string>{"plain", "zoo", "A.safetensors", "b.gguf", "model.bin",
                                                     "readme.md", "x.headcount"}));
    EXPECT_EQ(kind_of(list, "zoo"), EntryKind::model_folder);
    EXPECT_EQ(kind_of(list, "plain"), EntryKind::folder);
    EXPECT_EQ(kind_of(list, "b.gguf"), EntryKind::file);
    EXPECT_EQ(kind_of(list, "readme.md"), EntryKind::other);
    const FolderList model = read_folder(scratch.folder() / "zoo", info(FileTask::open));
    EXPECT_EQ(model.entries.front().kind, EntryKind::this_folder);
}

TEST(FolderList, ToSaveInOnlyFilesOfTheEndingCanBeChosen) {
    const Scratch scratch;
    scratch.file("a.csv", "x");
    scratch.file("b.CSV", "x");
    scratch.file("config.json", "{}");
    const FolderList list = read_folder(scratch.folder(), info(FileTask::csv));
    EXPECT_EQ(kind_of(list, "a.csv"), EntryKind::file);
    EXPECT_EQ(kind_of(list, "b.CSV"), EntryKind::file);
    EXPECT_EQ(kind_of(list, "config.json"), EntryKind::other);
    EXPECT_NE(list.entries.front().kind, EntryKind::this_folder);
}

TEST(FolderList, AnswersAreFilesOrTheFolderWithThem) {
    const Scratch scratch;
    for (const char* name : {"ada.json", "class.csv", "model.gguf"}) scratch.file(name, "x");
    const FolderList list = read_folder(scratch.folder(), info(FileTask::open_class));
    EXPECT_EQ(kind_of(list, "This folder"), EntryKind::this_folder);
    EXPECT_EQ(kind_of(list, "ada.json"), EntryKind::file);
    EXPECT_EQ(kind_of(list, "class.csv"), EntryKind::file);
    EXPECT_EQ(kind_of(list, "model.gguf"), EntryKind::other);
}

TEST(FolderList, WhatIsSavedAsAFolderWritesOverNoFile) {
    const Scratch scratch;
    for (const char* name : {"model.gguf", "plain/config.json"}) scratch.file(name, "x");
    const FolderList list = read_folder(scratch.folder(), info(FileTask::trained));
    EXPECT_EQ(kind_of(list, "plain"), EntryKind::folder);
    EXPECT_EQ(kind_of(list, "model.gguf"), EntryKind::other);
}

TEST(FolderList, SaysWhyAFolderCannotBeListed) {
    const Scratch scratch;
    const FolderList list = read_folder(scratch.folder() / "none", info(FileTask::open));
    EXPECT_NE(list.failure.find("none cannot be listed"), std::string::npos) << list.failure;
}

TEST(FolderList, FiltersByEveryWordAndPutsBeginningsFirst) {
    const Scratch scratch;
    for (const char* name : {"my-llama.gguf", "llama-3-8B.gguf", "gpt2.gguf"}) scratch.file(name, "x");
    const FolderList list = read_folder(scratch.folder(), info(FileTask::open));
    EXPECT_EQ(names(list, "LLAMA"), (std::vector<std::string>{"llama-3-8B.gguf", "my-llama.gguf"}));
    EXPECT_EQ(names(list, "8b lla"), (std::vector<std::string>{"llama-3-8B.gguf"}));
    EXPECT_TRUE(names(list, "nothing").empty());
}

TEST(FolderList, ReadsTypedTextAsAFilterOrAPath) {
    setenv("HOME", "/home/me", 1);
    const auto read = [](std::string_view text) {
        const TypedPath path = typed_path("/models", text);
        return path.folder.string() + " | " + path.rest;
    };
    EXPECT_EQ(read(""), "/models | ");
    EXPECT_EQ(read("lla"), "/models | lla");
    EXPECT_EQ(read("sub/lla"), "/models/sub | lla");
    EXPECT_EQ(read("/"), "/ | ");
    EXPECT_EQ(read("/tmp/x.json"), "/tmp | x.json");
    EXPECT_EQ(read("~"), "/home/me | ");
    EXPECT_EQ(read("~/a/b"), "/home/me/a | b");
    EXPECT_EQ(read(".."), "/ | ");
    EXPECT_EQ(read("../x"), "/ | x");
}

TEST(FolderList, CompletesAsFarAsAllAgree) {
    const Scratch scratch;
    for (const char* name : {"model-1.gguf", "model-2.gguf", "Other.gguf"}) scratch.file(name, "x");
    scratch.file("folder/x", "x");
    const FolderList list = read_folder(scratch.folder(), info(FileTask::open));
    EXPECT_EQ(completed(list, "mo"), "model-");
    EXPECT_EQ(completed(list, "model-1"), "model-1.gguf");
    EXPECT_EQ(completed(list, "o"), "Other.gguf");
    EXPECT_EQ(completed(list, "f"), "folder/");
    EXPECT_EQ(completed(list, "none"), "none");
}

}  // namespace
}  // namespace headcount
