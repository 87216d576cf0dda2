import Foundation
import OffshoreWire

/// Writes 10,000 rows as a page, from rows to bytes, compared with Foundation's JSON of the same
/// values.
///
/// The page contains more than the JSON: the number, the life and the version of each row.
struct PageEncode: Job {
  let name = "page-encode"
  let goal = Goal.known

  private let count = 10_000

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let errands = Errand.rows(count)
    let rows = errands.enumerated().map { $1.synced(seq: Int64($0 + 1)) }
    let encoder = JSONEncoder()
    var (page, json) = ([UInt8](), Data())
    var measurement = try await Measurement.interleaved {
      page = RowPage(rows).encoded()
    } baseline: {
      json = try encoder.encode(errands)
    }
    try expect(try RowPage(decoding: page).rows == rows, "the rows that were written")
    measurement.tellRate(of: count, "rows")
    measurement.figures["bytes/row"] = Double(page.count / count)
    measurement.figures["JSON bytes/row"] = Double(json.count / count)
    return measurement
  }
}
