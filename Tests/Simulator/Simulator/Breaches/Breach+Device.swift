import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

extension Breach {
  func beforeWork(_ device: SimulatedDevice) throws {
    if self == .uncaptured { try device.change("UPDATE _state SET applying = 1 WHERE k = 1") }
  }

  func afterWork(_ device: SimulatedDevice) throws {
    if self == .uncaptured { try device.change("UPDATE _state SET applying = 0 WHERE k = 1") }
  }

  /// Before a device is asked what it sends.
  func beforePush(_ device: SimulatedDevice) throws {
    switch self {
    case .sealedAgain: try sealAgain(device)
    case .stuckQueue:
      try device.change("UPDATE _batch SET phase = 1, last = 1000000 WHERE phase = 0")
    case .damagedFile: try device.change("UPDATE _state SET clock = x'00' WHERE k = 1")
    default: break
    }
  }

  /// When nothing happens any more.
  func atLast(_ device: SimulatedDevice) throws {
    switch self {
    case .changedAtLast: try device.changeUnseen("UPDATE cards SET weight = 0.125")
    case .lostLetters: try device.change("DELETE FROM _dead")
    default: break
    }
  }

  func afterPushed(_ device: SimulatedDevice) throws {
    if self == .earlyReveal { try reveal(device) }
  }

  /// Has rows show what is confirmed, though sealed edits lie over it.
  private func reveal(_ device: SimulatedDevice) throws {
    let waiting = try device.connection.read { reader in
      try SQL("SELECT tbl, id, state FROM _shadow WHERE state IS NOT NULL ORDER BY tbl, id")
        .all(reader, as: String.self, String.self, Data.self)
    }
    for (table, id, state) in waiting {
      let row = RowID(table: table, id: id)
      let confirmed = try RowState(decoding: Array(state))
      for write in device.ledger.own where write.row == row {
        guard case .text(let bytes)? = confirmed.fields[write.column] else { continue }
        try device.changeUnseen(
          """
          UPDATE \(identifier: table)
          SET \(identifier: write.column) = \(CellValue(value: .text(bytes))) WHERE id = \(id)
          """)
      }
    }
  }

  func afterPulled(_ device: SimulatedDevice, _ report: PullReport) throws {
    guard report.isComplete else { return }
    switch self {
    case .cursorSetBack:
      for (scope, cursor) in device.cursors where cursor.seq > 0 {
        try device.change("UPDATE _cursor SET seq = 0 WHERE scope = \(scope)")
      }
    case .keptRevoked:
      try device.changeUnseen(
        """
        INSERT OR IGNORE INTO boards
        SELECT substr(scope, 7), 'kept', 0, 'draft' FROM _cursor WHERE role = 4
        """)
    case .changedBehind: try device.changeUnseen("UPDATE cards SET weight = 0.125")
    default: break
    }
  }

  /// Adds an op to the batches that have been sent and wait for an answer.
  private func sealAgain(_ device: SimulatedDevice) throws {
    let batches = try device.connection.read { reader in
      try SQL("SELECT k, content FROM _batch WHERE phase = 0").all(
        reader, as: Int64.self, Data.self)
    }
    for (key, content) in batches {
      let batch = try Batch(decoding: Array(content))
      guard let last = batch.ops.last, device.sealed.values.contains(batch.hash) else { continue }
      let other = Batch(
        batch.scope, number: batch.number, id: batch.id, ops: batch.ops + [last])
      let bytes = Data(other.encoded())
      try device.change("UPDATE _batch SET content = \(bytes) WHERE k = \(key)")
    }
  }
}

extension SimulatedDevice {
  /// Runs a statement on the file.
  func change(_ sql: SQL) throws {
    try connection.write { try sql.run($0) }
  }

  /// Runs a statement that is not captured.
  func changeUnseen(_ sql: SQL) throws {
    try connection.write { writer in
      try SQL("UPDATE _state SET applying = 1 WHERE k = 1").run(writer)
      try sql.run(writer)
      try SQL("UPDATE _state SET applying = 0 WHERE k = 1").run(writer)
    }
  }
}
