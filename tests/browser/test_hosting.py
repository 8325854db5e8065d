"""A game between people: hosted from the gallery, joined by one link on phones, by touch and by keys, and begun."""

import pytest
from playwright.sync_api import Page, expect

from browser.axe import faults_beside_the_map as faults
from browser.conftest import DESK, PHONE, NewWindow
from browser.hands import unfold_cards, wait_for_table


@pytest.fixture
def phones(window: NewWindow) -> list[Page]:
    """Three phones that know nothing of each other, in two time zones."""
    zones = ("Europe/Berlin", "America/New_York", "Europe/Berlin")
    return [window(viewport=PHONE, has_touch=True, timezone_id=zone) for zone in zones]


def test_three_phones_come_from_one_link_to_the_first_turn(phones: list[Page]) -> None:
    anna, ben, cleo = phones
    anna.goto("/")
    anna.get_by_label("Host a game of Diplomacy", exact=True).tap()
    unfold_cards(anna)
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_label("No deadlines").check()
    assert faults(anna) == []
    anna.get_by_role("button", name="Create the game").tap()
    link = anna.get_by_label("Anyone with this link").input_value()

    ben.goto(link)
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_label("Italy").check()
    ben.get_by_role("button", name="Join").tap()
    expect(anna.get_by_role("link", name="Ben", exact=True)).to_be_visible()  # without asking for the page again
    assert faults(anna) == []

    cleo.goto(link)  # by keys alone
    cleo.get_by_label("Your name").focus()
    cleo.keyboard.type("Cleo")
    cleo.keyboard.press("Enter")
    expect(cleo.get_by_text("You have joined this game")).to_be_visible()

    expect(anna.get_by_text("3 of 7 players have joined")).to_be_visible()
    anna.get_by_role("button", name="Start with computers").tap()
    for page in phones:
        wait_for_table(page)
        expect(page.locator("#phase")).to_contain_text("Spring 1901")
    expect(ben.locator("#seat-now")).to_contain_text("Italy")
    for page in phones:
        page.get_by_role("button", name="Ready").tap()
    for page in phones:
        expect(page.locator("#phase")).to_contain_text("1901")
    expect(anna.locator("#phase")).to_contain_text("processed")


def test_a_seat_is_taken_by_a_click_on_the_map_and_changed_by_another(window: NewWindow) -> None:
    anna, ben = window(viewport={"width": 1366, "height": 768}), window(viewport=PHONE)
    anna.goto("/variants/standard/host")
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_role("button", name="Create the game").click()
    copy = anna.get_by_role("button", name="Copy the link")
    expect(copy).to_be_in_viewport()
    expect(anna.get_by_role("button", name="Start with computers")).to_be_in_viewport()
    ben.goto(anna.get_by_label("Anyone with this link").input_value())
    expect(ben.get_by_role("button", name="Join")).to_be_in_viewport()
    ben.locator("#seat-map .space[data-space=MOS]").click()
    expect(ben.get_by_label("Russia")).to_be_checked()
    assert faults(ben) == []
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Join").click()
    row = anna.get_by_role("listitem").filter(has_text="Russia")
    expect(row).to_contain_text("Ben")  # without asking for the page again
    expect(anna.locator(".seat-names [data-slug=russia]")).to_contain_text("Ben")
    ben.locator(".seat-names [data-slug=turkey]").click()
    expect(anna.get_by_role("listitem").filter(has_text="Turkey")).to_contain_text("Ben")
    expect(row).to_contain_text("free")
    anna.get_by_role("button", name="Play Russia").click()
    expect(row).to_contain_text("you")
    assert faults(anna) == []
    anna.get_by_label("Computer players on the 5 empty seats").select_option("careless")
    anna.get_by_role("button", name="Start with computers").click()
    for page, power in ((anna, "Russia"), (ben, "Turkey")):
        wait_for_table(page)
        expect(page.locator("#seat-now")).to_contain_text(power)


def test_a_computer_is_given_to_a_power_when_the_game_is_hosted(window: NewWindow) -> None:
    anna = window(viewport=PHONE)
    anna.goto("/variants/standard/host")
    unfold_cards(anna)
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_text("Computers by seat").click()
    anna.get_by_label("Turkey", exact=True).select_option("careless")
    assert faults(anna) == []
    anna.get_by_role("button", name="Create the game").click()
    expect(anna.get_by_text("1 of 6 players have joined")).to_be_visible()
    expect(anna.get_by_role("listitem").filter(has_text="Turkey")).to_contain_text("Computer: careless")
    assert faults(anna) == []


