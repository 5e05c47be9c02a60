// Fuzzes the reader of an index of safetensors files, without the shards.
#include <filesystem>

#include "core/checkpoints/safetensors.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace headcount;
    const Result<ShardIndex> index = parse_safetensors_index(fuzz::text_of(data, size), "FILE");
    if (!fuzz::read_or_refused(index)) return 0;
    for (const std::string& shard : index->shards)
        fuzz::demand(std::filesystem::path(shard).filename() == shard && shard != "..", "shards lie beside the index");
    for (const ShardIndex::Entry& entry : index->entries)
        fuzz::demand(entry.shard < index->shards.size(), "a tensor lies in a shard that is there");
    return 0;
}
