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

/// The statements that control transactions.
enum TransactionControl: Int, CaseIterable {
  case begin, beginImmediate, commit, rollBack, savepoint, release, rollBackToSavepoint

  var sql: String {
    switch self {
    case .begin: "BEGIN"
    case .beginImmediate: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    case .rollBack: "ROLLBACK"
    case .savepoint: "SAVEPOINT offshore"
    case .release: "RELEASE offshore"
    case .rollBackToSavepoint: "ROLLBACK TO offshore"
    }
  }
}

/// The statements that each table has.
enum TableOperation: Int, CaseIterable {
  case find, findNumber, insert, insertIfAbsent, update, save, delete
}

/// The columns that an update statement of a table writes.
struct ChangedColumns: Hashable {
  /// The number of the table's declaration.
  let plan: Int
  /// The indexes of the columns, in order.
  let indexes: [Int]
}

/// The most frequently used statements of a connection, found by an index instead of their SQL.
struct RepeatedStatements {
  private var controls = [Statement?](repeating: nil, count: TransactionControl.allCases.count)
  private var operations: [Statement?] = []
  private var changes: [ChangedColumns: Statement] = [:]

  /// The number of declarations whose statements have an index: those that are created first. A
  /// table that is computed is a new declaration each time, whose statements are found by their
  /// SQL.
  private static let planLimit = 512
  /// The maximum number of statements that are stored for sets of changed columns.
  private static let changeLimit = 256

  /// The number of stored statements.
  var count: Int {
    changes.count + [controls, operations].reduce(0) { $0 + $1.count { $0 != nil } }
  }

  subscript(control: TransactionControl) -> Statement? {
    get { controls[control.rawValue] }
    set { controls[control.rawValue] = newValue }
  }

  /// The statement for an operation on a table.
  subscript(plan: Int, operation: TableOperation) -> Statement? {
    get {
      let place = Self.place(plan, operation)
      return place < operations.count ? operations[place] : nil
    }
    set {
      guard Self.hasPlace(plan) else { return }
      let place = Self.place(plan, operation)
      while operations.count <= place { operations.append(nil) }
      operations[place] = newValue
    }
  }

  subscript(columns: ChangedColumns) -> Statement? {
    get { changes[columns] }
    set {
      if changes.count >= Self.changeLimit { changes.removeAll(keepingCapacity: true) }
      changes[columns] = newValue
    }
  }

  /// Returns whether the statements of a declaration have an index.
  static func hasPlace(_ plan: Int) -> Bool { plan < planLimit }

  private static func place(_ plan: Int, _ operation: TableOperation) -> Int {
    plan * TableOperation.allCases.count + operation.rawValue
  }

  /// Removes a statement.
  mutating func remove(_ statement: Statement) {
    for place in controls.indices where controls[place] === statement { controls[place] = nil }
    for place in operations.indices where operations[place] === statement {
      operations[place] = nil
    }
    changes = changes.filter { $0.value !== statement }
  }

  /// Removes all statements.
  mutating func removeAll() { self = RepeatedStatements() }
}
