"""What notebooks show."""
import html.parser

import cupel_jsonschema as cupel

HOSTILE = "<script>alert(1)</script>\"'&<img src=x onerror=y>"


class Tags(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.seen = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)


SAFE = {"div", "strong", "table", "thead", "tbody", "tr", "th", "td", "details", "summary"}


def test_hostile_texts_are_escaped():
    v = cupel.compile({"additionalProperties": {"const": HOSTILE}, "required": [HOSTILE], "$comment": HOSTILE,
                       "patternProperties": {HOSTILE[:8]: False}})
    for document in ({HOSTILE: HOSTILE, "x": 1}, {}, b'{"' + HOSTILE[:20].encode() + b'":1}', b"<script>", b"[" * 400):
        shown = v.explain(document)
        assert Tags(shown._repr_html_()).seen <= SAFE
        assert str(shown).startswith(shown.verdict)
    assert Tags(v._repr_html_()).seen <= SAFE
    assert "alert" in v._repr_html_()


def test_verdicts():
    v = cupel.compile({"type": "integer"})
    assert [v.explain(d).verdict for d in (1, "x", b"1", b'"x"', b"{", b"[" * 400)] == [
        "valid", "invalid", "valid", "invalid", "not JSON", "undecided"]
    assert "1:1" in v.explain(b'"x"')._repr_html_()
