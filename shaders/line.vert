// A line of the drawing as a rectangle on the screen, a little larger than its stroke and its head.
// It lies where the plane is seen, but its width is one of the screen.

uniform mat4 view_projection;  // plane and height, in pixels, to the screen
uniform vec2 half_area;        // half the size of what is drawn to, in pixels
uniform int first_line;        // where the lines begin, in groups of four words
uniform usampler2D things;

out vec2 at;              // pixels along the line from its start, and across
flat out vec3 stroke;     // its length, width and the length of its head, in pixels
flat out vec4 ink;

const vec2 corner_of[6] = vec2[](vec2(0, -1), vec2(1, -1), vec2(1, 1), vec2(0, -1), vec2(1, 1), vec2(0, 1));
const float nearest = 1e-3;

void main() {
    int first = first_line + gl_VertexID / 6 * 2;
    vec4 ends = uintBitsToFloat(word(things, first));
    uvec4 rest = word(things, first + 1);
    float width = uintBitsToFloat(rest.x), head = uintBitsToFloat(rest.y), height = uintBitsToFloat(rest.w);
    ink = unpack_colour(rest.z);

    vec4 from = view_projection * vec4(ends.xy, height, 1.0), to = view_projection * vec4(ends.zw, height, 1.0);
    if (max(from.w, to.w) <= nearest) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        return;
    }
    // What is behind the eye is cut off; a head that was there goes with it.
    if (from.w < nearest) from = mix(from, to, (nearest - from.w) / (to.w - from.w));
    if (to.w < nearest) {
        to = mix(to, from, (nearest - to.w) / (from.w - to.w));
        head = 0.0;
    }
    vec2 start = from.xy / from.w * half_area, end = to.xy / to.w * half_area;
    float size = distance(start, end);
    vec2 along = size > 1e-4 ? (end - start) / size : vec2(1.0, 0.0);
    stroke = vec3(size, width, head);

    float reach = max(width * 0.5, head * 0.55) + 1.5;
    vec2 corner = corner_of[gl_VertexID % 6];
    at = vec2(mix(min(0.0, size - head) - reach, size + reach, corner.x), corner.y * reach);
    vec2 place = start + along * at.x + vec2(-along.y, along.x) * at.y;
    gl_Position = vec4(place / half_area, 0.0, 1.0);
}
