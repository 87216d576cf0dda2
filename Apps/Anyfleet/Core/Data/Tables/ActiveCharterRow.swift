import Foundation
import Offshore

/// Which charter a user sails now: one row each, so that it can be one charter at the most.
///
/// The charter is of another scope than the choice, and may be unknown here yet or be gone.
struct ActiveCharterRow: Equatable, Sendable {
  var userID: UUID
  var charterID: UUID?
}

extension ActiveCharterRow: Record {
  static let table = Table(
    "activeCharters", ActiveCharterRow.init,
    Column("userID", \.userID).primaryKey(),
    Column("charterID", \.charterID))
}

extension ActiveCharterRow: Identifiable {
  var id: UUID { userID }
}
