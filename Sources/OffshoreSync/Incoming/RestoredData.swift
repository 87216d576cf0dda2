import Offshore
import OffshoreWire

/// The recognition of server data that was restored from a copy.
extension PullIntake {
  /// Starts to fetch a scope again.
  /// - Parameter isRestored: whether the device has seen changes that the data lacks, though both have
  ///   the same epoch: no new one was begun after a restore.
  mutating func restart(_ answer: ScopeAnswer, isRestored: Bool) throws {
    guard var cursor = cursors[answer.scope] else { return }
    if isRestored || cursor.epoch != answer.epoch {
      try FileQueue.sendAgain(to: answer.scope, writer)
    }
    if isRestored { cursor.epoch = ScopeCursor.unknownEpoch }
    cursor.restart(epoch: answer.epoch)
    if cursor.conflicts == 0 {
      // Restored data uses the numbers of lost conflicts again, for other conflicts.
      try StoredConflict.where { $0.scope == answer.scope }.delete(writer)
    }
    try StagedPage.of(answer.scope).delete(writer)
    if var arrival = arrivals[answer.scope] {
      arrival.idle = nil
      try save(arrival)
    }
    try set(cursor)
  }

  /// Returns whether the device has applied changes of a scope that follow the server's last one, if
  /// the server cannot continue from the device's last one. Of a large new scope, some rows are shown
  /// before the first number is applied.
  /// - Parameter minSeq: the first number from which the server can continue.
  func isAhead(of minSeq: Int64, in answer: ScopeAnswer) -> Bool {
    guard let cursor = cursors[answer.scope], cursor.epoch != 0 else { return false }
    let seen = arrivals[answer.scope] == nil ? cursor.seq : cursor.seen
    return cursor.epoch == answer.epoch && seen >= minSeq
  }

  /// Returns whether the data of a page lacks batches of this device that an earlier page included.
  func lacksBatches(_ page: ScopePage, _ answer: ScopeAnswer) throws -> Bool {
    guard let cursor = cursors[answer.scope], cursor.epoch != 0, cursor.epoch == answer.epoch,
      cursor.device == device, cursor.sent > page.lastBatch
    else { return false }
    // A batch that was answered after the request may be missing on the page.
    let last = try SentBatches(writer: writer)
      .lastNumber(of: device, in: answer.scope, upTo: answered[answer.scope] ?? 0)
    return last > page.lastBatch
  }

  /// Requests all grants again if the server's epoch changed, because it may have granted other
  /// roles.
  /// - Returns: whether the server has other data than the device knows.
  mutating func recordEpochs(_ response: PullResponse) throws -> Bool {
    let former = try ReplicaState(writer)
    var state = former
    let epochs = [response.epoch] + response.scopes.map(\.epoch)
    let isOtherData = epochs.contains { state.epoch != 0 && $0 != 0 && $0 != state.epoch }
    if isOtherData {
      state.grants = 0
      try Reopening(writer).runUnpulled(of: device)
      try FileQueue.sendAgainUnpulled(writer)
    }
    if response.scopes.isEmpty {
      // Only pages store their epoch when they are applied, and this answer has none.
      state.epoch = response.epoch
      if isOtherData { report.hasMore = true }
    }
    if state != former { try state.save(writer) }
    return isOtherData
  }

  /// Returns the scopes of pages whose data may lack changes that this device has seen: it has another
  /// epoch, or ends before the device's last change, or lacks batches of a scope that was not granted for
  /// a while.
  /// - Parameter epoch: the last epoch known on the device.
  func olderScopes(
    _ pages: [(answer: ScopeAnswer, page: ScopePage)], after epoch: UInt64
  ) throws -> Set<ScopeID> {
    var older: Set<ScopeID> = []
    for (answer, page) in pages {
      let cursor = cursors[answer.scope]
      if isOther(answer.epoch, than: cursor, or: epoch) || page.head < cursor?.seq ?? 0 {
        older.insert(answer.scope)
      } else if cursor?.epoch == 0, cursor?.sent ?? 0 > page.lastBatch,
        // A batch that was answered after the request may be missing on the page.
        try SentBatches(writer: writer).lastStoredNumber(
          of: device, in: answer.scope, upTo: answered[answer.scope] ?? 0) > page.lastBatch
      {
        older.insert(answer.scope)
      }
    }
    return older
  }

  /// Returns whether an epoch differs from the last one known in a scope or, if the scope has none,
  /// on the device. An epoch of 0 is unknown and never differs.
  func isOther(_ epoch: UInt64, than cursor: ScopeCursor?, or last: UInt64) -> Bool {
    let known = cursor.map { $0.epoch == 0 ? last : $0.epoch } ?? last
    return known != 0 && epoch != 0 && known != epoch
  }
}
