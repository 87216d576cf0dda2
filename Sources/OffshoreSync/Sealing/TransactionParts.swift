import OffshoreWire

/// Groups of transactions, called parts. Transactions that have changed the same row are in one
/// part.
///
/// The changes of one cannot be sent without those of the others. Each row is in one part. If a
/// batch is refused because of a row, the parts without the row are sealed again.
struct TransactionParts {
  /// The parent of each transaction in its part. A root has no entry, or is its own parent.
  private var parents: [Int64: Int64] = [:]
  private var transactions: [RowID: Int64] = [:]
  private var numbers: [Int64: Int] = [:]

  /// Joins the transactions that have changed a row into one part.
  mutating func join(_ changed: [Int64], by row: RowID) {
    guard let first = changed.first else { return }
    transactions[row] = first
    let part = root(of: first)
    for other in changed.dropFirst() { parents[root(of: other)] = part }
  }

  /// Returns the number of a row's part. Parts are counted from 0 in the order of the calls.
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
    // The next call follows a shorter path.
    parents[transaction] = part
    return part
  }
}
