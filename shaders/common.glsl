// What begins every shader: how words of a texture become numbers and colours.

// A colour as the program packs it, red lowest, with red, green and blue multiplied by alpha: the form in which colours
// can be averaged.
vec4 unpack_colour(uint word) {
    vec4 colour = vec4(uvec4(word, word >> 8, word >> 16, word >> 24) & 255u) / 255.0;
    return vec4(colour.rgb * colour.a, colour.a);
}

// Four words, or one, of those that lie in a texture: in rows, for no browser has buffers that a shader could read.
const int words_a_row = 1024;
uvec4 word(usampler2D words, int index) {
    return texelFetch(words, ivec2(index % words_a_row, index / words_a_row), 0);
}

// One premultiplied colour over another.
vec4 over(vec4 top, vec4 bottom) {
    return top + bottom * (1.0 - top.a);
}
