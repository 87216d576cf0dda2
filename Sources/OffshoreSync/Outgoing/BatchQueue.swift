import Foundation
import Offshore
import OffshoreWire

/// The queue of sealed batches, which are numbered, and stored until they are answered. Use it
/// within one write.
struct BatchQueue {
  let writer: Writer
  let makeID: () -> UUID

  /// Appends a batch with the next number of its scope.
  /// - Parameters:
  ///   - parts: the part that each op belongs to; see ``TransactionParts``.
  ///   - made: the time of the oldest change in the batch, in milliseconds since 1970 by the
  ///     device's clock.
  ///   - attempts: the number of times that the ops were refused.
  ///   - rejection: the last reason for which they were refused.
  @discardableResult
  func add(
    _ ops: [Op], _ parts: [Int], made: Int64, in scope: ScopeID, by device: DeviceID,
    attempts: Int64 = 0, rejection: Rejection? = nil
  ) throws -> Batch {
    let number = try nextNumber(in: scope, of: device)
    let batch = Batch(scope, number: number, id: makeID(), ops: ops)
    try SealedBatch(
      device: device, batch: batch, parts: parts, made: made, attempts: attempts,
      rejection: rejection
    ).insert(writer)
    return batch
  }

  /// Appends ops of a batch again, under the present id of the device.
  func add(_ group: Verdict.Group, of sealed: SealedBatch) throws {
    guard !group.ops.isEmpty else { return }
    let device = try ReplicaState(writer).device
    var renaming = Renaming(from: sealed.device, to: device)
    try add(
      sealed.device == device ? group.ops : group.ops.map { renaming.rename($0) }, group.parts,
      made: sealed.made, in: sealed.scope, by: device, attempts: group.attempts,
      rejection: sealed.rejection)
  }

  /// Returns the next number in a scope. Numbers begin at 1 again if the device got a new id.
  private func nextNumber(in scope: ScopeID, of device: DeviceID) throws -> Int64 {
    var cursor = try ScopeCursor.of(scope, writer)
    if cursor.device != device { (cursor.device, cursor.sent, cursor.offered) = (device, 0, 0) }
    cursor.sent += 1
    try cursor.saveNumber(writer)
    return cursor.sent
  }

  /// Records that batches are part of a request from now on, so that they cannot be cancelled.
  static func offer(_ batches: [Batch], of device: DeviceID, _ writer: Writer) throws {
    let last = Dictionary(
      batches.map { ($0.scope, $0.number) }, uniquingKeysWith: { max($0, $1) })
    for (scope, number) in last.sorted(by: { $0.key < $1.key }) {
      // NB: SQL, because it runs for each scope of each request.
      try SQL(
        """
        UPDATE _cursor SET offered = \(number)
        WHERE scope = \(scope.text) AND offered < \(number)
          AND device = \(device, as: CodecKind<MessageCodec>())
        """
      ).run(writer)
    }
  }

  /// Deletes batches that were never part of a request. Those after them in their scopes are numbered
  /// again.
  static func cancel(_ batches: [SealedBatch], _ writer: Writer) throws {
    for (scope, cancelled) in Dictionary(grouping: batches, by: \.scope) {
      for sealed in cancelled { try sealed.delete(writer) }
      for (device, cancelled) in Dictionary(grouping: cancelled, by: \.device) {
        let rest = try SealedBatch.inOrder(of: scope)
          .where { $0.device == device && $0.phase == .waiting }.min(writer) { $0.number }
        guard let first = (cancelled.map(\.number) + [rest].compactMap(\.self)).min() else {
          continue
        }
        try renumber(scope, of: device, after: first - 1, writer)
      }
    }
  }

  /// Numbers the unanswered batches of a scope again, without gaps.
  /// - Parameter last: the number of the last batch with a final answer, which the first one
  ///   follows.
  static func renumber(
    _ scope: ScopeID, of device: DeviceID, after last: Int64, _ writer: Writer
  ) throws {
    let missing = try SealedBatch.inOrder(of: scope)
      .where { $0.device == device && $0.phase == .waiting }.all(writer)
    let former = try ScopeCursor.of(scope, writer).offered
    let offered = missing.count { $0.number <= former }
    var number = last
    for batch in missing {
      number += 1
      try batch.resealed(batch.batch.ops, by: device, number: number).save(writer)
    }
    try ScopeCursor.find(scope).where { $0.device == device }
      .update(writer) { [$0.sent.set(number), $0.offered.set(last + Int64(offered))] }
  }

