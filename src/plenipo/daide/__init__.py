"""DAIDE: the language and protocol of Diplomacy programs, and a server that speaks it.

`tokens`, `frames`, `grammar`, `vocabulary`, `orders`, `reports` and `room` are pure: bytes and values in, values out.
`server` alone uses the network.
"""
