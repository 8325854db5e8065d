"""Every form of every page, filled in wrongly field by field: whether it is shown again with what was typed."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from playwright.sync_api import Error, Page, Response
from playwright.sync_api import TimeoutError as TookTooLong

from browser.every_page import SPOTS, Spot

__all__ = ["Answer", "Attempt", "fill_wrongly"]

HELD = 20_000
"""Milliseconds in which a form is answered, and in which a page that refuses it leads back to it."""

_FORMS = """() => [...document.forms].flatMap((form, place) => form.method !== 'post' ? [] :
  [...form.elements].flatMap((field, at) => {
    const kinds = ['INPUT', 'TEXTAREA', 'SELECT'];
    const left = ['hidden', 'password', 'file', 'submit', 'checkbox', 'radio', 'button'];
    if (!kinds.includes(field.tagName) || left.includes(field.type) || !field.name || field.disabled) return [];
    return field.checkVisibility() ? [[place, at, form.getAttribute('action') ?? '', field.name, field.type]] : [];
  }))"""
"""The visible fields that one writes or chooses in, of forms that change something."""

_SEND = """([place, at, value]) => {
  const form = document.forms[place], field = form.elements[at];
  for (const other of form.elements) if (other.required && other.type === 'text' && !other.value) other.value = 'Zoe';
  if (field.tagName === 'SELECT') field.add(new Option(value, value));
  else if (field.tagName === 'INPUT') field.type = 'text';
  field.value = value;
  form.noValidate = true;
  form.requestSubmit(form.querySelector('[type=submit]:not([formaction]), button:not([type])'));
}"""
"""Fill in one field, whatever its form allows, and what else is required, and send the form as its button does."""

_SHOWN = """([place, at, value]) => {
  const note = document.getElementById('refused');
  if (!note) return null;
  const field = note.closest('form')?.elements[at];
  const free = 'textarea, input:is([type=text], [type=search], [type=email], [type=number], :not([type]))';
  return [note.checkVisibility(), note.textContent, !!field && (field.value === value || !field.matches(free))];
}"""
"""The refusal that a page shows: whether it is seen, its sentence, and whether its form has what was written.

A choice or a date that there is not cannot be shown again.
"""

LONG = "w" * 40_000
WRONG = {"number": "999999999", "email": "nowhere", "select-one": "nonsense", "date": "the day after", "time": "25:99"}
"""A value that does not fit each kind of field; any other gets a text that is too long."""


class Answer(StrEnum):
    """The answer to a form that was filled in wrongly."""

    SHOWN_AGAIN = "shown again with what was typed"
    ACCEPTED = "accepted"
    LOST = "shown again without what was typed"
    BARE = "a page of its own without the form"
    NONE = "no answer"


@dataclass(frozen=True)
class Attempt:
    """A field of a form on a page, the answer to a wrong value in it, and the sentence that was shown."""

    spot: str
    action: str
    field: str
    answer: Answer
    sentence: str = ""

    @property
    def is_faulty(self) -> bool:
        """True if something that was typed is gone, or nothing said what is wrong."""
        return self.answer in (Answer.LOST, Answer.BARE, Answer.NONE)


def fill_wrongly(opened: Callable[[Spot], Page], spots: Iterable[Spot] = SPOTS) -> Iterator[Attempt]:
    """Fill in each visible field of each form of the pages wrongly, one at a time, and yield the answers.

    A form that several pages or states have is tried once for each who can see it.
    """
    tried = set()
    for spot in spots:
        fields = opened(spot).evaluate(_FORMS)
        for place, at, action, name, kind in fields:
            key = (spot.route, spot.who, action, name, at)
            if key not in tried:
                tried.add(key)
                yield _try_field(opened(spot), spot, (place, at, WRONG.get(kind, LONG)), (action, name))


def _try_field(page: Page, spot: Spot, field: tuple[int, int, str], named: tuple[str, str]) -> Attempt:
    posted: list[int] = []

    def note(response: Response) -> None:
        if response.request.method == "POST" and response.request.is_navigation_request():
            posted.append(response.status)

    page.on("response", note)
    try:
        with page.expect_navigation(timeout=HELD):
            page.evaluate(_SEND, list(field))
        shown = _read_refusal(page, field, posted)
    except Error as error:
        return Attempt(spot.name, *named, Answer.NONE, str(error).partition("\n")[0])
    finally:
        page.remove_listener("response", note)
    if shown is None:
        return Attempt(spot.name, *named, Answer.BARE if posted and posted[-1] >= 400 else Answer.ACCEPTED)
    visible, sentence, is_kept = shown
    return Attempt(spot.name, *named, Answer.SHOWN_AGAIN if visible and is_kept else Answer.LOST, sentence)


def _read_refusal(page: Page, field: tuple[int, int, str], posted: list[int]) -> Any:
    """Wait for the page to which a refusal leads back, and read what it shows; None if there is no refusal."""
    page.wait_for_load_state()
    if posted and posted[-1] >= 400:
        with suppress(TookTooLong):
            page.wait_for_function("() => document.getElementById('refused')", timeout=HELD)
    return page.evaluate(_SHOWN, list(field))