def test_preferences_are_chosen_on_the_map_while_one_joins(window: NewWindow) -> None:
    anna, ben = window(viewport=DESK), window(viewport=PHONE)
    anna.goto("/variants/standard/host")
    unfold_cards(anna)
    anna.get_by_label("Your name").fill("Anna")
    anna.locator("input[name=deal][value=preferences]").check()
    anna.get_by_role("button", name="Create the game").click()
    ben.goto(anna.get_by_label("Anyone with this link").input_value())
    for power in ("france", "italy"):
        ben.locator(f".seat-names [data-slug={power}]").click()
    expect(ben.get_by_label("First choice")).to_have_value("France")
    expect(ben.get_by_label("Second choice")).to_have_value("Italy")
    ben.locator(".seat-names [data-slug=france]").click()  # once more takes it out
    expect(ben.get_by_label("First choice")).to_have_value("")
    assert faults(ben) == []
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Join").click()
    expect(ben.get_by_text("Preferences: Italy")).to_be_visible()


def test_a_schedule_is_set_by_hand_and_says_when_moves_are_due(phones: list[Page]) -> None:
    anna, *_ = phones
    anna.goto("/variants/standard/host")
    unfold_cards(anna)
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_label("Custom schedule").check()
    anna.get_by_label("Mon", exact=True).uncheck()
    anna.get_by_label("Time of day", exact=True).fill("19:30")
    expect(anna.locator("#schedule-words")).to_contain_text("Moves are due Thursdays at 19:30, Berlin time")
    expect(anna.locator("#schedule-words")).to_contain_text(
        "If the game started now, the first deadlines would be Thursday"
    )
    anna.get_by_label("Thu", exact=True).uncheck()
    expect(anna.locator("#schedule-words")).to_contain_text("No day of the week is chosen")
    anna.get_by_label("Sun", exact=True).check()
    assert faults(anna) == []
    anna.get_by_role("button", name="Create the game").tap()
    expect(anna.get_by_text("Moves are due Sundays at 19:30, Berlin time")).to_be_visible()


def test_retreats_and_builds_are_ordered_ahead(phones: list[Page]) -> None:
    anna, *_ = phones
    anna.goto("/variants/standard/host")
    unfold_cards(anna)
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_role("button", name="Create the game").tap()
    anna.get_by_role("button", name="Start with computers").tap()
    wait_for_table(anna)
    anna.get_by_text("Order retreats and builds in advance").tap()
    anna.locator("#ahead").fill("build A PAR\nA PAR S A MAR")
    anna.get_by_role("button", name="Save").tap()
    expect(anna.locator("#toast")).to_contain_text("'A PAR S A MAR' is neither a retreat nor an adjustment")
    anna.locator("#ahead").fill("build A PAR")
    anna.get_by_role("button", name="Save").tap()
    expect(anna.get_by_text("1 conditional order")).to_be_visible()
    assert faults(anna) == []
    anna.reload()
    wait_for_table(anna)
    expect(anna.locator("#ahead")).to_have_value("build A PAR")


def test_a_seat_is_lent_taken_over_and_left(phones: list[Page]) -> None:
    anna, ben, cleo = phones
    anna.goto("/variants/standard/host")
    unfold_cards(anna)
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_label("No deadlines").check()
    anna.get_by_role("button", name="Create the game").tap()
    anna.get_by_role("button", name="Start with computers").tap()
    wait_for_table(anna)
    anna.get_by_role("tab", name="Game").tap()
    anna.get_by_role("button", name="Ask a sitter").tap()
    lent = anna.locator("#offer").input_value()
    ben.goto(lent)
    assert faults(ben) == []
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Join").tap()
    wait_for_table(ben)
    expect(anna.get_by_text("Ben (sitter)")).to_be_visible()
    anna.get_by_role("button", name="Take the seat back").tap()
    anna.get_by_role("button", name="Find a replacement").tap()
    expect(anna.locator("#offer")).not_to_have_value(lent)
    cleo.goto(anna.locator("#offer").input_value())
    cleo.get_by_label("Your name").fill("Cleo")
    cleo.get_by_role("button", name="Join").tap()
    wait_for_table(cleo)
    cleo.get_by_role("tab", name="Game").tap()
    cleo.get_by_role("button", name="Resign").tap()
    cleo.get_by_role("button", name="Yes").tap()
    expect(anna.get_by_text("vacant", exact=True)).to_be_visible()
    anna.get_by_role("button", name="Game log").tap()
    expect(anna.locator(".journal")).to_contain_text("Cleo resigned")
    assert faults(anna) == []


