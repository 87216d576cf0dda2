import Foundation
import Testing

@testable import Offshore

extension Charter {
  static let alma = Charter("Alma", location: "Biograd", guests: 4)
  static let bura = Charter("Bura", location: "Split", guests: 8)
}

extension Database {
  /// A temporary database with two charters.
  static func withAlmaAndBura() async throws -> Database {
    let database = try await Database.withCharters()
    try await database.write { try Charter.insert(contentsOf: [.alma, .bura], $0) }
    return database
  }

  /// Observes the names of all charters.
  /// - Parameter counter: Counts the fetches.
  func names(_ counter: Counter? = nil) -> ObservedValues<[String]> {
    values { reader in
      counter?.increase()
      return try reader.connection.fetch("SELECT name FROM charters ORDER BY name") {
        try $0.value(String.self)
      }
    }
  }

  /// Observes a charter by its key.
  /// - Parameter counter: Counts the fetches.
  func charter(_ id: UUID, _ counter: Counter? = nil) -> ObservedValues<Charter?> {
    values { reader in
      counter?.increase()
      return try reader.connection.fetch(Charter.table, key: [.text(id.uuidString)])
    }
  }

  /// Waits until every fetch that earlier commits require has ended.
  func settleObservations() async throws {
    var values = values { try $0.integers("SELECT count(*) FROM charters") }.makeAsyncIterator()
    let before = try await values.next()
    let marker = Charter("marker")
    try await write { try marker.insert($0) }
    #expect(try await values.next() != before)
    try await write { try marker.delete($0) }
    #expect(try await values.next() == before)
  }
}
