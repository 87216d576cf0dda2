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
  var isTelling: [Bool] = []
  repeat isTelling.append((each Codec).samples.0 != (each Codec).samples.1)

  for marked in isTelling.indices where isTelling[marked] {
    let row = sampleRow(marked: marked, makeRow, repeat (each Codec).self)
    var reads: [Bool] = []
    repeat reads.append(row[keyPath: (each column).keyPath] == (each Codec).samples.1)
    // A column with equal samples always reads as marked.
    let hits = reads.indices.filter { reads[$0] && isTelling[$0] }
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
