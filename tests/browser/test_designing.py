"""The page of a designer follows what is saved in a folder, without a hand on the browser."""

import re
from pathlib import Path

from playwright.sync_api import Browser, expect

from browser.axe import faults
from browser.every_page import start_server
from browser.hands import open_context

TEXT = 'title = "Harbour"\nparent = "standard"\n'
WRONG = '\n[powers]\nItaly = { units = ["A VEN", "F NAP", "F XYZ"] }\n'


def test_mistakes_and_picture_are_shown_again_after_a_save(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "plenipo" / "variants" / "harbour" / "variant.toml"
    file.parent.mkdir(parents=True)
    file.write_text(TEXT, encoding="utf-8")
    with start_server(tmp_path) as site:
        window = open_context(browser, base_url=site, viewport={"width": 390, "height": 844})
        page = window.new_page()
        page.goto("/bank")
        page.get_by_text("1 folder of yours").click()
        page.get_by_role("link", name="harbour", exact=True).click()
        found, picture = page.locator("#findings-title"), page.locator("img.variant-map")
        expect(found).to_have_text("No mistakes: five years were played.")
        expect(picture).to_have_js_property("complete", value=True)
        before = picture.get_attribute("src")
        assert faults(page) == []

        file.write_text(TEXT + WRONG, encoding="utf-8")
        expect(found).to_have_text("1 mistake")
        expect(page.locator(".findings li")).to_contain_text("variant.toml, line 5")
        expect(page.locator(".findings li")).to_contain_text("XYZ")
        expect(picture).to_be_visible()
        assert faults(page) == []

        file.write_text(TEXT.replace("Harbour", "Haven") + WRONG.replace("F XYZ", "F TUN"), encoding="utf-8")
        expect(found).to_have_text(re.compile("No mistakes"))
        expect(page.get_by_role("heading", level=1)).to_have_text("Design of Haven")
        expect(picture).not_to_have_attribute("src", before or "")

        file.rename(file.parent / "old.toml")
        expect(page.locator(".findings li")).to_contain_text("this file is not there now")
        (file.parent / "old.toml").rename(file)
        expect(found).to_have_text(re.compile("No mistakes"))
        window.close()
