import Anyfleet
import Foundation
import OffshorePresentation
import Synchronization
import TestSupport

/// A fleet that is the same in each run: charters in each phase, a checklist in progress, a
/// library.
@MainActor
struct SampleFleet {
  /// The existing pages with their names.
  let pages: [(name: String, path: String)]

  /// The current date in the fleet.
  nonisolated static let now = Date.day(6, 10)

  /// Makes ids and dates the same in each run.
  static func surround(_ environment: inout AppDependencies.Environment) {
    let ids = FixedIDs()
    environment.now = { now }
    environment.makeID = { ids.next() }
    environment.calendar = { .utc }
  }

  /// Fills an empty app that was created in this environment.
  init(in dependencies: AppDependencies) async throws {
    let charters = dependencies.charterRepository
    let library = dependencies.libraryRepository
    let ids = FixedIDs(from: 1000)
    var active = CharterModel(
      id: ids.next(), name: "Kornati & Šibenik", boatName: "Alma", location: "Biograd na Moru",
      startDate: .day(6, 6), endDate: .day(6, 13), createdAt: .day(1, 1), checkInChecklistID: nil,
      region: "Dalmatia", guests: 4)
    active.crew = [
      CrewMember(name: "Ana", role: .skipper), CrewMember(name: "Ivo <crew>", role: .crew),
    ]
    active.budget = CharterBudget(amount: 2400, currencyCode: "EUR")
    try await charters.createCharter(active)
    for (name, start, end) in [
      ("Ionian", Date.day(8, 1), Date.day(8, 8)), ("Lefkada", .day(5, 2), .day(5, 9)),
    ] {
      try await charters.createCharter(
        CharterModel(
          id: ids.next(), name: name, boatName: nil, location: nil, startDate: start, endDate: end,
          createdAt: .day(1, 1), checkInChecklistID: nil))
    }
    try await charters.setActiveCharter(active.id)
    let checklist = try await Self.run(in: active.id, dependencies)
    let user = dependencies.session.userID
    let guide = PracticeGuide(
      id: ids.next(), title: "Mooring stern-to",
      body: "# Before\n\nBoth **lines** ready & *fenders* out.\n\n- Wind <abeam>\n- Crew briefed",
      tags: ["harbour"], creatorID: user, createdAt: .day(1, 1))
    try await library.saveGuide(guide)
    let cards = [
      Flashcard(id: ids.next(), front: "Two cones, points together", back: "Fishing"),
      Flashcard(id: ids.next(), front: "One black ball", back: "At anchor"),
    ]
    let deck = FlashcardDeck(
      id: ids.next(), title: "Day shapes", cards: cards, creatorID: user, createdAt: .day(1, 1))
    try await library.saveDeck(deck)
    pages = Self.pages(active.id, checklist, guide.id, deck.id)
  }

  /// Adds two checklists to a charter, ticks an item of the first, and notes another.
  /// - Returns: The id of the first.
  private static func run(in charter: UUID, _ dependencies: AppDependencies) async throws -> UUID {
    let (library, executions) = (
      dependencies.libraryRepository, dependencies.executionRepository
    )
    let ids = FixedIDs(from: 2000)
    let checklists = ["Arrival", "Engine"].map { title in
      Checklist(
        id: ids.next(), title: title,
        sections: [
          ChecklistSection(
            id: ids.next(), title: "Berth",
            items: ["Lines secured", "Gangway out"].map {
              ChecklistItem(id: ids.next(), title: $0, isCritical: $0 == "Lines secured")
            }),
          ChecklistSection(
            id: ids.next(), title: "Galley", isExpandedByDefault: false,
            items: [
              ChecklistItem(
                id: ids.next(), title: "Gas closed", note: "Below the stove", isCritical: true)
            ]),
        ],
        creatorID: dependencies.session.userID, description: "What the <crew> does",
        createdAt: .day(1, 1))
    }
    for checklist in checklists {
      try await library.saveChecklist(checklist)
      try await library.assignChecklist(checklist.id, toCharter: charter)
    }
    let (checklist, items) = (checklists[0].id, checklists[0].items.map(\.id))
    try await executions.saveItemState(
      checklistID: checklist, charterID: charter, itemID: items[1], isChecked: true)
    try await executions.saveItemNote(
      checklistID: checklist, charterID: charter, itemID: items[2], note: "Stiff <at> first")
    try await executions.saveItemIssue(
      checklistID: checklist, charterID: charter, itemID: items[2], issue: .damaged)
    return checklist
  }

  private static func pages(
    _ charter: UUID, _ checklist: UUID, _ guide: UUID, _ deck: UUID
  ) -> [(name: String, path: String)] {
    let charter = "/charters/\(charter.uuidString)"
    return [
      ("home", "/"), ("charters", "/charters"), ("charters-past", "/charters?filter=past"),
      ("charters-none-found", "/charters?q=nothing"), ("charter-new", "/charters/new"),
      ("charter", charter), ("charter-edit", "\(charter)/edit"),
      ("charter-report", "\(charter)/report"),
      ("run", "\(charter)/checklists/\(checklist.uuidString)"),
      ("charter-crew", charter.replacing("/charters/", with: "/members/charter/")),
      ("charter-join", "/join/charter"),
      ("profile", "/profile"), ("account", "/profile/account"), ("sync", "/profile/sync"),
      ("settings", "/settings"), ("about", "/about"),
      ("open", "/open"), ("open-unreadable", "/open?link=nonsense"), ("library", "/library"),
      ("library-guides", "/library?part=guides"), ("library-decks", "/library?part=decks"),
      ("checklist", "/library/checklists/\(checklist.uuidString)"),
      ("checklist-new", "/library/checklists/new"),
      ("guide", "/library/guides/\(guide.uuidString)"),
      ("guide-edit", "/library/guides/\(guide.uuidString)/edit"),
      ("guide-new", "/library/guides/new"), ("deck", "/library/decks/\(deck.uuidString)"),
      ("deck-edit", "/library/decks/\(deck.uuidString)/edit"),
      ("deck-new", "/library/decks/new"), ("deck-study", "/library/decks/\(deck.uuidString)/study"),
    ]
  }
}

/// Ids that are the same in each run: consecutive numbers.
final class FixedIDs: Sendable {
  private let number: Mutex<UInt64>

  init(from first: UInt64 = 1) { number = Mutex(first) }

  func next() -> UUID {
    let number = number.withLock { number in
      defer { number += 1 }
      return number
    }
    let digits = String(number, radix: 16, uppercase: true)
    let padded = String(repeating: "0", count: 12 - digits.count) + digits
    return UUID(uuidString: "00000000-0000-4000-8000-\(padded)") ?? UUID()
  }
}
