package import Anyfleet
package import OffshoreHTTP
package import OffshorePages
import OffshoreWeb

extension Router {
  /// Adds the pages of Anyfleet.
  ///
  /// Each tab has its own view models, which are released with it. Stores and repositories belong
  /// to the dependencies and outlive all tabs.
  package mutating func addAnyfleet(_ dependencies: AppDependencies, of frame: AppFrame) {
    let pages = AnyfleetPages(dependencies: dependencies, frame: frame)
    addPages(
      CharterRoute.self, of: frame, missing: { try await pages.missingPage($0.charterID, $1) },
      page: { pages.page($0, $1) })
    addPages(LibraryRoute.self, of: frame) { pages.page($0, $1) }
    addPages(StudyRoute.self, of: frame) { pages.page($0, $1) }
    addPages(
      RunRoute.self, of: pages.frame, missing: { try await pages.missingPage($0.charterID, $1) },
      page: { route, _ in try pages.page(route) })
    addMembers(of: frame, .charter)
    addHistory(
      of: frame,
      HistoryKind(
        .charter, CharterHistory.tables, texts: .ofCharters, parts: ItemHistory.tables,
        partAddress: { place, context in
          try ItemHistory.item(at: place, context).map {
            RunRoute.history(charter: $0.charter, checklist: $0.checklist, item: $0.item).address
          }
        }))
    addSystemPages(of: frame)
    addFormerAddresses()
  }
}

/// A factory for the pages of Anyfleet.
struct AnyfleetPages: Sendable {
  let dependencies: AppDependencies
  /// The frame of all pages.
  let frame: AppFrame
}
