"""A DAIDE client in eighty lines: it moves at random, on any map. `python examples/daide_client.py 16713`."""

import random
import socket
import sys

from plenipo.daide.frames import FrameKind, frame, initial, language
from plenipo.daide.tokens import Nested, Token, Tokens, build, decode, nest, parts_of, quote

Contacts = dict[str, list[Nested]]


def choose_orders(now: list[Nested], power: int, contacts: Contacts, chance: random.Random) -> list[Nested]:
    """Return an order for each unit in a movement or retreat phase; `now` is the position."""
    orders: list[Nested] = []
    for unit in map(parts_of, now[2:]):
        if unit[0] != power:
            continue
        if len(unit) > 3:  # it must retreat
            places = parts_of(unit[4])
            orders.append([unit[:3], Token.RTO, chance.choice(places)] if places else [unit[:3], Token.DSB])
        elif parts_of(now[1])[0] in (Token.SPR, Token.FAL):
            orders.append([unit, Token.MTO, chance.choice(contacts[str(unit[1:])])])
    return orders


def choose_adjustments(number: int, now: list[Nested], power: int) -> list[Nested]:
    """Return the removals that are missing, or a waived build for each unit that is."""
    if number < 0:
        return [[power, Token.WVE]] * -number
    units = [unit for unit in map(parts_of, now[2:]) if unit[0] == power]
    return [[unit, Token.REM] for unit in units[:number]]


def read_map(definition: list[Nested]) -> Contacts:
    """Return the places to which a unit may move, by its type and place as `NOW` has them."""
    contacts: Contacts = {}
    for province, *ways in map(parts_of, parts_of(definition[3])):
        for kind, *places in map(parts_of, ways):
            unit = [kind, province] if isinstance(kind, int) else [kind[0], [province, kind[1]]]
            contacts[str(unit)] = places
    return contacts


def play(host: str, port: int, seed: int | None = None) -> list[Tokens]:
    """Play a game to its end; return the messages of the server."""
    heard: list[Tokens] = []
    contacts: Contacts = {}
    now, name, power, chance = list[Nested](), list[Nested](), -1, random.Random(seed)
    with socket.create_connection((host, port)) as server, server.makefile("rb") as stream:
        server.sendall(initial() + language(build(Token.NME, quote("Random"), quote("1"))))
        while head := stream.read(4):
            content = stream.read(int.from_bytes(head[2:], "big"))
            if head[0] in (FrameKind.FINAL, FrameKind.ERROR):
                break
            if head[0] != FrameKind.LANGUAGE:
                continue
            heard.append(decode(content))
            parts, answer = nest(heard[-1]), Tokens()
            if parts[0] == Token.MAP:
                name = parts
                answer = (Token.MDF,)
            elif parts[0] == Token.MDF:
                contacts, answer = read_map(parts), build(Token.YES, [Token.MAP, parts_of(name[1])])
            elif parts[0] == Token.HLO:
                power = int(str(parts_of(parts[1])[0]))
            elif parts[0] == Token.NOW:
                now, orders = parts, choose_orders(parts, power, contacts, chance)
                answer = build(Token.SUB, *orders) if orders else (Token.MIS,)
            elif parts[0] == Token.MIS and len(parts) == 2 and len(parts_of(parts[1])) == 1:
                token = int(str(parts_of(parts[1])[0]))
                answer = build(Token.SUB, *choose_adjustments(token - 0x4000 * (token >= 0x2000), now, power))
            if answer:
                server.sendall(language(answer))
        server.sendall(frame(FrameKind.FINAL))
    return heard


if __name__ == "__main__":
    play("127.0.0.1", int(sys.argv[1]))
