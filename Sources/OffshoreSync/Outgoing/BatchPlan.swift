import OffshoreWire

/// The order of a scope's ops, and their division into batches that each fit into a message.
struct BatchPlan {
  /// The ops of one row in one scope, which stay together.
  struct Unit: Hashable {
    let row: RowID
    let ops: [Op]
    let byteCount: Int

    init(row: RowID, ops: [Op]) {
      self.row = row
      self.ops = ops
      byteCount = ops.reduce(0) { $0 + $1.encoded().count }
    }
  }

  let manifest: Manifest
  let limits: SealingLimits

  /// Returns the units so that each follows the units that it refers to, and otherwise in the given
  /// order.
  func ordered(_ units: [Unit]) -> [Unit] {
    var places: [RowID: Int] = [:]
    for (place, unit) in units.enumerated() { places[unit.row] = place }
    var isPlaced = [Bool](repeating: false, count: units.count)
    var result: [Unit] = []
    result.reserveCapacity(units.count)
    for place in units.indices { insert(place, units, places, &isPlaced, &result) }
    return result
  }

  private func insert(
    _ start: Int, _ units: [Unit], _ places: [RowID: Int], _ isPlaced: inout [Bool],
    _ result: inout [Unit]
  ) {
    // A list instead of recursion, because a chain of references can have any length.
    var waiting = [start]
    var isWaiting: Set<Int> = []
    while let place = waiting.last {
      guard !isPlaced[place] else {
        waiting.removeLast()
        continue
      }
      let missing = isWaiting.insert(place).inserted ? targets(of: units[place]) : []
      let next = missing.compactMap { places[$0] }.filter {
        !isPlaced[$0] && !isWaiting.contains($0)
      }
      if next.isEmpty {
        isPlaced[place] = true
        result.append(units[place])
        waiting.removeLast()
      } else {
        waiting += next
      }
    }
  }

  private func targets(of unit: Unit) -> [RowID] {
    guard let table = manifest[unit.row.table] else { return [] }
    return unit.ops.flatMap { op in
      table.columns.compactMap { column in
        guard let target = column.reference, let id = op.fields[column.name]?.string else {
          return nil
        }
        return RowID(table: target, id: id)
      }
    }
  }

  /// Divides the units into batches that each fit into a message.
  func parts(_ units: [Unit]) -> [[Op]] {
    var parts: [[Op]] = [[]]
    var bytes = 0
    for unit in units {
      let count = unit.byteCount
      let last = parts.count - 1
      if !parts[last].isEmpty,
        parts[last].count + unit.ops.count > limits.ops || bytes + count > limits.bytes
      {
        parts.append(unit.ops)
        bytes = count
      } else {
        parts[last] += unit.ops
        bytes += count
      }
    }
    return parts.filter { !$0.isEmpty }
  }
}

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
