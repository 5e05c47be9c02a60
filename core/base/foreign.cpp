#include "core/base/foreign.hpp"

#include <array>
#include <string_view>

namespace headcount {
namespace {

using namespace std::string_view_literals;

struct Foreign {
    std::string_view begins;
    const char* what;
    const char* fix;
};

constexpr const char* convert = "convert it to safetensors; reading it would mean running what it holds";
constexpr const char* older = "convert it to GGUF with the tools of llama.cpp";
constexpr const char* download = "download the file itself";

constexpr std::array<Foreign, 13> foreign{{
    {"PK\3\4"sv, "this is a zip archive, as PyTorch's .bin and .pt files are", convert},
    {"\x80\2"sv, "this is a Python pickle, as PyTorch's older files are", convert},
    {"\x80\4"sv, "this is a Python pickle", convert},
    {"lmgg"sv, "this is a ggml file, older than GGUF", older},
    {"fmgg"sv, "this is a ggml file, older than GGUF", older},
    {"tjgg"sv, "this is a ggjt file, older than GGUF", older},
    {"\x89HDF\r\n"sv, "this is an HDF5 file", "export the model as safetensors"},
    {"\x93NUMPY"sv, "this is a NumPy array", "export the model as safetensors"},
    {"version https://git-lfs"sv, "this is a Git LFS pointer that stands for the file", "fetch the file: git lfs pull"},
    {"<!DOCTYPE"sv, "this is a web page", download},
    {"<!doctype"sv, "this is a web page", download},
    {"<html"sv, "this is a web page", download},
    {"\x1F\x8B"sv, "this is compressed by gzip", "unpack it"},
}};

}  // namespace

std::optional<Error> foreign_format(std::span<const std::byte> bytes, const std::string& name) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (const Foreign& each : foreign)
        if (text.starts_with(each.begins)) return Error{each.what, name + ", byte 0", each.fix};
    return std::nullopt;
}

}  // namespace headcount
