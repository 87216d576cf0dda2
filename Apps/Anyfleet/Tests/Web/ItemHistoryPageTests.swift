import Foundation
import OffshoreHTTP
import OffshorePresentation
import Testing

@testable import Anyfleet

/// What was decided of an item, as pages tell it.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct ItemHistoryPageTests {
  @Test("The item of which something was decided leads to its history, where it can be turned")
  func history() async throws {
    let shared = try await SharedCharter()
    try await shared.decideATick()
    let pages = Pages(shared.skipper)
    let charter = "/charters/\(shared.charter.id.uuidString)"
    let run = "\(charter)/checklists/\(shared.checklist.id.uuidString)"
    let history = "\(run)/items/\(shared.item(0).uuidString)/history"
    let links = await pages.get(run).text.matches(of: /href="([^"]+\/history)"/)
    #expect(links.map { String($0.1) } == [history])
    let page = await pages.get(history).text
    #expect(page.contains("Ticked on another phone at "))
    #expect(page.contains(" stayed; unticked on this phone at "))
    let decision = try #require(page.firstMatch(of: /name="decision" value="([^"]+)"/)?.1)
    let answer = await pages.post(history, ["decision": String(decision)])
    #expect(answer.status == .seeOther && answer.headers["Location"] == history)
    #expect(await !pages.get(history).text.contains(#"name="decision""#))
    try await shared.waitForTick(0, false, on: shared.mate)
    #expect(await pages.post(history, [:]).status == .badRequest)
    let unknown = await pages.post(history, ["decision": UUID().uuidString])
    #expect(unknown.status == .unprocessableContent)
    await shared.end()
  }

  @Test("An item of which nothing was decided has an empty history, and one that is not there none")
  func nothing() async throws {
    let pages = try await Pages()
    let run = try await pages.checklistPath(try await pages.createCharter())
    let item = try #require(pages.itemIDs(await pages.get(run).text).first)
    let page = await pages.get("\(run)/items/\(item)/history")
    #expect(page.status == .ok && page.text.contains("Nothing to Tell"))
    #expect(await !pages.get(run).text.contains("/history\""))
    #expect(await pages.get("\(run)/items/\(UUID())/history").status == .notFound)
    let other = run.replacing(/charters\/[^\/]+/, with: "charters/\(UUID())")
    #expect(await pages.get("\(other)/items/\(item)/history").status == .notFound)
  }
}
