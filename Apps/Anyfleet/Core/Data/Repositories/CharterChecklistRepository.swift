public import Foundation
public import Offshore
public import OffshorePresentation
import OffshoreSync

/// The checklists of charters, each a snapshot. Every method throws ``RepositoryError``.
public protocol CharterChecklistRepository: Sendable {
  /// Fetches the checklists of a charter in their order. An unreadable row is left out and logged.
  func fetchCharterChecklists(_ charterID: UUID) async throws -> [CharterChecklist]

  /// Returns whether a charter has a snapshot of a checklist.
  func hasChecklist(_ id: UUID, charterID: UUID) async throws -> Bool

  /// Fetches the checklist to run in a charter: the snapshot if the charter has one, otherwise the
  /// library's checklist, or `nil` if neither exists.
  func fetchChecklist(_ id: UUID, inCharter charterID: UUID) async throws -> Checklist?

  /// Adds a snapshot of a library checklist at the end of a charter's checklists. Does nothing if
  /// the charter has one.
  ///
  /// Existing progress on the checklist counts again.
  /// - Throws: ``RepositoryError`` with `notFound` if the checklist or the charter does not exist.
  @discardableResult
  func assignChecklist(_ id: UUID, toCharter charterID: UUID) async throws -> CharterChecklist

  /// Adds snapshots of library checklists to a charter in this order, all or none; see
  /// ``assignChecklist(_:toCharter:)``.
  /// - Throws: ``RepositoryError`` with `notFound` if a checklist or the charter does not exist.
  func assignChecklists(_ ids: [UUID], toCharter charterID: UUID) async throws

  /// Removes a checklist from a charter. Its progress is retained.
  func unassignChecklist(_ id: UUID, fromCharter charterID: UUID) async throws

  /// Reorders a charter's checklists. The ones that are not listed follow in their previous order.
  func reorderChecklists(_ ids: [UUID], ofCharter charterID: UUID) async throws

  /// Stores an edited snapshot of a charter, and counts its progress again. The library's checklist
  /// does not change.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not have the checklist.
  func saveChecklist(_ snapshot: Checklist, inCharter charterID: UUID) async throws

  /// Merges a form into the currently stored snapshot of a charter, and stores the result. If the
  /// charter does not have the checklist, a new form adds it at the end.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist; `DraftError`.
  func saveChecklist(
    _ change: DraftChange<Checklist>, blank: Checklist, inCharter charterID: UUID
  ) async throws -> Checklist

  /// Observes the result of ``fetchCharterChecklists(_:)``, with the errors of unreadable rows.
  func charterChecklists(
    _ charterID: UUID
  ) -> any AsyncSequence<ReadableRows<CharterChecklist>, any Error> & Sendable

  /// Observes the result of ``fetchChecklist(_:inCharter:)``.
  func checklist(
    _ id: UUID, inCharter charterID: UUID
  ) -> any AsyncSequence<Checklist?, any Error> & Sendable
}

extension LocalRepository: CharterChecklistRepository {
  public func fetchCharterChecklists(_ charterID: UUID) async throws -> [CharterChecklist] {
    try await readList("fetchCharterChecklists") { try Self.checklists(ofCharter: charterID, $0) }
  }

  public func hasChecklist(_ id: UUID, charterID: UUID) async throws -> Bool {
    try await read("hasChecklist") { try Self.snapshot(id, in: charterID).exists($0) }
  }

  public func fetchChecklist(_ id: UUID, inCharter charterID: UUID) async throws -> Checklist? {
    try await read("fetchChecklistInCharter") { try Self.checklist(id, in: charterID, $0) }
  }

  @discardableResult
  public func assignChecklist(
    _ id: UUID, toCharter charterID: UUID
  ) async throws -> CharterChecklist {
    try await write("assignChecklist", toCharter: charterID) {
      try Self.assignChecklist(id, toCharter: charterID, $0)
    }
  }

