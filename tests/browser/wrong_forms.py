"""Every form of every page, filled in wrongly field by field: whether it is shown again with what was typed."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from playwright.sync_api import Page, Response
from playwright.sync_api import TimeoutError as TookTooLong

from browser.every_page import SPOTS, Spot

__all__ = ["Answer", "Attempt", "fill_wrongly"]

HELD = 20_000
"""Milliseconds in which a form is answered, and in which a page that refuses it leads back to it."""

_FIND = """
  const formsOf = (action) => [...document.forms].filter((one) => one.getAttribute('action') === action);
  const namedIn = (form, name) => [...form?.elements ?? []].filter((one) => one.name === name);
  const find = ([action, place, name, at]) => namedIn(formsOf(action)[place], name)[at];
"""
"""The field of a name in a form of an action: a form may have several of the name, a page several of the action."""

_LIST = f"""() => {{ {_FIND}
  const left = ['hidden', 'password', 'file', 'submit', 'checkbox', 'radio', 'button'];
  const isTried = (field) => field.matches('input, textarea, select') && !left.includes(field.type) && field.name
    && !field.disabled && field.checkVisibility();
  return [...document.forms].filter((form) => form.method === 'post').flatMap((form) => {{
    const action = form.getAttribute('action');
    return [...form.elements].filter(isTried).map((field) =>
      [[action, formsOf(action).indexOf(form), field.name, namedIn(form, field.name).indexOf(field)], field.type]);
  }});
}}"""
"""The visible fields that one writes or chooses in, of forms that change something, each with its type."""

_SEND = f"""([place, value]) => {{ {_FIND}
  const field = find(place);
  if (!field?.checkVisibility()) return false;
  const form = field.form;
  for (const other of form.elements) if (other.required && other.type === 'text' && !other.value) other.value = 'Zoe';
  if (field.tagName === 'SELECT') field.add(new Option(value, value));
  else if (field.tagName === 'INPUT') field.type = 'text';
  field.value = value;
  form.noValidate = true;
  form.requestSubmit(form.querySelector('[type=submit]:not([formaction]), button:not([type])'));
  return true;
}}"""
"""Fill in one field, whatever its form allows, and what is required, and send the form; false if it is not there."""

_SHOWN = f"""([place, value]) => {{ {_FIND}
  const note = document.getElementById('refused');
  if (!note) return null;
  const field = find(place);
  const free = 'textarea, input:is([type=text], [type=search], [type=email], [type=number], :not([type]))';
  return [note.checkVisibility(), note.textContent, !!field && (field.value === value || !field.matches(free))];
}}"""
"""The refusal that a page shows: whether it is seen, its sentence, and whether its form has what was written.

A choice or a date that there is not cannot be shown again.
"""

Place = tuple[str | None, int, str, int]
"""The action of a form, its number among those of the action, a name, and a field's number among those of the name."""

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
    GONE = "gone after another was accepted"


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

    A form that several pages or states have is tried once for each who can see it. The last fields of a page come
    first: what is accepted at its top may change the forms below.
    """
    tried = set()
    for spot in spots:
        for place, kind in reversed(opened(spot).evaluate(_LIST)):
            key = (spot.route, spot.who, *place)
            if key not in tried:
                tried.add(key)
                yield _try_field(opened(spot), spot, tuple(place), WRONG.get(kind, LONG))


def _try_field(page: Page, spot: Spot, place: Place, value: str) -> Attempt:
    action, _form, name, _at = place
    posted: list[int] = []

    def note(response: Response) -> None:
        if response.request.method == "POST" and response.request.is_navigation_request():
            posted.append(response.status)

    def said(answer: Answer, sentence: str = "") -> Attempt:
        return Attempt(spot.name, action or "", name, answer, sentence)

    page.on("response", note)
    try:
        with page.expect_navigation(timeout=HELD):
            if not page.evaluate(_SEND, [place, value]):
                page.reload()
                return said(Answer.GONE)
        shown = _read_refusal(page, place, value, posted)
    except TookTooLong:
        return said(Answer.NONE)
    finally:
        page.remove_listener("response", note)
    if shown is None:
        return said(Answer.BARE if _is_refused(posted) else Answer.ACCEPTED)
    visible, sentence, is_kept = shown
    return said(Answer.SHOWN_AGAIN if visible and is_kept else Answer.LOST, sentence)


def _read_refusal(page: Page, place: Place, value: str, posted: list[int]) -> Any:
    """Wait for the page to which a refusal leads back, and read what it shows; None if there is no refusal."""
    page.wait_for_load_state()
    if _is_refused(posted):
        with suppress(TookTooLong):
            page.wait_for_function("() => document.getElementById('refused')", timeout=HELD)
    return page.evaluate(_SHOWN, [place, value])


def _is_refused(posted: list[int]) -> bool:
    return bool(posted) and posted[-1] >= 400
