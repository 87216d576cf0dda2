package import Anyfleet
package import Foundation
package import OffshorePresentation
import TestSupport
import Testing

extension Language {
  /// The languages of the app.
  package static let allCases = AppDependencies.languages
}

extension Calendar {
  /// Returns the instant of a local time in 2026.
  package func moment(_ month: Int, _ day: Int, _ hour: Int, _ minute: Int = 0) throws -> Date {
    let parts = DateComponents(year: 2026, month: month, day: day, hour: hour, minute: minute)
    return try #require(date(from: parts))
  }
}

extension CharterModel {
  /// Creates a charter of one week.
  package static func sample(_ name: String = "Kornati", from start: Date = .day(6, 6))
    -> CharterModel
  {
    CharterModel(
      id: UUID(), name: name, boatName: nil, location: nil, startDate: start,
      endDate: start.addingTimeInterval(7 * 86_400), createdAt: .day(1, 1),
      checkInChecklistID: nil)
  }
}

extension CharterFormState {
  /// A valid form of a week in July.
  package static var sample: CharterFormState {
    var form = CharterFormState()
    form.name = "Kornati"
    form.startDate = .day(7, 1)
    form.endDate = .day(7, 8)
    form.vessel = "Alma"
    form.destination = "Split"
    return form
  }
}

extension Checklist {
  /// Creates a checklist of one section with a number of items, the first of which is critical.
  package static func sample(_ title: String = "Check-in", items: Int = 3) -> Checklist {
    let items = (0..<items).map {
      ChecklistItem(id: UUID(), title: "Item \($0)", isCritical: $0 == 0)
    }
    return Checklist(
      id: UUID(), title: title,
      sections: [
        ChecklistSection(id: UUID(), title: "Section", isExpandedByDefault: true, items: items)
      ],
      creatorID: UUID(), createdAt: .day(1, 1))
  }
}

extension PracticeGuide {
  /// A guide of a heading and a paragraph.
  package static func sample(_ title: String = "Mooring") -> PracticeGuide {
    PracticeGuide(
      id: UUID(), title: title, body: "# Stern-to\n\nGo *slowly*.", tags: ["Med", "harbour"],
      creatorID: UUID(), createdAt: .day(1, 1))
  }
}

extension FlashcardDeck {
  /// A deck with a number of cards.
  package static func sample(_ title: String = "Lights", cards: Int = 3) -> FlashcardDeck {
    FlashcardDeck(
      id: UUID(), title: title,
      cards: (0..<cards).map { Flashcard(id: UUID(), front: "\($0)?", back: "\($0)!") },
      creatorID: UUID(), createdAt: .day(1, 1))
  }
}
