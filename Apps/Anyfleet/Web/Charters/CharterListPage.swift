import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// The charters of a filter that a search finds.
struct CharterListPage: RoutedPage {
  let frame: AppFrame
  let viewModel: CharterListViewModel
  let query: CharterListQuery

  private var say: Speaker { frame.say }

  func load() async {
    await viewModel.load(pageCount: query.pageCount)
  }

  func run() async { await viewModel.followDays() }

  func page(_ tab: Tab) -> Page {
    frame.page(tab, say(.charters), in: .charters) {
      tab.region("charters-notices") {
        Notices(viewModel.notices, say, address: query.address)
      }
      tab.region("charters-filters") {
        if !isFirstUse {
          filters
          RefreshButton(to: query.address, say)
        }
      }
      tab.region("charters") { list }
    }
  }

  /// Pulls from the server.
  func perform(_ form: PageForm) async throws -> Outcome {
    guard form.action == "refresh" else { throw form.unknownAction }
    return await viewModel.refresh() ? .done : .invalid
  }

  private var isFirstUse: Bool {
    viewModel.charters.isEmpty && viewModel.count(of: .all) == 0
      && viewModel.count(of: .archived) == 0
  }

  // MARK: - What to show

  @HTMLBuilder private var filters: HTML {
    form(
      .method(.get), .action(CharterRoute.list.address), .class("search"), .role(.search),
      .id("search")
    ) {
      if viewModel.filter != .all { HiddenValue("filter", viewModel.filter.rawValue) }
      Field(say(.search), name: "q", value: viewModel.searchText, kind: .input(.search))
      SubmitButton(say(.find), style: .plain)
    }
    nav(.class("filters"), .id("filters"), .ariaLabel(say(.whichCharters))) {
      for filter in CharterListFilter.allCases { link(to: filter) }
    }
  }

  private func link(to filter: CharterListFilter) -> HTML {
    a(
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
            CharterRowView(charter, phase: viewModel.phase(of: charter), say)
          }
        }
      }
      more(after: charters.last)
    }
    if viewModel.charters.isKnown {
      div(.class("buttons", "actions")) {
        if !isFirstUse {
          a(.class("button", "primary"), .href(CharterRoute.new.address)) { say(.newCharter) }
        }
        JoinLink(frame, .charter)
      }
    }
  }

  /// Leads to this page with one more page of charters, and there to where one was.
  @HTMLBuilder private func more(after last: CharterModel?) -> HTML {
    if let error = viewModel.pageError { ErrorView(error, say, address: query.address) }
    if viewModel.canLoadMore, let last {
      p(.class("actions")) {
        a(.id("more"), .class("button", "plain"), .href(next(after: last))) {
          say(.showMore)
        }
      }
    }
  }

  /// The page with more charters, at the last one that shows; the list after that one if there are as many
  /// on the page as there can be.
  private func next(after last: CharterModel) -> String {
    let shown = viewModel.charters.data?.count ?? 0
    var next = query
    next.pageCount = shown / CharterPage.defaultSize + 1
    guard next.pageCount > CharterListViewModel.maximumPageCount else {
      return "\(next.address)#charter-\(last.id)"
    }
    (next.pageCount, next.start) = (1, last.id)
    return next.address
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

/// The part of the list of charters that an address asks for.
struct CharterListQuery: Equatable {
  var filter = CharterListFilter.all
  var search = ""
  var pageCount = 1
  /// The charter after which the list begins, or `nil` for all of it.
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
  static let newCharter = LocalizedText(en: "New Charter", ru: "Новый чартер")
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
  static let noCharters = LocalizedText(en: "No Charters Yet", ru: "Чартеров пока нет")
  static let planFirstCharter = LocalizedText(
    en: "Plan your first one. Its checklists and their progress stay on this device.",
    ru: "Запланируйте первый. Его чек-листы и отметки остаются на этом устройстве.")
  static let nothingFound = LocalizedText(en: "Nothing Found", ru: "Ничего не найдено")
  static let tryOtherWords = LocalizedText(
    en: "No charter here has these words in its name, boat, destination or region.",
    ru: "Ни у одного чартера здесь нет этих слов в названии, лодке, месте или регионе.")
  static let noneHere = LocalizedText(en: "None Here", ru: "Здесь пусто")
  static let noCharterOfFilter = LocalizedText(
    en: "No charter belongs to this list at the moment.",
    ru: "Сейчас к этому списку не относится ни один чартер.")
  static let showAll = LocalizedText(en: "Show All", ru: "Показать все")
  static let showMore = LocalizedText(en: "Show More", ru: "Показать ещё")
  static let search = LocalizedText(en: "Search", ru: "Поиск")
  static let find = LocalizedText(en: "Find", ru: "Найти")
  static let whichCharters = LocalizedText(en: "Which charters", ru: "Какие чартеры")

  static func charterDeleted(_ name: String?) -> LocalizedText {
    guard let name else {
      return LocalizedText(en: "The charter was deleted.", ru: "Чартер удалён.")
    }
    return LocalizedText(en: "“\(name)” was deleted.", ru: "«\(name)»: чартер удалён.")
  }

  // MARK: Form

  static let budget = LocalizedText(en: "Budget", ru: "Бюджет")
  static let completion = LocalizedText(en: "How complete it is", ru: "Насколько заполнено")

  static func completed(_ count: Int, of total: Int) -> LocalizedText {
    LocalizedText(
      en: "\(count) of \(total) steps are filled in.", ru: "Заполнено шагов: \(count) из \(total).")
  }
  static func stillMissing(_ fields: [CharterFormState.Step]) -> LocalizedText {
    LocalizedText { language in
      let names = fields.map { $0.title.in(language).lowercased() }.joined(separator: ", ")
      return LocalizedText(en: "Still missing: \(names).", ru: "Ещё нет: \(names).").in(language)
    }
  }
  static func showCharter(_ name: String) -> LocalizedText {
    LocalizedText(en: "Show “\(name)”", ru: "Показать «\(name)»")
  }
}
