import Foundation
import OffshoreWire

/// Reads a page of 10,000 rows, column by column as a device binds them, compared with Foundation's
/// JSON of the same values.
struct PageDecode: Job {
  let name = "page-decode"
  let goal = Goal.known

  private let count = 10_000

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let errands = Errand.rows(count)
    let rows = errands.enumerated().map { $1.synced(seq: Int64($0 + 1)) }
    let (bytes, json) = (RowPage(rows).encoded(), try JSONEncoder().encode(errands))
    let decoder = JSONDecoder()
    var (page, decoded) = (RowPage(), [Errand]())
    var measurement = try await Measurement.interleaved {
      page = try RowPage(decoding: bytes)
    } baseline: {
      decoded = try decoder.decode([Errand].self, from: json)
    }
    try expect(page.rows == rows && decoded == errands, "the rows that were written")
    measurement.tellRate(of: count, "rows")
    return measurement
  }
}
