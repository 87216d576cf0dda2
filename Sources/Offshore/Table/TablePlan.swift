import Synchronization

/// The SQL, keys and lookups that follow from a table's declaration, computed once.
@usableFromInline
final class TablePlan<Row: Sendable>: Sendable {
  /// The number of this declaration, by which connections find its statements.
  let id: Int
  let name: String
  let columns: [ColumnDefinition]
  let lookups: [ColumnLookup<Row>]
  let loops: TableLoops<Row>
  nonisolated(unsafe) let indexByKeyPath: [PartialKeyPath<Row>: Int]  // Sendable ones only.
  /// The indexes of the primary key's columns in declared order.
  let keyIndexes: [Int]
  /// The coder of the primary key, if it is one column.
  @usableFromInline let keyCoder: AnyCoder?

  /// The statements that each table has.
  let sql: TableSQL

  private let findMisplaced: @Sendable () -> (column: Int, found: Int)?
  /// Creates a row with the second sample of one column, by its index, and the first of every
  /// other.
  let makeSample: @Sendable (Int) -> Row
  private let isChecked = Atomic<Bool>(false)
  private let keyCheck = Atomic<Bool>(false)

  @usableFromInline
  init(
    name: String, lookups: [ColumnLookup<Row>], loops: TableLoops<Row>,
    findMisplaced: @escaping @Sendable () -> (column: Int, found: Int)?,
    makeSample: @escaping @Sendable (Int) -> Row
  ) {
    id = nextPlanID.wrappingAdd(1, ordering: .relaxed).newValue
    self.name = name
    self.lookups = lookups
    columns = lookups.map(\.definition)
    self.loops = loops
    self.findMisplaced = findMisplaced
    self.makeSample = makeSample
    indexByKeyPath = Dictionary(
      lookups.enumerated().map { ($1.keyPath, $0) }, uniquingKeysWith: { first, _ in first })
    keyIndexes = lookups.indices.filter { lookups[$0].definition.isPrimaryKey }
    keyCoder = keyIndexes.count == 1 ? keyIndexes.first.map { lookups[$0].coder } : nil
    sql = TableSQL(name, columns)
  }

  /// Checks the declaration when it is first used.
  /// - Throws: ``DatabaseError`` as ``checkDeclaration()`` does.
  func checkFirstUse() throws {
    guard !isChecked.load(ordering: .relaxed) else { return }
    try checkDeclaration()
    isChecked.store(true, ordering: .relaxed)
  }

  /// Checks rules that the compiler cannot: no two columns are swapped, and no name or property is
  /// declared twice.
  /// - Throws: ``DatabaseError`` with code `declaration` that names the columns.
  func checkDeclaration() throws {
    let names = lookups.map(\.definition.name)
    // SQLite ignores the case of letters in names.
    let counts = Dictionary(names.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
    if let twice = names.last(where: { counts[$0.lowercased(), default: 0] > 1 }) {
      throw problem("Column “\(twice)” is declared twice. Remove one.")
    }
    guard let (column, found) = findMisplaced() else { return }
    if column == found {
      throw problem(
        "The value of column “\(names[column])” does not come back by its key path. "
          + "Pass the initializer that stores each argument in its own property.")
    }
    throw problem(
      "Columns “\(names[column])” and “\(names[found])” are in each other's place. "
        + "List the columns in the order of the initializer's parameters.")
  }

  /// Returns the coder of the primary key, if the key is one column of this type and the given
  /// property.
  @inlinable
  func keyCoder<Value: Equatable>(for property: (Row) -> Value) -> ColumnCoder<Value>? {
    guard let coder = keyCoder?.coder(of: Value.self), isKeyChecked || isKey(property) else {
      return nil
    }
    return coder
  }

  /// Whether a property is already known to be the primary key.
  @usableFromInline var isKeyChecked: Bool { keyCheck.load(ordering: .relaxed) }

  @usableFromInline
  func isKey<Value: Equatable>(_ property: (Row) -> Value) -> Bool {
    guard let index = keyIndexes.first else { return false }
    let row = makeSample(index)
    guard row[keyPath: lookups[index].keyPath] as? Value == property(row) else { return false }
    keyCheck.store(true, ordering: .relaxed)
    return true
  }

  private func problem(_ message: String) -> DatabaseError {
    var error = DatabaseError(.declaration, message)
    error.table = name
    return error
  }
}

private let nextPlanID = Atomic<Int>(0)

extension String {
  /// The name in double quotes, safe as an SQL identifier.
  var quotedIdentifier: String {
    // Names are quoted for each composed statement, and hardly any contains a quote.
    utf8.contains(UInt8(ascii: "\"")) ? "\"" + replacing("\"", with: "\"\"") + "\"" : "\"\(self)\""
  }
}
