public import Foundation
public import OffshoreHTTP
public import OffshorePresentation
public import OffshoreWeb

/// The pages of a group of entities, created by their routes.
///
/// ```swift
/// let pages = EntityPages<Library>(frame, in: "library", title: .library, store: store)
/// router.addPages(EntityRoute<Library>.self, of: frame) { pages.page($0, $1) }
/// ```
/// - Precondition: each kind of the group is a ``ShownEntity``.
public struct EntityPages<Group: EntityGroup>: Sendable {
  private typealias Route = EntityRoute<Group>

  private let frame: AppFrame
  private let part: AppFrame.Part.ID
  private let title: LocalizedText
  private let store: EntityStore
  private let makeOffer: (@MainActor @Sendable () -> any ListOffer)?

  /// Creates the pages of a group.
  ///
  /// - Parameters:
  ///   - part: the id of the part of the app that the pages belong to.
  ///   - title: the heading of the lists.
  ///   - store: the entries.
  ///   - offer: returns an offer above the entries of the first list, such as seeds to add.
  public init(
    _ frame: AppFrame, in part: AppFrame.Part.ID, title: LocalizedText, store: EntityStore,
    offer: (@MainActor @Sendable () -> any ListOffer)? = nil
  ) {
    makeOffer = offer
    self.frame = frame
    self.part = part
    self.title = title
    self.store = store
  }

  /// Returns the page of a route.
  /// - Parameter query: the fields of the address.
  @MainActor public func page(_ route: EntityRoute<Group>, _ query: Fields) -> any RoutedPage {
    switch route {
    case .list:
      EntityListPage<Group>(
        frame: frame, part: part, title: title, store: store,
        kind: query["part"].flatMap { EntityKind(plural: $0) } ?? .sample, offer: makeOffer?())
    case .new(let kind): editor(of: kind.shown, nil)
    case .edit(let kind, let id): editor(of: kind.shown, id)
    case .entry(let kind, let id): plainPage(of: kind.shown, id)
    }
  }

  /// Returns the page of an entry, with a link that edits it and buttons that copy and delete it.
  ///
  /// - Parameters:
  ///   - loadMore: loads the rest of the content.
  ///   - content: returns the content for the entry.
  @MainActor public func page<Entry: ShownEntity>(
    of type: Entry.Type, _ id: UUID, loadMore: @escaping () async -> Void = {},
    @HTMLBuilder content: @escaping (Entry) -> HTML
  ) -> any RoutedPage {
    let kind = EntityKind<Group>(type)
    let (store, frame) = (store, frame)
    let list = EntityListPage<Group>(
      frame: frame, part: part, title: self.title, store: store, kind: kind, offer: nil)
    return EntryPage(
      frame, in: part, back: PageLink(frame.say(title), to: Route.address(of: kind)),
      name: Entry.texts.one, of: store.live(type, id), title: \.title,
      edit: Route.edit(kind, id).address
    ) { _ in
      let copy = try await store.duplicate(
        type, id, by: frame.sync.session.userID, in: frame.language.language)
      return Route.entry(kind, copy.id).address
    } loadMore: {
      await list.load(type)
      await loadMore()
    } delete: {
      try await store.delete(type, id)
    } content: {
      content($0)
    } beside: {
      list.beside($0, current: id)
    }
  }

  @MainActor private func plainPage<Entry: ShownEntity>(
    of type: Entry.Type, _ id: UUID
  ) -> any RoutedPage {
    page(of: type, id) { $0.content(frame.say) }
  }

  @MainActor private func editor<Entry: ShownEntity>(
    of type: Entry.Type, _ id: UUID?
  ) -> any RoutedPage {
    let kind = EntityKind<Group>(type)
    let (say, store, session) = (frame.say, store, frame.sync.session)
    let back =
      id.map { PageLink(say(Entry.texts.one), to: Route.entry(kind, $0).address) }
      ?? PageLink(say(title), to: Route.address(of: kind))
    return EditorPage(frame, in: part, back: back, new: Entry.texts.new) {
      store.draft(of: type, id ?? $0, isNew: id == nil, by: session.userID)
    } next: {
      Route.entry(kind, $0.id).address
    }
  }
}

/// The page with the list of a kind of entities, with links to the other kinds.
private struct EntityListPage<Group: EntityGroup>: RoutedPage {
  typealias Route = EntityRoute<Group>

  let frame: AppFrame
  let part: AppFrame.Part.ID
  let title: LocalizedText
  let store: EntityStore
  let kind: EntityKind<Group>
  let offer: (any ListOffer)?

