import OffshorePresentation
import TestSupport

/// A row with a key to sort by.
struct Row: Identifiable, Equatable, Sendable {
  let id: Int
  var key: Int
  init(_ id: Int, key: Int? = nil) { (self.id, self.key) = (id, key ?? id) }
}

/// The reason why rows cannot be read.
struct Unreachable: Error {}

/// Rows by key, read page by page as by a query with keyset and limit.
@MainActor
final class Book {
  struct Request: Equatable {
    var after: Int?
    var size: Int
  }
  var rows: [Row]
  var isReachable = true
  let gate = Gate(isOpen: true)
  private(set) var requests: [Request] = []
  let (changes, signal) = AsyncStream.makeStream(of: Void.self)
  /// The number of signals that a list has received.
  private(set) var receivedCount = 0

  private func receive() { receivedCount += 1 }

  init(_ count: Int) { rows = (0..<count).map { Row($0) } }

  func page(_ after: Row?, _ size: Int) async throws -> [Row] {
    requests.append(Request(after: after?.key, size: size))
    let isReachable = isReachable
    let sorted = rows.sorted { $0.key < $1.key }
    await gate.pass()
    guard isReachable else { throw Unreachable() }
    return Array(sorted.filter { row in after.map { row.key > $0.key } ?? true }.prefix(size))
  }

  func list(pageSize: Int = 20, threshold: Int = 5) -> PagedList<Row> {
    PagedList(pageSize: pageSize, threshold: threshold) { [self] in
      changes.map { await self.receive() }
    } page: { [self] in
      try await page($0, $1)
    }
  }
}
