// A face of a box: fill, edge, tab, and the cells of a matrix, all by how far this pixel is from what. What is smaller
// than a pixel counts by the part of the pixel that it covers, so nothing flickers while one zooms.
// It is compiled for what the boxes have, because a processor that draws does all that is here for every pixel:
// LOOK for edges, tabs and round corners, CELLS for rows and columns and the future, HEAT for values as colours, MANY
// for more of them than pixels.

in vec2 at;
flat in vec4 face;
flat in vec4 look;
flat in uvec4 paint;
flat in float shade;
flat in vec4 hard;
#ifdef HEAT
uniform usampler2D values;  // the bits of floats, so that no driver can lose what is not a number
flat in float largest;
#endif
#if defined(CELLS) || defined(HEAT)
flat in uvec4 heat;
flat in ivec4 cells;
flat in vec4 rate;
#endif

out vec4 colour;

// The part of an interval of length 1 around 0 that lies between `low` and `high`.
float overlap(float low, float high) {
    return clamp(min(high, 0.5) - max(low, -0.5), 0.0, 1.0);
}

// The part of this pixel that a rounded rectangle covers; `pixel` is a pixel's size in its units.
float covered(vec4 rect, float radius, vec2 pixel) {
    vec2 low = (rect.xy - at) / pixel, high = (rect.zw - at) / pixel;
    float area = overlap(low.x, high.x) * overlap(low.y, high.y);
    if (radius <= 0.0 || area <= 0.0) return area;
    vec2 half_size = (rect.zw - rect.xy) * 0.5;
    radius = min(radius, min(half_size.x, half_size.y));
    vec2 inward = abs(at - (rect.xy + rect.zw) * 0.5) - half_size + radius;
    if (min(inward.x, inward.y) <= 0.0) return area;
    // In a corner's square the distance to its circle, in pixels, counts in the direction outward.
    float outward = length(inward);
    vec2 direction = inward / outward;
    return min(area, clamp(0.5 - (outward - radius) / length(pixel * direction), 0.0, 1.0));
}

// How much of the edge's dashes is here. Each corner is a dash of its own; between two of them each side has a whole
// number of dashes and gaps.
float dashes(float dash, float radius, vec2 pixel) {
    vec2 to_border = min(at - face.xy, face.zw - at) / pixel;
    bool lying = to_border.y < to_border.x;
    float corner = max(radius, dash * 0.5), width = lying ? pixel.x : pixel.y;
    float straight = (lying ? face.z - face.x : face.w - face.y) - 2.0 * corner;
    if (straight <= 0.0) return 1.0;
    float place = (lying ? at.x - face.x : at.y - face.y) - corner;
    float period = straight / (max(round(straight / dash * 0.5 - 0.5), 0.0) + 0.5);
    float from_dash = abs(fract(place / period - 0.25) - 0.5) * period;
    float drawn = max(period * 0.25 - from_dash, -min(place, straight - place));
    return mix(0.5, clamp(0.5 + drawn / width, 0.0, 1.0), clamp(period / width - 2.0, 0.0, 1.0));
}

#if defined(CELLS) || defined(HEAT)
const int causal = 2, heat_map = 3;  // CellPattern

// The lines between cells along one axis, each on the first pixel of a cell. `place` is in cells, `width` a pixel in
// cells, `low` and `high` the borders of the box in cells: a border is no line between two cells.
float cell_lines(float place, float width, float low, float high) {
    float line = floor(place + 0.5 * width);
    if (line - low < 0.5 * width || high - line < 0.5 * width) return 0.0;
    float start = (line - place) / width;
    return overlap(start, start + 1.0) * smoothstep(3.5, 7.0, 1.0 / width);
}

#endif

#ifdef CELLS
// The part of this pixel in which column <= row + what the first row sees. `cell` is the place in cells from the first
// one, `width` a pixel in cells, `slope` how row - column changes from pixel to pixel.
float up_to(float sees, vec2 cell, vec2 width, vec2 slope) {
    float line = cell.y + sees + 0.5 - cell.x;
    float diagonal = clamp(0.5 + line / max(length(slope), 1e-9), 0.0, 1.0);
    float size = 1.0 / max(width.x, width.y);
    if (size <= 1.0) return diagonal;
    // Cells are larger than a pixel, so it meets at most two rows and two columns.
    vec2 second = floor(cell - 0.5 * width) + 1.0;
    vec2 of_second = clamp((cell + 0.5 * width - second) / width, 0.0, 1.0);
    float reach = second.y + sees - second.x;
    float both = step(0.0, reach), before = step(0.0, reach + 1.0), after = step(0.0, reach - 1.0);
    float stairs = mix(mix(both, after, of_second.x), mix(before, both, of_second.x), of_second.y);
    return mix(diagonal, stairs, smoothstep(1.0, 2.0, size));
}

