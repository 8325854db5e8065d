"""The receiver at an address that people entered: the registered part of its name, or its network."""

import socket
from contextlib import suppress
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

__all__ = ["receiver_of"]

REGISTRIES = frozenset({"ac", "co", "com", "edu", "gob", "gov", "ne", "net", "or", "org"})
"""Second-level names under which a country registers names, as in `co.uk`."""

BITS = {4: 24, 6: 48}
"""The bits of a network that counts as one receiver, for each version of IP."""


def receiver_of(address: str) -> str:
    """Return the receiver at an address, the same for all subdomains of a name and all hosts of a network.

    Names below a registry of a country have three parts, all others two: of a domain in which anyone gets a
    subdomain, all subdomains together are one receiver. An address without a host is its own receiver.
    """
    try:
        host = (urlsplit(address).hostname or address).rstrip(".")
    except ValueError:
        return address
    labels = host.split(".")
    with suppress(ValueError, OSError):  # not an IP address
        ip = ip_address(socket.inet_aton(host) if ":" not in host and labels[-1][:1].isdigit() else host)
        return str(ip_network((ip, BITS[ip.version]), strict=False))
    below_registry = len(labels[-1]) == 2 and labels[-2:-1] and labels[-2] in REGISTRIES
    return ".".join(labels[-3 if below_registry else -2 :])
