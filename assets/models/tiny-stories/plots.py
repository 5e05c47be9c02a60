# What can happen in a little story. Each plot takes the teller and leaves the world as its sentences say.
from world import COLOURS, CONTAINERS, NOUNS, PLACES, Person


def hand_over(t, thing, to):
    """The thing changes hands, in words that say so."""
    giver, thing.holder = thing.holder, to
    t.tell("{a} gave {x} to {b.him}.", "{a} gave {b.him} {x}.", "{a} gave {b.him} {x}.",
           "{b} took {x} from {a.him}.", a=giver, b=to, x=thing)


def thank(t, giver, taker, thing):
    t.tell('"Thank you, {b.name}," {a.said}.', "{a} was happy.", "{a} was very happy.", '"I like {x}," {a.said}.',
           a=taker, b=giver, x=thing)


def passing(t):
    thing = t.held()
    for _ in range(t.rng.randint(1, 3)):
        giver, taker = thing.holder, t.other(thing.holder)
        if t.chance(0.4):
            t.tell("{a} saw {b.him}.", "{a} saw {b}.", "{b} came to {a.him}.", a=giver, b=taker)
        hand_over(t, thing, taker)
        if t.chance(0.4):
            thank(t, giver, taker, thing)
    if t.chance(0.4):
        t.tell("Now {a.name} had {x}.", a=thing.holder, x=thing)


def asking(t):
    thing = t.held()
    owner, other = thing.holder, t.other(thing.holder)
    if t.chance(0.6):
        t.tell("{b} wanted {x}.", "{b} wanted to play with {x}.", "{b} liked {x}.", b=other, x=thing)
    t.tell('"Can I have {x}, {a.name}?" {b.asked}.', '"{a.name}, can I have {x}?" {b.asked}.',
           '"Can I play with {x}, {a.name}?" {b.asked}.',
           a=owner, b=other, x=thing)
    if t.chance(0.5):
        t.tell('"Yes, {b.name}," {a.said}.', '"Yes, you can," {a.said}.', a=owner, b=other)
        hand_over(t, thing, other)
        if t.chance(0.6):
            thank(t, owner, other, thing)
        return
    t.tell('"No, {b.name}," {a.said}.', '"No, it is my ' + thing.noun + '," {a.said}.', a=owner, b=other)
    t.tell("{b} was sad.", "{b} was very sad.", b=other)
    if t.chance(0.6):
        t.tell("{a} saw that {b} was sad.", '"I am sorry, {b.name}," {a.said}.', a=owner, b=other)
        hand_over(t, thing, other)
        t.tell("{b} was happy again.", "Then {b} was happy.", b=other)


def lost(t):
    thing = t.held()
    owner, helper = thing.holder, t.other(thing.holder)
    thing.holder = None
    t.tell("{a} lost {x}.", "Then {a} lost {x}.", a=owner, x=thing)
    t.tell("{a} was sad.", "{a} was very sad.", a=owner)
    helped = t.chance(0.6)
    if helped:
        t.tell('"Can you help me, {b.name}?" {a.asked}.', '"I will help you, {a.name}," {b.said}.', a=owner, b=helper)
    places = t.rng.sample(PLACES, t.rng.randint(2, 4))
    for place in places[:-1]:
        t.tell("{a} looked in the {place}.", a=t.rng.choice([owner, helper]) if helped else owner, place=place)
        t.tell("It was not there.", "{x} was not there.".replace("{x}", "The " + thing.noun))
    finder = t.rng.choice([owner, helper]) if helped else owner
    t.tell("{a} looked in the {place}.", "Then {a} looked in the {place}.", a=finder, place=places[-1])
    t.tell("There it was!", "There was {x}!", x=thing)
    t.place = places[-1]
    thing.holder = finder
    if finder is owner:
        t.tell("{a} took {x} and was happy.", "{a} had {x} again.", a=owner, x=thing)
    elif t.chance(0.7):
        t.tell("{b} took {x}.", b=finder, x=thing)
        hand_over(t, thing, owner)
        thank(t, finder, owner, thing)
    else:
        t.tell("{b} took {x}.", "{b} took {x} and went home.", b=finder, x=thing)


def hiding(t):
    thing = t.held()
    owner, other = thing.holder, t.other(thing.holder)
    thing.holder, thing.container = None, t.rng.choice(CONTAINERS)
    t.tell("{a} put {x} in the {box}.", "Then {a} put {x} in the {box}.", a=owner, x=thing, box=thing.container)
    if t.chance(0.5):
        t.tell("{a} went to sleep.", "{a} went to the {place}.", a=owner, place=t.rng.choice(PLACES))
    if t.chance(0.4):
        return
    t.tell("{b} wanted {x}.", "{b} looked for {x}.", b=other, x=thing)
    for box in t.rng.sample([c for c in CONTAINERS if c != thing.container], t.rng.randint(0, 2)):
        t.tell("{b} looked in the {box}.", b=other, box=box)
        t.tell("It was not there.")
    t.tell("{b} looked in the {box}.", "{b} opened the {box}.", b=other, box=thing.container)
    t.tell("There it was!", "There was {x}!", x=thing)
    if t.chance(0.8):
        thing.holder, thing.container = other, None
        t.tell("{b} took {x}.", b=other, x=thing)
        if t.chance(0.4):
            hand_over(t, thing, owner)
            thank(t, other, owner, thing)


