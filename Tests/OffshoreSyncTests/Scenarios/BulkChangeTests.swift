import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import Testing

/// A change of so many rows that it runs apart from the other tests, which would have to wait.
struct BulkChangeTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws {
    harbour = try .withLeg()
  }

  /// A query of the numbers from 1 to 100,000.
  private static let numbers: SQL = """
    WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 100000)
    SELECT n FROM c
    """

  @Test func `A change of 100,000 rows arrives whole, in batches that fit`() throws {
    try anna.run(
      "INSERT INTO stops SELECT 's' || n, 'l1', 'Vis', 'c1' FROM (\(Self.numbers))")
    try harbour.settle(limit: WireLimits.rowsPerPage)
    try ben.run("UPDATE stops SET place = place || '!'")
    try harbour.settle(limit: WireLimits.rowsPerPage)
    for ship in harbour.ships {
      #expect(try ship.device.number("SELECT count(*) FROM stops WHERE place = 'Vis!'") == 100_000)
      #expect(try ship.isSettled())
    }
  }
}
