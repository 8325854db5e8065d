"""`plenipo reports`: reports of players, for the operator of a server without moderators."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from plenipo.cli.options import Database, refuse
from plenipo.cli.serve import needs_server
from plenipo.errors import PlenipoError
from plenipo.languages.current import _, in_words, plural

if TYPE_CHECKING:
    from plenipo.server.moderation import Moderators, WaitingReport

__all__ = ["reports"]

reports = typer.Typer(no_args_is_help=True, help="Read and decide the reports of players on the server's database.")

ReportNumberArgument = Annotated[int, typer.Argument(help="The number of the report.", show_default=False)]
ReasonOption = Annotated[str, typer.Option(help="The reason; it is logged, and a banned person is notified of it.")]


@reports.command("list")
def list_reports(
    database: Database = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Include closed reports.")] = False,
) -> None:
    """List the open reports, one per line."""
    with _moderators(database) as moderators:
        found = [one for one in moderators.waiting(None) if everything or not one.report.closed]
        for one in found:
            state = _(", closed") if one.report.closed else ""
            report = one.report
            typer.echo(
                f"{report.number}  {report.at:%Y-%m-%d %H:%M}  {report.kind}{state}  {one.about}: {report.sentence}"
            )
        if not found:
            typer.echo(_("No open reports."))


@reports.command()
def show(number: ReportNumberArgument, database: Database = None) -> None:
    """Show a report with its messages and the reported player's details."""
    with _moderators(database) as moderators:
        one = _find_report(moderators, number)
        parts = {
            "number": number,
            "kind": one.report.kind,
            "time": f"{one.report.at:%Y-%m-%d %H:%M}",
            "about": one.about,
        }
        typer.echo(_("Report {number}, {kind}, {time} UTC, about {about}", **parts))
        typer.echo(one.report.sentence)
        for message in one.messages:
            mark = "*" if message.get("reported", True) else " "
            typer.echo(f"{mark} {message['seat']}, {message['written'][:16]}: {message['text']}")
        earlier, bans = one.history.counts
        reported = plural("{number} earlier report", "{number} earlier reports", earlier)
        typer.echo(f"{reported}, {plural('{number} ban', '{number} bans', bans)}.")
        for action in one.history.decisions:
            typer.echo(f"{action.at:%Y-%m-%d} {action.text}")


@reports.command()
def close(number: ReportNumberArgument, reason: ReasonOption, database: Database = None) -> None:
    """Close a report without any other action."""
    with _moderators(database) as moderators:
        moderators.act(None, number, "dismiss", reason)
        typer.echo(_("Report {number} is closed.", number=number))


@reports.command()
def ban(
    number: ReportNumberArgument,
    reason: ReasonOption,
    days: Annotated[int | None, typer.Option(min=1, help="The number of days.", show_default="for good")] = None,
    database: Database = None,
    *,
    networks: Annotated[bool, typer.Option("--networks", help="Ban the networks last used, too.")] = False,
) -> None:
    """Ban the reported player, and close the report."""
    with _moderators(database) as moderators:
        from plenipo.server.bans import NewBan  # noqa: PLC0415  # an extra

        moderators.act(None, number, "ban", reason, NewBan(days, networks))
        if days is None:
            typer.echo(_("Banned for good; report {report} is closed.", report=number))
        else:
            typer.echo(
                plural(
                    "Banned for {number} day; report {report} is closed.",
                    "Banned for {number} days; report {report} is closed.",
                    days,
                    report=number,
                )
            )


def _find_report(moderators: "Moderators", number: int) -> "WaitingReport":
    for one in moderators.waiting(None):
        if one.report.number == number:
            return one
    return refuse(_("There is no report {number}; 'plenipo reports list --all' lists them.", number=number))


@contextmanager
def _moderators(database: str | None) -> "Iterator[Moderators]":
    """Open the database for the operator; end with one sentence on a refusal."""
    with needs_server():
        from plenipo.server.moderation import Moderators  # noqa: PLC0415
        from plenipo.server.people.accounts import Accounts  # noqa: PLC0415
        from plenipo.server.service import GameService  # noqa: PLC0415  # an extra
        from plenipo.server.store import Store  # noqa: PLC0415
        from plenipo.server.store.persons import Persons  # noqa: PLC0415
    try:
        store = Store(database)
        host = GameService(store)
        yield Moderators(host, Accounts(store.of(Persons), host.clock))
        store.close()
    except (PlenipoError, OSError) as fault:
        refuse(in_words(fault))
