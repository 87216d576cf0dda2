/// Finds a column whose property another column's value ends up in.
///
/// For each column in turn a row is made with that column's second sample and everybody else's
/// first. Reading the row back by the declared key paths then shows where the second sample went.
///
/// - Returns: the indexes of a column and of the one whose property its value went to, or the
///   column's own index twice where it went nowhere; `nil` where all columns are in place.
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
    // A column whose samples are equal reads as marked always.
    let hits = reads.indices.filter { reads[$0] && isTelling[$0] }
    if hits != [marked] { return (marked, hits.first { $0 != marked } ?? marked) }
  }
  return nil
}

/// A row with the second sample of one column, by its index, and the first of every other.
@usableFromInline
func sampleRow<Row: Sendable, each Codec: ColumnCodec>(
  marked: Int, _ makeRow: (repeat (each Codec).Value) -> Row, _ codec: repeat (each Codec).Type
) -> Row {
  var position = 0
  return makeRow(repeat sample((each Codec).self, marked, &position))
}

/// The second sample of the marked column, and the first of every other.
private func sample<Codec: ColumnCodec>(
  _: Codec.Type, _ marked: Int, _ position: inout Int
) -> Codec.Value {
  defer { position += 1 }
  return position == marked ? Codec.samples.1 : Codec.samples.0
}
