import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// The page of the charters of a filter that match a search.
struct CharterListPage: RoutedPage {
  let frame: AppFrame
  let viewModel: CharterListViewModel
  let query: CharterListQuery

  private var say: Localizer { frame.say }

  func load() async {
    async let conflicts: Void = frame.loadConflicts()
    await viewModel.load(pageCount: query.pageCount)
    await conflicts
  }

  func run() async { await viewModel.followDays() }

  func page(_ tab: Tab) -> Page {
    frame.page(tab, say(.charters), in: .charters) {
      tab.region("charters-notices") {
        Notices(viewModel.notices, say, address: query.address)
      }
      tab.region("charters-filters") {
        if !isFirstUse { filters }
      }
      tab.region("charters") { list }
    } actions: {
      BarLink.new(say(.newCharter), to: CharterRoute.new.address)
      Popover.menu(say(.moreActions), id: "menu") {
        Card {
          LinkRow(say(.joinByCode), to: SharedKind.charter.joinAddress, id: "menu-join")
          ButtonRow(say(.refresh), action: "refresh", to: query.address, id: "refresh")
        }
      }
    }
  }

  /// Shows one more page of charters, or pulls from the server.
  func perform(_ form: PageForm) async throws -> Outcome {
    switch form.action {
    case "more":
      await viewModel.loadMore()
      return viewModel.pageError == nil ? .done : .invalid
    case "refresh": return await viewModel.refresh() ? .done : .invalid
    default: throw form.unknownAction
    }
  }

  private var isFirstUse: Bool {
    viewModel.charters.isEmpty && viewModel.count(of: .all) == 0
      && viewModel.count(of: .archived) == 0
  }

  // MARK: - Filters

  @HTMLBuilder private var filters: HTML {
    SearchForm(
      say(.search), value: viewModel.searchText, to: CharterRoute.list.address,
      keeping: viewModel.filter == .all ? [:] : ["filter": viewModel.filter.rawValue])
    nav(.class("filters"), .id("filters"), .ariaLabel(say(.whichCharters))) {
      for filter in CharterListFilter.allCases where isShown(filter) { link(to: filter) }
    }
  }

  /// Returns whether a filter is shown: it has charters or is the current one.
  private func isShown(_ filter: CharterListFilter) -> Bool {
    [.all, viewModel.filter].contains(filter) || viewModel.count(of: filter) != 0
  }

  private func link(to filter: CharterListFilter) -> HTML {
    a(
      .id("filter-\(filter.rawValue)"),
      .href(CharterListQuery(filter: filter, search: viewModel.searchText).address),
      filter == viewModel.filter ? .ariaCurrent(.page) : .none
    ) {
      say(filter.title)
      if let count = viewModel.count(of: filter) {
        span(.class("count")) { " \(say.number(count))" }
      }
    }
  }

  // MARK: - Charters

  @HTMLBuilder private var list: HTML {
    StateContent(
      viewModel.charters, say, loading: .lookingForCharters, address: query.address, empty: empty
    ) { charters in
      if !charters.isEmpty {
        Card(label: say(.charters), id: "charter-list") {
          for charter in charters {
            CharterRowView(
              charter, phase: viewModel.phase(of: charter),
              hasOpenConflict: frame.hasOpenConflict(inCharter: charter.id), say)
          }
        }
      }
      more(after: charters.last)
    }
    if isFirstUse { div(.class("buttons", "centered")) { JoinLink(frame, .charter) } }
  }

  /// Shows the button for more charters. The script presses it when the end of the list comes near.
  @HTMLBuilder private func more(after last: CharterModel?) -> HTML {
    if let error = viewModel.pageError { ErrorView(error, say, address: query.address) }
    if viewModel.canLoadMore, let last {
      let shown = viewModel.charters.data?.count ?? 0
      let next = next(after: last, shown: shown)
      let isSamePage = next.start == query.start
      MoreForm(
        say(.showMore), action: isSamePage ? query.address : nil,
        address: isSamePage ? "\(next.address)#charter-\(last.id)" : next.address)
    }
  }

  /// Returns the query with one more page of charters. If that exceeds the maximum, the list starts
  /// after the last charter.
  private func next(after last: CharterModel, shown: Int) -> CharterListQuery {
    var next = query
    next.pageCount = shown / CharterPage.defaultSize + 1
    if next.pageCount > CharterListViewModel.maximumPageCount {
      (next.pageCount, next.start) = (1, last.id)
    }
    return next
  }

