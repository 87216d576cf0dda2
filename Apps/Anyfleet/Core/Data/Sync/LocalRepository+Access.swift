public import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

extension LocalRepository: CharterAccessRepository {
  public func roles() -> any AsyncSequence<[UUID: CharterRole], any Error> & Sendable {
    values("observeRoles") { [store] reader in
      let roles = try store.roles(inScopesOf: AppSchema.charterKind, reader)
      return Dictionary(
        roles.compactMap { scope, role in
          UUID(uuidString: scope.value).map { ($0, CharterRole(role)) }
        }, uniquingKeysWith: { first, _ in first })
    }
  }

  public func removeCopy(ofCharter id: UUID) async throws {
    try await write("removeCopy") { [replica, now, makeID] writer in
      let scope = try AppSchema.scope(ofCharter: id)
      guard try SyncedStore.isLinked(writer),
        try replica.forgetCopy(of: scope, writer, at: now().millisecondsSince1970, makeID: makeID)
      else { throw RepositoryError.notFound }
    }
  }

  public func end(ofCharter id: UUID) async throws -> CharterEnd? {
    try await read("endOfCharter") { [replica, now] reader in
      guard try SyncedStore.isLinked(reader), try !CharterRow.find(id).exists(reader) else {
        return nil
      }
      return try Self.end(ofCharter: id, replica, reader, at: now())
    }
  }
}

// MARK: - What may be written

extension LocalRepository {
  /// Writes what belongs to a charter and logs how that went, unless this account may only look at it.
  /// - Throws: ``RepositoryError``: `forbidden`.
  func write<Result: Sendable>(
    _ name: StaticString, toCharter id: UUID,
    _ body: @escaping @Sendable (Writer) throws -> Result
  ) async throws -> Result {
    try await write(name) { [store] writer in
      try store.checkMayEdit(AppSchema.scope(ofCharter: id), writer)
      return try body(writer)
    }
  }

  private static func end(
    ofCharter id: UUID, _ replica: Replica, _ reader: Reader, at now: Date
  ) throws -> CharterEnd? {
    let row = RowID(table: CharterRow.table.name, id: id.uuidString)
    let (scope, device) = (try AppSchema.scope(ofCharter: id), try replica.device(reader))
    if try replica.role(in: scope, reader) == .revoked {
      let dead = try replica.deadLetters(reader).contains { $0.scope == scope }
      return CharterEnd(kind: .revoked, hasLostChanges: dead)
    }
    guard let stamp = try replica.deletion(of: row, reader) else {
      return try unsentDeletion(of: row, replica, reader, at: now)
        .map { CharterEnd(kind: .deletedHere($0), hasLostChanges: false) }
    }
    // What was lost to the reset of a checklist before is no matter of the charter's end.
    let lost = try replica.conflicts(in: scope, reader).contains {
      $0.reason == .ended && $0.losingStamp.device == device && $0.winningStamp.date >= stamp.date
    }
    return CharterEnd(
      kind: stamp.device == device ? .deletedHere(stamp.date) : .deletedElsewhere(stamp.date),
      hasLostChanges: lost)
  }

  /// When a row was deleted here, where the deletion is not even on its way to the server.
  private static func unsentDeletion(
    of row: RowID, _ replica: Replica, _ reader: Reader, at now: Date
  ) throws -> Date? {
    let changes = try replica.outbox.changes(reader)
    let deletion = changes.last { $0.row == row && $0.kind == .deleted }
    return deletion.map { $0.date.map { Date(milliseconds: $0) } ?? now }
  }
}

extension CharterRole {
  init(_ role: Grant.Role) {
    self =
      switch role {
      case .owner: .owner
      case .editor: .editor
      case .viewer: .viewer
      case .revoked: .revoked
      case .left: .left
      }
  }
}

extension Stamp {
  /// When the edit was made.
  var date: Date { Date(milliseconds: milliseconds) }
}
