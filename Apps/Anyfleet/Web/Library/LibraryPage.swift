import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// The library: its parts, and what is in the one that shows.
struct LibraryPage: LivePage {
  let shell: Shell
  let viewModel: LibraryViewModel

  private var say: Speaker { shell.say }
  private var part: LibraryPart { viewModel.part }

  func load() async { await viewModel.load() }

  func page(_ tab: Tab) -> Page {
    shell.page(tab, say(.library), in: .library) {
      tab.region("library-parts") { parts }
      tab.region("library-deleted") { deleted }
      tab.region("library-entries") {
        Notices(viewModel.notices, say, address: Address.library(part))
        entries
      }
    }
  }

  // MARK: - Parts

  private var parts: HTML {
    nav(.id("parts"), .class("filters"), .ariaLabel(say(.partsOfTheLibrary))) {
      for part in LibraryPart.allCases {
        a(.href(Address.library(part)), part == self.part ? .ariaCurrent(.page) : .none) {
          say(part.title)
          if let count = viewModel.count(part) {
            " "
            span(.class("count")) { say.number(count) }
          }
        }
      }
    }
  }

  @HTMLBuilder private var deleted: HTML {
    if let error = viewModel.undoError { ErrorView(error, say) }
    if let removed = viewModel.removed {
      UndoBar(
        .deleted(removed.title), say, undo: Address.restoreEntry,
        dismiss: Address.dismissDeletedEntries
      ) {
        HiddenValue("part", part.rawValue)
        HiddenValue("entry", removed.id.uuidString)
      }
    }
  }

  // MARK: - Entries

  @HTMLBuilder private var entries: HTML {
    switch part {
    case .checklists:
      content(viewModel.checklists) { row($0.id, $0.title, say(.items($0.items.count))) }
    case .guides:
      content(viewModel.guides) { guide in
        row(guide.id, guide.title, guide.tags.isEmpty ? nil : guide.tags.joined(separator: ", "))
      }
    case .decks:
      content(viewModel.decks) { row($0.id, $0.title, say(.cards($0.cards.count))) }
    }
  }

  private func content<Entry>(
    _ state: ViewState<[Entry]>, row: (Entry) -> LinkRow
  ) -> StateContent<[Entry]> {
    StateContent(
      state, say, loading: part.loading, address: Address.library(part), empty: empty
    ) { entries in
      if !entries.isEmpty {
        Card(label: say(part.title), id: "\(part.rawValue)-list") {
          for entry in entries { row(entry) }
        }
      }
      p(.class("actions")) {
        a(.class("button", "primary"), .href(Address.newEntry(in: part))) { say(part.newTitle) }
      }
    }
  }

  private func row(_ id: UUID, _ title: String, _ text: String?) -> LinkRow {
    LinkRow(title, to: Address.entry(id, in: part), text: text, id: "entry-\(id)")
  }

  private var empty: EmptyView {
    EmptyView(
      icon: part.icon, title: say(part.emptyTitle), text: say(part.emptyText),
      action: .link(say(part.newTitle), to: Address.newEntry(in: part)))
  }
}

extension LibraryPart {
  fileprivate var icon: Icon {
    switch self {
    case .checklists: Icon("list-check", text: "✓")
    case .guides: Icon("book", text: "¶")
    case .decks: Icon("stack", text: "▤")
    }
  }
}

extension AnyfleetPages {
  func library(_ request: Request) async throws -> Response {
    let part = part(request.query["part"])
    return try await tabs.open(request) { libraryPage(part) }
  }

  /// Puts back what was deleted, also where a second press finds nothing more to put back.
  func restoreEntry(_ request: Request) async throws -> Response {
    let id = try entryID(request)
    return try await act(request) { await $0.undoDeletion(of: id) ? .done : .invalid }
  }

  /// Takes the offer to put something back away.
  func dismissDeletedEntries(_ request: Request) async throws -> Response {
    let id = try entryID(request)
    return try await act(request) { viewModel in
      viewModel.dismissUndo(of: id)
      return .done
    }
  }

  private func entryID(_ request: Request) throws -> UUID {
    guard let id = try request.form["entry"].flatMap(UUID.init(uuidString:)) else {
      throw HTTPError(.badRequest, "The form has no field entry that is a UUID.")
    }
    return id
  }

  private func act(
    _ request: Request, _ action: @MainActor (LibraryViewModel) async -> Outcome
  ) async throws -> Response {
    let part = part(try request.form["part"])
    return try await tabs.act(request, at: Address.library(part)) {
      libraryPage(part)
    } action: { page in
      await action(page.viewModel)
    }
  }

  private func part(_ name: String?) -> LibraryPart {
    name.flatMap(LibraryPart.init(rawValue:)) ?? .checklists
  }

  @MainActor private func libraryPage(_ part: LibraryPart) -> LibraryPage {
    LibraryPage(shell: shell, viewModel: dependencies.makeLibrary(part))
  }
}