  private var empty: EmptyView {
    let icon = Icon("compass", text: "⛵")
    if viewModel.isSearching {
      return EmptyView(
        icon: icon, title: say(.nothingFound), text: say(.tryOtherWords),
        action: .link(say(.showAll), to: CharterListQuery(filter: viewModel.filter).address))
    }
    guard isFirstUse else {
      return EmptyView(
        icon: icon, title: say(.noneHere), text: say(.noCharterOfFilter),
        action: viewModel.filter == .all ? nil : .link(say(.showAll), to: CharterRoute.list.address)
      )
    }
    return EmptyView(
      icon: icon, title: say(.noCharters), text: say(.planFirstCharter),
      action: .link(say(.newCharter), to: CharterRoute.new.address))
  }
}

/// The part of the list of charters in the query of an address.
struct CharterListQuery: Equatable {
  var filter = CharterListFilter.all
  var search = ""
  var pageCount = 1
  /// The charter after which the list starts, or `nil` for the whole list.
  var start: UUID?

  /// The address of the page.
  var address: String {
    var address = URLComponents()
    address.path = CharterRoute.list.address
    address.queryItems = [
      filter == .all ? nil : URLQueryItem(name: "filter", value: filter.rawValue),
      search.isEmpty ? nil : URLQueryItem(name: "q", value: search),
      start.map { URLQueryItem(name: "after", value: $0.uuidString) },
      pageCount == 1 ? nil : URLQueryItem(name: "pages", value: "\(pageCount)"),
    ].compactMap(\.self)
    // NB: In forms, `+` is a space.
    let query = address.percentEncodedQuery?.replacing("+", with: "%2B") ?? ""
    return query.isEmpty ? address.path : "\(address.path)?\(query)"
  }
}

extension CharterListQuery {
  /// Parses the query of an address. Values that are not valid are ignored.
  init(_ fields: Fields) {
    filter = fields["filter"].flatMap(CharterListFilter.init) ?? .all
    search = fields["q"] ?? ""
    start = fields["after"].flatMap(UUID.init(uuidString:))
    pageCount = min(
      max(1, fields["pages"].flatMap { Int($0) } ?? 1), CharterListViewModel.maximumPageCount)
  }
}

extension LocalizedText {
  static let newCharter = LocalizedText(en: "New charter", ru: "Новый чартер")
  static let activeCharter = LocalizedText(en: "Active", ru: "Активный")
  static let archivedCharter = LocalizedText(en: "Archived", ru: "В архиве")

  static func guests(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# guest", other: "# guests"),
      ru: .init(one: "# гость", few: "# гостя", many: "# гостей"))
  }

  // MARK: List

  static let lookingForCharters = LocalizedText(
    en: "Looking for charters…", ru: "Ищем чартеры…")
  static let noCharters = LocalizedText(en: "No charters yet", ru: "Чартеров пока нет")
  static let planFirstCharter = LocalizedText(
    en:
      "Plan your first charter: its dates, its boat, and the checklists to tick on board. They stay on this "
      + "device, and work without a network.",
    ru: "Запланируйте первый чартер: даты, яхту и чек-листы для борта. Всё хранится на этом "
      + "устройстве и работает без сети.")
  static let nothingFound = LocalizedText(en: "Nothing found", ru: "Ничего не найдено")
  static let tryOtherWords = LocalizedText(
    en: "No charter here has these words in its name, boat, destination or region.",
    ru: "Ни у одного чартера здесь нет этих слов в названии, лодке, месте или регионе.")
  static let noneHere = LocalizedText(en: "None here", ru: "Здесь пусто")
  static let noCharterOfFilter = LocalizedText(
    en: "No charter belongs to this list at the moment.",
    ru: "Сейчас к этому списку не относится ни один чартер.")
  static let showAll = LocalizedText(en: "Show all", ru: "Показать все")
  static let showMore = LocalizedText(en: "Show more", ru: "Показать ещё")
  static let search = LocalizedText(en: "Search", ru: "Поиск")
  static let whichCharters = LocalizedText(en: "Which charters", ru: "Какие чартеры")

  static func charterDeleted(_ name: String?) -> LocalizedText {
    guard let name else {
      return LocalizedText(en: "The charter was deleted.", ru: "Чартер удалён.")
    }
    return LocalizedText(en: "“\(name)” was deleted.", ru: "«\(name)»: чартер удалён.")
  }

  // MARK: Form

  static let budget = LocalizedText(en: "Budget", ru: "Бюджет")
  static func showCharter(_ name: String) -> LocalizedText {
    LocalizedText(en: "Show “\(name)”", ru: "Показать «\(name)»")
  }
}
