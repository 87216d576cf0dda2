import Foundation
import OffshorePresentation
import Testing

/// The texts of values in a history.
struct HistoryValueTests {
  @Test func `Each kind of value has a text in each language`() throws {
    let (english, russian) = (
      Localizer(.english, calendar: .current), Localizer(.russian, calendar: .current)
    )
    let day = try Logbook.day(6)
    let count = LocalizedText(en: "4 items", ru: "4 пункта")
    for (value, inEnglish, inRussian) in [
      (.missing, "none", "пусто"), (.text("Alma"), "“Alma”", "«Alma»"), (.number(4), "4", "4"),
      (.words(count), "4 items", "4 пункта"), (.deleted, "deleted", "удалено"),
      (.amount(12, currencyCode: "EUR"), "€12.00", "12,00\u{a0}€"),
      (.days(day, day), "6 Jun 2027", "6 июня 2027\u{202f}г."),
      (.collection(count, own: []), "4 items", "4 пункта"),
      (
        .collection(count, own: ["A", "B", "C", "D"]), "4 items with “A”, “B”, “C”…",
        "4 пункта, в том числе «A», «B», «C»…"
      ),
    ] as [(HistoryValue, String, String)] {
      #expect(value.text(english) == inEnglish)
      #expect(value.text(russian) == inRussian)
    }
  }
}
