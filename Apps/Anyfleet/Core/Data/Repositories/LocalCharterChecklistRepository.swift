import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync

/// The checklists of charters in this device's database.
struct LocalCharterChecklistRepository: CharterChecklistRepository {
  let file: LoggedStore
  let now: @Sendable () -> Date

  func fetchCharterChecklists(_ charterID: UUID) async throws -> [CharterChecklist] {
    try await file.readable("fetchCharterChecklists") { try Self.checklists(of: charterID, $0) }
  }

  func hasChecklist(_ id: UUID, charterID: UUID) async throws -> Bool {
    try await file.read("hasChecklist") {
      try CharterChecklistRow.row(id, inCharter: charterID).exists($0)
    }
  }

  func fetchChecklist(_ id: UUID, inCharter charterID: UUID) async throws -> Checklist? {
    try await file.read("fetchChecklistInCharter") {
      try CharterChecklistRow.checklist(id, inCharter: charterID, $0)
    }
  }

  // MARK: - Assigning

  @discardableResult
  func assignChecklist(_ id: UUID, toCharter charterID: UUID) async throws -> CharterChecklist {
    try await file.write("assignChecklist", toCharter: charterID) {
      try CharterChecklistRow.assign(id, toCharter: charterID, $0)
    }
  }

  func assignChecklists(_ ids: [UUID], toCharter charterID: UUID) async throws {
    try await file.write("assignChecklists", toCharter: charterID) { writer in
      for id in ids { try CharterChecklistRow.assign(id, toCharter: charterID, writer) }
    }
  }

  func unassignChecklist(_ id: UUID, fromCharter charterID: UUID) async throws {
    try await file.write("unassignChecklist", toCharter: charterID) { writer in
      try CharterChecklistRow.row(id, inCharter: charterID).delete(writer)
      try CharterRow.find(charterID).where { $0.checkInChecklistID == id }
        .update(writer) { [$0.checkInChecklistID.set(nil), $0.syncStatus.set(.pending)] }
      try ExecutionRow.countProgress(of: ExecutionRow.rows(id, inCharter: charterID), writer)
    }
  }

  func reorderChecklists(_ ids: [UUID], ofCharter charterID: UUID) async throws {
    try await file.write("reorderChecklists", toCharter: charterID) { writer in
      let positions = Dictionary(
        ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      let rows = try CharterChecklistRow.orderedRows(ofCharter: charterID).readable(writer).rows
      let ordered = rows.enumerated().sorted { first, second in
        let position = { (row: (offset: Int, element: CharterChecklistRow)) in
          (positions[row.element.checklistID] ?? .max, row.offset)
        }
        return position(first) < position(second)
      }
      for (position, row) in ordered.enumerated() {
        var moved = row.element
        moved.position = position
        try row.element.update(changing: moved, writer)
      }
    }
  }

  // MARK: - Editing

  func saveChecklist(_ snapshot: Checklist, inCharter charterID: UUID) async throws {
    try await file.write("saveChecklistInCharter", toCharter: charterID) { writer in
      guard let row = try CharterChecklistRow.row(snapshot.id, inCharter: charterID).first(writer)
      else { throw RepositoryError.notFound }
      let changed = CharterChecklist(
        charterID: charterID, position: row.position, snapshot: snapshot)
      try row.update(changing: CharterChecklistRow(changed), writer)
      try ExecutionRow.countProgress(
        of: ExecutionRow.rows(snapshot.id, inCharter: charterID), writer)
    }
  }

  func saveChecklist(
    _ change: DraftChange<Checklist>, blank: Checklist, inCharter charterID: UUID
  ) async throws -> Checklist {
    try await file.write("saveChecklistInCharter", toCharter: charterID) { [now] writer in
      let row = try CharterChecklistRow.row(blank.id, inCharter: charterID).first(writer)
      var blank = blank
      // The owner does not change when a library checklist is added to a charter.
      if row == nil, let template = try Checklist.find(blank.id).readable(writer).rows.first {
        (blank.creatorID, blank.createdAt) = (template.creatorID, template.createdAt)
      }
      return try change.result(into: row?.snapshot, blank: blank, at: now()) { saved in
        let checklist = CharterChecklist(
          charterID: charterID,
          position: try row?.position
            ?? CharterChecklistRow.nextPosition(inCharter: charterID, writer),
          snapshot: saved)
        try CharterChecklistRow(checklist).save(writer)
        try ExecutionRow.countProgress(
          of: ExecutionRow.rows(saved.id, inCharter: charterID), writer)
      }
    }.get()
  }

  // MARK: - Observation

  func charterChecklists(_ charterID: UUID) -> RepositoryValues<ReadableRows<CharterChecklist>> {
    file.values("observeCharterChecklists", unreadable: \.unreadable) {
      try Self.checklists(of: charterID, $0)
    }
  }

  func checklist(_ id: UUID, inCharter charterID: UUID) -> RepositoryValues<Checklist?> {
    file.values("observeChecklistInCharter") {
      try CharterChecklistRow.checklist(id, inCharter: charterID, $0)
    }
  }

  private static func checklists(
    of charterID: UUID, _ reader: Reader
  ) throws -> ReadableRows<CharterChecklist> {
    try CharterChecklistRow.orderedRows(ofCharter: charterID).readable(reader).map(\.checklist)
  }
}
