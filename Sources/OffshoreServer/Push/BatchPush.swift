import OffshoreWire

/// The push of one batch.
struct BatchPush {
  let rules: PushRules
  let batch: Batch
  let failure: VerifiedPush.Failure?
  let device: DeviceID
  let account: AccountID
  let now: Int64

  /// Repeats the stored result of the batch, refuses it, or applies it.
  /// - Parameter room: the room for current rows in rejections.
  func run(on transaction: inout some StorageTransaction, _ room: inout AnswerRoom) throws
    -> BatchResult
  {
    // NB: Without a grant or a claim, nothing is stored, and the answer is the same for every
    // scope.
    let known = try transaction.grant(of: account, in: batch.scope)
    guard let grant = try known ?? claim(of: transaction) else { return result(Self.forbidden) }
    guard try known != nil || mayClaimMore(transaction) else { return result(Self.limitReached) }
    let state = try transaction.device(device, in: batch.scope)
    if batch.number <= state.lastNumber { return try repeated(grant, on: transaction, &room) }
    // NB: Another account may have a copy of the device's file, or may have read the device's name
    // in its changes.
    let owner = try state.account ?? transaction.owner(of: device)
    guard owner == nil || owner == account else { return result(.forked) }
    guard try grant.role.canWrite || keepsRefusals(state, transaction) else {
      return result(Self.forbidden)
    }
    guard batch.number == state.lastNumber + 1 else {
      return result(.gap(expected: state.lastNumber + 1))
    }
    let outcome = try grant.role.canWrite ? apply(state, on: &transaction) : Self.forbidden
    var isMember = known != nil
    if !isMember, case .applied = outcome {
      try transaction.grant(.owner, to: account, in: batch.scope)
      isMember = true
    }
    // NB: A refused batch that would have claimed the scope is not recorded, because the scope has
    // no owner.
    if isMember { try store(outcome, grant, state, in: &transaction) }
    return result(try addingCurrentRow(to: outcome, for: grant, on: transaction, &room))
  }

  /// Returns whether to record the refusal of a batch though the account may not write.
  ///
  /// Without a record, the batch could arrive again later, and take effect once the account may
  /// write. The number of records is limited. A device stored before accounts were recorded gets
  /// none.
  private func keepsRefusals(_ state: StoredDevice, _ transaction: some StorageTransaction) throws
    -> Bool
  {
    if state.account == account { return state.forbiddenOps < rules.maximumForbiddenOps }
    guard state.lastNumber == 0 else { return false }
    return try transaction.deviceCount(of: account, in: batch.scope) < rules.maximumForbiddenDevices
  }

  // MARK: - Claims

  /// Returns the grant of an owner if the account can claim the scope: its kind is claimable, and
  /// it has no grants and no changes.
  private func claim(of transaction: some StorageTransaction) throws -> Grant? {
    guard rules.manifest.claimableKinds.contains(batch.scope.kind),
      try !transaction.hasGrants(in: batch.scope),
      try transaction.scope(batch.scope).head == 0
    else { return nil }
    return Grant(batch.scope, .owner, seq: 0)
  }

  private func mayClaimMore(_ transaction: some StorageTransaction) throws -> Bool {
    let own = try transaction.grants(of: account, after: 0).count { grant in
      grant.role == .owner && rules.manifest.claimableKinds.contains(grant.scope.kind)
    }
    return own < rules.maximumClaims
  }

  func result(_ outcome: BatchResult.Outcome, isRepeated: Bool = false) -> BatchResult {
    BatchResult(
      scope: batch.scope, number: batch.number, outcome: outcome, isRepeated: isRepeated)
  }

  // MARK: - Repeated batches

  private func repeated(
    _ grant: Grant, on transaction: some StorageTransaction, _ room: inout AnswerRoom
  ) throws -> BatchResult {
    let stored = try transaction.result(of: batch.number, by: device, in: batch.scope)
    guard let stored, stored.hash == batch.hash else { return result(.forked) }
    return result(
      try addingCurrentRow(to: stored.outcome, for: grant, on: transaction, &room), isRepeated: true
    )
  }

  /// Adds the current row to a rejection, if the account may read it and it fits into the answer.
  ///
  /// NB: The row is not stored with the result. Otherwise it would be stored for each batch ever
  /// rejected.
  private func addingCurrentRow(
    to outcome: BatchResult.Outcome, for grant: Grant, on transaction: some StorageTransaction,
    _ room: inout AnswerRoom
  ) throws -> BatchResult.Outcome {
    guard case .rejected(let rejection, _) = outcome else { return outcome }
    guard let row = rejection.row, grant.role.canRead, !room.isFull else {
      return .rejected(rejection, current: nil)
    }
    let current = try transaction.row(row, in: batch.scope)
    return .rejected(rejection, current: current.flatMap { room.reserve($0) })
  }

  // MARK: - New batches

  /// Stores the result of the batch, to repeat it and to recognize batches that depend on it.
  private func store(
    _ outcome: BatchResult.Outcome, _ grant: Grant, _ state: StoredDevice,
    in transaction: inout some StorageTransaction
  ) throws {
    var state = state
    (state.account, state.lastNumber) = (account, batch.number)
    if case .rejected = outcome {
      for op in batch.ops { try transaction.addRefusal(Refusal(op), by: device, in: batch.scope) }
      state.hasRefusals = true
    }
    state.forbiddenOps =
      grant.role.canWrite ? 0 : state.forbiddenOps + Int64(max(batch.ops.count, 1))
    try transaction.setDevice(device, in: batch.scope, state)
    try transaction.addResult(
      StoredResult(hash: batch.hash, outcome: outcome), of: batch.number, by: device,
      in: batch.scope)
  }

  private func apply(
    _ state: StoredDevice, on transaction: inout some StorageTransaction
  ) throws -> BatchResult.Outcome {
    let staged: StagedBatch
    do {
      staged = try BatchStaging(self, hasRefusals: state.hasRefusals, transaction).run()
    } catch let rejection as Rejection {
      return .rejected(rejection, current: nil)
    }
    let before = try transaction.scope(batch.scope).head
    let after = staged.scopes[batch.scope]?.head ?? before
    try staged.store(in: &transaction)
    for (row, stamp) in staged.reapplied {
      try transaction.removeRefusals(of: row, at: stamp, by: device, in: batch.scope)
    }
    return .applied(SeqRange(first: before + 1, count: after - before))
  }

  private static var limitReached: BatchResult.Outcome {
    .rejected(
      Rejection(.limitReached, "You own as much as one account may. Leave what you do not need."),
      current: nil)
  }

  private static var forbidden: BatchResult.Outcome {
    .rejected(
      Rejection(.forbidden, "You may not write here. Ask the owner to let you."), current: nil)
  }
}

/// The bytes that are left for rows in the answer to a push.
struct AnswerRoom {
  private var bytes: Int

  init(bytes: Int = WireLimits.rowBytes) { self.bytes = bytes }

  /// Whether a row did not fit. Later rows are not read then.
  private(set) var isFull = false

  /// Reserves room for a row.
  /// - Returns: the row, or `nil` if it does not fit.
  mutating func reserve(_ row: SyncedRow) -> SyncedRow? {
    isFull = isFull || row.state.byteCount > bytes
    guard !isFull else { return nil }
    bytes -= row.state.byteCount
    return row
  }
}
