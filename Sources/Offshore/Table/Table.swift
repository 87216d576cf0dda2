/// The declaration of a table: its name, its columns, and the initializer of its rows.
///
/// ```swift
/// static let table = Table(
///   "charters", Charter.init,
///   Column("id", \.id).primaryKey(),
///   Column("name", \.name),
///   Column("startDate", \.startDate).indexed())
/// ```
/// The compiler checks that the property of each column exists, that its codec fits, and that the
/// initializer accepts the columns' values in their order. It cannot detect two columns of one type
/// in the wrong order: this is an error when the table is first used.
///
/// Two modifiers change the way in which SQLite stores the rows: `withoutRowID()` stores them by
/// their primary key (<https://sqlite.org/withoutrowid.html>), and `strict()` refuses values of
/// types other than the declared ones (<https://sqlite.org/stricttables.html>). The declaration
/// creates nothing: a ``Migration`` creates the table in a file.
public struct Table<Row: Sendable>: Sendable {
  /// The table's name in the database.
  public var name: String { plan.name }
  /// The columns in declared order.
  package var columns: [ColumnDefinition] { plan.columns }
  /// The indexes over several columns, or unique ones, that ``index(_:name:isUnique:)`` added.
  package internal(set) var indexes: [IndexDefinition] = []
  /// Whether the rows are stored by their primary key, without row ids. See
  /// <https://sqlite.org/withoutrowid.html>.
  package internal(set) var isWithoutRowID = false
  /// Whether SQLite itself refuses values of types other than the declared ones. See
  /// <https://sqlite.org/stricttables.html>.
  package internal(set) var isStrict = false
  /// Whether the table is one of the library, and not of the app.
  var isOfLibrary = false

  /// The SQL and the column lookups, which are created once.
  @usableFromInline let plan: TablePlan<Row>

  /// Declares a table by the memberwise initializer of its row and the columns in that order.
  ///
  /// - Precondition: The initializer accepts any values of its parameters' types. For a row that
  ///   cannot be read, it receives placeholders, and the resulting value is discarded. Check the
  ///   meaning of values elsewhere, or by a `check` of the ``Column``.
  @inlinable
  public init<each Codec: ColumnCodec>(
    _ name: String,
    _ makeRow: @escaping @Sendable (repeat (each Codec).Value) -> Row,
    _ column: repeat Column<Row, each Codec>
  ) {
    var lookups: [ColumnLookup<Row>] = []
    for lookup in repeat ColumnLookup(each column) { lookups.append(lookup) }
    plan = TablePlan(
      name: name, lookups: lookups, loops: TableLoops(makeRow, repeat each column),
      findMisplaced: { misplacedColumn(makeRow, repeat each column) },
      makeSample: { sampleRow(marked: $0, makeRow, repeat (each Codec).self) })
  }
}

@_documentation(visibility: internal)
extension Table: CustomStringConvertible {
  /// The name and the columns: `charters (id, name)`.
  public var description: String {
    "\(name) (\(columns.map(\.name).joined(separator: ", ")))"
  }
}

extension Table {
  /// The type of the property that is stored in the only column of the primary key, or `nil` if the
  /// key has several columns or none.
  package var keyType: Any.Type? {
    let keys = columns.indices.filter { columns[$0].isPrimaryKey }
    guard keys.count == 1 else { return nil }
    return plan.indexByKeyPath.first { $0.value == keys[0] }.map { type(of: $0.key).valueType }
  }

  /// Returns the column of a property, or `nil` if the property is not declared as one.
  package func column(of property: PartialKeyPath<Row>) -> ColumnDefinition? {
    plan.indexByKeyPath[property].map { columns[$0] }
  }
}