// The part of this pixel that is seen: cells with column <= row + diagonal, and of these the last of a window.
float seen(vec2 cell, vec2 width) {
    float line = cell.y - cell.x;
    vec2 slope = vec2(dFdx(line), dFdy(line));
    float sees = float(cells.z - cells.y + cells.w);  // columns that the first row sees, from the first column on
    float part = up_to(sees, cell, width, slope);
    int window = int(heat.w), chunks = int(heat.z);
    if (window == 0) return part;
    if (chunks == 0) return part * (1.0 - up_to(sees - float(window), cell, width, slope));
    // Where the chunk begins that this row's own token is in, from the first column on.
    int from = chunks - 1, row = int(floor(cell.y)) + cells.z + cells.w + from;
    float begin = float(row / window * window - from - cells.y);
    return part * clamp((cell.x - begin) / width.x + 0.5, 0.0, 1.0);
}
#endif

#ifdef HEAT
// What of one cell's colour is the fill, what is `negative` and what is the ink; the rest is `zero`. What is not a finite
// number is hatched: an infinite one on the colour of its end, one that is no number on that of zero.
vec3 heat_parts(vec2 cell) {
    int index = int(heat.z) + int(cell.y) * int(heat.w) + int(cell.x);
    uint bits = index >= 0 && index < words_a_row * textureSize(values, 0).y ? word(values, index).r : 0x7fc00000u;
    float value = abs(uintBitsToFloat(bits)), hatched = 0.0;
    value = largest > 0.0 ? min(value / largest, 1.0) : step(1e-38, value);
    if ((bits & 0x7f800000u) == 0x7f800000u) {
        float stripe = abs(fract((gl_FragCoord.x + gl_FragCoord.y) / 6.0) - 0.5) * 6.0 * 0.7071;
        hatched = clamp(stripe - 0.5, 0.0, 1.0);
        value = (bits & 0x007fffffu) == 0u ? 1.0 - hatched : 0.0;
    }
    return (bits >> 31) == 0u ? vec3(value, 0.0, hatched) : vec3(0.0, value, hatched);
}

// The values that this pixel shows, each by the part of the pixel that its cell covers; of very many, sixteen.
vec4 heat_fill(vec2 cell, vec2 width, vec2 low, vec2 high) {
    vec2 first = floor(low + 1e-3), last = max(ceil(high - 1e-3) - 1.0, first);
    vec2 one = clamp(floor(cell - 0.5 * width), first, last), other = clamp(one + 1.0, first, last);
    vec2 share = clamp((cell + 0.5 * width - one - 1.0) / width, 0.0, 1.0);  // of the other
    vec3 parts = mix(mix(heat_parts(one), heat_parts(vec2(other.x, one.y)), share.x),
                     mix(heat_parts(vec2(one.x, other.y)), heat_parts(other), share.x), share.y);
#ifdef MANY
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 16; ++i) {
        vec2 place = cell + (vec2(i & 3, i >> 2) * 0.25 - 0.375) * width;
        sum += heat_parts(clamp(floor(place), first, last));
    }
    if (max(width.x, width.y) > 1.0) parts = sum / 16.0;
#endif
    return unpack_colour(heat.y) * (1.0 - parts.x - parts.y - parts.z) + unpack_colour(paint.x) * parts.x +
           unpack_colour(heat.x) * parts.y + unpack_colour(paint.w) * parts.z;
}
#endif

// What fills this pixel.
vec4 fill_at(vec2 pixel) {
    vec4 fill = unpack_colour(paint.x);
#if defined(CELLS) || defined(HEAT)
    vec2 cell = rate.xy + (at - face.xy) * rate.zw, width = max(pixel * rate.zw, vec2(1e-9));
    vec2 low = rate.xy, high = rate.xy + (face.zw - face.xy) * rate.zw;
#ifdef CELLS
    float visible = seen(cell, width);  // outside the branch: in it its derivatives would mean nothing
    if (cells.x == causal) fill *= visible;
#endif
#ifdef HEAT
    if (cells.x == heat_map) fill = heat_fill(cell, width, low, high);
#endif
    float lines = max(cell_lines(cell.x, width.x, low.x, high.x), cell_lines(cell.y, width.y, low.y, high.y));
    if (cells.x != 0) fill = over(unpack_colour(paint.w) * lines, fill);
#endif
    return fill;
}

void main() {
    vec2 slope_x = vec2(dFdx(at.x), dFdy(at.x)), slope_y = vec2(dFdx(at.y), dFdy(at.y));
    vec2 pixel = max(vec2(length(slope_x), length(slope_y)), vec2(1e-9));
    vec4 fill = fill_at(pixel);

    // A border that meets another face fades beyond it, so that nothing shines through between the two.
    vec4 outer = face + vec4(-hard.x, -hard.z, hard.y, hard.w) * 0.5 * pixel.xyxy;
#ifdef LOOK
    float inside = covered(outer, look.y, pixel);
    if (look.x > 0.0) {
        vec4 inner = face + vec4(look.xx, -look.xx);
        float ring = inner.x < inner.z && inner.y < inner.w ? 1.0 - covered(inner, look.y - look.x, pixel) : 1.0;
        if (look.w > 0.0) ring *= dashes(look.w, look.y, pixel);
        fill = over(unpack_colour(paint.y) * ring, fill);
    }
    float tab = clamp((face.x + look.z - at.x) / pixel.x + 0.5, 0.0, 1.0);
    if (look.z > 0.0) fill = over(unpack_colour(paint.z) * tab, fill);
#else
    float inside = covered(outer, 0.0, pixel);
#endif
    colour = vec4(fill.rgb * shade, fill.a) * inside;
}
