import Foundation
import OffshoreHTTP
import OffshoreWire

/// Takes changes of single rows, each as a batch of a device that stands for the client's token.
///
/// So a change goes through the checks and the merge of a push, and reaches devices by a pull. One that
/// is refused leaves no trace: it was an attempt, which nothing builds on.
struct RowWriting: Sendable {
  let rules: PushRules
  let account: AccountID
  let device: DeviceID
  let now: Int64

  init(_ rules: PushRules, _ account: AccountID, token: ContentHash, at now: Int64) throws {
    self.rules = rules
    self.account = account
    self.now = now
    // The token's hash is stored; the device is told to everybody who reads what it has written.
    let name = ContentHash(of: Array("row API ".utf8) + token.bytes)
    device = try DeviceID(decoding: Array(name.bytes.prefix(16)))
  }

  /// Takes a change.
  /// - Returns: the row, or `nil` where it was deleted.
  /// - Throws: `ResourceError`: what `RowReading` and `Preconditions` throw, 409 for an insertion of a
  ///   row that is there, and what the rules refuse; what the log throws.
  func apply(
    _ change: RowChange, if preconditions: Preconditions, to log: inout some ChangeLogWriter
  ) throws -> SyncedRow? {
    let state = try current(change, preconditions, log)
    let number = try log.device(device, in: change.place.scope).lastNumber + 1
    let stamp = Stamp(
      milliseconds: now, counter: UInt16(truncatingIfNeeded: number), device: device)
    let ops = try change.ops(on: state, at: stamp)
    if !ops.isEmpty { try push(ops, number, change.place.scope, to: &log) }
    let row = RowID(table: change.table.name, id: change.place.id)
    let written = try log.row(row, in: change.place.scope)
    return written?.state.isLiving == true ? written : nil
  }

  /// What the row is before the change, as far as the account may know.
  private func current(
    _ change: RowChange, _ preconditions: Preconditions, _ log: some ChangeLogReader
  ) throws -> RowState? {
    let grant = try log.grant(of: account, in: change.place.scope)
    let reading = RowReading(table: change.table, account: account, log: log)
    if case .insert = change.kind {
      // NB: Whether a row is there only a reader learns. The rules see to the others.
      guard let grant, grant.role.canRead else { return nil }
      let row = RowID(table: change.table.name, id: change.place.id)
      let state = try log.row(row, in: change.place.scope)?.state
      if let state, state.isLiving { throw Self.exists(EntityTag(state, rules.manifest)) }
      return state
    }
    let state = try reading.row(change.place).state
    guard grant?.role.canWrite == true else { throw ResourceError.forbidden }
    try preconditions.check(EntityTag(state, rules.manifest))
    return state
  }

  private func push(
    _ ops: [Op], _ number: Int64, _ scope: ScopeID, to log: inout some ChangeLogWriter
  ) throws {
    let batch = Batch(scope, number: number, id: try batchID(number, scope), ops: ops)
    let request = PushRequest(
      device: device, epoch: 0, manifestVersion: rules.manifest.version, batches: [batch])
    switch try rules.apply(request, of: account, at: now, to: &log).results.first?.outcome {
    case .applied: return
    case .rejected(let rejection, _): throw ResourceError(rejection)
    case .forked, .gap, nil: throw Self.nameTaken
    }
  }

  /// NB: The name stands in what was written, so others may have taken it in another scope.
  private static let nameTaken = ResourceError(
    .conflict, "nameTaken",
    "Another device writes here under the name of this token. Sign in again, for another token.")

  private func batchID(_ number: Int64, _ scope: ScopeID) throws -> UUID {
    var writer = WireWriter()
    writer.value(device)
    writer.value(scope)
    writer.signed(number)
    return try DeviceID(decoding: Array(ContentHash(of: writer.bytes).bytes.prefix(16))).uuid
  }

  private static func exists(_ tag: EntityTag) -> ResourceError {
    ResourceError(
      .conflict, "exists", "There is a row with this id. PATCH changes it.", entityTag: tag)
  }
}
