import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import OffshoreWire

/// A page of rows that may be deleted elsewhere: the script replaces it then by one that explains the end.
///
/// The rows are those that the address names by their keys, and that are stored when the page opens.
struct PresentPage<Content: RoutedPage>: RoutedPage {
  let content: Content
  let presence: Presence

  var redirection: String? { content.redirection }

  func load() async throws {
    try await content.load()
    await presence.load()
  }

  func run() async { await content.run() }

  func page(_ tab: Tab) -> Page {
    var page = content.page(tab)
    guard presence.hasRows else { return page }
    page.content = HTML {
      page.content
      tab.region("presence") {
        if presence.isOver { div(.hidden(), .data("gone", "")) }
      }
    }
    return page
  }

  func perform(_ form: PageForm) async throws -> Outcome { try await content.perform(form) }

  func prepare(for form: PageForm) throws { try content.prepare(for: form) }

  func addressIfMissing(for form: PageForm) -> String? { content.addressIfMissing(for: form) }
}

/// The rows that an address names, with their titles, for as long as they are stored.
@MainActor final class Presence {
  private let frame: AppFrame
  private let keys: [UUID]
  private var rows: Live<[Row]>?

  private struct Row: Equatable {
    let id: RowID
    let title: String
  }

  /// - Parameter path: the path of the page, whose values that are UUIDs are keys of rows.
  init(_ frame: AppFrame, _ path: RoutePath) {
    self.frame = frame
    keys = path.keys
  }

  /// Whether the address names rows.
  var hasRows: Bool { rows != nil }

  /// Whether a row that was there has gone.
  var isOver: Bool { rows.map { $0.state.isEmpty } ?? false }

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
        // If one is missing, nothing is left to show.
        return rows.count == found.count ? rows : []
      }
    }
    await rows.load()
    for row in rows.state.data ?? [] { frame.remember(row.title, of: row.id.id) }
    self.rows = rows
  }
}

extension RoutePath {
  /// The values that are UUIDs, in their order.
  var keys: [UUID] {
    parts.compactMap { part in
      guard case .value(let text) = part else { return nil }
      return UUID(uuidString: text)
    }
  }
}
