import Foundation
import Offshore

/// Exports 100,000 rows of ten mixed columns to a file, or imports them from it.
struct TransferRows: Job {
  static let exportCSV = TransferRows(name: "export-csv", format: .csv, imports: false)
  static let importCSV = TransferRows(name: "import-csv", format: .csv, imports: true)
  static let exportJSON = TransferRows(name: "export-json", format: .jsonLines, imports: false)
  static let importJSON = TransferRows(name: "import-json", format: .jsonLines, imports: true)

  let name: String
  let goal = Goal.known
  private let format: TableFormat
  private let imports: Bool

  func measure(in folder: BenchFolder) async throws -> Measurement {
    var configuration = DatabaseConfiguration()
    configuration.synchronous = .off
    let database = try Database(folder.file("ours.sqlite"), configuration: configuration)
    let rows = Booking.rows(100_000)
    try await database.write { writer in
      try SQL(raw: Booking.creation).run(writer)
      try Booking.insert(contentsOf: rows, writer)
    }
    let path = folder.file("rows")
    try await database.exportRows(of: Booking.all, to: path, as: format)
    var measurement = try await Measurement.alone(rounds: 10) {
      if imports { try await database.write { try SQL("DELETE FROM bookings").run($0) } }
    } ours: {
      let count =
        if imports {
          try await database.importRows(of: Booking.self, from: path, as: format)
        } else {
          try await database.exportRows(
            of: Booking.all, to: path, as: format, replacesExisting: true)
        }
      try expect(count == rows.count, "all rows")
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    measurement.tellRate(of: (attributes[.size] as? Int ?? 0) >> 20, "MiB")
    return measurement
  }
}
