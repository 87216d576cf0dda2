/// The declaration of a table: its name, its columns, and how a row is made of them.
///
/// The compiler checks that each column's property exists, that its codec fits, and that the
/// initializer takes the columns' values in their order. What it cannot tell, two columns of one
/// type in the wrong order, is found when the table is first used, and an error then.
public struct Table<Row: Sendable>: Sendable {
  /// The table's name in the database.
  public var name: String { plan.name }
  /// The columns in declared order.
  package var columns: [ColumnDefinition] { plan.columns }
  /// The indexes over several columns, or unique ones, that ``index(_:name:isUnique:)`` added.
  package internal(set) var indexes: [IndexDefinition] = []
  /// Whether the rows are stored under their primary key alone.
  /// See <https://sqlite.org/withoutrowid.html>.
  package internal(set) var isWithoutRowID = false
  /// Whether SQLite itself refuses values of other types than declared.
  /// See <https://sqlite.org/stricttables.html>.
  package internal(set) var isStrict = false

  /// SQL and column lookups made once.
  @usableFromInline let plan: TablePlan<Row>

  /// Declares a table by the memberwise initializer of its row and the columns in that order.
  ///
  /// - Precondition: the initializer accepts any values of its parameters' types. It is called with
  ///   stand-ins before the row is known to be readable, and such a row is thrown away; check what
  ///   values mean elsewhere, or by ``Column/check(_:)``.
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

extension Table: CustomStringConvertible {
  /// The name and the columns: `charters (id, name)`.
  public var description: String {
    "\(name) (\(columns.map(\.name).joined(separator: ", ")))"
  }
}

extension Table {
  /// The column of a property, or `nil` if the property is not declared as one.
  package func column(of property: PartialKeyPath<Row>) -> ColumnDefinition? {
    plan.indexByKeyPath[property].map { columns[$0] }
  }
}
