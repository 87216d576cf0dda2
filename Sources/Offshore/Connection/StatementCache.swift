/// The prepared statements that a connection keeps, by their SQL and by table.
///
/// When there are more than the capacity, the one that was used longest ago goes.
struct StatementCache {
  private struct Entry {
    let statement: Statement
    var lastUse: UInt64
  }

  private let capacity: Int
  private var entries: [String: Entry] = [:]
  private var uses: UInt64 = 0

  /// Creates an empty cache of at least one statement.
  init(capacity: Int) { self.capacity = max(1, capacity) }

  /// The number of statements kept.
  var count: Int { entries.count }

  /// The statement for an SQL text, unless there is none or it is running.
  mutating func statement(for sql: String) -> Statement? {
    uses += 1
    guard let index = entries.index(forKey: sql) else { return nil }
    entries.values[index].lastUse = uses
    let statement = entries.values[index].statement
    return statement.isBusy ? nil : statement
  }

  /// Keeps a statement, unless one with the same SQL is kept already.
  mutating func insert(_ statement: Statement) {
    guard entries[statement.sql] == nil else { return }
    if entries.count >= capacity,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      entries[oldest.key] = nil
    }
    entries[statement.sql] = Entry(statement: statement, lastUse: uses)
  }

  /// Forgets a statement.
  mutating func remove(_ statement: Statement) {
    if entries[statement.sql]?.statement === statement { entries[statement.sql] = nil }
  }

  /// Forgets all statements.
  mutating func removeAll() { entries.removeAll() }
}
