"""`plenipo faults`: what misleads on the drawn map of a variant, a sentence each."""

from typing import Annotated

import typer

from plenipo.cli.completions import complete_variant
from plenipo.cli.options import VARIANT, report_faults
from plenipo.languages.current import _, in_words, plural

__all__ = ["faults"]


def faults(
    variants: Annotated[list[str], typer.Argument(help=VARIANT, metavar="VARIANT...", autocompletion=complete_variant)],
    games: Annotated[int, typer.Option(help="The number of random games that are drawn.", min=0)] = 1,
    phases: Annotated[int, typer.Option(help="The number of phases of each that are drawn.", min=1)] = 20,
) -> None:
    """Find what misleads on the drawn map of variants; the exit status is 1 if there is a fault.

    Checked are the lines of orders, marks, names and units at three widths, in the PNG too, and how well colour-blind
    eyes tell the colours apart. It takes about a minute for each variant.
    """
    from plenipo import extras  # noqa: PLC0415  # a command imports what it needs
    from plenipo.cli.terminal import progress  # noqa: PLC0415
    from plenipo.engine.sentences import say  # noqa: PLC0415

    found = 0
    with report_faults("png"), progress(_("Checking")) as advance:
        extras.check("png", "PIL", "resvg_py", "shapely", "numpy", what=say("Finding faults of maps"))
        from plenipo.charts import chart  # noqa: PLC0415
        from plenipo.mapfaults import faults_of  # noqa: PLC0415  # brings shapely

        charts = [chart(name) for name in variants]
        for done, on in enumerate(charts):
            advance(done, len(charts))
            sentences = faults_of(on, games, phases).sentences()
            for sentence in sentences:
                typer.echo(f"{on.title}: {in_words(sentence)}.")
            found += len(sentences)
            if not sentences:
                typer.echo(_("{title}: the map has no fault.", title=on.title))
    if found:
        typer.echo(plural("{number} fault found.", "{number} faults found.", found))
        raise typer.Exit(1)
