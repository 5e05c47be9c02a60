# Writes the little stories that the tiny model learns: how they begin, what is asked, how they end.
"""usage: stories.py [COUNT] [SEED]   prints COUNT stories (default 10)

Every story is true to its world: who holds what changes only by what the text says, a pronoun is used only where one
person can be meant, and a question is answered from the world's state. So a model can learn to keep track.
"""
import random
import sys

from plots import PLOTS
from world import WEATHER, Person, Teller

# Seeds of stories: those that the model learns, and those that it is measured by and never saw.
TRAINING = range(1_000_000, 1_130_000)
VALIDATION = range(1_000)


def begin(t):
    first = t.new_person()
    kind, word = t.rng.choice(["little", "little", "good", "kind", "brave"]), "girl" if first.girl else "boy"
    style = t.rng.random()
    if style < 0.03:
        t.tell('"I am {a.name}," said the {kind} {word}.', kind=kind, word=word, a=first)
    elif style < 0.07:
        t.tell("{a.name} was a {kind} {word}.", kind=kind, word=word, a=first)
    elif style < 0.5:
        t.tell("Once upon a time there was a {kind} {word} named {a.name}.",
               "Once upon a time there was a {word} named {a.name}.", kind=kind, word=word, a=first)
    elif style < 0.6:
        t.tell("There was a {kind} {word} named {a.name}.", kind=kind, word=word, a=first)
    elif style < 0.75:
        t.tell("It was a {day} day.", day=t.rng.choice(WEATHER))
        t.tell("{a.name} was in the {place}.", a=first, place=t.place)
    elif style < 0.9:
        t.tell("One day, {a.name} was in the {place}.", "One day, {a.name} went to the {place}.", a=first,
               place=t.place)
    if style >= 0.9 or t.chance(0.6):
        t.tell("{a} had {x.new}.", "{a} found {x.new} in the {place}.", a=first, x=t.new_thing(first), place=t.place)
    friend = t.new_person()
    t.tell("{a} had a friend named {b.name}.", "{a} saw {b.name}.", "Then {b.name} came.",
           "{b.name} came to the {place}.", a=first, b=friend, place=t.place)
    if t.chance(0.4):
        t.tell("{b} had {x.new}.", b=friend, x=t.new_thing(friend))
    if t.chance(0.4):
        third = t.new_person()
        t.tell("Then {c.name} came too.", "{c.name} was there too.", c=third)
        if t.chance(0.3):
            t.tell("{c} had {x.new}.", c=third, x=t.new_thing(third))


def talk_about(t):
    """Somebody asks for a thing; who has it answers, or somebody who knows where it is."""
    known = [x for x in t.things if x.holder != "dog"]
    if not known:
        return
    thing = t.rng.choice(known)
    asker = t.other(thing.holder)
    if thing.container:
        t.tell('"Where is {x}?" {c.asked}.', c=asker, x=thing)
        t.tell('"It is in')
        t.answer("where", thing, f" the {thing.container}")
        t.story.text += ',"'
        t.tell("said {b.name}.", b=t.other(asker))
        return
    t.tell('"Who has {x}?" {c.asked}.', '"Where is {x}?" {c.asked}.', c=asker, x=thing)
    t.tell('"I have {x}," said', '"I have it," said', x=thing)
    t.answer("holder", thing, f" {thing.holder.name}")
    t.story.text += "."
    t.recent = [thing.holder]


def ask(t, thing):
    """A plain question and its answer."""
    noun = thing.noun
    if thing.container:
        t.tell("Where is {x}?", x=thing)
        t.answer("where", thing, f" The {noun} is in the {thing.container}.")
        return
    holder = "The dog" if thing.holder == "dog" else thing.holder.name
    t.tell("Where is {x}?", "Who has {x}?", x=thing)
    t.answer("holder", thing, f" {holder}")
    t.story.text += f" has the {noun}."


def end(t):
    if t.chance(0.5):
        t.tell("Then it was night.", "It was a good day.", "Then they were tired.")
    if t.chance(0.6):
        t.tell("They went home.", "They were happy.", "They were good friends.", "They went to sleep.")
    for thing in t.rng.sample(t.things, min(len(t.things), t.rng.choice([1, 2, 2, 3]))):
        ask(t, thing)
    t.tell("The end.")


def write(seed, inventor=None, **how):
    """The story of this seed: always the same. With an inventor some of its names and things are made up."""
    t = Teller(random.Random(seed), inventor, **how)
    begin(t)
    for plot in t.rng.sample(PLOTS, t.rng.choice([1, 2, 2, 3])):
        plot(t)
        if t.chance(0.4):
            talk_about(t)
    end(t)
    return t.story


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    print("\n\n".join(write(seed + i).text for i in range(count)))