def dog(t):
    thing = t.held()
    owner, friend, place = thing.holder, t.other(thing.holder), t.rng.choice(PLACES)
    t.tell("A big dog came.", "A little dog came to the {here}.", "Then a dog came.", here=t.place)
    thing.holder, t.place = "dog", place
    t.tell("The dog took {x} from {a.name}.", "The dog took {x}!", a=owner, x=thing)
    t.tell("The dog ran to the {place} with {x}.", "The dog ran to the {place}.", place=place, x=thing)
    if t.chance(0.25):
        t.tell("{a.name} was sad.", a=owner)
        return
    t.tell("{a.name} and {b.name} ran after the dog.", "{a.name} ran after the dog.", a=owner, b=friend)
    hero = t.rng.choice([owner, friend])
    thing.holder = hero
    t.tell("The dog gave {x} to {b.name}.", "{b.name} took {x} from the dog.", b=hero, x=thing)
    if hero is friend and t.chance(0.6):
        hand_over(t, thing, owner)
        thank(t, friend, owner, thing)
    elif t.chance(0.5):
        t.tell('"You are a good dog," {b.said}.', '"You are a bad dog," {b.said}.', b=hero)


def gift(t):
    giver, taker = t.rng.sample(t.people, 2)
    thing = t.new_thing(giver)
    t.tell("{a} made {x.new} for {b.him}.", "{a} had {x.new} for {b}.", a=giver, b=taker, x=thing)
    if t.chance(0.8):
        hand_over(t, thing, taker)
        t.tell('"Thank you, {a.name}," {b.said}.', a=giver, b=taker)
        if t.chance(0.5):
            t.tell('"I like the ' + thing.colour + " " + thing.noun + '," {b.said}.', b=taker)


def swapping(t):
    first, second = t.rng.sample(t.people, 2)
    things = []
    for person in (first, second):
        held = [x for x in t.things if x.holder is person]
        things.append(t.rng.choice(held) if held else t.new_thing(person))
        if not held:
            t.tell("{a} had {x.new}.", "{a} found {x.new}.", a=person, x=things[-1])
    hand_over(t, things[0], second)
    hand_over(t, things[1], first)
    if t.chance(0.6):
        t.tell("Now {a.name} had {x} and {b.name} had {y}.", a=first, x=things[1], b=second, y=things[0])


def singing(t):
    first, second = t.rng.sample(t.people, 2)
    items = [f"a {t.rng.choice(COLOURS)} {noun}" for noun in t.rng.sample(NOUNS, t.rng.randint(2, 4))]
    song = '"I see ' + ", ".join(items[:-1]) + " and " + items[-1]
    t.tell("{a} sang a song.", "Then {a} sang a song.", a=first)
    t.tell(song + ',"' + " {a.sang}.", a=first)
    t.tell("{b} sang it too.", "{b} liked the song.", b=second)
    t.tell(song + ',"' + " {b.sang}.", b=second)


def conjuring(t):
    """Words in no order that sense could tell: only a look at the first time says what comes next."""
    first, second = t.rng.sample(t.people, 2)
    words = " ".join(t.rng.sample(NOUNS, t.rng.randint(4, 8)))
    t.tell("{a} said the magic words.", "{a} had magic words.", a=first)
    t.tell(f'"I say {words},"' + " {a.said}.", a=first)
    t.tell("{b} said the magic words too.", "{b} liked the magic words.", b=second)
    t.tell(f'"I say {words},"' + " {b.said}.", b=second)
    t.mark_again(words)
    if t.chance(0.3):
        t.tell(f'"I say {words},"' + " {a.said}.", a=first)
        t.mark_again(words)


def echoing(t):
    first, second = t.rng.sample(t.people, 2)
    wish = t.rng.choice(["I like the " + t.rng.choice(COLOURS) + " " + t.rng.choice(NOUNS),
                         "I want to go to the " + t.rng.choice(PLACES),
                         "I want to play in the " + t.rng.choice(PLACES)])
    t.tell(f'"{wish},"' + " {a.said}.", a=first)
    t.tell(f'"{wish} too,"' + " {b.said}.", b=second)


def walking(t):
    t.place = t.rng.choice([p for p in PLACES if p != t.place])
    first, second = t.rng.sample(t.people, 2)
    t.tell("Then {a.name} and {b.name} went to the {place}.", "They went to the {place}.",
           "{a.name} and {b.name} ran to the {place}.", a=first, b=second, place=t.place)


def playing(t):
    thing = t.held()
    t.tell("{a} played with {x} all day.", "{a} played with {x}.", "They played with {x}.", a=thing.holder, x=thing)


def raining(t):
    t.tell("It was cold.", "Then it was rainy.", "It was windy.")
    t.tell("They ran home.", "They went to the house.", "They ran to the house.")
    t.place = "house"


def racing(t):
    first, second = t.rng.sample(t.people, 2)
    t.place = t.rng.choice([p for p in PLACES if p != t.place])
    t.tell('"I can run to the {place}," {a.said}.', place=t.place, a=first)
    t.tell('"I can run to the {place} too," {b.said}.', place=t.place, b=second)
    t.tell("{a.name} and {b.name} ran and ran.", "They ran and ran.", a=first, b=second)
    t.tell("{a.name} was there first.", a=t.rng.choice([first, second]))


PLOTS = [passing, passing, asking, asking, lost, lost, hiding, hiding, dog, gift, swapping, singing, singing,
         conjuring, conjuring, conjuring, echoing, walking, playing, raining, racing]