def test_the_first_page_lists_your_games_and_changes_with_them(phones: list[Page]) -> None:
    anna, ben, _ = phones
    anna.goto("/variants/standard/host")
    unfold_cards(anna)
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_label("Game name").fill("Quai d'Orsay")
    anna.get_by_label("No deadlines").check()
    anna.get_by_role("button", name="Create the game").tap()
    ben.goto(anna.get_by_label("Anyone with this link").input_value())
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Join").tap()
    expect(ben.get_by_text("You have joined this game")).to_be_visible()
    ben.goto("/")
    expect(ben.locator("#mine")).to_contain_text("waiting for players")
    assert faults(ben) == []
    anna.get_by_role("button", name="Start with computers").tap()
    expect(ben.get_by_role("heading", name="Your turn")).to_be_visible()  # without asking for the page again
    expect(ben.locator("#mine")).to_contain_text("Quai d'Orsay")
    ben.get_by_role("link", name="Ben", exact=True).tap()
    expect(ben.get_by_role("heading", name="Ben", exact=True)).to_be_visible()
    assert faults(ben) == []


def test_a_deadline_is_shown_in_the_time_zone_of_the_viewer(phones: list[Page]) -> None:
    berlin, new_york, _ = phones
    berlin.goto("/variants/standard/host")
    unfold_cards(berlin)
    berlin.get_by_label("Your name").fill("Anna")
    berlin.get_by_label("Weekdays").check()
    berlin.get_by_role("button", name="Create the game").tap()
    expect(berlin.get_by_text("Moves are due Mondays to Fridays at 20:00, Berlin time")).to_be_visible()
    berlin.get_by_role("button", name="Start with computers").tap()
    wait_for_table(berlin)
    expect(berlin.locator(".phase-due")).to_contain_text("20:00")
    new_york.goto(berlin.url)
    expect(new_york.locator(".phase-due")).to_contain_text("14:00")


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)], ids=["laptop", "phone"])
def test_a_game_is_created_without_scrolling_by_a_name_and_one_click(window: NewWindow, size: tuple[int, int]) -> None:
    page = window(viewport={"width": size[0], "height": size[1]})
    page.goto("/variants/standard/host")
    expect(page.get_by_role("button", name="Create the game")).to_be_in_viewport(ratio=1)
    assert page.locator("#new-game .field:visible").count() == 1
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Create the game").click()
    expect(page.get_by_label("Anyone with this link")).to_be_visible()


def test_a_preset_sets_its_fields_and_the_cards_say_so(window: NewWindow) -> None:
    page = window(viewport=DESK)
    page.goto("/variants/standard/host")
    page.get_by_role("button", name="Gunboat").click()
    expect(page.locator("#card-options .host-line")).to_contain_text("No press")
    page.get_by_role("button", name="Weekend game").click()
    expect(page.locator("#card-pace .host-line")).to_contain_text("Custom schedule")
    expect(page.locator("#card-options .host-line")).to_contain_text("Full press")
    expect(page.locator("#schedule-words")).to_contain_text("Saturdays and Sundays")
    unfold_cards(page)
    page.get_by_label("Your name").fill("Anna")
    page.get_by_label("You play").select_option("France")
    page.get_by_role("button", name="Create the game").click()
    expect(page.locator(".seat-list [data-state=mine]")).to_contain_text("France")


def test_own_settings_are_saved_as_a_preset_and_chosen_for_another_game(window: NewWindow) -> None:
    anna = window(viewport=PHONE)
    anna.goto("/variants/standard/host")
    expect(anna.get_by_text("Save these settings as a preset …")).to_have_count(0)  # there is no account yet
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_role("button", name="Create the game").click()
    anna.goto("/variants/standard/host")
    unfold_cards(anna)
    anna.get_by_label("Custom schedule").check()
    for day, on in (("Mon", False), ("Thu", True), ("Sat", True)):
        anna.locator(f"input[name=day][value={day}]").set_checked(on)
    anna.locator("input[name=press][value='No press']").check()
    anna.get_by_label("Draws").select_option("none")
    anna.get_by_text("Save these settings as a preset …").click()
    anna.get_by_label("Name of the preset").fill("Thursday club")
    anna.get_by_role("button", name="Save the preset").click()
    expect(anna.get_by_text("Saved: Thursday club")).to_be_visible()
    assert faults(anna) == []
    anna.goto("/variants/hundred/host")
    anna.get_by_role("button", name="Thursday club").click()
    expect(anna.locator("#card-options .host-line")).to_contain_text("No press")
    assert anna.locator("input[name=day]:checked").evaluate_all("all => all.map(one => one.value)") == ["Thu", "Sat"]
    assert anna.locator("select[name=draws]").input_value() == "none"
    expect(anna.locator("#schedule-words")).to_contain_text("Thursday")
    anna.goto("/me")
    anna.get_by_role("button", name="Remove Thursday club").click()
    expect(anna.get_by_text("Presets for new games")).to_have_count(0)