  /// Replaces a batch that the server has not received by two, the first with `count` ops. The
  /// batches after it in its scope stay behind both, and are numbered again.
  func divide(_ batch: SealedBatch, after count: Int) throws {
    let later = try SealedBatch.inOrder(of: batch.scope)
      .where { $0.device == batch.device && $0.phase == .waiting && $0.number > batch.number }
      .all(writer)
    let (first, second) = batch.divided(after: count, makeID)
    try first.save(writer)
    for next in [second] + later.map(\.unplaced) { try next.insert(writer) }
    for former in later { try former.delete(writer) }
    try Self.renumber(batch.scope, of: batch.device, after: batch.number - 1, writer)
  }

  /// Assigns a new device id to the unanswered batches of a scope, and to those that were never sent
  /// because their scopes have no grant: another device with a copy of the file uses the former id.
  ///
  /// The device has the new id from then on, unless it already has another one than the batches.
  /// - Parameters:
  ///   - first: the number of the first batch under the former id that the server does not have.
  ///   - newDevice: creates the new id.
  /// - Returns: the batches with the new id.
  func rename(
    _ scope: ScopeID, from old: DeviceID, number first: Int64, _ queries: BatchQueries,
    newDevice: () -> DeviceID
  ) throws -> [SealedBatch] {
    var state = try ReplicaState(writer)
    if state.device == old {
      state.rename(newDevice())
      try state.save(writer)
    }
    return try rename(scope, from: old, number: first, to: state.device)
      + renameUnsent(to: state.device, queries)
  }

  /// Assigns a new device id to the batches that were never sent because their scopes have no
  /// grant.
  /// - Returns: the batches with the new id.
  func renameUnsent(to new: DeviceID, _ queries: BatchQueries) throws -> [SealedBatch] {
    let unsent = try queries.unsendable.where { $0.device != new }
      .select({ (scope: $0, device: $1) }) { batch in
        batch.scope
        batch.device
      }.distinct().all(writer)
    return try unsent.sorted { ($0.scope, $0.device) < ($1.scope, $1.device) }
      .flatMap { try rename($0.scope, from: $0.device, number: 1, to: new) }
  }

  /// Assigns a new device id to the unanswered batches of a scope, and numbers them from 1.
  /// - Parameter first: the number of the forked batch, with which the batches under the former id
  ///   begin.
  /// - Returns: the batches with the new id.
  func rename(
    _ scope: ScopeID, from old: DeviceID, number first: Int64, to new: DeviceID
  ) throws -> [SealedBatch] {
    let waiting = try SealedBatch.inOrder(of: scope).where { batch in
      batch.phase == .waiting
        && (batch.device == new || batch.device == old && batch.number >= first)
    }.all(writer)
    var renaming = Renaming(from: old, to: new)
    var renamed: [SealedBatch] = []
    for batch in waiting {
      renamed.append(renaming.rename(batch, number: Int64(renamed.count + 1)))
      try renamed.last?.save(writer)
    }
    // NB: All count as part of a request, because the former number of the last one is not valid here.
    try ScopeCursor.find(scope).update(writer) {
      [
        $0.device.set(new), $0.sent.set(Int64(renamed.count)),
        $0.offered.set(Int64(renamed.count)),
      ]
    }
    return renamed
  }
}

/// The first unanswered batch of each scope, among those of one device id.
///
/// It is the id of the oldest unanswered batch, because batches of that id may have reached the
/// server. Scopes in which the account never had a role, and which cannot be claimed, are left out:
/// their batches were never sent.
struct UnansweredBatches {
  /// The device id of the batches, or `nil` if there are no unanswered ones.
  private(set) var device: DeviceID?
  /// The number of the first unanswered batch in each scope.
  private(set) var first: [ScopeID: Int64] = [:]

  init(_ reader: Reader, _ queries: BatchQueries) throws {
    let found = try queries.first.all(reader)
    device = found.first?.device
    for batch in found where batch.device == device { first[batch.scope] = batch.number }
  }
}
