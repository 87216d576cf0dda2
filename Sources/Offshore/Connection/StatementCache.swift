/// The cached prepared statements of a connection, by their SQL.
///
/// A full cache evicts the statement that was least recently used.
struct StatementCache {
  private struct Entry {
    let statement: Statement
    var lastUse: UInt64
  }

  private let capacity: Int
  private var entries: [String: Entry] = [:]
  private var uses: UInt64 = 0

  /// Creates an empty cache that holds at least one statement.
  init(capacity: Int) { self.capacity = max(1, capacity) }

  /// The number of cached statements.
  var count: Int { entries.count }

  /// Returns the statement of an SQL text, or `nil` if it is not cached or is running.
  mutating func statement(for sql: String) -> Statement? {
    uses += 1
    guard let index = entries.index(forKey: sql) else { return nil }
    entries.values[index].lastUse = uses
    let statement = entries.values[index].statement
    return statement.isBusy ? nil : statement
  }

  /// Adds a statement, unless one with the same SQL is cached already.
  mutating func insert(_ statement: Statement) {
    guard entries[statement.sql] == nil else { return }
    if entries.count >= capacity,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      entries[oldest.key] = nil
    }
    entries[statement.sql] = Entry(statement: statement, lastUse: uses)
  }

  /// Removes a statement.
  mutating func remove(_ statement: Statement) {
    if entries[statement.sql]?.statement === statement { entries[statement.sql] = nil }
  }

  /// Removes all statements.
  mutating func removeAll() { entries.removeAll() }
}
