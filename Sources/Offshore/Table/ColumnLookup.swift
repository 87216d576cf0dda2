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
