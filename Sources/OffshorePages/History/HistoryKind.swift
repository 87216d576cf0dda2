public import Foundation
public import OffshoreHTTP
public import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import OffshoreWire
import Synchronization

/// The histories of a shared kind of scopes: the tables with their fields, and the texts of the
/// pages.
///
/// ```swift
/// router.addHistory(of: frame, HistoryKind(.list, tables))
/// HistoryLink(frame, count: count, to: SharedKind.list.historyAddress(of: list.id))
/// ```
public struct HistoryKind: Sendable {
  let shared: SharedKind
  let tables: [HistoryTable]
  let texts: HistoryTexts
  private let parts: [HistoryTable]
  private let partAddress: @Sendable (HistoryPlace, HistoryContext) throws -> String?

  /// Creates the histories of a kind.
  ///
  /// - Parameters:
  ///   - shared: the shared kind.
  ///   - tables: the tables whose conflicts are shown.
  ///   - texts: the texts that can name the subject.
  ///   - parts: further tables, whose conflicts are shown on pages of their own.
  ///   - partAddress: returns the address of the page that shows a place in `parts`.
  public init(
    _ shared: SharedKind, _ tables: [HistoryTable], texts: HistoryTexts = HistoryTexts(),
    parts: [HistoryTable] = [],
    partAddress: @escaping @Sendable (HistoryPlace, HistoryContext) throws -> String? = { _, _ in
      nil
    }
  ) {
    self.shared = shared
    self.tables = tables
    self.texts = texts
    self.parts = parts
    self.partAddress = partAddress
  }

  /// The kind for the list of undecided conflicts.
  var conflicts: OpenConflicts.Kind {
    OpenConflicts.Kind(shared.kind, tables + parts) { [partAddress] in try partAddress($0, $1) }
  }
}

extension SharedKind {
  /// Returns the address of the page with the history of a scope.
  public func historyAddress(of id: UUID) -> String { HistoryRoute.history(kind, id).address }
}

/// The pages with the histories of shared scopes.
enum HistoryRoute: PageRoute {
  case history(String, UUID)

  var path: RoutePath {
    switch self {
    case .history(let kind, let id): "history/\(kind)/\(id)"
    }
  }

  static let all: [RouteCase<HistoryRoute>] = [RouteCase(HistoryRoute.history)]
}

extension Router {
  /// Adds the pages with the histories of all shared kinds of an app.
  ///
  /// If a scope is not on this device, its history redirects to its own page, which explains why.
  public mutating func addHistory(of frame: AppFrame, _ kinds: HistoryKind...) {
    frame.conflictKinds.withLock { $0 += kinds.map(\.conflicts) }
    addPages(HistoryRoute.self, of: frame) { route, _ in
      switch route {
      case .history(let name, let id):
        guard let kind = kinds.first(where: { $0.shared.kind == name }),
          let page = kind.shared.place(id.uuidString)?.page
        else { throw HTTPError(.notFound) }
        let scope = try ScopeID(kind: name, value: id.uuidString)
        return HistoryPage(
          frame, in: kind.shared.part, back: page,
          History(of: scope, in: LoggedStore(frame.store), kind.tables),
          texts: kind.texts, missing: page)
      }
    }
  }
}
