import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// Seals 100,000 captured insertions into batches, one write each.
struct Seal: Job {
  let name = "seal"
  let goal = Goal.known

  private let count = 100_000
  private let rounds = 5

  func measure(in folder: BenchFolder) async throws -> Measurement {
    var configuration = DatabaseConfiguration()
    configuration.synchronous = .off
    let connection = try Connection(folder.file("sealed.sqlite"), configuration: configuration)
    try connection.execute(Errand.creation)
    let outbox = Outbox(try Errand.schema())
    try connection.write { try outbox.install($0, device: DeviceID(UUID())) }
    let rows = Errand.rows(count)
    var sealed = 0
    var measurement = try await Measurement.alone(rounds: rounds) {
      try prepare(connection, rows)
      sealed = 0
    } ours: {
      while true {
        let batches = try connection.write { try outbox.seal($0, at: 1) { UUID() } }
        if batches.isEmpty { break }
        sealed += batches.reduce(0) { $0 + $1.ops.count }
      }
    }
    try expect(sealed == count, "\(count) ops, not \(sealed)")
    measurement.tellRate(of: count, "rows")
    return measurement
  }

  /// Leaves the rows captured but not sealed.
  private func prepare(_ connection: Connection, _ rows: [Errand]) throws {
    try connection.write { writer in
      for table in ["errands", "_outbox", "_batch", "_row", "_shadow", "_cursor"] {
        try SQL("DELETE FROM \(identifier: table)").run(writer)
      }
      try Errand.insert(contentsOf: rows, writer)
    }
  }
}
