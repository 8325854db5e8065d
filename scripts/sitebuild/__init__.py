"""The documentation site: its pages, gathered in one folder as plain Markdown, and the check of the built site.

`scripts/build_site.py` puts the parts together. `pages` gathers the written pages and rewrites their links, `reference`
makes pages from the code, the schema and the cases, `notebooks` runs the notebooks, `links` checks what was built.
"""
