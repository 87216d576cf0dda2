public import Foundation
import Offshore
import OffshoreSync

extension LocalRepository {
  public func fetchActiveCharter() async throws -> CharterModel? {
    try await read("fetchActiveCharter") { try Self.activeCharter($0) }
  }

  public func activeCharter() -> any AsyncSequence<CharterModel?, any Error> & Sendable {
    values("observeActiveCharter") { try Self.activeCharter($0) }
  }

  public func setActiveCharter(_ id: UUID?) async throws {
    try await write("setActiveCharter") { [store] writer in
      if let id {
        // Choosing is everybody's own; taking it out of the archive is not.
        if try CharterRow.find(id).where({ $0.isArchived }).exists(writer) {
          try store.checkMayEdit(AppSchema.scope(ofCharter: id), writer)
        }
        try Self.setArchived(false, id, writer)
      }
      try ActiveCharterRow(userID: try SyncedStore.userID(writer), charterID: id).save(writer)
    }
  }

  public func endActivity(ofCharter id: UUID) async throws {
    _ = try await write("endActivity") { writer in
      try ActiveCharterRow.find(try SyncedStore.userID(writer)).where { $0.charterID == id }
        .update(writer) { [$0.charterID.set(nil)] }
    }
  }

  public func setArchived(_ isArchived: Bool, charterID: UUID) async throws {
    try await write("setArchived", toCharter: charterID) { writer in
      try Self.setArchived(isArchived, charterID, writer)
      if isArchived { try Self.endActivity(of: charterID, writer) }
    }
  }
}

// MARK: - Rows

extension LocalRepository {
  /// The id of the active charter, if there is one.
  ///
  /// A choice that cannot be read is none here, so that lists show all the same;
  /// ``activeCharter(_:)`` reports it.
  static func activeID(_ reader: Reader) throws -> UUID? {
    let text = try SQL(
      """
      SELECT charters.id FROM settings
      JOIN activeCharters ON activeCharters.userID = settings.value
      JOIN charters ON charters.id = activeCharters.charterID AND charters.isArchived = 0
      WHERE settings.name = \(SyncedStore.userIDSetting)
      """
    ).one(reader, as: String.self)
    return text.flatMap { UUID(uuidString: $0) }
  }

  /// The active charter, if there is one.
  static func activeCharter(_ reader: Reader) throws -> CharterModel? {
    guard let id = try choice(reader), let row = try CharterRow.find(id).one(reader),
      !row.isArchived
    else { return nil }
    return row.charter(activeID: id)
  }

  /// The charter that this device's user chose, which may be archived or gone.
  private static func choice(_ reader: Reader) throws -> UUID? {
    try ActiveCharterRow.find(try SyncedStore.userID(reader)).one(reader)?.charterID
  }

  /// The charter that this device's user chose, or none where the choice cannot be read.
  static func readableChoice(_ reader: Reader) throws -> UUID? {
    do {
      return try choice(reader)
    } catch let error as DatabaseError where error.code == .invalidValue {
      return nil
    }
  }

  /// Makes an id the active charter's, unless another one is active.
  static func activateUnlessAnother(_ id: UUID, _ writer: Writer) throws {
    guard try activeID(writer) == nil else { return }
    try ActiveCharterRow(userID: try SyncedStore.userID(writer), charterID: id).save(writer)
  }

  /// Leaves those who chose a charter without one.
  static func endActivity(of id: UUID, _ writer: Writer) throws {
    try ActiveCharterRow.where { $0.charterID == id }.update(writer) { [$0.charterID.set(nil)] }
  }

  private static func setArchived(_ isArchived: Bool, _ id: UUID, _ writer: Writer) throws {
    guard try CharterRow.find(id).exists(writer) else { throw RepositoryError.notFound }
    try CharterRow.find(id).where { $0.isArchived != isArchived }
      .update(writer) { [$0.isArchived.set(isArchived), $0.syncStatus.set(.pending)] }
  }
}
