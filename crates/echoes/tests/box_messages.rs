//! The words that a person reads after a typical mistake in a box text.

use echoes::box_language::parse_alone;
use echoes::ids::Side;

/// What a person sees after a typical mistake, word for word.
#[test]
fn typical_mistakes_are_explained() {
    let seen: [(&str, &str, &str); 31] = [
        (
            "a missing full stop",
            "Axis: Attack WF",
            r"error: the sentence has no full stop
  --> box:1:16
   |
 1 | Axis: Attack WF
   |                ^ expected a full stop",
        ),
        (
            "a full stop missing before the next side",
            "Axis: Attack WF Allies: 1 Action.",
            r"error: the sentence has no full stop
  --> box:1:16
   |
 1 | Axis: Attack WF Allies: 1 Action.
   |                ^ expected a full stop",
        ),
        (
            "an unknown word",
            "Axis: Atack WF. Allies: 1 Action.",
            r#"error: unknown word "Atack"
  --> box:1:7
   |
 1 | Axis: Atack WF. Allies: 1 Action.
   |       ^^^^^ expected an instruction: ADV, Attack, 2 Attacks, 1 Action, +1 EMT, Extra TOW, Roll, If, In, Choose, Major Conflict or None
   = hint: did you mean "Attack"?"#,
        ),
        (
            "overlapping die results",
            "Axis: Roll 1d6: 1-3 ADV WF; 3-4 ADV EF.",
            r"error: the result 3 already belongs to an earlier branch
  --> box:1:29
   |
 1 | Axis: Roll 1d6: 1-3 ADV WF; 3-4 ADV EF.
   |                             ^^^ expected every result in one branch at most",
        ),
        (
            "a missing colon",
            "Axis Attack WF.",
            r"error: there is no colon after Axis
  --> box:1:5
   |
 1 | Axis Attack WF.
   |     ^ expected a colon",
        ),
        (
            "a missing colon after a condition",
            "Allies: If EMT even ADV WF.",
            r"error: there is no colon after the condition
  --> box:1:20
   |
 1 | Allies: If EMT even ADV WF.
   |                    ^ expected a colon",
        ),
        (
            "an unknown region",
            "Axis: Attack WX, EF.",
            r#"error: unknown word "WX"
  --> box:1:14
   |
 1 | Axis: Attack WX, EF.
   |              ^^ expected a region: WF, EF, SF, CHN, PAC or ISL"#,
        ),
        (
            "an unknown region in a list",
            "Axis: Attack WF, XF.",
            r#"error: unknown word "XF"
  --> box:1:18
   |
 1 | Axis: Attack WF, XF.
   |                  ^^ expected a region (WF, EF, SF, CHN, PAC or ISL) or an instruction such as ADV, Attack or +1 EMT"#,
        ),
        (
            "a number out of range",
            "Allies: 21 Actions.",
            r#"error: "21" is out of range
  --> box:1:9
   |
 1 | Allies: 21 Actions.
   |         ^^ expected a number from 1 to 20"#,
        ),
        (
            "a repetition out of range",
            "Axis: Attack WF x12.",
            r#"error: "x12" is out of range
  --> box:1:17
   |
 1 | Axis: Attack WF x12.
   |                 ^^^ expected x1 to x9"#,
        ),
        (
            "a space out of range",
            "Allies: If CHN at 4 or more: ADV WF.",
            r#"error: "4" is out of range
  --> box:1:19
   |
 1 | Allies: If CHN at 4 or more: ADV WF.
   |                   ^ expected a space of CHN, 0 to 3"#,
        ),
        (
            "an unclosed bracket",
            "Allies: In 1943-45: (Roll 1d6: 1-2 ADV WF; 3-6 none.",
            r"error: this bracket is not closed
  --> box:1:21
   |
 1 | Allies: In 1943-45: (Roll 1d6: 1-2 ADV WF; 3-6 none.
   |                     ^ expected a closing bracket before the full stop",
        ),
        (
            "years that run backwards",
            "Event 1943-1941: Axis: ADV WF.\nAlternate: Axis: None.",
            r"error: the years run backwards, from 1943 to 1941
  --> box:1:7
   |
 1 | Event 1943-1941: Axis: ADV WF.
   |       ^^^^^^^^^ expected the earlier year first
   = hint: did you mean 1941-1943?",
        ),
        (
            "a year that is none",
            "Allies: In 19411: ADV WF.",
            r#"error: "19411" is not a year
  --> box:1:12
   |
 1 | Allies: In 19411: ADV WF.
   |            ^^^^^ expected a year such as 1941 or 41"#,
        ),
        (
            "Tide of War for the bot",
            "Axis: Extra TOW.",
            r"error: the Axis side is the bot and has no Tide of War
  --> box:1:7
   |
 1 | Axis: Extra TOW.
   |       ^^^^^^^^^ expected TOW only for the human's side",
        ),
        (
            "a negative mark",
            "Allies: -1 EMT.",
            r#"error: marks can't be taken away
  --> box:1:9
   |
 1 | Allies: -1 EMT.
   |         ^^^^^^ expected +1 EMT to +9 EMT
   = hint: write it as a mark on the other side's row: give that side the "+1""#,
        ),
        (
            "an event that is not in the book",
            "Allies: If event \"Overlard\" done: ADV WF.",
            r#"error: no box of this book is called "Overlard"
  --> box:1:18
   |
 1 | Allies: If event "Overlard" done: ADV WF.
   |                  ^^^^^^^^^^ expected the title of a box
   = hint: did you mean "Overlord"?"#,
        ),
        (
            "both sides first",
            "Allies first. Axis first. Axis: ADV WF.",
            r#"error: "Axis first" contradicts "Allies first"
  --> box:1:15
   |
 1 | Allies first. Axis first. Axis: ADV WF.
   |               ^^^^^^^^^^ expected one of the two in an Event or Alternate"#,
        ),
        (
            "options without a semicolon",
            "Allies: Choose: ADV WF or ADV EF.",
            r#"error: unexpected word "ADV"
  --> box:1:27
   |
 1 | Allies: Choose: ADV WF or ADV EF.
   |                           ^^^ expected a region: WF, EF, SF, CHN, PAC or ISL
   = hint: join instructions with a comma or "then"; divide options with "; or""#,
        ),
        (
            "a single option",
            "Allies: Choose: ADV WF.",
            r#"error: there is nothing to choose from
  --> box:1:9
   |
 1 | Allies: Choose: ADV WF.
   |         ^^^^^^ expected at least two options, divided by "; or""#,
        ),
        (
            "a comma inside a branch",
            "Allies: Roll 1d6: 1-3 Attack WF, +1 EMT; 4-6 none.",
            r#"error: this die result belongs to no open Roll
  --> box:1:40
   |
 1 | Allies: Roll 1d6: 1-3 Attack WF, +1 EMT; 4-6 none.
   |                                        ^ expected "; else" in an If or In, "; or" in a Choose, "; 4-6" in a Roll, or a full stop
   = hint: inside these, join instructions with "then": a comma or a closed bracket ends them"#,
        ),
        (
            "a modifier without a sign",
            "Allies: Attack WF at 1.",
            r#"error: unexpected "1"
  --> box:1:22
   |
 1 | Allies: Attack WF at 1.
   |                      ^ expected a modifier with its sign, such as +1 or -1"#,
        ),
        (
            "no side named",
            "Attack WF.",
            r#"error: no side is named for this
  --> box:1:1
   |
 1 | Attack WF.
   | ^^^^^^ expected "Axis:" or "Allies:"
   = hint: every instruction stands after the name of a side and a colon"#,
        ),
        (
            "a die result that is none",
            "Allies: Roll 1d6: 0-3 none.",
            r#"error: "0-3" is not on the die
  --> box:1:19
   |
 1 | Allies: Roll 1d6: 0-3 none.
   |                   ^^^ expected results from 1 to 6"#,
        ),
        (
            "an Alternate without an Event",
            "Axis: ADV WF. Alternate: Axis: None.",
            r#"error: there is an Alternate but no Event
  --> box:1:15
   |
 1 | Axis: ADV WF. Alternate: Axis: None.
   |               ^^^^^^^^^ expected "Event" and its years, then one "Alternate:""#,
        ),
        (
            "a strange character",
            "Axis: Attack WF / EF.",
            r#"error: the box language has no use for "/"
  --> box:1:17
   |
 1 | Axis: Attack WF / EF.
   |                 ^ expected words, numbers, quoted titles or one of : ; , . ( ) + -"#,
        ),
        (
            "an unclosed quotation mark",
            "Allies: If event \"Overlord done: ADV WF.",
            r#"error: the quotation mark is not closed
  --> box:1:18
   |
 1 | Allies: If event "Overlord done: ADV WF.
   |                  ^^^^^^^^^^^^^^ expected a closing ""#,
        ),
        (
            "a warning: Actions for the bot",
            "Axis: 2 Actions.",
            r#"warning: the Axis side is the bot: its Actions are all attacks
  --> box:1:7
   |
 1 | Axis: 2 Actions.
   |       ^^^^^^^^^
   = hint: write "Attacks""#,
        ),
        (
            "a warning: more than two attacks",
            "Allies: Attack WF x3.",
            r"warning: this orders more than two attacks on WF
  --> box:1:9
   |
 1 | Allies: Attack WF x3.
   |         ^^^^^^^^^^^^
   = hint: no region may be attacked more than twice in a turn; the rest is lost",
        ),
        (
            "a warning: or that means and",
            "Allies: ADV WF or EF.",
            r#"warning: "or" in this list means "and": every region of it is done
  --> box:1:16
   |
 1 | Allies: ADV WF or EF.
   |                ^^
   = hint: for a choice write "ADV 1 of …" or "1 Attack on …""#,
        ),
        (
            "a warning: no Alternate",
            "Event 1941: Axis: ADV WF.",
            r#"warning: this Event has no Alternate, so the box does nothing when the Event is not available
  --> box:1:1
   |
 1 | Event 1941: Axis: ADV WF.
   | ^^^^^
   = hint: add "Alternate:" and what happens then"#,
        ),
    ];
    for (mistake, text, expected) in seen {
        let report = match parse_alone(text, Side::Allies, &["Barbarossa", "Overlord"], [5, 5, 5, 3, 5, 5]) {
            Ok((_, problems)) | Err(problems) => problems.to_string(),
        };
        assert_eq!(report, expected, "{mistake}\n{report}");
    }
}