  public func assignChecklists(_ ids: [UUID], toCharter charterID: UUID) async throws {
    try await write("assignChecklists", toCharter: charterID) { writer in
      for id in ids { try Self.assignChecklist(id, toCharter: charterID, writer) }
    }
  }

  public func unassignChecklist(_ id: UUID, fromCharter charterID: UUID) async throws {
    try await write("unassignChecklist", toCharter: charterID) { writer in
      try Self.snapshot(id, in: charterID).delete(writer)
      try CharterRow.find(charterID).where { $0.checkInChecklistID == id }
        .update(writer) { [$0.checkInChecklistID.set(nil), $0.syncStatus.set(.pending)] }
      try Self.countProgress(of: Self.rows(id, charterID), writer)
    }
  }

  public func reorderChecklists(_ ids: [UUID], ofCharter charterID: UUID) async throws {
    try await write("reorderChecklists", toCharter: charterID) { writer in
      let places = Dictionary(
        ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      let rows = try Self.inOrder(Self.rows(ofCharter: charterID)).readable(writer).rows
      let ordered = rows.enumerated().sorted { first, second in
        let place = { (row: (offset: Int, element: CharterChecklistRow)) in
          (places[row.element.checklistID] ?? .max, row.offset)
        }
        return place(first) < place(second)
      }
      for (position, row) in ordered.enumerated() {
        var moved = row.element
        moved.position = position
        try row.element.update(changing: moved, writer)
      }
    }
  }

  public func saveChecklist(_ snapshot: Checklist, inCharter charterID: UUID) async throws {
    try await write("saveChecklistInCharter", toCharter: charterID) { writer in
      guard let row = try Self.snapshot(snapshot.id, in: charterID).first(writer) else {
        throw RepositoryError.notFound
      }
      let changed = CharterChecklist(
        charterID: charterID, position: row.position, snapshot: snapshot)
      try row.update(changing: CharterChecklistRow(changed), writer)
      try Self.countProgress(of: Self.rows(snapshot.id, charterID), writer)
    }
  }

  public func saveChecklist(
    _ change: DraftChange<Checklist>, blank: Checklist, inCharter charterID: UUID
  ) async throws -> Checklist {
    try await write("saveChecklistInCharter", toCharter: charterID) { [now] writer in
      let row = try Self.snapshot(blank.id, in: charterID).first(writer)
      var blank = blank
      // The owner does not change when a library checklist is added to a charter.
      if row == nil, let template = try Checklist.find(blank.id).readable(writer).rows.first {
        (blank.creatorID, blank.createdAt) = (template.creatorID, template.createdAt)
      }
      return try change.result(into: row?.checklist.snapshot, blank: blank, at: now()) { saved in
        let position = try row?.position ?? Self.nextPosition(inCharter: charterID, writer)
        let checklist = CharterChecklist(
          charterID: charterID, position: position, snapshot: saved)
        try CharterChecklistRow(checklist).save(writer)
        try Self.countProgress(of: Self.rows(saved.id, charterID), writer)
      }
    }.get()
  }

  public func charterChecklists(
    _ charterID: UUID
  ) -> any AsyncSequence<ReadableRows<CharterChecklist>, any Error> & Sendable {
    values("observeCharterChecklists", unreadable: \.unreadable) {
      try Self.checklists(ofCharter: charterID, $0)
    }
  }

  public func checklist(
    _ id: UUID, inCharter charterID: UUID
  ) -> any AsyncSequence<Checklist?, any Error> & Sendable {
    values("observeChecklistInCharter") { try Self.checklist(id, in: charterID, $0) }
  }
}

// MARK: - Rows

extension LocalRepository {
  /// Adds a snapshot of a library checklist to a charter, unless it has one.
  @discardableResult
  static func assignChecklist(
    _ id: UUID, toCharter charterID: UUID, _ writer: Writer
  ) throws -> CharterChecklist {
    if let assigned = try snapshot(id, in: charterID).first(writer) { return assigned.checklist }
    guard let template = try Checklist.find(id).first(writer) else {
      throw RepositoryError.notFound
    }
    let checklist = CharterChecklist(
      charterID: charterID, position: try nextPosition(inCharter: charterID, writer),
      snapshot: template)
    try CharterChecklistRow(checklist).insert(writer)
    try countProgress(of: rows(id, charterID), writer)
    return checklist
  }

