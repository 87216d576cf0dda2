import AnyfleetTestSupport
import Foundation
import OffshorePresentation
import OffshoreSync
import TestSupport
import Testing

@testable import Anyfleet

struct SeedChecklistTests {
  private let user = UUID()

  private func checklists(_ language: Language) -> [Checklist] {
    SeedChecklist.all.map { $0.checklist(of: user, in: language, at: .day(1, 1)) }
  }

  @Test(arguments: Language.allCases)
  func `The seed has three checklists with 15 to 40 items in sections, some of them critical`(
    language: Language
  ) {
    let titles =
      language == .english
      ? ["Yacht check-in", "Departure", "Safety briefing"]
      : ["Приёмка яхты", "Выход в море", "Инструктаж по безопасности"]
    #expect(checklists(language).map(\.title) == titles)
    for checklist in checklists(language) {
      #expect((15...40).contains(checklist.items.count), "\(checklist.title)")
      #expect(checklist.sections.count >= 4)
      #expect(checklist.sections.allSatisfy { !$0.items.isEmpty })
      #expect(checklist.items.contains { $0.isCritical })
      #expect(checklist.items.contains { !$0.isCritical })
      #expect(checklist.creatorID == user)
      #expect(checklist.description?.isEmpty == false)
    }
  }

  @Test func `All ids differ, although items of different sections may have one key`() {
    let ids = checklists(.english).flatMap {
      [$0.id] + $0.sections.map(\.id) + $0.items.map(\.id)
    }
    #expect(Set(ids).count == ids.count)
  }

  @Test
  func `Ids depend on the account, and not on date or language`() {
    for (seed, checklist) in zip(SeedChecklist.all, checklists(.english)) {
      let later = seed.checklist(of: user, in: .english, at: .day(9, 9))
      #expect(later.id == checklist.id)
      #expect(later.sections == checklist.sections)
      let russian = seed.checklist(of: user, in: .russian, at: .day(1, 1))
      #expect(russian.id == checklist.id)
      #expect(russian.sections.map(\.id) == checklist.sections.map(\.id))
      #expect(russian.items.map(\.id) == checklist.items.map(\.id))
      #expect(russian.items.map(\.isCritical) == checklist.items.map(\.isCritical))
      let others = seed.checklist(of: UUID(), in: .english, at: .day(1, 1))
      #expect(others.itemIDs.isDisjoint(with: checklist.itemIDs))
    }
  }

  /// Ids that devices have stored. Other ids would duplicate every checklist.
  @Test func `Ids equal those of earlier versions`() throws {
    let user = try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
    let checklist = CheckInSeed.checklist.checklist(of: user, in: .russian, at: .day(1, 1))
    let id = UUID(name: "checklist.check-in", in: user)
    #expect(checklist.id == id)
    let section = UUID(name: "papers", in: id)
    #expect(checklist.sections[0].id == section)
    #expect(checklist.items[0].id == UUID(name: "contract", in: section))
  }

  @Test(arguments: Language.allCases)
  func `No title is blank, too long for a phone, or repeated`(language: Language) {
    for checklist in checklists(language) {
      let titles = checklist.items.map(\.title)
      #expect(Set(titles).count == titles.count)
      for title in titles { #expect((5...100).contains(title.count), "\(title)") }
    }
  }

  @Test(arguments: Language.allCases)
  func `Each checklist can be edited and saved unchanged`(language: Language) async throws {
    let repository = try Fixture().repository
    let store = await LibraryStore(repository: repository)
    for checklist in checklists(language) {
      try await repository.saveChecklist(checklist)
      let draft = await store.draft(of: Checklist.self, checklist.id, isNew: false, by: UUID())
      await draft.load()
      await #expect(draft.save() == checklist)
    }
  }

  @Test func `All Russian texts are in Cyrillic letters, and no English text is`() {
    func texts(_ checklist: Checklist) -> [String] {
      [checklist.title, checklist.description ?? ""] + checklist.sections.map(\.title)
        + checklist.items.map(\.title) + checklist.items.compactMap(\.note)
    }
    for text in checklists(.russian).flatMap(texts) {
      #expect(text.contains(/[а-яё]/), "\(text)")
    }
    for text in checklists(.english).flatMap(texts) {
      #expect(!text.contains(/[а-яё]/), "\(text)")
    }
  }
}
