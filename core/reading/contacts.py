"""Read a reply as an e-mail address, a phone number or a web address.

These are read from the reply as it was typed: their letters and marks are the value.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

import idna
import phonenumbers
from email_validator import EmailNotValidError, validate_email

from core.reading.answers import Reply, judge, reply
from core.reading.patterns import Span
from core.reading.result import Context, Reading, beside, invalid, settled, suggested

_MARKED = r"[^\s<>()\[\],;:\"|]"
_EMAIL = re.compile(rf"(?:mailto:)?({_MARKED}{{1,254}}@{_MARKED}{{1,255}})", re.I)
_PHONE = re.compile(r"(?:tel:)?(?<![\w.])[+(]{0,2}\d(?:[\s().\-/]{0,3}\d){4,17}(?!\w)", re.I)
_WORD = re.compile(r"\S+")
_SCHEME = re.compile(r"(?P<scheme>[a-z][a-z0-9+.\-]*):(?P<rest>.*)", re.I | re.S)
_BARE = re.compile(
    r"(?P<host>(?:[\w\-]{1,63}\.){1,8}[^\W\d_]{2,24})(?::\d{1,5})?(?:[/?#]\S*)?", re.I
)
_OPENING, _CLOSING = "<([{\"'*_«“„", ">)]}\"'*_»”.,;:!?…"
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}

# Schemes that are no web page. One that is not listed may be a label ("site:example.org").
_OTHER_SCHEMES = frozenset(
    """
    javascript data vbscript file ftp ftps sftp ssh mailto tel sms blob about chrome ws wss
    """.split()  # noqa: SIM905
)
# Endings that a web address has when nobody wrote "https://"; two letters are a country's.
_ENDINGS = frozenset(
    """
    com org net info biz edu gov mil int app dev page site online store shop blog events tech
    cloud live world today news media social team club community space website studio design
    art music film video games academy school education university health care coop museum
    name pro email link click xyz wiki berlin hamburg wien koeln london paris nyc tokyo zone
    network group global international foundation ngo ong charity church
    """.split()  # noqa: SIM905
)


def _wrapped(start: int, word: str) -> tuple[int, str]:
    """A word without the marks around it; a bracket that it opened itself is its own."""
    while word and word[0] in _OPENING:
        start, word = start + 1, word[1:]
    while word and word[-1] in _CLOSING:
        opener = _PAIRS.get(word[-1])
        if opener and word.count(opener) >= word.count(word[-1]):
            break
        word = word[:-1]
    return start, word


def _bracketed(text: str, start: int, end: int) -> Span:
    """The place of an address with the angle brackets around it."""
    if text[max(0, start - 1) : start] == "<" and text[end : end + 1] == ">":
        return start - 1, end + 1
    return start, end


def _alone(given: Reply, places: Sequence[Span]) -> str:
    """Why the places are not the whole reply; empty if they are."""
    return judge(given, (), places=places).reason


def _one(given: Reply, found: Sequence[tuple[Span, Reading]]) -> Reading:
    """The reading of a reply in which these were found, each with what it would be alone."""
    readings = list({str(reading): reading for _, reading in found}.values())
    values = [v for r in readings for v in ((r.value,) if r.value else r.proposals)]
    reason = _alone(given, [place for place, _ in found])
    if reason or len(readings) != 1:
        return beside(*values, reason=reason or ("another_value" if found else "beside"))
    return readings[0]


def read_email(text: str, context: Context) -> Reading:
    """The reading of a reply to an ask for an e-mail address."""
    found = []
    for match in _EMAIL.finditer(text):
        start, word = _wrapped(match.start(1), match[1])
        found.append((_bracketed(text, match.start(), start + len(word)), _email(word)))
    return _one(reply(text, context, "email"), found) if found else beside()


def _email(word: str) -> Reading:
    try:
        return settled(validate_email(word, check_deliverability=False).normalized)
    except EmailNotValidError:
        return invalid("email", typed=word)


def read_phone(text: str, context: Context) -> Reading:
    """The reading of a reply to an ask for a phone number: E.164."""
    plain = unicodedata.normalize("NFKC", text)
    if len(plain) != len(text):
        return beside()
    found = [(match.span(), _phone(match[0], context)) for match in _PHONE.finditer(plain)]
    return _one(reply(text, context, "phone"), found) if found else beside()


def _phone(word: str, context: Context) -> Reading:
    word = re.sub(r"^tel:", "", word, flags=re.I)
    spellings = [word]
    if word.startswith("00"):
        spellings.append("+" + word[2:])
    for spelled in spellings:
        try:
            number = phonenumbers.parse(spelled, context.country)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(number):
            shape = phonenumbers.PhoneNumberFormat.E164
            return settled(phonenumbers.format_number(number, shape))
    if not context.country and not word.startswith(("+", "00")):
        return invalid("phone_country", typed=word)
    return invalid("phone", typed=word)


def read_url(text: str, context: Context) -> Reading:
    """The reading of a reply to an ask for a web address: as it was typed."""
    found: list[tuple[Span, Reading]] = []
    for match in _WORD.finditer(text):
        start, word = _wrapped(match.start(), match[0])
        reading = _url(word, context)
        if reading:
            found.append((_bracketed(text, start, start + len(word)), reading))
    return _one(reply(text, context, "url"), found) if found else beside()


def _url(word: str, context: Context) -> Reading | None:
    """What a word is as a web address; None if it is not meant to be one."""
    if any(unicodedata.category(c) in ("Cc", "Cf") for c in word):
        return invalid("url", typed=word)
    bare = _BARE.fullmatch(word)
    if bare and _host(bare["host"]):
        ending, before = bare["host"].split(".")[-1].casefold(), bare["host"].split(".")[-2]
        if (ending in _ENDINGS or len(ending) == 2) and not before.isdigit():
            return _sized(word, context)
        return suggested(word, reason="url_ending")
    scheme = _SCHEME.fullmatch(word)
    if not scheme:
        return None
    name = scheme["scheme"].casefold()
    if name not in ("http", "https"):
        return invalid("url_scheme", typed=name) if _other(name, scheme["rest"]) else None
    return _sized(word, context) if _sound(word) else invalid("url", typed=word)


def _other(name: str, rest: str) -> bool:
    return name in _OTHER_SCHEMES or rest.startswith("//")


def _sized(word: str, context: Context) -> Reading:
    longest = context.max_length or 2000
    return settled(word) if len(word) <= longest else invalid("too_long", maximum=str(longest))


def _sound(word: str) -> bool:
    try:
        parts = urlsplit(word)
        port = parts.port
    except ValueError:
        return False
    # A name before the host disguises where a link leads.
    return "@" not in parts.netloc and port != 0 and _host(parts.hostname or "")


def _host(host: str) -> bool:
    if not host:
        return False
    try:
        ip_address(host)
        return True
    except ValueError:
        pass
    try:
        idna.encode(host.rstrip("."), uts46=True)
    except (idna.IDNAError, UnicodeError):
        return False
    return "." in host.strip(".") and not host.rpartition(".")[2].isdigit()


READERS = {"email": read_email, "phone": read_phone, "url": read_url}
