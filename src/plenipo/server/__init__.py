"""The server: a store that keeps games, a host that plays them, pages and a JSON interface that show them.

It needs the extra `plenipo[server]`. Pages and answers ask the host for views and never see a game itself.
"""
