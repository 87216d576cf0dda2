import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// A checklist of the library, to look through.
struct LibraryChecklistPage: LivePage {
  let shell: Shell
  let viewModel: ChecklistDetailViewModel

  private var say: Speaker { shell.say }

  func load() async throws {
    await viewModel.load()
    if viewModel.checklist.errorValue == .database(.notFound) {
      throw AppError.database(.notFound)
    }
  }

  func page(_ tab: Tab) -> Page {
    let checklist = viewModel.checklist.data
    return shell.page(
      tab, checklist?.title ?? say(.checklist), in: .library, subtitle: checklist?.description,
      back: PageLink(say(.library), to: Address.library(.checklists))
    ) {
      tab.region("checklist-content") { content }
      tab.region("checklist-actions") { actions }
    }
  }

  private var content: StateContent<Checklist> {
    StateContent(
      viewModel.checklist, say, loading: LibraryPart.checklists.loading,
      address: Address.entry(viewModel.checklistID, in: .checklists)
    ) { checklist in
      for section in checklist.sections { sectionView(section) }
    }
  }

  private func sectionView(_ section: ChecklistSection) -> HTML {
    details(
      .id("section-\(section.id)"), .class("section"), .open(section.isExpandedByDefault)
    ) {
      summary {
        h2 { "\(section.title), \(say(.items(section.items.count)))" }
      }
      if !section.items.isEmpty {
        Card(label: section.title) {
          for item in section.items { row(item) }
        }
      }
    }
  }

  private func row(_ item: ChecklistItem) -> HTML {
    div(.class("row"), .id("item-\(item.id)")) {
      span(.class("label")) {
        item.title
        if let note = item.note { small { note } }
      }
      if item.isCritical { Badge(say(.critical), tone: .bad) }
    }
  }

  private var actions: EntryActions {
    EntryActions(
      viewModel.checklistID, in: .checklists, title: viewModel.checklist.map(\.title),
      error: viewModel.actionError, say)
  }
}

extension AnyfleetPages {
  func libraryChecklist(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("checklist")
    return try await tabs.open(request) { libraryChecklistPage(id) }
  }

  func copyChecklist(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("checklist")
    return try await tabs.act(request, at: Address.entry(id, in: .checklists)) {
      libraryChecklistPage(id)
    } action: { page in
      let copy = await page.viewModel.duplicate(in: page.shell.language.language)
      return copy.map { .go(to: Address.entry($0.id, in: .checklists)) } ?? .invalid
    }
  }

  /// Deletes a checklist and goes to the library, also where it is gone already.
  func deleteChecklist(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("checklist")
    return try await deleting(from: .checklists) {
      try await tabs.act(request, at: Address.entry(id, in: .checklists)) {
        libraryChecklistPage(id)
      } action: { page in
        await page.viewModel.delete() ? .go(to: Address.library(.checklists)) : .invalid
      }
    }
  }

  /// Goes to a part of the library where what is to be deleted is gone, as after a second press.
  func deleting(
    from part: LibraryPart, _ delete: () async throws -> Response
  ) async throws -> Response {
    do {
      return try await delete()
    } catch AppError.database(.notFound) {
      return .redirect(to: Address.library(part))
    }
  }

  @MainActor private func libraryChecklistPage(_ id: UUID) -> LibraryChecklistPage {
    LibraryChecklistPage(shell: shell, viewModel: dependencies.makeChecklistDetail(id))
  }
}
