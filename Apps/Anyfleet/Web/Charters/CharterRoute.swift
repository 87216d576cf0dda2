import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// The first page, and the pages of charters.
enum CharterRoute: PageRoute {
  case home
  case list
  case new
  case detail(UUID)
  case edit(UUID)
  case report(UUID)

  var path: RoutePath {
    switch self {
    case .home: ""
    case .list: "charters"
    case .new: "charters/new"
    case .detail(let id): "charters/\(id)"
    case .edit(let id): "charters/\(id)/edit"
    case .report(let id): "charters/\(id)/report"
    }
  }

  /// The maximum size of a form in bytes: 128 KiB for a charter with a long crew and budget.
  var formLimit: Int {
    switch self {
    case .new, .edit: 128 * 1_024
    case .home, .list, .detail, .report: Self.usualFormLimit
    }
  }

  /// The id of the page's charter, if it has one.
  var charterID: UUID? {
    switch self {
    case .home, .list, .new: nil
    case .detail(let id), .edit(let id), .report(let id): id
    }
  }

  static let all: [RouteCase<CharterRoute>] = [
    RouteCase(.home), RouteCase(.list), RouteCase(.new), RouteCase(CharterRoute.detail),
    RouteCase(CharterRoute.edit), RouteCase(CharterRoute.report),
  ]
}

// MARK: - Pages

extension AnyfleetPages {
  @MainActor func page(_ route: CharterRoute, _ query: Fields) -> any RoutedPage {
    switch route {
    case .home: HomePage(frame: frame, viewModel: dependencies.makeHome())
    case .list: list(CharterListQuery(query))
    case .new: newCharter
    case .detail(let id):
      CharterDetailPage(
        frame: frame, viewModel: dependencies.makeCharterDetail(id),
        others: dependencies.makeCharterList())
    case .edit(let id): editor(ofCharter: id)
    case .report(let id):
      CharterReportPage(frame: frame, viewModel: dependencies.makeCharterReport(id))
    }
  }

  /// Returns the page of a charter that is not on this device yet, or `nil` if the charter is
  /// unknown.
  @MainActor func missingPage(
    _ id: UUID?, _ form: PageForm?
  ) async throws -> (page: any RoutedPage, status: Response.Status)? {
    guard let id else { return nil }
    let arriving = dependencies.makeArrivingCharter(id)
    // NB: The page of an arriving charter posts this form, also while the server cannot be reached.
    let isRefresh = form?.action == "refresh"
    if !isRefresh { guard await arriving.find() else { return nil } }
    return (ArrivingCharterPage(frame: frame, charterID: id, viewModel: arriving), .ok)
  }

  @MainActor private func list(_ query: CharterListQuery) -> any RoutedPage {
    CharterListPage(
      frame: frame,
      viewModel: dependencies.makeCharterList(
        filter: query.filter, searchText: query.search, after: query.start),
      query: query)
  }

  @MainActor private var newCharter: any RoutedPage {
    let (frame, library) = (frame, dependencies.libraryStore)
    return EditorPage(
      frame, in: .charters,
      back: PageLink(frame.say(.charters), to: AppRoute.createCharter.backAddress),
      new: .newCharter
    ) {
      dependencies.makeCreateCharter(charterID: $0).draft
    } next: {
      CharterRoute.detail($0.id).address
    }.showing {
      await library.loadIfNeeded(Checklist.self)
    } above: {
      Notices(
        [library.checklists.errorValue].compactMap(\.self) + library.notices(of: Checklist.self),
        frame.say, address: CharterRoute.new.address)
      $0.advice(frame.say)
    }.acceptingFormerForms { $0.translatingCharterForm(id: nil, rows: rows(ofCrew:)) }
  }

  @MainActor private func editor(ofCharter id: UUID) -> any RoutedPage {
    let access = dependencies.makeCharterAccess(id)
    let charter = CharterRoute.detail(id).address
    return EditorPage(frame, in: .charters, back: PageLink(frame.say(.charter), to: charter)) { _ in
      dependencies.makeDraft(ofCharter: id)
    } next: { _ in
      charter
    }.showing {
      await access.load()
    } refusal: {
      access.canEdit ? nil : .onlyLook
    } above: {
      $0.advice(frame.say)
    }.acceptingFormerForms { $0.translatingCharterForm(id: id, rows: rows(ofCrew:)) }
  }
}