  /// Adds a snapshot of a checklist to a charter, if the library has the checklist and the charter
  /// does not.
  static func assignIfKnown(_ id: UUID, toCharter charterID: UUID, _ writer: Writer) throws {
    guard try !snapshot(id, in: charterID).exists(writer), try Checklist.find(id).exists(writer)
    else { return }
    try assignChecklist(id, toCharter: charterID, writer)
  }

  private static func nextPosition(inCharter id: UUID, _ reader: Reader) throws -> Int {
    try rows(ofCharter: id).max(reader) { $0.position }.map { $0 + 1 } ?? 0
  }

  /// Returns the query for the checklists of a charter, in any order.
  static func rows(ofCharter id: UUID) -> Query<CharterChecklistRow> {
    CharterChecklistRow.where { $0.charterID == id }
  }

  /// Returns the query sorted by position, and by id, because two devices may have assigned the
  /// same position.
  private static func inOrder(
    _ rows: Query<CharterChecklistRow>
  ) -> Query<CharterChecklistRow> {
    rows.order { [$0.position.ascending, $0.id.ascending] }
  }

  private static func checklists(
    ofCharter id: UUID, _ reader: Reader
  ) throws -> ReadableRows<CharterChecklist> {
    try inOrder(rows(ofCharter: id)).readable(reader).map(\.checklist)
  }
}

/// A stored checklist of a charter. The columns of the snapshot are those of a library checklist.
struct CharterChecklistRow: Equatable, Identifiable, Sendable {
  let id: UUID
  var charterID: UUID
  var checklistID: UUID
  var position: Int
  var title: String
  var description: String?
  var sections: [ChecklistSection]
  var creatorID: UUID
  var createdAt: Date
  var updatedAt: Date
}

extension CharterChecklistRow: Record {
  static let table = Table(
    "charterChecklists", CharterChecklistRow.init,
    Column("id", \.id).primaryKey(),
    // `checklistID` has no foreign key, because the checklist may not be on this device.
    Column("charterID", \.charterID)
      .references("charters", column: "id", onDelete: .cascade, onUpdate: .cascade),
    Column("checklistID", \.checklistID),
    Column("position", \.position),
    Column("title", \.title),
    Column("description", \.description),
    Column("sections", \.sections, as: .json),
    Column("creatorID", \.creatorID),
    Column("createdAt", \.createdAt),
    Column("updatedAt", \.updatedAt)
  ).index(\.charterID, \.position, name: "idx_charterChecklists_charter")
}

extension CharterChecklistRow {
  init(_ checklist: CharterChecklist) {
    let snapshot = checklist.snapshot
    self.init(
      id: checklist.id, charterID: checklist.charterID, checklistID: checklist.checklistID,
      position: checklist.position, title: snapshot.title, description: snapshot.description,
      sections: snapshot.sections, creatorID: snapshot.creatorID, createdAt: snapshot.createdAt,
      updatedAt: snapshot.updatedAt)
  }

  var checklist: CharterChecklist {
    CharterChecklist(
      charterID: charterID, position: position,
      snapshot: Checklist(
        id: checklistID, title: title, sections: sections, creatorID: creatorID,
        description: description, createdAt: createdAt, updatedAt: updatedAt))
  }
}

extension CharterChecklist: Identifiable {
  /// The id, which is the same on every device; see ``id(charterID:checklistID:)``.
  public var id: UUID { Self.id(charterID: charterID, checklistID: checklistID) }

  /// Returns the id of a checklist in a charter, which is the same on every device.
  ///
  /// It is a version 5 UUID with the charter's id as namespace. The name is `snapshot.` followed by
  /// the checklist's id in upper case.
  public static func id(charterID: UUID, checklistID: UUID) -> UUID {
    UUID(name: "snapshot.\(checklistID.uuidString)", in: charterID)
  }
}
