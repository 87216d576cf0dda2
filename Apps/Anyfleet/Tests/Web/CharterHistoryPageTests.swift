import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWire
import TestSupport
import Testing

@testable import Anyfleet
@testable import AnyfleetWeb

/// What was decided of a charter, as pages tell it.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct CharterHistoryPageTests {
  @Test("A charter of which something was decided leads to its history, where it can be turned")
  func history() async throws {
    let planted = try await PlantedDecisions()
    let pages = Pages(planted.app)
    let charter = "/charters/\(planted.charter.id.uuidString)"
    let history = "\(charter)/history"
    #expect(await !pages.get(charter).text.contains(history))
    try await planted.lose("Vis <1>", to: "Kornati", "name")
    let detail = await pages.get(charter).text
    #expect(detail.contains(#"href="\#(history)""#))
    #expect(detail.contains("1 change was made at the same time as another"))
    let page = await pages.get(history).text
    #expect(page.contains("<strong>Name:</strong>"))
    #expect(page.contains("“Kornati” on another phone on "))
    #expect(page.contains(" stayed; “Vis &lt;1&gt;” on this phone on "))
    #expect(page.contains(#"aria-label="Use the Other Instead: Name: “Vis &lt;1&gt;”""#))
    let decision = try #require(page.firstMatch(of: /name="decision" value="([^"]+)"/)?.1)
    let answer = await pages.post(history, ["decision": String(decision)])
    #expect(answer.status == .seeOther && answer.headers["Location"] == history)
    let after = await pages.get(history).text
    #expect(!after.contains(#"name="decision""#) && after.contains("Vis &lt;1&gt;"))
    #expect(try await planted.stored().name == "Vis <1>")
    let again = await pages.post(history, ["decision": String(decision)])
    #expect(again.status == .unprocessableContent)
    #expect(again.text.contains("This was changed elsewhere meanwhile."))
    #expect(await pages.post(history, [:]).status == .badRequest)
    await planted.end()
  }

  @Test(
    "A charter of which nothing was decided has an empty history, and one that is not there none")
  func nothing() async throws {
    let pages = try await Pages()
    let charter = try await pages.createCharter()
    let page = await pages.get(charter + "/history")
    #expect(page.status == .ok && page.text.contains("Nothing to Tell"))
    #expect(await pages.get("/charters/\(UUID())/history").status == .notFound)
  }

  @Test(
    "Each thing that can be said has words",
    arguments: [
      (.checkIn(isChosen: true, title: "Arrival"), "“Arrival”", "«Arrival»"),
      (.checkIn(isChosen: true, title: nil), "Checklist", "Чек-лист"),
      (.checkIn(isChosen: false, title: nil), "none", "пусто"),
      (.firstDay(.day(6, 6)), "6 Jun 2026", "6 июня 2026\u{202f}г."),
      (.place(2), "2", "2"), (.crew([]), "nobody", "никого"), (.removed, "removed", "удалено"),
      (.archived(false), "not put away", "не в архиве"),
      (.items(count: 21, own: []), "21 items", "21 пункт"),
      (
        .items(count: 4, own: ["A", "B", "C", "D"]), "4 items with “A”, “B”, “C”…",
        "4 пункта, в том числе «A», «B», «C»…"
      ),
    ] as [(CharterDecision.Value, String, String)])
  func words(_ value: CharterDecision.Value, _ english: String, _ russian: String) {
    #expect(
      LocalizedText.value(value, Speaker(.english, calendar: .utc)).in(.english) == english)
    #expect(
      LocalizedText.value(value, Speaker(.russian, calendar: .utc)).in(.russian) == russian)
  }
}
