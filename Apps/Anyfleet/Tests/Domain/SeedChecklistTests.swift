import Foundation
import Testing

@testable import Anyfleet

struct SeedChecklistTests {
  private let user = UUID()

  private var checklists: [Checklist] {
    SeedChecklist.all.map { $0.checklist(of: user, at: .day(1, 1)) }
  }

  @Test func `There are three, each with 15 to 40 items in sections, critical ones among them`() {
    #expect(checklists.map(\.title) == ["Yacht check-in", "Departure", "Safety briefing"])
    for checklist in checklists {
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
    let ids = checklists.flatMap { [$0.id] + $0.sections.map(\.id) + $0.items.map(\.id) }
    #expect(Set(ids).count == ids.count)
  }

  @Test func `Ids are fixed for an account, whatever the date, and differ between accounts`() {
    for (seed, checklist) in zip(SeedChecklist.all, checklists) {
      let later = seed.checklist(of: user, at: .day(9, 9))
      #expect(later.id == checklist.id)
      #expect(later.sections == checklist.sections)
      let others = seed.checklist(of: UUID(), at: .day(1, 1))
      #expect(others.itemIDs.isDisjoint(with: checklist.itemIDs))
    }
  }

  @Test func `No title is blank, too long for a phone, or there twice`() {
    for checklist in checklists {
      let titles = checklist.items.map(\.title)
      #expect(Set(titles).count == titles.count)
      for title in titles { #expect((5...100).contains(title.count), "\(title)") }
    }
  }
}
