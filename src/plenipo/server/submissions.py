"""Submitting orders: the effect of an edit on an order set and on the game. Pure."""

from dataclasses import dataclass, field

from plenipo.engine.orders import Order, Promise
from plenipo.engine.position import Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.sentences import SentenceKind, Series
from plenipo.errors import IllegalOrder, InvalidOrder
from plenipo.languages import ENGLISH
from plenipo.languages.names import vocabulary_in
from plenipo.server.errors import OrderRefused
from plenipo.server.hosted_game import Credentials, HostedGame, SeatOrderSet, Status
from plenipo.server.hosting.tick import record_submission, seat_player
from plenipo.server.permissions import own_seat
from plenipo.server.store import GameChange

__all__ = ["Edit", "OrderSetChange", "submit_order_set"]

_REPLACED = SentenceKind("server-order-replaced", "'{order}' was replaced.")
_CHANGED_ELSEWHERE = SentenceKind("server-order-set-changed", "The order set had changed in another window.")
_REPLACED_ELSEWHERE = SentenceKind(
    "server-order-set-lost",
    "The order set had changed in another window; {orders} was replaced.",
    "The order set had changed in another window; {orders} were replaced.",
    count="orders",
)


@dataclass(frozen=True)
class Edit:
    """An edit of an order set: the orders to withdraw (`clear`), then the orders to give.

    `whole` begins with an empty order set, `afresh` with one without promises. `ready` None leaves readiness as it is,
    except that an order set whose orders change is not ready. `base` is the version of the order set that the player
    saw, if given. `client` is an id of the player's browser window, which recognises its own changes by it. Names and
    words of the `language` are understood in addition to the English ones.
    """

    give: tuple[str, ...] = ()
    clear: tuple[str, ...] = ()
    whole: bool = False
    afresh: bool = False
    ready: bool | None = None
    base: int | None = None
    client: str = ""
    language: str = ENGLISH


@dataclass(frozen=True)
class OrderSetChange:
    """The order set as it now is on disk, messages for the player, and the turns processed because of the edit.

    `status` is the status of the seat, `changed` is true if it was another before, and `public` if all may see that.
    `hosted` is the game with the edit, before any of these turns.
    """

    power: Power
    order_set: SeatOrderSet
    messages: tuple[str, ...]
    status: Status
    hosted: HostedGame = field(compare=False, repr=False)
    changed: bool = False
    public: bool = False
    processed: tuple[int, ...] = ()


def submit_order_set(
    hosted: HostedGame, credentials: Credentials, seat: str, phase_number: int, edit: Edit
) -> tuple[HostedGame, GameChange, OrderSetChange]:
    """Apply an edit to an order set, all of it or nothing; raise `OrderRefused` and the errors of `own_seat`.

    An unchanged order set of the same player is not stored again.
    """
    power = own_seat(hosted, credentials, seat, phase_number)
    before = hosted.order_sets.get(power, SeatOrderSet())
    orders, messages = _apply_edit(hosted, power, before, edit)
    ready = edit.ready if edit.ready is not None else before.ready and orders == before.orders
    player = credentials.player
    same = before.version > 0 and (orders, ready, player) == (before.orders, before.ready, before.tenure)
    order_set = before if same else SeatOrderSet(orders, ready, before.version + 1, player)
    after = hosted if same else hosted.with_order_set(power, order_set)
    if hosted.timing is not None:
        known_seat = power in hosted.timing.seats
        timing = seat_player(hosted.timing, power) if known_seat else record_submission(hosted.timing)
        after = after if timing == hosted.timing else after.with_timing(timing)
    known = power in hosted.rules.names
    changed = known and hosted.status(power) != after.status(power)
    status = after.status(power) if known else "given"
    stored = {} if same else {str(power): order_set.to_stored()}
    public = changed and not hosted.names_hidden
    done = OrderSetChange(power, order_set, messages, status, after, changed=changed, public=public)
    return after, GameChange(stored, untold=not public), done


def _apply_edit(
    hosted: HostedGame, power: Power, before: SeatOrderSet, edit: Edit
) -> tuple[tuple[Order, ...], tuple[str, ...]]:
    """Return the orders after an edit, and the messages for the player; raise `OrderRefused`."""
    entry = OrderEntry(
        hosted.rules, hosted.seen_by(power), power, vocabulary=vocabulary_in(edit.language, hosted.rules.variant)
    )
    messages: list[str] = []
    orders: tuple[Order, ...] = () if edit.whole else before.orders
    if edit.afresh:
        orders = tuple(order for order in orders if not isinstance(order, Promise))
    for text in edit.clear:
        orders = entry.clear(orders, text)
    for index, text in enumerate(edit.give):
        try:
            change = entry.give(orders, text)
        except InvalidOrder as fault:
            raise OrderRefused(
                fault.sentence, index, illegal=False, piece=fault.piece, suggestions=fault.suggestions
            ) from fault
        except IllegalOrder as fault:
            raise OrderRefused(fault.sentence, index, illegal=True) from fault
        messages += [_REPLACED(order=order) for order in change.replaced]
        notices = [entry.words(order) for order in change.orders if order not in before.orders]
        messages += [words for understood, words in notices if not understood]
        orders = change.order_set
    if edit.base is not None and edit.base != before.version:
        lost = Series(order for order in before.orders if order not in orders)
        messages.append(_REPLACED_ELSEWHERE(orders=lost) if lost else _CHANGED_ELSEWHERE())
    return orders, tuple(messages)
