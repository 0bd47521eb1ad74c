#!/usr/bin/env python3
"""Tests of draw_trace.py: a row a thread, and the inner of two spans is shown."""
import os
import sys
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import draw_trace  # noqa: E402


def span(thread, name, begin, end):
    return {"tid": thread, "name": name, "ts": begin, "dur": end - begin}


EVENTS = [span(4, "recognise", 0, 8600), span(4, "conv", 0, 4300), span(7, "wait", 4300, 8600)]


class Trace(unittest.TestCase):
    def test_the_inner_span_is_shown(self):
        rows, column_us = draw_trace.shown_kinds(EVENTS)
        self.assertEqual(column_us, 8600 / draw_trace.COLUMNS)
        half = draw_trace.COLUMNS // 2
        kinds = {thread: list(draw_trace.runs(row)) for thread, row in rows.items()}
        self.assertEqual(kinds[4], [(0, half, "matrix products and convolutions"),
                                    (half, draw_trace.COLUMNS, "between steps")])
        self.assertEqual(kinds[7], [(half, draw_trace.COLUMNS, "waits")])

    def test_a_picture(self):
        root = xml.etree.ElementTree.fromstring(draw_trace.picture(EVENTS))
        texts = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
        self.assertEqual(texts[0], "One page on 2 threads: 8.6 ms, 25 % of the threads' time in kernels")
        self.assertIn("5 ms", texts)


if __name__ == "__main__":
    unittest.main()
