//! The game in two sentences and the signs on its board, for the lobby and the legend.

/// The game in two sentences.
pub const PITCH: &str = "Armies, air fleets and convoys on a hex map of Europe, month by month from September 1939: a short \
     campaign such as Poland 1939 in an hour, or the whole war for two or three. Every attack is one table and two dice, and a \
     country falls when its National Will is gone.";

/// The signs and abbreviations on the board.
pub const LEGEND: &[(&str, &str)] = &[
    ("MP", "movement points: a leg unit has 8, every other 10; half of it in Low or No Supply"),
    ("reduced", "a ground unit that has lost one of its two steps: −2 in combat"),
    ("star", "an elite unit: +1 in combat"),
    ("Sorties", "what aircraft and ships have done: −1 each in combat; with 6 they can only defend"),
    ("Low, No", "supply: Low means half the MP and −2, No means half the MP, halved rolls and losses"),
    ("ZOC, EZOC", "zone of control and that of an enemy: entering it stops a unit"),
    ("No EZOC", "a gap torn into the front: no enemy zone of control in this hex until the actions end"),
    ("AA, AS", "the attacker loses a step, or is stopped"),
    ("NE", "no effect"),
    ("DR, DD, DE", "the defender retreats, is reduced and retreats, or is eliminated"),
    (
        "Will Commit",
        "the marker with which a side says that it will use aircraft or event markers in a combat",
    ),
    ("fort", "only an Assault can attack a unit in it; the attacker's roll is halved"),
    ("Factory", "2 points a month for its country"),
    ("Fac Lost", "Factories that the strategic war has shut down: Germany, United Kingdom, Soviet Union"),
    ("Extra Factories", "Factories beyond the map"),
    ("National Will", "what a country can still bear; at 0 it collapses"),
    ("Transport Line", "railways and roads: 1 MP a hex, any distance for supply"),
    ("faded dot", "land that no ground unit may ever enter"),
    ("Sea Zone number", "ports and coasts belong to zones; ships pay 1 MP for each"),
    ("ENA, WIO, CRU", "the Map Boxes: Eastern North America, Western Indian Ocean, Central Russia"),
    ("Pro-marker", "a neutral country leans to a faction; the next Influence brings it in"),
    ("Lone", "a country that fights the Soviets alone while the Pact stands"),
    ("Bombed", "a Factory hit by a Bombing Run; it counts in the next strategic combat"),
    ("Partisans", "the unit there costs a point more and fights at −1; no supply runs through the hex"),
    ("Mulberry", "an artificial harbour: a port for supply for three turns"),
];
