import Foundation
import OffshoreHTTP
import OffshoreWire

/// The result of a change of a row.
struct WrittenRow: Sendable {
  let place: RowPlace
  /// The current row, or `nil` if it was deleted.
  let row: SyncedRow?
  /// Whether this change has inserted the row. It is `false` for a repeated change.
  var isNew = false
}

/// Write access to single rows. Each change is pushed as a batch of a device that represents the
/// client's access token.
///
/// So a change passes the checks and the merge of a push, and devices pull it. A refused change is
/// not stored, because no later change depends on it.
struct RowWriting: Sendable {
  let rules: PushRules
  let account: AccountID
  let device: DeviceID
  let now: Int64

  init(_ rules: PushRules, _ account: AccountID, token: ContentHash, at now: Int64) throws {
    self.rules = rules
    self.account = account
    self.now = now
    // Not the token's hash itself: all readers of a scope see the devices that have changed it.
    let name = ContentHash(of: Array("row API ".utf8) + token.bytes)
    device = try DeviceID(decoding: Array(name.bytes.prefix(16)))
  }

  /// Applies a change, unless one was applied under the same key.
  /// - Returns: the current row.
  /// - Throws: the errors of `apply(_:if:to:)`; `ResourceError` with the code `keyReused` if
  ///   another request had the key.
  func apply(
    _ change: RequestedChange, once key: IdempotencyKey?, if preconditions: Preconditions,
    to transaction: inout some StorageTransaction
  ) throws -> WrittenRow {
    guard let key else { return try apply(change, if: preconditions, to: &transaction) }
    if let record = try transaction.idempotencyRecord(key.hash), now < record.expires {
      return try repeated(record, key, change, transaction)
    }
    let written = try apply(change, if: preconditions, to: &transaction)
    try transaction.removeIdempotencyRecords(at: now)
    try transaction.setIdempotencyRecord(
      IdempotencyRecord(
        key: key.hash, request: key.request, scope: change.place.scope,
        row: RowID(table: change.table.name, id: change.place.id),
        expires: now + IdempotencyKey.lifetime))
    return written
  }

  private func repeated(
    _ record: IdempotencyRecord, _ key: IdempotencyKey, _ change: RequestedChange,
    _ transaction: some StorageTransaction
  ) throws -> WrittenRow {
    guard record.request == key.request else {
      throw ResourceError(
        .unprocessableContent, "keyReused",
        "Another request had this Idempotency-Key. Make a new key for each change.")
    }
    let place = RowPlace(record.scope, record.row.id)
    if case .delete = change.kind { return WrittenRow(place: place, row: nil) }
    let reading = RowReading(table: change.table, account: account, access: rules.access)
    return WrittenRow(place: place, row: try reading.row(place, from: transaction))
  }

  /// Applies a change.
  /// - Throws: `ResourceError`: the errors of `RowReading` and `Preconditions`, 409 for the
  ///   insertion of a row that exists, and refusals by the push rules; any error of the storage.
  func apply(
    _ change: RequestedChange, if preconditions: Preconditions,
    to transaction: inout some StorageTransaction
  ) throws -> WrittenRow {
    let state = try current(change, preconditions, transaction)
    let isSeen = state.map { preconditions.names(EntityTag($0, rules.manifest)) } ?? false
    let number = try transaction.device(device, in: change.place.scope).lastNumber + 1
    let stamp = Stamp(
      milliseconds: now, counter: UInt16(truncatingIfNeeded: number), device: device)
    let ops = try change.ops(on: state, at: stamp, isSeen: isSeen)
    if !ops.isEmpty { try push(ops, number, change.place.scope, to: &transaction) }
    let row = RowID(table: change.table.name, id: change.place.id)
    let written = try transaction.row(row, in: change.place.scope)
    return WrittenRow(
      place: change.place, row: written?.state.isLiving == true ? written : nil,
      isNew: state?.isLiving != true)
  }

  /// Returns the state of the row before the change, or `nil` if it is missing or hidden from the
  /// account.
  private func current(
    _ change: RequestedChange, _ preconditions: Preconditions,
    _ transaction: some StorageTransaction
  ) throws -> RowState? {
    let grant = try transaction.grant(of: account, in: change.place.scope)
    switch change.kind {
    case .insert:
      let state = try stored(change, grant, transaction)
      if let state, state.isLiving { throw Self.exists(EntityTag(state, rules.manifest)) }
      return state
    case .put:
      if let role = grant?.role, role.canRead, !role.canWrite { throw ResourceError.forbidden }
      let state = try stored(change, grant, transaction)
      let living = state.flatMap { $0.isLiving ? $0 : nil }
      try preconditions.checkReplacement(of: living.map { EntityTag($0, rules.manifest) })
      return state
    case .patch, .delete: return try existing(change, grant, preconditions, transaction)
    }
  }

  /// Returns the state of a row or tombstone that an insertion may replace.
  ///
  /// NB: Only a reader learns whether the row exists. For others the push rules refuse the change.
  private func stored(
    _ change: RequestedChange, _ grant: Grant?, _ transaction: some StorageTransaction
  ) throws -> RowState? {
    guard let grant, grant.role.canRead else { return nil }
    let row = RowID(table: change.table.name, id: change.place.id)
    return try transaction.row(row, in: change.place.scope)?.state
  }

  /// Returns the state of a row that the account may change.
  private func existing(
    _ change: RequestedChange, _ grant: Grant?, _ preconditions: Preconditions,
    _ transaction: some StorageTransaction
  ) throws -> RowState {
    let state = try RowReading(table: change.table, account: account, access: rules.access)
      .row(change.place, from: transaction).state
    guard grant?.role.canWrite == true else { throw ResourceError.forbidden }
    try preconditions.check(EntityTag(state, rules.manifest))
    return state
  }

  private func push(
    _ ops: [Op], _ number: Int64, _ scope: ScopeID, to transaction: inout some StorageTransaction
  ) throws {
    let batch = Batch(scope, number: number, id: try batchID(number, scope), ops: ops)
    let request = PushRequest(
      device: device, epoch: 0, manifestVersion: rules.manifest.version, batches: [batch])
    switch try rules.apply(request, of: account, at: now, to: &transaction).results.first?.outcome {
    case .applied: return
    case .rejected(let rejection, _): throw ResourceError(rejection)
    case .forked, .gap, nil: throw Self.nameTaken
    }
  }

  /// NB: The device's name is visible in its changes, so another account may use it in another
  /// scope.
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
      .conflict, "exists", "There is a row with this id. PATCH or PUT changes it.", entityTag: tag)
  }
}
