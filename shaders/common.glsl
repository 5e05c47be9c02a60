// What begins every shader: the language, and how words of a buffer become numbers and colours.
#version 330 core

// A colour as the program packs it, red lowest, with red, green and blue multiplied by alpha: the form in which colours
// can be averaged.
vec4 unpack_colour(uint word) {
    vec4 colour = vec4(uvec4(word, word >> 8, word >> 16, word >> 24) & 255u) / 255.0;
    return vec4(colour.rgb * colour.a, colour.a);
}

// One premultiplied colour over another.
vec4 over(vec4 top, vec4 bottom) {
    return top + bottom * (1.0 - top.a);
}
