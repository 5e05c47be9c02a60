// A box of the drawing as up to five faces, each a little larger than it is drawn so that its edges can fade.
// A side that looks away from the eye is dropped; what is left covers itself in the order in which it is drawn.

uniform mat4 view_projection;  // plane and height, in pixels, to the screen
uniform vec4 eye;              // where the camera is; w = 0: infinitely far in that direction
uniform vec2 half_area;        // half the size of what is drawn to, in pixels
uniform int faces;             // 5, or 1 where no side can be seen
uniform int holes;             // where they begin in `things`: one a box, in the plane, where nothing need be drawn; or -1
uniform usampler2D things;

out vec2 at;                     // the place on the face, in the plane's pixels; on a side, y is the height
flat out vec4 face;              // the face's least and greatest `at`
flat out vec4 look;              // edge width, radius, tab width, dash
flat out uvec4 paint;            // fill, edge, tab, ink
flat out uvec4 heat;             // negative, zero, first value, values a row
flat out ivec4 cells;            // pattern, first column, first row, diagonal
flat out vec4 rate;              // the first cell's fraction (column, row), cells a pixel (columns, rows)
flat out float largest;
flat out float shade;            // 1 on top, less on the sides
flat out vec4 hard;              // 1 for each border (left, right, lower, upper) that meets another face which is seen

const vec2 corner_of[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(1, 1), vec2(0, 0), vec2(1, 1), vec2(0, 1));

vec2 on_screen(vec4 clip) {
    return clip.xy / clip.w * half_area;
}

// How far the face must grow along its two axes for its borders to move by a pixel of the screen. Where it is seen at so
// sharp an angle that its corners would become spikes, two pixels along the border are enough.
vec2 margin(vec3 corner, vec3 along_x, vec3 along_y) {
    vec4 clip = view_projection * vec4(corner, 1.0);
    if (clip.w < 1e-6) return vec2(1.0);
    vec4 step_x = view_projection * vec4(along_x, 0.0), step_y = view_projection * vec4(along_y, 0.0);
    vec2 x = (step_x.xy - clip.xy / clip.w * step_x.w) / clip.w * half_area;
    vec2 y = (step_y.xy - clip.xy / clip.w * step_y.w) / clip.w * half_area;
    float area = abs(x.x * y.y - x.y * y.x);
    vec2 size = max(vec2(length(x), length(y)), vec2(1e-6));
    return min(size.yx / max(area, 1e-12), 2.0 / size);
}

// How many pixels of the screen lie between the bottom and the top, at most.
float height_on_screen(vec4 rect, float bottom, float top) {
    float most = 0.0;
    for (int i = 0; i < 4; ++i) {
        vec2 corner = vec2((i & 1) == 0 ? rect.x : rect.z, (i & 2) == 0 ? rect.y : rect.w);
        vec4 low = view_projection * vec4(corner, bottom, 1.0), high = view_projection * vec4(corner, top, 1.0);
        if (low.w > 1e-6 && high.w > 1e-6) most = max(most, distance(on_screen(low), on_screen(high)));
    }
    return most;
}

// The corners of the four strips around a hole: left, right, lower, upper. One that is nowhere leaves all to the left.
vec2 strip_corner(int strip, vec2 outward, vec2 low, vec2 high, vec4 hole) {
    hole = clamp(hole, low.xyxy, high.xyxy);
    if (strip == 0) return mix(low, vec2(hole.x, high.y), outward);
    if (strip == 1) return mix(vec2(hole.z, low.y), high, outward);
    if (strip == 2) return mix(vec2(hole.x, low.y), hole.zy, outward);
    return mix(hole.xw, vec2(hole.z, high.y), outward);
}

void main() {
    int corners = holes < 0 ? 6 * faces : 24;
    int first = gl_VertexID / corners * 7;
    uvec4 w0 = word(things, first), w1 = word(things, first + 1), w2 = word(things, first + 2),
          w3 = word(things, first + 3), w4 = word(things, first + 4), w5 = word(things, first + 5),
          w6 = word(things, first + 6);
    vec4 rect = uintBitsToFloat(w0);
    float bottom = uintBitsToFloat(w1.x), top = uintBitsToFloat(w1.y);
    look = uintBitsToFloat(uvec4(w2.yzw, w3.x));
    paint = uvec4(w1.zw, w2.x, w3.z);
    heat = uvec4(w3.w, w4.x, w6.xy);
    cells = ivec4(w3.y, w4.yz, w5.w);
    rate = uintBitsToFloat(uvec4(w4.w, w5.xyz));
    largest = uintBitsToFloat(w6.z);

    // Faces in the order in which they are drawn: left, right, far, near, top. Far and near are the sides at the least
    // and the greatest y.
    int part = gl_VertexID % corners / 6, which = faces == 1 ? 4 : part;
    bool left = eye.x < rect.x * eye.w, right = eye.x > rect.z * eye.w;
    bool far = eye.y < rect.y * eye.w, near = eye.y > rect.w * eye.w;
    bool seen = which == 0 ? left : which == 1 ? right : which == 2 ? far : which == 3 ? near : true;
    if (which != 4 && (!seen || top <= bottom)) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        return;
    }

    vec3 origin, along_x, along_y;
    if (which == 4) {
        origin = vec3(0.0, 0.0, top);
        along_x = vec3(1.0, 0.0, 0.0);
        along_y = vec3(0.0, 1.0, 0.0);
        face = rect;
        hard = vec4(0.0);
        shade = 1.0;
        // A slab that stands has sharp corners: its sides are flat.
        if (faces > 1 && top > bottom) look.y *= clamp(1.0 - height_on_screen(rect, bottom, top), 0.0, 1.0);
    } else {
        bool across = which < 2;  // runs along y
        origin = across ? vec3(which == 0 ? rect.x : rect.z, 0.0, 0.0) : vec3(0.0, which == 2 ? rect.y : rect.w, 0.0);
        along_x = across ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
        along_y = vec3(0.0, 0.0, 1.0);
        face = across ? vec4(rect.y, bottom, rect.w, top) : vec4(rect.x, bottom, rect.z, top);
        hard = across ? vec4(far, near, 0.0, 1.0) : vec4(left, right, 0.0, 1.0);
        shade = which == 3 ? 0.72 : which == 2 ? 0.5 : 0.58;
        look.y = 0.0;
        cells.x = 0;
        // The tab is a strip of the far and near sides, all of the left one and nothing of the right.
        if (which == 0) look.z = uintBitsToFloat(w2.w) > 0.0 ? 1e9 : 0.0;
        if (which == 1) look.z = 0.0;
    }
    vec2 outward = corner_of[gl_VertexID % 6];
    if (holes < 0) {
        at = mix(face.xy, face.zw, outward);
        at += (2.0 * outward - 1.0) * margin(origin + along_x * at.x + along_y * at.y, along_x, along_y);
    } else {
        vec2 more = margin(vec3(rect.xy, top), along_x, along_y);
        vec4 hole = uintBitsToFloat(word(things, holes + gl_VertexID / corners));
        at = strip_corner(part, outward, rect.xy - more, rect.zw + more, hole);
    }
    gl_Position = view_projection * vec4(origin + along_x * at.x + along_y * at.y, 1.0);
}
