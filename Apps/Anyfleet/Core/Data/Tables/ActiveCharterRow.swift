import Foundation
import Offshore
import OffshoreSync

/// The choice of the active charter: one row per user, so at most one charter.
///
/// The charter is in another scope than the choice. It may not be on this device yet, or may be
/// deleted.
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

// MARK: - Reading

extension ActiveCharterRow {
  /// Returns the id of the active charter, or `nil`.
  ///
  /// An unreadable choice counts as `nil`, so that lists can still be shown; ``charter(_:)``
  /// reports it.
  static func activeID(_ reader: Reader) throws -> UUID? {
    let text = try SQL(
      """
      SELECT charters.id FROM settings
      JOIN activeCharters ON activeCharters.userID = settings.value
      JOIN charters ON charters.id = activeCharters.charterID AND charters.isArchived = 0
      WHERE settings.name = \(SyncedStore.userIDSetting)
      """
    ).first(reader, as: String.self)
    return text.flatMap { UUID(uuidString: $0) }
  }

  /// Returns the active charter, or `nil`.
  static func charter(_ reader: Reader) throws -> CharterModel? {
    guard let id = try chosenID(reader), let row = try CharterRow.find(id).first(reader),
      !row.isArchived
    else { return nil }
    return row.charter(activeID: id)
  }

  /// Returns the id that this device's user chose. Its charter may be archived or deleted.
  private static func chosenID(_ reader: Reader) throws -> UUID? {
    try find(try SyncedStore.userID(reader)).first(reader)?.charterID
  }

  /// Returns the id that this device's user chose, or `nil` if the choice is unreadable.
  static func readableChosenID(_ reader: Reader) throws -> UUID? {
    do {
      return try chosenID(reader)
    } catch let error as DatabaseError where error.code == .invalidValue {
      return nil
    }
  }
}

// MARK: - Changing

extension ActiveCharterRow {
  /// Makes a charter the active one of this device's user, or none.
  static func activate(_ id: UUID?, _ writer: Writer) throws {
    try ActiveCharterRow(userID: try SyncedStore.userID(writer), charterID: id).save(writer)
  }

  /// Makes a charter inactive for this device's user, if it is the active one.
  static func deactivate(_ id: UUID, _ writer: Writer) throws {
    try find(try SyncedStore.userID(writer)).where { $0.charterID == id }
      .update(writer) { [$0.charterID.set(nil)] }
  }

  /// Makes a charter inactive for all users.
  static func deactivateForAll(_ id: UUID, _ writer: Writer) throws {
    try ActiveCharterRow.where { $0.charterID == id }.update(writer) { [$0.charterID.set(nil)] }
  }
}
