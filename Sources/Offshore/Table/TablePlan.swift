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

/// A column for queries and changes, found by its key path, with its codec behind closures.
@usableFromInline
struct ColumnLookup<Row: Sendable>: Sendable {
  @usableFromInline let definition: ColumnDefinition
  let keyPath: any PartialKeyPath<Row> & Sendable
  /// An instance of ``ColumnCoder`` for the column's value type.
  let coder: AnyCoder
  /// Binds a row's value of the column to the parameter with a number.
  let encode: @Sendable (Row, inout RowWriter, Int32) -> Void
  let isEqual: @Sendable (Row, Row) -> Bool

  @usableFromInline
  init<Codec: ColumnCodec>(_ column: Column<Row, Codec>) {
    let path = column.keyPath
    definition = column.definition
    keyPath = path
    coder = ColumnCoder(Codec.self)
    encode = { Codec.bind($0[keyPath: path], &$1, $2) }
    isEqual = { $0[keyPath: path] == $1[keyPath: path] }
  }
}

/// Finds a column whose value is stored in the property of another column.
///
/// For each column, a row is created with the second sample of this column and the first samples of
/// all others. The row is then read by the declared key paths, which shows the property with the
/// second sample.
///
/// - Returns: The index of a column, and that of the column whose property has its value; the same
///   index twice if no property has it; `nil` if all columns are correct.
@usableFromInline
func misplacedColumn<Row: Sendable, each Codec: ColumnCodec>(
  _ makeRow: (repeat (each Codec).Value) -> Row, _ column: repeat Column<Row, each Codec>
) -> (column: Int, found: Int)? {
  var isDistinguishable: [Bool] = []
  repeat isDistinguishable.append((each Codec).samples.0 != (each Codec).samples.1)

  for marked in isDistinguishable.indices where isDistinguishable[marked] {
    let row = sampleRow(marked: marked, makeRow, repeat (each Codec).self)
    var reads: [Bool] = []
    repeat reads.append(row[keyPath: (each column).keyPath] == (each Codec).samples.1)
    // A column with equal samples always reads as marked.
    let hits = reads.indices.filter { reads[$0] && isDistinguishable[$0] }
    if hits != [marked] { return (marked, hits.first { $0 != marked } ?? marked) }
  }
  return nil
}

/// Creates a row with the second sample of one column, by its index, and the first of every other.
@usableFromInline
func sampleRow<Row: Sendable, each Codec: ColumnCodec>(
  marked: Int, _ makeRow: (repeat (each Codec).Value) -> Row, _ codec: repeat (each Codec).Type
) -> Row {
  var position = 0
  return makeRow(repeat sample((each Codec).self, marked, &position))
}

/// Returns the second sample of the marked column, or the first of another.
private func sample<Codec: ColumnCodec>(
  _: Codec.Type, _ marked: Int, _ position: inout Int
) -> Codec.Value {
  defer { position += 1 }
  return position == marked ? Codec.samples.1 : Codec.samples.0
}

extension ColumnLookup {
  /// Returns a `?` with the value that a row has in the column.
  func bind(_ row: Row) -> SQL {
    var writer = RowWriter(nil)
    encode(row, &writer, 1)
    if let failure = writer.failure {
      return SQL(
        problem: .invalidValue,
        "Column “\(definition.name)” cannot store the value: expected \(failure.expected).")
    }
    return SQL(text: "?", arguments: writer.collected)
  }
}

extension Table {
  /// Returns the stored form of a row's key.
  func key(of row: Row) -> [SQLValue] {
    plan.keyIndexes.flatMap { plan.lookups[$0].bind(row).arguments }
  }

  func notFound(_ row: Row) -> DatabaseError {
    var error = DatabaseError(.notFound, "There is no such row in “\(name)”. Insert it first.")
    error.table = name
    error.rowKey = key(of: row)
    return error
  }

  /// Returns the error for a value that its column cannot store.
  /// - Parameter index: The index of the column; by default, that of the failure.
  func unstorable(_ failure: ColumnFailure, column index: Int? = nil, _ row: Row) -> DatabaseError {
    let column = columns[index ?? Int(failure.index)].name
    var error = DatabaseError(
      .invalidValue, "Column “\(column)” cannot store the value: expected \(failure.expected).")
    error.table = name
    error.column = column
    error.detail = failure.detail
    error.rowKey = key(of: row)
    return error
  }
}
