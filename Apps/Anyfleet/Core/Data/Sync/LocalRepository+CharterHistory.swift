public import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

extension LocalRepository: CharterHistoryRepository {
  public func decisions(
    charterID: UUID
  ) -> any AsyncSequence<[CharterDecision], any Error> & Sendable {
    let here = DeviceName()
    return values("observeCharterDecisions") { [replica] reader in
      let decided = try Self.decided(charterID, replica, reader)
      guard !decided.isEmpty else { return [] }
      let device = try here.device(replica, reader)
      return try decided.reversed().compactMap {
        $0.decision(in: charterID, on: device, isUsable: try Self.isUsable($0, charterID, reader))
      }
    }
  }

  public func useLost(_ decision: CharterDecision.ID, charterID: UUID) async throws {
    try await write("useLostOfCharter", toCharter: charterID) { [replica, now] writer in
      let decided = try Self.decided(charterID, replica, writer)
      guard let found = decided.first(where: { $0.id(in: charterID) == decision }) else {
        throw RepositoryError.notFound
      }
      guard try Self.isUsable(found, charterID, writer) else { throw RepositoryError.conflict() }
      for conflict in found.conflicts {
        guard try replica.revert(conflict, writer) else { throw RepositoryError.conflict() }
      }
      try Self.follow(found, charterID, at: now(), writer)
    }
  }
}

// MARK: - Reading

extension LocalRepository {
  /// What was decided of a charter and of its checklists, oldest first.
  private static func decided(
    _ charterID: UUID, _ replica: Replica, _ reader: Reader
  ) throws -> [DecidedCharter] {
    guard try SyncedStore.isLinked(reader), try CharterRow.find(charterID).exists(reader) else {
      return []
    }
    let conflicts = try replica.conflicts(in: AppSchema.scope(ofCharter: charterID), reader)
    guard !conflicts.isEmpty else { return [] }
    return try CharterConflicts(charterID, reader).decided(conflicts)
  }

  /// Whether what did not stay is not so now, and could be.
  private static func isUsable(
    _ decided: DecidedCharter, _ charterID: UUID, _ reader: Reader
  ) throws -> Bool {
    guard try !decided.conflicts.allSatisfy({ try $0.isSo(reader) }) else { return false }
    guard case .checklist = decided.subject else {
      let charters = try CharterRow.where { $0.id == charterID }.readable(reader).rows
      guard let charter = charters.first else { return false }
      return switch decided.lost {
      case .firstDay(let day): day <= charter.endDate
      case .lastDay(let day): charter.startDate <= day
      case .checkIn(isChosen: true, _): try hasLostChecklist(decided, charterID, reader)
      default: true
      }
    }
    return try decided.conflicts.allSatisfy { try $0.isOfRow(reader) }
  }

  /// Whether the charter has the checklist by which the boat would be taken over.
  private static func hasLostChecklist(
    _ decided: DecidedCharter, _ charterID: UUID, _ reader: Reader
  ) throws -> Bool {
    let ids = decided.conflicts.compactMap { $0.losing.string.flatMap(UUID.init(uuidString:)) }
    return try ids.contains { try snapshot($0, in: charterID).exists(reader) }
  }

  // MARK: - Writing

  /// Has what depends on a changed charter or checklist follow.
  private static func follow(
    _ decided: DecidedCharter, _ charterID: UUID, at now: Date, _ writer: Writer
  ) throws {
    if decided.lost == .archived(true) { try endActivity(of: charterID, writer) }
    guard case .checklist = decided.subject else { return }
    let ids = decided.conflicts.compactMap { UUID(uuidString: $0.row.id) }
    // Who edits it meanwhile is told.
    try CharterChecklistRow.where { $0.id.in(ids) }.update(writer) { [$0.updatedAt.set(now)] }
  }
}

extension CharterConflicts {
  /// Reads what the checklists are called: those of the charter by their rows, and others by the library.
  fileprivate init(_ charterID: UUID, _ reader: Reader) throws {
    var (titles, checklists) = ([String: String](), [UUID: String]())
    for template in try Checklist.all.readable(reader).rows {
      let row = CharterChecklist.id(charterID: charterID, checklistID: template.id)
      (titles[row.uuidString], checklists[template.id]) = (template.title, template.title)
    }
    let snapshots = CharterChecklistRow.where { $0.charterID == charterID }
    for snapshot in try snapshots.readable(reader).rows {
      titles[snapshot.id.uuidString] = snapshot.title
      checklists[snapshot.checklistID] = snapshot.title
    }
    self.init(titles: titles, checklists: checklists)
  }
}

extension Conflict {
  /// Whether the row is there.
  fileprivate func isOfRow(_ reader: Reader) throws -> Bool {
    try SQL("SELECT EXISTS (SELECT 1 FROM \(identifier: row.table) WHERE id = \(row.id))")
      .one(reader, as: Bool.self) ?? false
  }

  /// Whether the row is as it says whose word did not stay.
  fileprivate func isSo(_ reader: Reader) throws -> Bool {
    let value: SQL =
      switch losing {
      case .null: "NULL"
      case .integer(let number): "\(number)"
      case .real(let number): "\(number)"
      default: "\(losing.string)"
      }
    return try SQL(
      """
      SELECT EXISTS (SELECT 1 FROM \(identifier: row.table)
      WHERE id = \(row.id) AND \(identifier: field) IS \(value))
      """
    ).one(reader, as: Bool.self) ?? false
  }
}
