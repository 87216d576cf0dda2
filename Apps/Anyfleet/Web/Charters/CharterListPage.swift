import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// The charters of a filter that a search finds.
struct CharterListPage: LivePage {
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
        if let error = viewModel.actionError { ErrorView(error, say) }
        if let removed = viewModel.removed {
          UndoBar(
            .charterDeleted(removed.name), say, undo: Address.restoreCharter(removed.id),
            dismiss: Address.dismissDeleted(removed.id))
        }
        Notices(viewModel.notices, say, address: query.address)
      }
      tab.region("charters-filters") {
        if !isFirstUse {
          filters
          RefreshButton(to: query.refreshAddress, say)
        }
      }
      tab.region("charters") { list }
    }
  }

  private var isFirstUse: Bool {
    viewModel.charters.isEmpty && viewModel.count(of: .all) == 0
      && viewModel.count(of: .archived) == 0
  }

  // MARK: - What to show

  @HTMLBuilder private var filters: HTML {
    form(
      .method(.get), .action(Address.charters), .class("search"), .role(.search), .id("search")
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
          a(.class("button", "primary"), .href(Address.newCharter)) { say(.newCharter) }
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
        action: viewModel.filter == .all ? nil : .link(say(.showAll), to: Address.charters))
    }
    return EmptyView(
      icon: icon, title: say(.noCharters), text: say(.planFirstCharter),
      action: .link(say(.newCharter), to: Address.newCharter))
  }
}

extension AnyfleetPages {
  func charters(_ request: Request) async throws -> Response {
    let query = CharterListQuery(request.query)
    return try await tabs.open(request) { charterListPage(query) }
  }

  /// Asks the server what is new.
  func refreshCharters(_ request: Request) async throws -> Response {
    let query = CharterListQuery(request.query)
    return try await tabs.act(request, at: query.address) {
      charterListPage(query)
    } action: { page in
      await page.viewModel.refresh() ? .done : .invalid
    }
  }

  /// Puts a deleted charter back and goes to it; also where it is back already.
  func restoreCharter(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("charter")
    return try await tabs.act(request, at: Address.charters) {
      charterListPage(CharterListQuery())
    } action: { page in
      if await page.viewModel.undoDeletion(of: id) { return .go(to: Address.charter(id)) }
      if page.viewModel.actionError == .database(.notFound) { throw AppError.database(.notFound) }
      return .invalid
    }
  }

  /// Takes the offer to put charters back away.
  func dismissDeleted(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("charter")
    return try await tabs.act(request, at: Address.charters) {
      charterListPage(CharterListQuery())
    } action: { page in
      page.viewModel.dismissUndo(of: id)
      return .done
    }
  }

  @MainActor private func charterListPage(_ query: CharterListQuery) -> CharterListPage {
    CharterListPage(
      frame: frame,
      viewModel: dependencies.makeCharterList(
        filter: query.filter, searchText: query.search, after: query.start),
      query: query)
  }
}

extension CharterListQuery {
  /// Reads an address; what makes no sense in it is as if it were not there.
  init(_ fields: Fields) {
    filter = fields["filter"].flatMap(CharterListFilter.init) ?? .all
    search = fields["q"] ?? ""
    start = fields["after"].flatMap(UUID.init(uuidString:))
    pageCount = min(
      max(1, fields["pages"].flatMap { Int($0) } ?? 1), CharterListViewModel.maximumPageCount)
  }
}
