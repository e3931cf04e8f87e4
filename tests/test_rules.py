"""Rule sets: presets, specs, files of one's own, and what is refused and why."""

import pytest

from forty5sim.errors import RuleSetError
from forty5sim.named_rules import find_rules, load_presets, presets
from forty5sim.rulebook import preset_list, ranking_chart, rules_text
from forty5sim.rules import OPTIONS, RuleSet


def test_a_spec_names_a_preset_with_house_rules():
    rules = find_rules("spoil-five:plain_lead=free,ante=2")
    assert (rules.name, rules.plain_lead, rules.ante) == ("spoil-five", "free", 2)
    assert rules.id == "spoil-five:plain_lead=free,ante=2"
    assert find_rules(rules.id) == rules
    assert find_rules("spoil-five", ante=2).ante == 2


def test_defaults_follow_the_family():
    assert RuleSet(family="pot").jink == "on"
    assert RuleSet(family="counting").jink == "off"
    assert RuleSet(family="counting").tie == "highest_total"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("spoil5", "did you mean 'spoil-five'"),
        ("spoil-five:ane=2", "did you mean 'ante'"),
        ("spoil-five:ante=x", "a whole number 1..1000"),
        ("spoil-five:plain_lead=fre", "did you mean 'free'"),
        ("spoil-five:ante", "write name:option=value"),
        ("spoil-five:ante=2,pot_cap", "write option=value"),
        ("forty-five:ante=2", "belongs to the family pot"),
        ("forty-five:jink=on,sweep=wins_game", "same five tricks"),
        ("forty-five:jink=on,hand_size=4", "needs hand_size=5"),
        ("forty-five:jink=on,stop_at_target=on", "played to the end"),
        ("forty-five:trick_scoring=five_ten,stop_at_target=on", "after the last trick"),
        ("forty-five:trick_scoring=difference,tie=trick_order", "after the last trick"),
        ("forty-five:bonus=none,bonus_needs_top=on", "needs bonus=best_trump"),
        ("spoil-five:rob_missed=barred,rob_forced=all", "compulsory"),
        ("forty-five:rob_missed=barred", "no pot to be barred from"),
        ("spoil-five:pot_cap=20", "dealer_only_after_first"),
        ("spoil-five:jink_bonus=3,jink_reward=double_pot", "pays no bonus"),
        ("spoil-five:sides=2x2", "individuals"),
        ("spoil-five:ante=60", "cannot pay the first ante"),
        ("spoil-five:win_tricks=4,hand_size=3", "more than the 3 tricks"),
        ("forty-five:deck=5S+JS+AH,hand_size=2", "too small"),
        ("forty-five:deck=5S+5S+AH,hand_size=1", "5S twice"),
        ("forty-five:deck=5S+JS+AH+JK+2S+3S,hand_size=1", "holds a Joker exactly if"),
        ("forty-five-three-handed:first_dealer=5", "is no seat"),
        ("nowhere.toml:x", "cannot read 'nowhere.toml'"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(spec, message):
    with pytest.raises(RuleSetError, match=message.replace("(", r"\(")):
        find_rules(spec)


def test_sides():
    assert find_rules("forty-five").side_count(4) == 2
    assert find_rules("forty-five").side_count(6) == 2
    assert find_rules("forty-five:sides=individuals").side_count(4) == 4
    assert find_rules("forty-five:sides=3x2").side_count(6) == 3
    assert find_rules("forty-five:sides=3x3").default_players == 9
    with pytest.raises(RuleSetError, match="not for 4 players"):
        find_rules("forty-five:sides=5x2").side_count(4)
    with pytest.raises(RuleSetError, match="it is for 3"):
        find_rules("forty-five-three-handed").side_count(4)


def test_presets_of_ones_own(tmp_path):
    path = tmp_path / "my_rules.toml"
    path.write_text('[house]\nbase = "spoil-five"\nante = 2\n[mini]\nfamily = "pot"\n'
                    'deck = ["5S", "JS", "2S", "3S", "KD", "QD", "JD", "KC"]\nhand_size = 3\n'
                    'trump = "S"\nwin_tricks = 2\nplayers = [2]\n')  # fmt: skip
    assert find_rules(f"{path}:house").ante == 2
    assert find_rules(f"{path}:house:ante=3").ante == 3
    assert find_rules(f"{path}:mini").players == (2,)
    with pytest.raises(RuleSetError, match="known games there: house, mini"):
        find_rules(f"{path}:hose")
    assert "house" in preset_list(load_presets(path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[a]\nbase = 'spoil-five'\nante = 0", r"\[a\]: option ante cannot be 0"),
        ("[a]\nante = 1", "needs base"),
        ("[a]\nbase = 'spoil'", "unknown base"),
        ("[a]\nbase = 'spoil-five'\nanet = 1", "did you mean 'ante'"),
        ("[a]\nbase = 'spoil-five'\nplayers = 4", "list of whole numbers"),
        ("a = 1", "expected a table"),
        ("[a", "no TOML file"),
    ],
)
def test_a_faulty_file_names_the_place(tmp_path, text, message):
    path = tmp_path / "my.toml"
    path.write_text(text)
    with pytest.raises(RuleSetError, match=message) as error:
        load_presets(path)
    assert "my.toml" in str(error.value)


def test_the_rules_are_printed_in_english_and_mark_what_differs():
    text = rules_text(find_rules("spoil-five"))
    assert "* To a plain lead follow suit or trump; no other card" in text
    assert "  The ante is 1. [ante=1; 5.1]" in text
    assert max(map(len, text.splitlines())) <= 80
    for rules in presets().values():
        assert rules.name in rules_text(rules)


def test_every_option_says_what_each_value_means():
    for name, declared in OPTIONS.items():
        for word in declared.words:
            assert declared.words[word] or name == "sides", (name, word)
        if declared.numbers is not None:
            assert "{}" in declared.says, name


def test_the_ranking_chart():
    chart = ranking_chart(find_rules("forty-five"), 0)
    assert "trumps    5S JS AH AS KS QS 2S 3S 4S 6S 7S 8S 9S 10S" in chart
    assert "hearts    KH QH JH 10H" in chart
    assert ranking_chart(find_rules("forty-five"), 3).splitlines()[1].endswith("4H 3H 2H")
