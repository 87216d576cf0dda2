import OffshoreWire
import ServerSupport

@testable import OffshoreServer

/// A log in memory that counts what the push rules read.
struct CountingLog: TransactionWrapper {
  /// The reads so far. It is a reference, because reads do not change a transaction.
  final class Counts {
    /// The refusals that were read.
    var refusals = 0
    /// The rows that were read with their values, without those that were stored since.
    var held = 0
    /// The most rows that were read and not stored yet.
    var mostHeld = 0
    /// The numbers of grants that were read.
    var grants = 0
  }

  var base: MemoryState
  let counts = Counts()

  init(_ base: MemoryState) { self.base = base }

  func refusals(of row: RowID, by device: DeviceID, in scope: ScopeID) -> [Refusal] {
    let found = base.refusals(of: row, by: device, in: scope)
    counts.refusals += found.count
    return found
  }

  func row(_ row: RowID, in scope: ScopeID) -> SyncedRow? {
    counts.held += 1
    counts.mostHeld = max(counts.held, counts.mostHeld)
    return base.row(row, in: scope)
  }

  func presence(of row: RowID, in scope: ScopeID) -> RowState.Presence? {
    base.row(row, in: scope)?.state.presence
  }

  mutating func setRow(_ row: SyncedRow, in scope: ScopeID) {
    counts.held -= 1
    base.setRow(row, in: scope)
  }

  func grants(of account: AccountID, after seq: Int64) -> [Grant] {
    let found = base.grants(of: account, after: seq)
    counts.grants += found.count
    return found
  }
}

extension TestServer {
  /// Pushes one batch of a device, and counts the reads.
  mutating func counting(
    _ number: Int64, _ ops: [Op], device: UInt8 = 1, account: UInt8 = 1
  ) throws -> (outcome: BatchResult.Outcome?, counts: CountingLog.Counts) {
    var counting = CountingLog(log)
    let request = PushRequest(
      device: .sample(device), epoch: 7, manifestVersion: 1,
      batches: [try Self.batch(number, ops)])
    let response = try pushRules.apply(request, of: .sample(account), at: now, to: &counting)
    log = counting.base
    return (response.results.first?.outcome, counting.counts)
  }
}
