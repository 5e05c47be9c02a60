# Layers that differ, in a real window: the kind that is chosen in the diagram or on the strip is the one that is shown.
from harness import OpenTest

# Gemma 2 2B: the embedding, then 26 layers that take turns, as shares of the strip's width.
EMBEDDING, LAYER = 0.2256, 0.02979
SLIDING, FULL = "canvas.layer.attention.query.weight", "canvas.layer_full.attention.query.weight"


def middle_of_layer(layer):
    return (EMBEDDING + (layer + 0.5) * LAYER, 0.3)


class Kinds(OpenTest):
    arguments = ("gemma-2-2b",)

    def setUp(self):
        super().setUp()
        self.shown(SLIDING)

    def shown(self, weight):
        other = FULL if weight == SLIDING else SLIDING
        return self.program.wait_until(lambda report: weight in report["rects"] and other not in report["rects"],
                                       f"the diagram shows {weight} and not {other}")

    def test_a_kind_is_chosen_in_the_diagram(self):
        self.program.click("canvas.kind.layer_full")
        self.shown(FULL)
        self.program.click("canvas.kind.layer")
        self.shown(SLIDING)

    def test_a_layer_of_the_strip_is_shown(self):
        self.program.click("canvas.strip", middle_of_layer(1))
        self.shown(FULL)
        self.program.click("canvas.strip", middle_of_layer(24))
        self.shown(SLIDING)

    def test_both_ends_of_the_strip_leave_the_layers_as_they_are(self):
        self.program.click("canvas.strip", middle_of_layer(25))
        self.shown(FULL)
        self.program.click("canvas.strip", (EMBEDDING / 2, 0.3))
        self.program.wait_until(lambda report: report["selection"] == "component.embedding", "the embedding is selected")
        self.shown(FULL)
