"""What can go wrong with a Veyru: fourteen motifs, what shows of each, and where a Veyru stands.

Names, priorities and the length of each description are facts of GlossoGen's public code; the
sentences are BabelZoo's own.
"""

import msgspec

__all__ = ["LOCATIONS", "MOTIFS", "Motif", "symptoms"]


class Motif(msgspec.Struct, frozen=True):
    """One kind of trouble. Its description never varies.

    Attributes:
        name: What the specialist's table calls it.
        priority: 1 (critical, shown first) to 5.
        phrases: What a technician sees, hears and feels: three full sentences, or four.
    """

    name: str
    priority: int
    phrases: tuple[str, ...]


MOTIFS = (
    Motif(
        "Alignment Collapse",
        5,
        (
            "Patches of light flare up and go out in no order that you could name.",
            "The hum stumbles along in fragments and never finds a rhythm.",
            "Its edges look intact, but the glow between them churns in wild disorder.",
        ),
    ),
    Motif(
        "Drift Escalation",
        5,
        (
            "Bands of light creep slowly across all the faces, like clouds in the wind, and never "
            "stop.",
            "The edges look smeared, as if a wet thumb had been drawn along them.",
            "The pitch of the hum sways up and down without settling.",
        ),
    ),
    Motif(
        "Echo Saturation",
        4,
        (
            "It glows far brighter than it should, flooded with light from end to end.",
            "Several tones lie on top of each other in the hum, like a choir in a cave.",
            "Some faces have seized up and do not answer to touch.",
        ),
    ),
    Motif(
        "Leak Instability",
        1,
        (
            "The corners have gone almost black.",
            "Several edges are fading, as though their ink were washed out.",
            "The middle of each face is healthy, but light drains away toward its rim.",
            "Around the edges you hear a thin and hollow hum.",
        ),
    ),
    Motif(
        "Low Intensity",
        2,
        (
            "The whole box is dim, like the last coals of a fire.",
            "Its hum has sunk to a whisper that you must lean in to hear.",
            "The patterns look pale, as if it were running out of power.",
        ),
    ),
    Motif(
        "High Intensity",
        2,
        (
            "It blazes in a white so fierce that you have to look away.",
            "A loud, harsh buzz comes from it and makes whatever it stands on tremble.",
            "You feel heat pouring off the faces.",
        ),
    ),
    Motif(
        "Phase Inversion",
        5,
        (
            "Opposite faces trade light and darkness in a strict pulse.",
            "The hum jumps between two tones in step with them, like a siren.",
            "Each time the light changes, the edges flash along with it.",
        ),
    ),
    Motif(
        "Resonance Cascade",
        3,
        (
            "A single face outshines the rest and shivers so hard that you feel it.",
            "Close to it you hear a piercing whine that is heard nowhere else.",
            "All of the other faces look just as they should.",
        ),
    ),
    Motif(
        "Corner Deadlock",
        3,
        (
            "One corner, or perhaps two, burns with a hard point of light.",
            "A dry clicking comes from that spot, like a clock that has gone wrong.",
            "Hold your hand there and you feel the heat gathering.",
        ),
    ),
    Motif(
        "Boundary Softening",
        4,
        (
            "The edges wobble like jelly when touched.",
            "The faces bulge and the box has lost its shape.",
            "Its hum sounds muffled, as though it came up from under water.",
        ),
    ),
    Motif(
        "Propagation Stall",
        1,
        (
            "The patterns have frozen solid and give off only a faint gleam.",
            "There is no sound at all, however long you listen.",
            "It is cold to the hand, and nothing you do stirs it.",
        ),
    ),
    Motif(
        "Harmonic Split",
        5,
        (
            "The hum has come apart into tones that clash with each other.",
            "The light hops to and fro between two quite different layouts.",
            "The edges shimmer, as if two patterns fought over them.",
        ),
    ),
    Motif(
        "Thermal Bleed",
        1,
        (
            "It is almost too hot to touch, yet it hardly shines.",
            "Where its tone should be, a low rumble rolls.",
            "The skin feels gritty and gleams red.",
        ),
    ),
    Motif(
        "Core Void",
        3,
        (
            "The surface glows as usual, but a knock on it sounds hollow.",
            "Held against a light, the middle shows as a dark hole.",
            "The hum is thin and shallow, as if it came from the shell and nothing within.",
        ),
    ),
)

LOCATIONS = (
    "The Veyru sits on a shelf.",
    "The Veyru stands on a workbench.",
    "The Veyru waits on a counter.",
    "The Veyru rests on a table.",
    "The Veyru lies on the floor.",
    "The Veyru perches on a ledge.",
    "The Veyru is on a desk.",
    "The Veyru is set down on a bench.",
    "The Veyru is in a corner of the room.",
    "The Veyru is kept in a cabinet.",
    "The Veyru stands near a window.",
    "The Veyru is up on a pedestal.",
    "The Veyru is balanced on a crate.",
    "The Veyru lies in a bin.",
    "The Veyru is stored on a rack.",
)


def symptoms(motif: int) -> str:
    """All that shows of a motif, as one line.

    Args:
        motif: Its place in `MOTIFS`, 0 to 13.

    Returns:
        140 to 220 characters or so: full sentences with a space between them.

    Raises:
        IndexError: If there is no such motif.
    """
    return " ".join(MOTIFS[motif].phrases)
