import AnyfleetTestSupport
import Foundation
import OffshoreHTTP
import OffshorePresentation
import Testing

@testable import Anyfleet

/// The history of an item, as pages show it.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct ItemHistoryPageTests {
  @Test func `An item with a conflict leads to its history, where the losing value can be used`()
    async throws
  {
    let shared = try await SharedCharter()
    try await shared.makeConcurrentTicks()
    let pages = Pages(shared.skipper)
    let charter = "/charters/\(shared.charter.id.uuidString)"
    let run = "\(charter)/checklists/\(shared.checklist.id.uuidString)"
    let history = "\(run)/items/\(shared.item(0).uuidString)/history"
    let links = await pages.get(run).text.matches(of: /href="([^"]+\/history)"/)
    // From the item, and from the line after a return.
    #expect(Set(links.map { String($0.1) }) == [history])
    let rows = [
      ("charter-\(shared.charter.id)", "/charters"), ("checklist-\(shared.checklist.id)", charter),
    ]
    for (row, page) in rows { #expect(try await pages.hasOpenConflict(row, on: page)) }
    let page = await pages.get(history).text
    #expect(page.contains("<strong>Tick:</strong>") && page.contains("2 versions"))
    #expect(page.contains(#"aria-label="Keep mine: Tick: unticked""#))
    #expect(page.contains(#"aria-label="Keep theirs: Tick: ticked""#))
    let entry = try #require(page.firstMatch(of: /name="entry" value="([^"]+)"/)?.1)
    let answer = await pages.post(
      history, ["action": "choose", "choice": "losing", "entry": String(entry)])
    #expect(answer.status == .seeOther && answer.headers["Location"] == history)
    let after = await pages.get(history).text
    #expect(after.contains("You chose unticked, ") && !after.contains("2 versions"))
    #expect(after.contains("Keep theirs") && !after.contains("Keep mine"))
    for (row, page) in rows { #expect(try await !pages.hasOpenConflict(row, on: page)) }
    try await shared.waitForTick(0, false, on: shared.mate)
    #expect(await pages.post(history, [:]).status == .badRequest)
    let unknown = await pages.post(
      history, ["action": "choose", "choice": "both", "entry": UUID().uuidString])
    #expect(unknown.status == .unprocessableContent)
    await shared.end()
  }

  @Test func `An item without conflicts has an empty history, and a missing item has none`()
    async throws
  {
    let pages = try await Pages()
    let run = try await pages.checklistPath(try await pages.createCharter())
    let item = try #require(pages.itemIDs(await pages.get(run).text).first)
    let page = await pages.get("\(run)/items/\(item)/history")
    #expect(page.status == .ok && page.text.contains("No conflicts"))
    #expect(await !pages.get(run).text.contains("/history\""))
    #expect(await pages.get("\(run)/items/\(UUID())/history").status == .notFound)
    let other = run.replacing(/charters\/[^\/]+/, with: "charters/\(UUID())")
    #expect(await pages.get("\(other)/items/\(item)/history").status == .notFound)
  }
}