  private var say: Localizer { frame.say }

  func load() async {
    for kind in EntityKind<Group>.allCases { await load(kind.type) }
    await offer?.load()
  }

  func perform(_ form: PageForm) async throws -> Outcome {
    guard let offer else { throw form.unknownAction }
    return try await offer.perform(form)
  }

  func load<Entry: Entity>(_ type: Entry.Type) async { await store.loadIfNeeded(type) }

  func page(_ tab: Tab) -> Page {
    frame.page(tab, say(title), in: part) {
      if EntityKind<Group>.allCases.count > 1 { tab.region("kinds") { kinds } }
      if let offer, kind == .sample { tab.region("offer") { offer.html(to: Route.list.address) } }
      tab.region("entries") { entries(of: kind.shown, current: nil) }
    } actions: {
      BarLink.new(say(kind.type.texts.new), to: Route.new(kind).address)
    }
  }

  /// Returns the list beside the page of an entry.
  func beside(_ tab: Tab, current: UUID) -> HTML {
    HTML {
      h2 { a(.href(Route.address(of: kind))) { say(kind.type.texts.many) } }
      tab.region("others") { entries(of: kind.shown, current: current) }
    }
  }

  private var kinds: HTML {
    nav(.id("parts"), .class("filters"), .ariaLabel(say(title))) {
      for kind in EntityKind<Group>.allCases {
        a(.href(Route.address(of: kind)), kind == self.kind ? .ariaCurrent(.page) : .none) {
          say(kind.type.texts.many)
          if let count = count(of: kind.type) {
            " "
            span(.class("count")) { say.number(count) }
          }
        }
      }
    }
  }

  private func count<Entry: Entity>(of type: Entry.Type) -> Int? {
    let state = store.entries(of: type)
    return state.isEmpty ? 0 : state.data?.count
  }

  @HTMLBuilder private func entries<Entry: ShownEntity>(
    of type: Entry.Type, current: UUID?
  ) -> HTML {
    let (texts, address) = (type.texts, Route.address(of: kind))
    let notices = Notice.all(of: store.notices(of: type)) { _, count in
      texts.unreadableEntries(count)
    }
    Notices(notices, say, address: address) { Route.address(of: $0) }
    EntryList(
      store.entries(of: type), say, title: texts.many, id: "\(kind.plural)-list",
      address: address, new: PageLink(say(texts.new), to: Route.new(kind).address),
      empty: (type.icon, texts.none, texts.hint)
    ) { entry in
      LinkRow(
        entry.title, to: Route.entry(kind, entry.id).address,
        text: entry.subtitle.map { say($0) }, id: "entry-\(entry.id)",
        isCurrent: entry.id == current, leading: type.icon.html)
    }
  }
}

/// A list of entries with links to their pages. An empty list has a link to the page of a new
/// entry.
struct EntryList<Entry>: Component {
  /// The list, or a text while it is loading, empty or failed.
  let html: HTML

  /// Creates the view of a list.
  ///
  /// - Parameters:
  ///   - state: the entries.
  ///   - title: the name of the list, for assistive technology.
  ///   - id: the id of the list.
  ///   - address: the page's own address, for a link that retries.
  ///   - new: the title and the address of the page for a new entry.
  ///   - empty: the icon, the title and the text of an empty list.
  ///   - row: returns the row of an entry.
  init(
    _ state: ViewState<[Entry]>, _ say: Localizer, title: LocalizedText, id: String,
    address: String,
    new: PageLink, empty: (icon: Icon, title: LocalizedText, text: LocalizedText),
    row: (Entry) -> LinkRow
  ) {
    html =
      StateContent(
        state, say, address: address,
        empty: EmptyView(
          icon: empty.icon, title: say(empty.title), text: say(empty.text),
          action: .link(new.title, to: new.address))
      ) { entries in
        if !entries.isEmpty {
          Card(label: say(title), id: id) {
            for entry in entries { row(entry) }
          }
        }
      }.html
  }
}

/// An offer above the first list of a group of entities, such as seeds to add.
///
/// Its forms are posted to the address of the list.
@MainActor public protocol ListOffer {
  /// Determines whether the offer is shown.
  func load() async

  /// Returns the offer, or nothing.
  /// - Parameter address: the address of the list.
  func html(to address: String) -> HTML

  /// Performs a form of the offer.
  /// - Throws: an error to present; `HTTPError` with 400 for a form that the offer does not have.
  func perform(_ form: PageForm) async throws -> Outcome
}
