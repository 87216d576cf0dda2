import Foundation

/// Where pages are.
enum Address {
  static let home = "/"
  /// Where it is posted which charter is sailed now.
  static let sail = "/sail"
  static let charters = "/charters"
  static let newCharter = "/charters/new"

  /// The page of a charter.
  static func charter(_ id: UUID) -> String { "\(charters)/\(id.uuidString)" }
  /// Where it is posted that the server is asked again for a charter.
  static func refreshCharter(_ id: UUID) -> String { "\(charter(id))/refresh" }
}
