# Names and things that no story knows, put together from the tokenizer's pieces.
import re
import string

STRANGE = 0.03  # of them have a letter that the tokenizer does not know


class Inventor:
    """Reading them a model learns that a word need not be one token, and no row of its embedding stays as it was drawn.

    So a name of one's own is copied, piece by piece, like any other.
    """

    def __init__(self, tokenizer, words):
        """`words`: those that are read in any case."""
        pieces = [tokenizer.decode([i]) for i in range(3, len(tokenizer))]
        starts = {piece.strip() for piece in pieces} - {word for word in words if len(word) > 1}
        starts = sorted(piece for piece in starts if piece.isascii() and piece.isalpha())
        self.capitals = [piece for piece in starts if piece[0].isupper()]
        self.smalls = [piece for piece in starts if piece.islower()]
        self.middles = sorted(piece for piece in pieces if piece.isascii() and piece.isalpha() and piece.islower())

    def word(self, rng, starts):
        while True:
            word = rng.choice(starts) + "".join(rng.choice(self.middles) for _ in range(rng.choice([1, 1, 2])))
            if len(word) < 10 and re.search("[aeiouy]", word.lower()) and not re.search("[^aeiouy]{4}", word.lower()):
                break  # it can be spoken
        if rng.random() < STRANGE:
            at = rng.randrange(1, len(word) + 1)
            word = word[:at] + rng.choice("éöñß-" + string.digits) + word[at:]
        return word

    def name(self, rng):
        return self.word(rng, self.capitals)

    def noun(self, rng):
        return self.word(rng, self.smalls)
