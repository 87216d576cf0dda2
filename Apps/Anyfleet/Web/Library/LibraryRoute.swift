import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// A part of the library: a kind of entries.
enum LibraryPart: String, CaseIterable, RouteValue {
  case checklists, guides, decks

  static var sample: LibraryPart { .checklists }

  /// The kind of the entries.
  var kind: any ShownEntry.Type {
    switch self {
    case .checklists: Checklist.self
    case .guides: PracticeGuide.self
    case .decks: FlashcardDeck.self
    }
  }

  /// The address of the list.
  var address: String {
    LibraryRoute.library.address + (self == .checklists ? "" : "?part=\(rawValue)")
  }
}

/// The pages of the library.
enum LibraryRoute: PageRoute {
  case library
  case new(LibraryPart)
  case entry(LibraryPart, UUID)
  case edit(LibraryPart, UUID)
  case study(UUID)

  var path: RoutePath {
    switch self {
    case .library: "library"
    case .new(let part): "library/\(part)/new"
    case .entry(let part, let id): "library/\(part)/\(id)"
    case .edit(let part, let id): "library/\(part)/\(id)/edit"
    case .study(let id): "library/decks/\(id)/study"
    }
  }

  /// 2 MiB for forms: more than the longest checklist takes.
  var formLimit: Int {
    switch self {
    case .new, .edit: 2 * 1_024 * 1_024
    case .library, .entry, .study: 16 * 1_024
    }
  }

  static let all: [RouteCase<LibraryRoute>] = [
    RouteCase(.library), RouteCase(LibraryRoute.new), RouteCase(LibraryRoute.entry),
    RouteCase(LibraryRoute.edit), RouteCase(LibraryRoute.study),
  ]
}

/// An entry of the library with its looks.
protocol ShownEntry: LibraryEntry {
  static var icon: Icon { get }

  /// The content of the entry's page.
  @MainActor @HTMLBuilder func content(_ say: Speaker) -> HTML
}

// MARK: - Pages

extension AnyfleetPages {
  @MainActor func page(_ route: LibraryRoute, _ query: Fields) -> any RoutedPage {
    switch route {
    case .library:
      LibraryPage(
        frame: frame, store: dependencies.libraryStore,
        part: query["part"].flatMap(LibraryPart.init(rawValue:)) ?? .checklists)
    case .new(let part): editor(of: part.kind, in: part, nil)
    case .entry(.decks, let id): deckPage(id)
    case .entry(let part, let id): entryPage(of: part.kind, in: part, id) { $0.content(frame.say) }
    case .edit(let part, let id): editor(of: part.kind, in: part, id)
    case .study(let id):
      StudyPage(
        frame: frame, study: dependencies.makeStudySession(id),
        answered: query["answered"].flatMap { Int($0) } ?? 0)
    }
  }

  @MainActor private func editor<Entry: ShownEntry>(
    of kind: Entry.Type, in part: LibraryPart, _ id: UUID?
  ) -> any RoutedPage {
    let back =
      id.map { PageLink(frame.say(Entry.texts.one), to: LibraryRoute.entry(part, $0).address) }
      ?? PageLink(frame.say(.library), to: part.address)
    return EditorPage(frame, in: .library, back: back, new: Entry.texts.new) {
      dependencies.makeDraft(of: kind, id ?? $0, isNew: id == nil)
    } next: {
      LibraryRoute.entry(part, $0.id).address
    }
  }

  @MainActor private func entryPage<Entry: ShownEntry>(
    of kind: Entry.Type, in part: LibraryPart, _ id: UUID,
    loadMore: @escaping () async -> Void = {},
    @HTMLBuilder content: @escaping (Entry) -> HTML
  ) -> any RoutedPage {
    let (store, frame, user) = (dependencies.libraryStore, frame, dependencies.session.userID)
    return EntryPage(
      frame, in: .library, back: PageLink(frame.say(.library), to: part.address),
      name: Entry.texts.one, of: store.live(kind, id), title: \.title,
      edit: LibraryRoute.edit(part, id).address
    ) { _ in
      let copy = try await store.duplicate(kind, id, by: user, in: frame.language.language)
      return LibraryRoute.entry(part, copy.id).address
    } loadMore: {
      await loadMore()
    } delete: {
      try await store.delete(kind, id)
    } content: {
      content($0)
    }
  }

  /// The page of a deck, with the cards that are due above the others.
  @MainActor private func deckPage(_ id: UUID) -> any RoutedPage {
    let study = dependencies.makeStudySession(id)
    return entryPage(of: FlashcardDeck.self, in: .decks, id) {
      await study.load()
    } content: { deck in
      DueCardsView(study: study, say: frame.say)
      deck.content(frame.say)
    }
  }
}
