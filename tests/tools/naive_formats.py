"""The grammars of formats as their specifications write them: slow and plain, to hold the scanners to.

F maps the name of a format to a function from a string to whether it conforms.  Each is the ABNF of the
document it names, put together as one regular expression with the rule names kept; what ABNF does not
say (calendars, ranges) follows in words.  Formats whose grammar is another document's library are left
out: regex, idn-hostname, and A-labels in hostname.
"""
import re


def full(pattern):
    compiled = re.compile(pattern)
    return lambda text: compiled.fullmatch(text) is not None


# -- RFC 3339, appendix A for durations; no leap second but at the end of a day of UTC ---------------------

DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
TIME = re.compile(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?([Zz]|[+-]([0-9]{2}):([0-9]{2}))")


def date(text):
    found = DATE.fullmatch(text)
    if not found:
        return False
    year, month, day = map(int, found.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return 1 <= month <= 12 and 1 <= day <= days[month - 1]


def time(text):
    found = TIME.fullmatch(text)
    if not found:
        return False
    hour, minute, second = map(int, found.group(1, 2, 3))
    ahead_hour, ahead_minute = (int(part or 0) for part in found.group(5, 6))
    if hour > 23 or minute > 59 or second > 60 or ahead_hour > 23 or ahead_minute > 59:
        return False
    ahead = ahead_hour * 60 + ahead_minute
    utc = hour * 60 + minute + (ahead if found.group(4)[0] == "-" else -ahead)
    return second < 60 or utc % (24 * 60) == 24 * 60 - 1


def date_time(text):
    return text[10:11] in ("T", "t") and date(text[:10]) and time(text[11:])


SECOND = "[0-9]+S"
MINUTE = f"[0-9]+M(?:{SECOND})?"
HOUR = f"[0-9]+H(?:{MINUTE})?"
DUR_TIME = f"T(?:{HOUR}|{MINUTE}|{SECOND})"
DAY = "[0-9]+D"
MONTH = f"[0-9]+M(?:{DAY})?"
YEAR = f"[0-9]+Y(?:{MONTH})?"
DUR_DATE = f"(?:{DAY}|{MONTH}|{YEAR})(?:{DUR_TIME})?"
DURATION = f"P(?:{DUR_DATE}|{DUR_TIME}|[0-9]+W)"

# -- RFC 3986 section 3 and appendix A, RFC 3987 section 2.2 ------------------------------------------------

DEC_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9][0-9]|[0-9])"
IPV4 = rf"{DEC_OCTET}(?:\.{DEC_OCTET}){{3}}"
H16 = "[0-9A-Fa-f]{1,4}"
LS32 = f"(?:{H16}:{H16}|{IPV4})"
IPV6 = "|".join([
    f"(?:{H16}:){{6}}{LS32}",
    f"::(?:{H16}:){{5}}{LS32}",
    f"(?:{H16})?::(?:{H16}:){{4}}{LS32}",
    f"(?:(?:{H16}:){{0,1}}{H16})?::(?:{H16}:){{3}}{LS32}",
    f"(?:(?:{H16}:){{0,2}}{H16})?::(?:{H16}:){{2}}{LS32}",
    f"(?:(?:{H16}:){{0,3}}{H16})?::{H16}:{LS32}",
    f"(?:(?:{H16}:){{0,4}}{H16})?::{LS32}",
    f"(?:(?:{H16}:){{0,5}}{H16})?::{H16}",
    f"(?:(?:{H16}:){{0,6}}{H16})?::",
])
UCS = ("\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"
       + "".join(f"{chr(plane << 16)}-{chr((plane << 16) + 0xfffd)}" for plane in range(1, 14))
       + "\U000e1000-\U000efffd")
PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"


