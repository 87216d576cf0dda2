import Foundation
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet
@testable import AnyfleetWeb

struct HistoryTextsTests {
  private func decision(
    _ stayed: ItemDecision.Value, _ lost: ItemDecision.Value,
    _ reason: ItemDecision.Reason = .later
  ) -> ItemDecision {
    ItemDecision(
      id: UUID(), itemID: UUID(),
      stayed: .init(value: stayed, date: .day(6, 7), isFromHere: false),
      lost: .init(value: lost, date: .day(6, 6), isFromHere: true), reason: reason,
      isUsable: true)
  }

  private func told(_ date: Date) -> LocalizedText {
    .at(date == .day(6, 7) ? "10:41" : "10:40")
  }

  @Test func `What stayed is said before what did not`() {
    let text = LocalizedText.decision(decision(.tick(true), .tick(false)), told: told)
    #expect(
      text.in(.english)
        == "Ticked on another phone at 10:41 stayed; unticked on this phone at 10:40 did not.")
    #expect(
      text.in(.russian)
        == "Осталось: отмечено на другом телефоне в 10:41. "
        + "Не осталось: отметка снята на этом телефоне в 10:40.")
  }

  @Test func `Where the earlier stays, it is said why`() {
    let text = LocalizedText.decision(decision(.cleared, .tick(true), .ended), told: told)
    #expect(text.in(.english).hasSuffix("at 10:40 did not, as what is reset stays reset."))
    #expect(text.in(.russian).hasSuffix("в 10:40, потому что сброшенное остаётся сброшенным."))
    let same = LocalizedText.decision(decision(.note(nil), .note(nil), .ended), told: told)
    #expect(same.in(.english).hasSuffix("Both say the same; the reset stayed."))
  }

  @Test func `Where both said the same, that is said`() {
    let text = LocalizedText.decision(decision(.tick(true), .tick(true)), told: told)
    #expect(text.in(.english).hasSuffix("Both say the same; the later one stayed."))
    #expect(text.in(.russian).hasSuffix("осталось более позднее."))
  }

  @Test(arguments: [
    (ItemDecision.Value.note("Torn"), "note “Torn”", "заметка «Torn»"),
    (.note(nil), "note removed", "заметка удалена"),
    (.issue(.missing), "condition “Missing”", "состояние «Отсутствует»"),
    (.issue(nil), "condition removed", "состояние удалено"), (.cleared, "cleared", "очищено"),
  ])
  func `Each thing that can be said has words`(
    _ value: ItemDecision.Value, _ english: String, _ russian: String
  ) {
    let text = LocalizedText.decision(decision(.tick(true), value), told: told)
    #expect(text.in(.english).contains("; \(english) on this phone at 10:40 did not."))
    #expect(text.in(.russian).contains("Не осталось: \(russian) на этом телефоне в 10:40."))
  }
}
