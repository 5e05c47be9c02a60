// Makes of what pack.py packed what it was, as much of it as has come; page.js puts the pieces in and takes them out.
#include <zstd.h>

static char packed[1 << 17], unpacked[1 << 17];
static ZSTD_inBuffer from = {packed, 0, 0};
static ZSTD_DCtx* state;
static size_t wanted = 1;

char* packed_place(void) {
    return packed;
}
char* unpacked_place(void) {
    return unpacked;
}
int room(void) {
    return sizeof packed;
}

// So many bytes, at most as there is room, now stand where packed ones do.
void take(int bytes) {
    from.size = (size_t)bytes;
    from.pos = 0;
}

// How many bytes now stand where unpacked ones do, to be called until there are none; -1 where these were never packed.
int unpack(void) {
    if (!state) state = ZSTD_createDCtx();
    if (from.pos == from.size && wanted == 0) return 0;
    ZSTD_outBuffer to = {unpacked, sizeof unpacked, 0};
    wanted = ZSTD_decompressStream(state, &to, &from);
    return ZSTD_isError(wanted) ? -1 : (int)to.pos;
}

int is_whole(void) {
    return wanted == 0;
}
