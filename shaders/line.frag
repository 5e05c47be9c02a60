// A stroke with round ends, and the head of an arrow, by how far this pixel is from them.

in vec2 at;
flat in vec3 stroke;
flat in vec4 ink;

out vec4 colour;

const float half_width_of_head = 0.55;  // of its length

void main() {
    float size = stroke.x, width = stroke.y, head = stroke.z;
    // Under a head the stroke ends before it would stick out at the tip.
    float end = head > 0.0 ? max(size - 0.75 * head, 0.0) : size;
    float away = length(vec2(at.x - clamp(at.x, 0.0, end), at.y));
    // A stroke narrower than a pixel covers no more of it than it is wide.
    float covered = clamp(width * 0.5 + 0.5 - away, 0.0, min(width, 1.0));
    if (head > 0.0) {
        vec2 slant = normalize(vec2(half_width_of_head, 1.0));
        float outside = max(dot(vec2(at.x - size, abs(at.y)), slant), size - head - at.x);
        covered = max(covered, clamp(0.5 - outside, 0.0, 1.0));
    }
    if (covered <= 0.0) discard;
    colour = ink * covered;
}
