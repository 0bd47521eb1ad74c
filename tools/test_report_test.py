#!/usr/bin/env python3
import io
import unittest

import test_report

OUTPUT = """Test project
        Start  2: slow_test
        Start  1: fast_test
 1/3 Test  #1: fast_test ........................   Passed    0.10 sec
 2/3 Test  #2: slow_test ........................***Failed   12.50 sec
a line of the test's own: 5.0 sec
 3/3 Test #3: asan/left_test ....................***Skipped   0.02 sec

67% tests passed, 1 tests failed out of 3

Total Test time (real) =  13.00 sec
"""


class TestReportTest(unittest.TestCase):
    def test_the_table_stands_before_the_summary_and_nothing_is_lost(self):
        out = io.StringIO()
        test_report.main(["build dev=100", "build a=b=20"], io.StringIO(OUTPUT), out)
        text = out.getvalue()
        table = text[text.index("Time of each phase:"):text.index("67% tests passed")]
        self.assertEqual(text.replace(table, ""), OUTPUT)
        self.assertTrue(text.endswith(OUTPUT[OUTPUT.index("67%"):]))
        rows = [line.split("s  ", 1) for line in table.splitlines() if " s  " in line]
        self.assertEqual([name for _, name in rows],
                         ["build dev", "build a=b", "tests", "all", "slow_test", "fast_test", "asan/left_test"])
        self.assertEqual([row[0].strip() for row in rows[3:5]], ["120", "12.5"])

    def test_only_the_slowest_are_named(self):
        lines = test_report.report([], [(f"test{i}", i) for i in range(30)])
        self.assertEqual(lines[-10:], [f"{29 - i:8.1f} s  test{29 - i}" for i in range(10)])

    def test_without_a_summary_nothing_is_added(self):
        out = io.StringIO()
        test_report.main(["build=1"], io.StringIO("No tests were found!!!\n"), out)
        self.assertEqual(out.getvalue(), "No tests were found!!!\n")


if __name__ == "__main__":
    unittest.main()
