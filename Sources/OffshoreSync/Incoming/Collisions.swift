import Offshore
import OffshoreWire

/// The rows that a constraint refused, and the choice of rows to hide so that all others fit.
///
/// Rows that arrive together may violate a constraint only until all of them are written, so all
/// are retried as long as that helps. After that, a row with pending changes of this device is
/// hidden to make room for a row that all devices have. A row whose own values are not allowed is not
/// retried: a peer can send many of them.
struct Collisions {
  let visible: VisibleRows
  private var refused: [RowID: [String: WireValue]]
  private var removals: [RowID]
  /// The refused rows that do not fit, whatever other rows there are.
  private var unfit: Set<RowID> = []
  /// The rows that were chosen to be hidden. A row is chosen only once.
  private var hidden: Set<RowID> = []

  init(visible: VisibleRows, refused: [RowID: [String: WireValue]], removals: [RowID]) {
    self.visible = visible
    self.refused = refused
    self.removals = removals
  }

  /// Adds rows that were refused or are to be removed.
  mutating func retry(_ more: [RowID: [String: WireValue]], _ removals: [RowID]) {
    refused.merge(more) { $1 }
    unfit.subtract(more.keys)
    for row in removals { refused[row] = nil }
    self.removals += removals
  }

  /// Removes rows and retries the refused ones until a round achieves nothing.
  mutating func run() throws {
    var count = Int.max
    while refused.count + removals.count < count {
      count = refused.count + removals.count
      removals = try removals.filter { try !remove($0) }
      for (row, fields) in refused.sorted(by: { $0.key < $1.key }) where !unfit.contains(row) {
        if try show(row, fields) { refused[row] = nil }
      }
    }
  }

  /// Returns the next rows to hide, with the reasons, or `nil` if all other rows fit.
  ///
  /// A row comes after the rows that refer to it.
  /// - Parameter isPending: returns whether this device has pending changes of a row.
  mutating func hideNext(isPending: (RowID) -> Bool) throws -> [(RowID, String)]? {
    try run()
    if let row = removals.first {
      let referrers = try others(visible.referrers(to: row))
      if referrers.isEmpty { removals.removeFirst() }
      return try withReferrers(referrers, Self.dangles)
    }
    let unfit = refused.keys.filter(unfit.contains).sorted()
    if !unfit.isEmpty { return try withReferrers(unfit, Self.isRefused) }
    if let (row, fields) = refused.min(by: { $0.key < $1.key }) {
      return try makeRoom(for: row, fields, isPending)
    }
    guard visible.writer.connection.hasDanglingReferences else { return nil }
    let dangling = try others(visible.dangling())
    return dangling.isEmpty ? nil : try withReferrers(dangling, Self.dangles)
  }

  private mutating func makeRoom(
    for row: RowID, _ fields: [String: WireValue], _ isPending: (RowID) -> Bool
  ) throws -> [(RowID, String)] {
    if let table = visible.schema.present[row.table], !isPending(row) {
      let rivals = try others(visible.rivals(of: fields, row, in: table).filter(isPending))
      if !rivals.isEmpty { return try withReferrers(rivals, Self.isTaken) }
    }
    return try withReferrers([row], Self.isRefused)
  }

  // MARK: - Steps

  private mutating func remove(_ row: RowID) throws -> Bool {
    guard let table = visible.schema.present[row.table] else { return true }
    // NB: The app's foreign keys may delete or change the rows that refer to it, which would go
    // unnoticed.
    guard try visible.referrers(to: row).isEmpty else { return false }
    do {
      try visible.remove(row, in: table)
      return true
    } catch let error as DatabaseError where error.isRefusal {
      return false
    }
  }

  private mutating func show(_ row: RowID, _ fields: [String: WireValue]) throws -> Bool {
    guard let table = visible.schema.present[row.table] else { return true }
    do {
      try visible.show(fields, of: row, in: table)
      return true
    } catch let error as DatabaseError where error.isRefusal {
      if error.isOfRowAlone { unfit.insert(row) }
      return false
    }
  }

  /// Returns the rows that were not chosen before, and marks them as chosen.
  private mutating func others(_ rows: [RowID]) -> [RowID] {
    rows.filter { hidden.insert($0).inserted }
  }

  /// Returns the rows and all rows that refer to them, each after the rows that refer to it.
  ///
  /// A row that refers to a hidden row is hidden, too. It has to be found while its reference
  /// exists.
  private mutating func withReferrers(
    _ rows: [RowID], _ reason: String
  ) throws -> [(RowID, String)] {
    let reasons = Dictionary(rows.map { ($0, reason) }, uniquingKeysWith: { first, _ in first })
    var result: [(RowID, String)] = []
    var (seen, isListed): (Set<RowID>, Set<RowID>) = ([], [])
    var waiting = Array(rows.reversed())
    while let row = waiting.last {
      if seen.insert(row).inserted {
        waiting += try visible.referrers(to: row).filter { !seen.contains($0) }
      } else {
        waiting.removeLast()
        guard isListed.insert(row).inserted else { continue }
        hidden.insert(row)
        // Prevents a later round from showing the row again.
        refused[row] = nil
        result.append((row, reasons[row] ?? Self.dangles))
      }
    }
    return result
  }

  private static let dangles = "What the row refers to is not there any more."
  private static let isTaken = "Another row has the values that only one row can have."
  private static let isRefused = "A constraint of the app's table refuses the row."
}
