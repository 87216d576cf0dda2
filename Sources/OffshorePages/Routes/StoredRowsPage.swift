import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import OffshoreWire

/// A page whose address contains keys of rows. If one of the rows is deleted while the page is
/// open, the script replaces the page by one that explains why.
///
/// Only the rows that are stored when the page is opened count.
struct StoredRowsPage<Content: RoutedPage>: RoutedPage {
  let content: Content
  let rows: StoredRows

  var redirection: String? { content.redirection }

  func load() async throws {
    try await content.load()
    await rows.load()
  }

  func opened(isScripted: Bool) async { await content.opened(isScripted: isScripted) }

  func run() async { await content.run() }

  func page(_ tab: Tab) -> Page {
    var page = content.page(tab)
    guard rows.exist else { return page }
    page.content = HTML {
      page.content
      tab.region("presence") {
        if rows.areDeleted { div(.hidden(), .data("gone", "")) }
      }
    }
    return page
  }

  func perform(_ form: PageForm) async throws -> Outcome { try await content.perform(form) }

  func prepare(for form: PageForm) throws { try content.prepare(for: form) }

  func addressIfMissing(for form: PageForm) -> String? { content.addressIfMissing(for: form) }
}

/// The rows whose keys are in an address, with their titles, while they are stored.
@MainActor final class StoredRows {
  private let frame: AppFrame
  private let keys: [UUID]
  private var rows: Live<[Row]>?

  private struct Row: Equatable {
    let id: RowID
    let title: String
  }

  /// - Parameter path: the path of the page. Its UUIDs are keys of rows.
  init(_ frame: AppFrame, _ path: RoutePath) {
    self.frame = frame
    keys = path.keys
  }

  /// Whether the address contains keys of stored rows.
  var exist: Bool { rows != nil }

  /// Whether one of the rows was deleted.
  var areDeleted: Bool { rows.map { $0.state.isEmpty } ?? false }

  /// Finds the rows, and observes them from then on.
  func load() async {
    guard !keys.isEmpty else { return }
    let (store, keys) = (frame.store, keys)
    let found = try? await store.read { reader in
      try keys.flatMap { try store.rows(withKey: $0, reader) }
    }
    guard let found, !found.isEmpty else { return }
    let rows = Live {
      store.values { reader -> [Row] in
        let rows = try found.compactMap { id in
          try store.titleIfStored(of: id, reader).map { Row(id: id, title: $0) }
        }
        // If one is missing, the page cannot be shown.
        return rows.count == found.count ? rows : []
      }
    }
    await rows.load()
    for row in rows.state.data ?? [] { frame.recordTitle(row.title, of: row.id.id) }
    self.rows = rows
  }
}

extension RoutePath {
  /// The values that are UUIDs, in order.
  var keys: [UUID] {
    parts.compactMap { part in
      guard case .value(let text) = part else { return nil }
      return UUID(uuidString: text)
    }
  }
}
