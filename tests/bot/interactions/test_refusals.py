"""Refusals: each code that Discord documents has its verdict, and requests with an unknown code are retried."""

from __future__ import annotations

import aiohttp
import pytest

from bot.interactions.refusals import (
    MAX_ATTEMPTS,
    Code,
    Purpose,
    Verdict,
    code_of,
    is_absent,
    is_closed,
    is_expired,
    is_final,
    is_gone,
    is_message_gone,
    may_concern_picture,
    verdict,
)
from tests.bot.refusing import refusal

SOON = (40004, 40006, 40333, 110000, 110001, 130000)
LATER = (20016, 20022, 20028, 20029, 30034, 30046, 40003, 40062)
PERMISSIONS = (
    *(10004, 40058, 40066, 40067, 50001, 50008, 50009, 50013, 50024, 50083, 50095, 60003),
    *(160005, 160006, 160007, 200000, 200001, 240000),
)
SUSPICION = (10003,)
GIVE_UP = (
    *(
        10007,
        10008,
        10013,
        10015,
        10062,
        10070,
        20009,
        30033,
        30038,
        40005,
        40060,
        40094,
        50003,
        50005,
        50006,
        50007,
        50021,
    ),
    *(50027, 50033, 50035, 50045, 50046, 50109, 50110, 50146, 50278, 160004, 180000, 400001),
)
UNRELATED = """
    10001 10002 10005 10006 10009 10010 10011 10012 10014 10016 10020 10021 10026 10027 10028 10029 10030 10031
    10032 10033 10036 10038 10049 10050 10057 10059 10060 10061 10063 10065 10066 10067 10068 10069 10071
    10087 10097 10124 10129 20001 20002 20012 20015 20018 20024 20031 20035 30001 30002 30003 30004 30005 30007
    30008 30010 30011 30013 30015 30016 30018 30019 30030 30031 30032 30035 30037 30039 30040 30042 30045
    30047 30048 30052 30056 30058 30060 30061 40001 40002 40007 40009 40012 40018 40019 40032 40033 40041 40043
    40061 40074 50002 50004 50010 50011 50012 50014 50015 50016 50017 50019 50020 50025 50026 50028 50034 50036
    50039 50041 50054 50055 50057 50067 50068 50070 50073 50074 50080 50081 50084 50085 50086 50091 50097 50101
    50123 50124 50131 50132 50138 50144 50145 50151 50159 50160 50161 50162 50163 50167 50173 50178 50192 50600
    80004 90001 90002 150006 160002 160014 170001 170002 170003 170004 170005 170006 170007 180002 220001
    220002 220003 220004 340015 350000 350001 500000 520000 520001 520002 520003 520004 520006 530000 530001
    530002 530003 530004 530006 530007
"""
"""The other codes of https://docs.discord.com/developers/topics/opcodes-and-status-codes (August 2026).

They are about requests that the bot does not make, so nothing is known of them beforehand.
"""

VERDICTS = {
    **dict.fromkeys(SOON, (Verdict.SOON, Verdict.SOON)),
    **dict.fromkeys(LATER, (Verdict.LATER, Verdict.LATER)),
    **dict.fromkeys(PERMISSIONS, (Verdict.PERMISSIONS, Verdict.GIVE_UP)),
    **dict.fromkeys(SUSPICION, (Verdict.SUSPICION, Verdict.GIVE_UP)),
    **dict.fromkeys(GIVE_UP, (Verdict.UNKNOWN, Verdict.GIVE_UP)),
    **dict.fromkeys(map(int, UNRELATED.split()), (Verdict.UNKNOWN, Verdict.UNKNOWN)),
}
"""Code -> the verdict for required and for optional work."""


@pytest.mark.parametrize("code", VERDICTS)
def test_every_documented_code_has_its_verdict(code: int) -> None:
    error = refusal(403, code)
    assert VERDICTS[code] == tuple(verdict(error, purpose) for purpose in Purpose)
    assert (VERDICTS[code][1] is Verdict.GIVE_UP) == is_final(error)


def test_all_codes_are_documented() -> None:
    assert 239 == len(VERDICTS), "the table of Discord, without its code 0"
    assert {*Code} <= VERDICTS.keys()
    assert not {*Code} & {*map(int, UNRELATED.split())}


@pytest.mark.parametrize("purpose", Purpose)
@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (refusal(503), Verdict.SOON),
        (refusal(503, 50013), Verdict.SOON),
        (refusal(403), Verdict.SOON),
        (refusal(404), Verdict.SOON),
        (refusal(401), Verdict.SOON),
        (refusal(413), Verdict.UNKNOWN),
        (refusal(400, 999999), Verdict.UNKNOWN),
        *((refusal(status), Verdict.LATER) for status in (429, 500, 502, 504, 524)),
        (refusal(429, 50013), Verdict.LATER),
        (aiohttp.ServerDisconnectedError(), Verdict.SOON),
        (TimeoutError(), Verdict.SOON),
        (KeyError("an answer that cannot be read"), Verdict.SOON),
    ],
)
def test_outages_and_unknown_errors_are_never_final(error: Exception, advice: Verdict, purpose: Purpose) -> None:
    assert (advice, False) == (verdict(error, purpose), is_final(error))


@pytest.mark.parametrize("code", ["50013", [50013], {}, 50013.5])
def test_an_error_code_that_is_not_a_number_is_ignored(code: object) -> None:
    error = refusal(403, 1)
    error.code = code  # type: ignore[assignment]
    assert (Verdict.SOON, 0, False) == (verdict(error), code_of(error), is_closed(error))


def test_optional_work_is_given_up_only_after_days_of_an_unknown_code() -> None:
    assert is_final(refusal(400, 999999), MAX_ATTEMPTS)
    assert not is_final(refusal(400, 999999), MAX_ATTEMPTS - 1)
    assert not any(is_final(error, 10 * MAX_ATTEMPTS) for error in (refusal(503), refusal(502), TimeoutError()))


def test_error_codes_with_special_meaning_are_distinguished() -> None:
    meant = {
        is_gone: {10003},
        is_absent: {10007, 10013},
        is_message_gone: {10003, 10008},
        is_expired: {10015, 10062, 40060, 50027},
        is_closed: {*PERMISSIONS},
    }
    for means, codes in meant.items():
        assert codes == {code for code in VERDICTS if means(refusal(404, code))}, means
        assert not means(refusal(404))
        assert not means(TimeoutError())
    assert (10003, 0, 0) == (code_of(refusal(404, 10003)), code_of(refusal(404)), code_of(TimeoutError()))


@pytest.mark.parametrize(
    ("error", "concerned"),
    [
        (refusal(400, 50035), True),
        (refusal(413), True),
        (refusal(413, 40005), True),
        (refusal(403, 400001), True),
        (refusal(400, 50083), False),
        (refusal(400, 10003), False),
        (refusal(403, 50013), False),
        (TimeoutError(), False),
    ],
)
def test_a_board_is_posted_as_text_if_its_picture_may_have_been_refused(error: Exception, concerned: bool) -> None:
    assert concerned == may_concern_picture(error)
