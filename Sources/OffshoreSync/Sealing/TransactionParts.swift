import OffshoreWire

/// Which transactions belong together, because they have changed the same rows.
///
/// What one of them did cannot be sent without the others. Each row is in one part; where a batch is
/// refused for a row, the parts that the row is not in are sealed again without it.
struct TransactionParts {
  /// The part that a transaction was joined to, or itself.
  private var parents: [Int64: Int64] = [:]
  private var transactions: [RowID: Int64] = [:]
  private var numbers: [Int64: Int] = [:]

  /// Notes which transactions have changed a row.
  mutating func join(_ changed: [Int64], by row: RowID) {
    guard let first = changed.first else { return }
    transactions[row] = first
    let part = root(of: first)
    for other in changed.dropFirst() { parents[root(of: other)] = part }
  }

  /// The number of the part that a row is in, counted from 0 in the order of asking.
  mutating func number(of row: RowID) -> Int {
    guard let transaction = transactions[row] else { return 0 }
    let part = root(of: transaction)
    if let number = numbers[part] { return number }
    numbers[part] = numbers.count
    return numbers.count - 1
  }

  private mutating func root(of transaction: Int64) -> Int64 {
    var part = transaction
    while let parent = parents[part], parent != part { part = parent }
    // What was followed once is not followed again.
    parents[transaction] = part
    return part
  }
}