def references(ucs, private):
    """(URI, URI-reference) with more unreserved characters, and some for queries alone."""
    pct = "%[0-9A-Fa-f]{2}"
    unreserved = f"A-Za-z0-9._~{ucs}-"
    sub_delims = "!$&'()*+,;="
    pchar = f"(?:[{sub_delims}:@{unreserved}]|{pct})"
    segment_nz_nc = f"(?:[{sub_delims}@{unreserved}]|{pct})+"
    reg_name = f"(?:[{sub_delims}{unreserved}]|{pct})*"
    userinfo = f"(?:[{sub_delims}:{unreserved}]|{pct})*"
    future = f"v[0-9A-Fa-f]+\\.[{sub_delims}:A-Za-z0-9._~-]+"
    host = f"(?:\\[(?:{IPV6}|{future})\\]|{reg_name})"
    authority = f"(?:{userinfo}@)?{host}(?::[0-9]*)?"
    abempty = f"(?:/{pchar}*)*"
    absolute = f"/(?:{pchar}+(?:/{pchar}*)*)?"
    rootless = f"{pchar}+(?:/{pchar}*)*"
    noscheme = f"{segment_nz_nc}(?:/{pchar}*)*"
    query = f"(?:{pchar}|[/?{private}])*" if private else f"(?:{pchar}|[/?])*"
    tail = f"(?:\\?{query})?(?:#(?:{pchar}|[/?])*)?"
    uri = f"[A-Za-z][A-Za-z0-9+.-]*:(?://{authority}{abempty}|{absolute}|{rootless}|){tail}"
    relative = f"(?://{authority}{abempty}|{absolute}|{noscheme}|){tail}"
    return uri, f"(?:{uri}|{relative})"


URI, URI_REFERENCE = references("", "")
IRI, IRI_REFERENCE = references(UCS, PRIVATE)

# -- RFC 6570 section 2; an apostrophe is a literal (erratum 6937) ------------------------------------------

VARCHAR = "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})"
VARSPEC = rf"{VARCHAR}(?:\.?{VARCHAR})*(?::[1-9][0-9]{{0,3}}|\*)?"
EXPRESSION = rf"\{{[+#./;?&=,!@|]?{VARSPEC}(?:,{VARSPEC})*\}}"
LITERAL = f"(?:[!#$&-;=?-\\[\\]_a-z~{UCS}{PRIVATE}]|%[0-9A-Fa-f]{{2}})"
TEMPLATE = f"(?:{LITERAL}|{EXPRESSION})*"

# -- RFC 1123 section 2.1, RFC 5321 section 4.1.2, RFC 6531 section 3.3 -------------------------------------

LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"


def mailbox(wide):
    """With characters outside ASCII in atoms, quoted strings and labels, or without."""
    atom = f"[A-Za-z0-9!#$%&'*+/=?^_`{{|}}~{wide}-]+"
    quoted = f'"(?:[ !#-\\[\\]-~{wide}]|\\\\[ -~])*"'
    let_dig = f"[A-Za-z0-9{wide}]"
    sub_domain = f"{let_dig}(?:(?:{let_dig}|-)*{let_dig})?"
    literal = rf"\[(?:{IPV4}|[Ii][Pp][Vv]6:(?:{IPV6}))\]"
    return rf"(?:{atom}(?:\.{atom})*|{quoted})@(?:{sub_domain}(?:\.{sub_domain})*|{literal})"


def hostname(text):
    return len(text) <= 253 and re.fullmatch(rf"{LABEL}(?:\.{LABEL})*", text) is not None


F = {
    "date": date,
    "time": time,
    "date-time": date_time,
    "duration": full(DURATION),
    "ipv4": full(IPV4),
    "ipv6": full(IPV6),
    "hostname": hostname,
    "email": full(mailbox("")),
    "idn-email": full(mailbox("\u0080-\U0010ffff")),
    "uri": full(URI),
    "uri-reference": full(URI_REFERENCE),
    "iri": full(IRI),
    "iri-reference": full(IRI_REFERENCE),
    "uri-template": full(TEMPLATE),
    "uuid": full("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"),
    "json-pointer": full("(?:/(?:[^/~]|~[01])*)*"),
    "relative-json-pointer": full("(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^/~]|~[01])*)*)"),
}
