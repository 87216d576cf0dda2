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

  // MARK: - In both directions

  /// Reads as by a query in the opposite order with keyset and limit. Rows with one key are ordered
  /// by their ids.
  func rows(before row: Row?, _ size: Int) async throws -> [Row] {
    Array(
      try await read { all in all.filter { each in row.map { each.place < $0.place } ?? true } }
        .suffix(size))
  }

  /// Reads as by a query with keyset and limit. Rows with one key are ordered by their ids.
  func rows(after row: Row?, _ size: Int) async throws -> [Row] {
    Array(
      try await read { all in all.filter { each in row.map { each.place > $0.place } ?? true } }
        .prefix(size))
  }

  private(set) var readCount = 0

  private func read(_ filter: ([Row]) -> [Row]) async throws -> [Row] {
    readCount += 1
    let isReachable = isReachable
    let rows = filter(rows.sorted { $0.place < $1.place })
    await gate.pass()
    guard isReachable else { throw Unreachable() }
    return rows
  }

  func window(
    at position: WindowPosition<Int> = .end, pageSize: Int = 10, maximumCount: Int = 40
  ) -> PagedWindow<Row> {
    PagedWindow(at: position, pageSize: pageSize, maximumCount: maximumCount) { [self] in
      changes.map { await self.receive() }
    } before: { [self] in
      try await rows(before: $0, $1)
    } after: { [self] in
      try await rows(after: $0, $1)
    } row: { [self] id in
      try await read { $0.filter { $0.id == id } }.first
    }
  }
}

extension Row {
  /// The values by which rows are ordered in both directions.
  var place: (Int, Int) { (key, id) }
}
