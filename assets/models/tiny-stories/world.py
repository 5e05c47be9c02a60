# The world of the little stories: people, things, and a teller who says what becomes of them.
import re
from dataclasses import dataclass, field

GIRLS = ["Anna", "Lily", "Mia", "Rosa", "Emma", "Nina", "Lucy", "Ella", "Ruby", "Clara"]
BOYS = ["Tom", "Ben", "Max", "Sam", "Leo", "Jack", "Finn", "Hugo", "Paul", "Noah"]
NOUNS = ["ball", "hat", "key", "book", "cup", "kite", "apple", "shell", "drum", "doll", "boat", "coin", "bell", "stone",
         "lamp", "rope", "ring", "cake", "leaf", "fish", "map", "sock", "spoon", "feather",
         "button", "flower", "candle", "pencil", "marble", "ribbon", "whistle", "bottle", "brush",
         "vase", "mirror", "crown"]
COLOURS = ["red", "blue", "green", "yellow", "white", "brown", "black", "pink"]
PLACES = ["garden", "park", "kitchen", "barn", "forest", "house", "school", "river", "market", "tower", "meadow"]
CONTAINERS = ["box", "bag", "basket", "drawer"]
WEATHER = ["sunny", "cold", "windy", "rainy", "warm"]


@dataclass(eq=False)
class Person:
    name: str
    girl: bool


@dataclass(eq=False)
class Thing:
    noun: str
    colour: str
    holder: Person | None = None  # a person, or "dog"
    container: str | None = None
    told: tuple = ()  # the holder and the container that the text has told of, and the sentence that did, as a span

    @property
    def coloured(self):
        return f"a {self.colour} {self.noun}"


@dataclass
class Mark:
    """A place in the text where attention has something to do: kind "holder", "where", "pronoun" or "again"."""
    kind: str
    offset: int  # in characters; the text before it ends where the answer (or the pronoun) is still to come
    answer: str  # what follows there; for a pronoun the name of the person meant
    because: tuple = ()  # for "holder" and "where" the sentence that the answer follows from: its first offset, its end


@dataclass
class Story:
    text: str = ""
    marks: list[Mark] = field(default_factory=list)


class Teller:
    """The world and its story so far.

    In patterns a person is {a} ("Anna" or "She"), {a.him}, {a.said} ("said Anna" or "she said") or {a.name}; a thing is
    {x} ("the ball") or {x.new} ("a red ball").
    """

    def __init__(self, rng, inventor=None, share=0.02):
        self.rng = rng
        self.inventor = inventor  # of some names and things, that share of them; None: of none
        self.share = share
        self.story = Story()
        self.recent = []  # the people of the sentence before: whom a pronoun can mean
        self.people = []
        self.things = []
        self.place = rng.choice(PLACES)

    def chance(self, probability):
        return self.rng.random() < probability

    def clear(self, person):
        return [p for p in self.recent if p.girl == person.girl] == [person]

    def tell(self, *patterns, **parts):
        """One of the patterns, its {parts} filled in, becomes the next sentence."""
        text = self.story.text + " " * bool(self.story.text)
        begin, people = len(text), []
        for literal, key, form in re.findall(r"([^{]*)(?:{(\w+)(?:\.(\w+))?})?", self.rng.choice(patterns)):
            text += literal
            part = parts.get(key, "")
            if isinstance(part, Person):
                people += [part] * (part not in people)
                text += self.refer(part, form, text)
            elif isinstance(part, Thing):
                text += part.coloured if form == "new" else "the " + part.noun
            else:
                text += part
        self.story.text = text
        self.recent = people or self.recent
        for thing in self.things:
            if thing in parts.values() and thing.told[:2] != (thing.holder, thing.container):
                thing.told = (thing.holder, thing.container, (begin, len(text)))

    def refer(self, person, form, before):
        spoken = form in ("said", "asked", "sang")
        if form == "name" or not self.clear(person) or not self.chance(0.6):
            return f"{form} {person.name}" if spoken else person.name
        self.story.marks.append(Mark("pronoun", len(before.rstrip()), person.name))
        if form == "him":
            return "her" if person.girl else "him"
        word = "she" if person.girl else "he"
        return f"{word} {form}" if spoken else word.capitalize() if before.endswith((". ", "! ")) else word

    def answer(self, kind, thing, answer):
        """Marks the end of the text as a place where the answer follows, and adds it."""
        self.story.marks.append(Mark(kind, len(self.story.text), answer, thing.told[2]))
        self.story.text += answer

    def mark_again(self, words):
        """Marks words that were said before, where they stand last."""
        self.story.marks.append(Mark("again", self.story.text.rfind(words) - 1, " " + words))

    def others(self, *people):
        return [p for p in self.people if p not in people]

    def other(self, *people):
        return self.rng.choice(self.others(*people))

    def new_person(self):
        taken = {p.name for p in self.people}
        girl = self.chance(0.5)
        if self.inventor and self.chance(self.share):
            name = self.inventor.name(self.rng)
        else:
            name = self.rng.choice([n for n in (GIRLS if girl else BOYS) if n not in taken])
        person = Person(name, girl)
        self.people.append(person)
        return person

    def new_thing(self, holder=None):
        taken = {t.noun for t in self.things}
        if self.inventor and self.chance(self.share):
            noun = self.inventor.noun(self.rng)
        else:
            noun = self.rng.choice([n for n in NOUNS if n not in taken])
        thing = Thing(noun, self.rng.choice(COLOURS), holder)
        self.things.append(thing)
        return thing

    def held(self):
        """A thing that a person holds; found now if nobody holds one."""
        held = [t for t in self.things if isinstance(t.holder, Person)]
        if held:
            return self.rng.choice(held)
        thing = self.new_thing(self.rng.choice(self.people))
        self.tell("{a} found {x.new} in the {place}.", a=thing.holder, x=thing, place=self.place)
        return thing
