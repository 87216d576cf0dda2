import OffshoreWire

/// What the user of a device wrote, noted beside the device's own journal, to hold it to.
///
/// Only columns of which one edit replaces the whole are noted, each with a text that is written
/// once.
struct Ledger {
  /// A text that was written into a column.
  struct Write: Hashable {
    let row: RowID
    let column: String
    let text: [UInt8]
  }

  /// The columns whose last writer wins.
  private static let plain: Set<String> = ["title", "body", "holder", "color"]

  /// What was written and has not been seen in a batch.
  private(set) var owed: [Write] = []
  /// What was seen in a batch.
  private(set) var sent: [Write] = []
  /// The last writes of columns whose last writer wins.
  private(set) var own: [Write] = []

  /// Notes a write, which replaces an earlier one of the same column that nobody has seen.
  mutating func note(_ write: Write) {
    owed.removeAll { $0.row == write.row && $0.column == write.column }
    owed.append(write)
    guard Self.plain.contains(write.column) else { return }
    own.removeAll { $0.row == write.row && $0.column == write.column }
    own.append(write)
  }

  /// Notes that a batch is on its way.
  mutating func noteSent(_ texts: Set<[UInt8]>) {
    sent += owed.filter { texts.contains($0.text) }
    owed.removeAll { texts.contains($0.text) }
  }

  /// Forgets what the user took back or wrote over.
  mutating func forgetOwed(where isGone: (Write) throws -> Bool) rethrows {
    owed = try owed.filter { try !isGone($0) }
  }

  /// Forgets what need not be shown any more.
  mutating func forgetOwn(where isGone: (Write) throws -> Bool) rethrows {
    own = try own.filter { try !isGone($0) }
  }
}
