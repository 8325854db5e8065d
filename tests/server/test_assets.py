"""The files of the pages as they are sent: without comments, and otherwise the same."""

import gzip

from plenipo.server.web.assets import ASSETS


def test_scripts_and_stylesheets_are_sent_without_the_comments_on_their_own_lines_and_nothing_else_is_missing() -> None:
    lighter = 0
    for file in (*ASSETS.folder.glob("*.js"), *ASSETS.folder.glob("*.css")):
        written = file.read_text(encoding="utf-8").splitlines()
        sent = iter(ASSETS.payloads[file.name].body.decode().splitlines())
        line, within = next(sent, None), False
        for one in written:
            if one == line and not within:
                line = next(sent, None)
                continue
            text = one.strip()
            assert within or text.startswith(("//", "/*")), f"{file.name}: {one}"
            lighter += 1
            within = not text.endswith("*/") and (within or text.startswith("/*"))
        assert line is None, f"{file.name}: {line}"  # the lines of the file, in their order
    assert lighter > 500


def test_files_are_compressed_as_far_as_gzip_can() -> None:
    for payload in ASSETS.payloads.values():
        assert payload.packed is None or len(payload.packed) <= len(gzip.compress(payload.body, 9, mtime=0))
