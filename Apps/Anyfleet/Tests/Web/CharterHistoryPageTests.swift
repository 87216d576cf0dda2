import AnyfleetTestSupport
import Foundation
import Offshore
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import OffshoreWire
import TestSupport
import Testing

@testable import Anyfleet
@testable import AnyfleetWeb

/// The history of a charter, as pages show it.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct CharterHistoryPageTests {
  @Test func `A charter with a conflict leads to its history, where the losing value can be used`()
    async throws
  {
    let conflicts = try await ConflictFixture()
    let pages = Pages(conflicts.app)
    let charter = "/charters/\(conflicts.charter.id.uuidString)"
    let history = "/history/charter/\(conflicts.charter.id.uuidString)"
    #expect(await pages.get("\(charter)/history").headers["Location"] == history)
    #expect(await !pages.get(charter).text.contains(history))
    try await conflicts.addConflict(losing: "Vis <1>", to: "Kornati", "name")
    let detail = await pages.get(charter).text
    #expect(detail.contains(#"href="\#(history)""#))
    #expect(detail.contains("1 change was made at the same time as another"))
    let page = await pages.get(history).text
    #expect(page.contains("<strong>Name:</strong>"))
    #expect(page.contains("Another phone, ") && page.contains("You, "))
    #expect(page.contains(#"aria-label="Keep mine: Name: “Vis &lt;1&gt;”""#))
    let entry = try #require(page.firstMatch(of: /name="entry" value="([^"]+)"/)?.1)
    let answer = await pages.post(
      history, ["action": "choose", "choice": "losing", "entry": String(entry)])
    #expect(answer.status == .seeOther && answer.headers["Location"] == history)
    let after = await pages.get(history).text
    #expect(after.contains("You chose “Vis &lt;1&gt;”, ") && !after.contains("Keep mine"))
    #expect(try await conflicts.storedCharter().name == "Vis <1>")
    let again = await pages.post(
      history, ["action": "choose", "choice": "losing", "entry": String(entry)])
    #expect(again.status == .unprocessableContent)
    #expect(again.text.contains("This was changed elsewhere meanwhile."))
    #expect(await pages.post(history, [:]).status == .badRequest)
    await conflicts.end()
  }

  @Test func `The rows of a charter and its checklist are marked until a conflict is decided`()
    async throws
  {
    let conflicts = try await ConflictFixture()
    let pages = Pages(conflicts.app)
    let charter = "/charters/\(conflicts.charter.id.uuidString)"
    let history = "/history/charter/\(conflicts.charter.id.uuidString)"
    let checklist = "checklist-\(conflicts.checklist.id)"
    #expect(try await !pages.hasOpenConflict("charter-\(conflicts.charter.id)", on: "/charters"))
    #expect(try await !pages.hasOpenConflict(checklist, on: charter))
    let title = conflicts.checklist.title
    try await conflicts.addConflict(
      losing: "Arrival", to: WireValue(title), "title", of: conflicts.snapshotID)
    #expect(try await pages.hasOpenConflict("charter-\(conflicts.charter.id)", on: "/charters"))
    #expect(try await pages.hasOpenConflict("charter-history", on: charter))
    #expect(try await pages.hasOpenConflict(checklist, on: charter))
    let entry = try #require(
      await pages.get(history).text.firstMatch(of: /name="entry" value="([^"]+)"/)?.1)
    _ = await pages.post(
      history, ["action": "choose", "choice": "winning", "entry": String(entry)])
    #expect(try await !pages.hasOpenConflict("charter-\(conflicts.charter.id)", on: "/charters"))
    #expect(try await !pages.hasOpenConflict("charter-history", on: charter), "the entry stays")
    #expect(try await !pages.hasOpenConflict(checklist, on: charter))
    await conflicts.end()
  }

  @Test func `A member who may only look is not asked to decide`() async throws {
    let conflicts = try await ConflictFixture()
    let pages = Pages(conflicts.app)
    let row = "charter-\(conflicts.charter.id)"
    try await conflicts.addConflict(losing: "Vis", to: "Kornati", "name")
    #expect(try await pages.hasOpenConflict(row, on: "/charters"))
    let scope = try ScopeID.charter(conflicts.charter.id).text
    try await conflicts.app.database.store.write { writer in
      try SQL(
        "INSERT OR REPLACE INTO _cursor (scope, role) VALUES (\(scope), \(Int64(Role.viewer.rawValue)))"
      ).run(writer)
    }
    #expect(try await !pages.hasOpenConflict(row, on: "/charters"))
    await conflicts.end()
  }

  @Test func `A charter without conflicts has an empty history, and one that does not exist none`()
    async throws
  {
    let pages = try await Pages()
    let charter = try await pages.createCharter()
    let page = await pages.get(charter.replacing("/charters/", with: "/history/charter/"))
    #expect(page.status == .ok && page.text.contains("No conflicts"))
    let id = UUID()
    let missing = await pages.get("/history/charter/\(id)")
    #expect(missing.headers["Location"] == "/charters/\(id)")
    #expect(await pages.get("/charters/\(id)").status == .notFound)
  }
}
