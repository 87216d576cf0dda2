"""Devices and servers of an earlier commit with those of this one, in both directions.

OFFSHORE_BEFORE is the folder of the earlier commit's programs; without it these tests are skipped.
`make interop BEFORE=REVISION` builds them and runs this file.
"""

import os
import unittest

from support import Host
from test_packing import PackingDevice, PackingTestCase

BEFORE = os.environ.get("OFFSHORE_BEFORE")


class FormerDevice(PackingDevice):
    """A device that runs the program of the earlier commit."""

    programs = BEFORE


@unittest.skipUnless(BEFORE, "OFFSHORE_BEFORE names no programs of an earlier commit.")
class InteropTests(PackingTestCase):
    def restart_server(self, programs=None):
        """Ends the server and starts it with other programs on the same file and port."""
        port = int(self.server.address.rsplit(":", 1)[1])
        self.server.end()
        self.server.start(programs, port)

    def open_list(self, driver, page):
        driver.get(driver.host.url(page))
        self.wait_for_stream(driver)

    def assert_same(self, drivers, ticks):
        for driver in drivers:
            self.wait(driver, lambda d: self.ticks(d) == ticks, seconds=30)

    def work_together(self, name, former, current):
        """A list that one device creates and both pack."""
        page = self.make_list(former, name, "Tent", "Map")
        self.sign(former, name.lower(), is_new=True)
        self.sign(current, name.lower())
        current.get(current.host.url("/"))
        self.wait(current, lambda d: "0 of 2 packed" in self.find(d, "#main").text, seconds=30)
        for driver in (former, current):
            self.open_list(driver, page)
        self.tick(former, "Tent")
        self.assert_same((former, current), {"Map": False, "Tent": True})
        self.tick(current, "Map")
        self.assert_same((former, current), {"Map": True, "Tent": True})
        return page

    def test_a_former_server_serves_both_and_its_file_serves_the_current_one(self):
        self.restart_server(BEFORE)
        former, current = self.device(FormerDevice(self.server)), self.device()
        page = self.work_together("Harbour", former, current)
        self.restart_server()
        for driver in (former, current):
            self.open_list(driver, page)
        self.tick(current, "Tent")
        self.assert_same((former, current), {"Map": True, "Tent": False})
        self.tick(former, "Map")
        self.assert_same((former, current), {"Map": False, "Tent": False})

    def test_a_current_server_serves_a_former_device(self):
        self.work_together("Anchorage", self.device(FormerDevice(self.server)), self.device())

    def test_a_former_file_opens_with_its_pending_changes(self):
        driver = self.device(FormerDevice(self.server))
        page = self.make_list(driver, "Mooring", "Rope")
        self.sign(driver, "mooring", is_new=True)
        port = int(self.server.address.rsplit(":", 1)[1])
        self.server.end()
        self.open_list_offline(driver, page)
        self.tick(driver, "Rope")
        self.wait(driver, lambda d: self.ticks(d) == {"Rope": True})
        driver.host.end()
        driver.host.programs = None
        driver.host.start()
        driver.get(driver.host.address)
        self.open_list_offline(driver, page)
        self.assert_same([driver], {"Rope": True})
        self.server.start(port=port)
        other = self.device()
        self.sign(other, "mooring")
        self.open_list(other, page)
        self.assert_same([other], {"Rope": True})

    def open_list_offline(self, driver, page):
        driver.get(driver.host.url(page))
        self.wait(driver, lambda d: self.ticks(d))

    def test_a_former_home_of_anyfleet_opens(self):
        host = Host.__new__(Host)
        host.programs = BEFORE
        host.__init__()
        driver = self.device(host)
        driver.get(host.url("/library"))
        library = self.find(driver, "#main").text
        self.assertTrue(library)
        host.end()
        host.programs = None
        host.start()
        driver.get(host.address)
        driver.get(host.url("/library"))
        self.assertEqual(self.find(driver, "#main").text, library)


if __name__ == "__main__":
    unittest.main()
