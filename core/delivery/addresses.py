"""Which addresses of the network a connection may go to.

What is asked here is the address that is really connected to: a name may lead anywhere, and
somewhere else a moment later. Only what is reachable by everybody is let through: nothing on this
machine, in its network, or of a cloud's own metadata service (169.254.169.254, fd00:ec2::254).
"""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any

_GLOBAL = IPv6Network("2000::/3")
_TRANSLATED = IPv6Network("64:ff9b::/96")
"""IPv4 addresses as a network without IPv4 writes them (RFC 6052)."""
_SPECIAL_V4 = (IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24"))
_SPECIAL_V6 = (IPv6Network("2001::/23"), IPv6Network("2002::/16"), IPv6Network("3fff::/20"))
"""What is set aside (IANA, Special-Purpose Address Registries), and not known to every Python: for
protocols, for documentation, and for tunnels, in which an IPv4 address is hidden."""

AddressInfo = tuple[Any, ...]
"""As `socket.getaddrinfo` gives it: family, type, protocol, name, and the address itself."""


class Forbidden(OSError):
    """The address is none that a connection may go to."""

    def __init__(self, address: str) -> None:
        super().__init__(f"{address} is a private address")
        self.address = address


def is_public(text: str) -> bool:
    """Whether an address is reachable by everybody. False for what is no address."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return False
    return _is_public_v4(address) if isinstance(address, IPv4Address) else _is_public_v6(address)


def _is_public_v4(address: IPv4Address) -> bool:
    special = any(address in one for one in _SPECIAL_V4)
    return address.is_global and not (special or address.is_multicast or address.is_reserved)


def _is_public_v6(address: IPv6Address) -> bool:
    if address.ipv4_mapped is not None:
        return _is_public_v4(address.ipv4_mapped)
    if address in _TRANSLATED:
        return _is_public_v4(IPv4Address(int(address) & 0xFFFFFFFF))
    special = any(address in one for one in _SPECIAL_V6)
    return address in _GLOBAL and address.is_global and not special


def public_socket(info: AddressInfo) -> socket.socket:
    """The socket of a connection to this address, which is what is connected to next. Raises
    Forbidden."""
    family, type_, protocol, _, address = info
    if family not in (socket.AF_INET, socket.AF_INET6) or not is_public(str(address[0])):
        raise Forbidden(str(address[0]))
    return socket.socket(family=family, type=type_, proto=protocol)
