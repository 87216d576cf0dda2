package import Anyfleet
package import Foundation
import Offshore
package import OffshorePresentation
import OffshoreSync
package import OffshoreWire
import TestSupport
import Testing

/// A phone with an account, on which conflicts of a charter are stored as the server resolved them.
@MainActor
package struct ConflictFixture {
  package let fleet: SyncedFleet
  package let app: AppDependencies
  package let charter: CharterModel
  package let checklist: Checklist
  /// The id of the row of the charter's checklist.
  package var snapshotID: String {
    CharterChecklist.id(charterID: charter.id, checklistID: checklist.id).uuidString
  }

  private let other = DeviceID(UUID(name: "other", in: UUID(uuid: nothing)))

  package init(_ change: (inout AppDependencies.Environment) -> Void = { _ in }) async throws {
    fleet = try SyncedFleet()
    app = try await fleet.makeApp(change)
    (charter, checklist) = try await app.makeCharter()
    // Nothing is sent before syncing starts.
    try await app.session.signUp(name: "skipper", password: "correct horse")
  }

  /// Stores a conflict in which a value of this phone lost to one of another phone, an hour later.
  package func addConflict(
    losing: WireValue, to winning: WireValue?, _ field: String, of row: String? = nil,
    at date: Date = .day(6, 9), because reason: Conflict.Reason = .later
  ) async throws {
    let table = row == nil ? "charters" : "charterChecklists"
    let (scope, id) = (
      try ScopeID.charter(charter.id).text, row ?? charter.id.uuidString
    )
    let time = date.millisecondsSince1970
    try await app.database.database.write { [replica = app.database.replica, other] writer in
      let conflict = Conflict(
        row: RowID(table: table, id: id), field: field, losing: losing,
        losingStamp: Stamp(milliseconds: time, device: try replica.device(writer)),
        winning: winning, winningStamp: Stamp(milliseconds: time + 3_600_000, device: other),
        reason: reason)
      try SQL(
        """
        INSERT INTO _conflict (scope, number, tbl, id, content)
        SELECT \(scope), coalesce(max(number), 0) + 1, \(table), \(id), \(Data(conflict.encoded()))
        FROM _conflict
        """
      ).run(writer)
    }
  }

  /// Stores a conflict in which other sections of the checklist lost to the current ones.
  package func addSectionConflict(losing: [ChecklistSection]) async throws {
    let (losing, winning) = (
      try JSONEncoder().encode(losing), try JSONEncoder().encode(checklist.sections)
    )
    try await addConflict(
      losing: WireValue(String(decoding: losing, as: UTF8.self)),
      to: WireValue(String(decoding: winning, as: UTF8.self)), "sections", of: snapshotID)
  }

  /// Stores a lost value of each kind that pages describe in words.
  package func addManyConflicts() async throws {
    try await addConflict(losing: "Alma <2>", to: "Bella", "boatName")
    try await addConflict(losing: .null, to: "Zadar", "location")
    try await addConflict(
      losing: .real(Date.day(6, 7).timeIntervalSinceReferenceDate), to: day(6), "startDate")
    try await addConflict(losing: day(14), to: day(13), "endDate")
    try await addConflict(
      losing: #"[{"name":"Ana","role":"skipper"},{"name":"Ivo","role":"coSkipper"}]"#, to: "[]",
      "crew")
    try await addConflict(
      losing: #"{"amount":1200.5,"currencyCode":"EUR","lines":[]}"#, to: .null, "budget")
    try await addConflict(losing: 1, to: 0, "isArchived")
    try await addConflict(losing: 4, to: 6, "guests")
    try await addConflict(losing: "Arrival", to: "Boarding", "title", of: snapshotID)
    try await addConflict(losing: "gone", to: nil, "description", of: snapshotID, because: .ended)
  }

  package func day(_ day: Int) -> WireValue {
    .real(Date.day(6, day).timeIntervalSinceReferenceDate)
  }

  /// The history of the charter.
  package var history: History {
    get throws { try #require(app.makeCharterHistory(charter.id)) }
  }

  /// Returns the current entries of the history, or `nil` if the charter does not exist.
  package func entries() async throws -> [HistoryEntry]? {
    for try await content in try history.contents() { return content?.entries }
    return nil
  }

  package func useLosingValue(of entry: HistoryEntry) async throws {
    try await history.choose(.losing, of: entry.id)
  }

  package func storedCharter() async throws -> CharterModel {
    try #require(try await app.local.fetchCharter(id: charter.id))
  }

  package func end() async { await fleet.end(app) }
}

/// An empty namespace.
private let nothing: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
