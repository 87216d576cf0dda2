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

/// The statements that every table has.
enum TableOperation: Int, CaseIterable {
  case find, findNumber, insert, insertIfAbsent, update, save, delete
}

/// A statement that writes some columns of a table.
struct ChangedColumns: Hashable {
  /// The number of the table's declaration.
  let plan: Int
  /// The indexes of the columns, in order.
  let indexes: [Int]
}

/// The statements that a connection finds by a place instead of by their text, because they run so often.
struct RepeatedStatements {
  private var controls = [Statement?](repeating: nil, count: TransactionControl.allCases.count)
  private var operations: [Statement?] = []
  private var changes: [ChangedColumns: Statement] = [:]

  /// The number of declarations whose statements have a place: those that are declared first. A table that
  /// is computed is another declaration each time, whose statements are found by their text.
  private static let planLimit = 512
  /// The number of sets of changed columns that are kept.
  private static let changeLimit = 256

  /// The number of statements that are kept.
  var count: Int {
    changes.count + [controls, operations].reduce(0) { $0 + $1.count { $0 != nil } }
  }

  subscript(control: TransactionControl) -> Statement? {
    get { controls[control.rawValue] }
    set { controls[control.rawValue] = newValue }
  }

  /// The statement of a table's declaration.
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

  /// Whether statements of a declaration have a place.
  static func hasPlace(_ plan: Int) -> Bool { plan < planLimit }

  private static func place(_ plan: Int, _ operation: TableOperation) -> Int {
    plan * TableOperation.allCases.count + operation.rawValue
  }

  /// Forgets a statement.
  mutating func remove(_ statement: Statement) {
    for place in controls.indices where controls[place] === statement { controls[place] = nil }
    for place in operations.indices where operations[place] === statement {
      operations[place] = nil
    }
    changes = changes.filter { $0.value !== statement }
  }

  /// Forgets all statements.
  mutating func removeAll() { self = RepeatedStatements() }
}
