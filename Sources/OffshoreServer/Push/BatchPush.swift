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
  /// - Parameter memory: the room for current rows, and the totals of accounts, for all batches of
  ///   a push.
  func run(on transaction: inout some StorageTransaction, _ memory: inout PushMemory) throws
    -> BatchResult
  {
    // NB: Without a grant or a claim, nothing is stored, and the answer is the same for every
    // scope.
    let known = try transaction.grant(of: account, in: batch.scope)
    let command = MemberCommand(batch)
    guard let grant = try known ?? (command == nil ? claim(of: transaction) : nil) else {
      return result(Self.forbidden)
    }
    if known == nil, let refusal = try claimRefusal(transaction) { return result(refusal) }
    if rules.access.isDerived(grant, of: account) { return result(Self.forbidden) }
    let state = try transaction.device(device, in: batch.scope)
    if batch.number <= state.lastNumber {
      return try repeated(grant, on: transaction, &memory.room)
    }
    // NB: Another account may have a copy of the device's file, or may have read the device's name
    // in its changes.
    let owner = try state.account ?? transaction.owner(of: device)
    guard owner == nil || owner == account else { return result(.forked) }
    let twin = try state.lastNumber == 0 ? nil : twin(on: transaction)
    if let twin, isSame(twin) {
      return try repeating(twin.result, grant, on: transaction, &memory.room)
    }
    // NB: A member who may only read can leave.
    let isLeaving = command.map { AccountID($0.account) == account && !$0.role.canRead } ?? false
    let isAllowed = grant.role.canWrite || isLeaving && grant.role.canRead
    guard try isAllowed || keepsRefusals(state, transaction) else {
      return result(Self.forbidden)
    }
    guard batch.number == state.lastNumber + 1 else {
      return result(.gap(expected: state.lastNumber + 1))
    }
    var outcome = Self.forbidden
    if isAllowed, twin != nil {
      outcome = Self.usedID
    } else if isAllowed, let command {
      outcome = try perform(command, &memory, on: &transaction)
    } else if isAllowed {
      outcome = try apply(state, grant, isClaim: known == nil, &memory, on: &transaction)
    }
    var isMember = known != nil
    if case .applied = outcome { isMember = true }
    // NB: A refused batch that would have claimed the scope is not recorded, because the scope has
    // no owner.
    if isMember { try store(outcome, grant, state, hasID: twin == nil, in: &transaction) }
    return result(try addingCurrentRow(to: outcome, for: grant, on: transaction, &memory.room))
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

  /// Returns the grant of an owner if the account can claim the scope: its kind is claimable, it has
  /// no grants and no changes, and the batch changes something.
  private func claim(of transaction: some StorageTransaction) throws -> Grant? {
    guard !batch.ops.isEmpty, rules.manifest.claimableKinds.contains(batch.scope.kind),
      try !transaction.hasGrants(in: batch.scope),
      try transaction.scope(batch.scope).head == 0
    else { return nil }
    return Grant(batch.scope, .owner, seq: 0)
  }

  /// Returns the refusal of a claim if the account may not claim another scope, or another one of the
  /// kind.
  ///
  /// NB: Among all claims, scopes that the account has left count too, because their data stays.
  private func claimRefusal(
    _ transaction: some StorageTransaction
  ) throws -> BatchResult.Outcome? {
    guard try transaction.claimCount(of: account) < rules.maximumClaims else {
      return Self.claimsUsed
    }
    do {
      try rules.members.checkMemberships(of: account, batch.scope.kind, transaction)
      return nil
    } catch let error as AccountError {
      return .rejected(Rejection(Rejection.Code(error.code), error.message), current: nil)
    }
  }

  func result(_ outcome: BatchResult.Outcome, isRepeated: Bool = false) -> BatchResult {
    BatchResult(
      scope: batch.scope, number: batch.number, outcome: outcome, isRepeated: isRepeated)
  }

  // MARK: - Repeated batches

  /// Repeats the result under the number of the batch.
  private func repeated(
    _ grant: Grant, on transaction: some StorageTransaction, _ room: inout AnswerRoom
  ) throws -> BatchResult {
    let stored = try transaction.result(of: batch.number, by: device, in: batch.scope)
    if let stored, stored.hash == batch.hash {
      return try repeating(stored, grant, on: transaction, &room)
    }
    guard let twin = try twin(on: transaction), isSame(twin) else { return result(.forked) }
    return try repeating(twin.result, grant, on: transaction, &room)
  }

  private func repeating(
    _ stored: StoredResult, _ grant: Grant, on transaction: some StorageTransaction,
    _ room: inout AnswerRoom
  ) throws -> BatchResult {
    result(
      try addingCurrentRow(to: stored.outcome, for: grant, on: transaction, &room), isRepeated: true
    )
  }

  /// A stored batch with the id of this one.
  private typealias Twin = (number: Int64, result: StoredResult)

  /// Returns the batch of the device that has the same id.
  ///
  /// After a `gap` a device numbers its batches again, while a request with the former numbers may
  /// still be on its way. The answer to such a request uses up no number: the device has no batch
  /// any more that waits for it.
  private func twin(on transaction: some StorageTransaction) throws -> Twin? {
    try transaction.result(withID: batch.id, by: device, in: batch.scope)
  }

  /// Returns whether a stored batch has the same ops as this one.
  private func isSame(_ twin: Twin) -> Bool {
    Batch(batch.scope, number: twin.number, id: batch.id, ops: batch.ops).hash == twin.result.hash
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
    _ outcome: BatchResult.Outcome, _ grant: Grant, _ state: StoredDevice, hasID: Bool,
    in transaction: inout some StorageTransaction
  ) throws {
    var state = state
    (state.account, state.lastNumber) = (account, batch.number)
    if case .rejected = outcome {
      try RefusalRecorder(device: device, scope: batch.scope)
        .record(recordedOps, hasRefusals: state.hasRefusals, in: &transaction)
      state.hasRefusals = true
    }
    if grant.role.canWrite {
      state.forbiddenOps = 0
    } else if case .rejected = outcome {
      state.forbiddenOps += Int64(max(batch.ops.count, 1))
    }
    try transaction.setDevice(device, in: batch.scope, state)
    let result = StoredResult(
      id: hasID ? batch.id : nil, hash: batch.hash, outcome: outcome, time: now)
    try transaction.addResult(result, of: batch.number, by: device, in: batch.scope)
  }

  /// The ops that later ones may depend on. A row that no table can have has no later ops.
  private var recordedOps: [Op] {
    batch.ops.filter { rules.manifest[$0.row.table] != nil && $0.row.hasValidID }
  }

  /// Applies the batch, which also claims its scope if the account has no role there.
  private func apply(
    _ state: StoredDevice, _ grant: Grant, isClaim: Bool, _ memory: inout PushMemory,
    on transaction: inout some StorageTransaction
  ) throws -> BatchResult.Outcome {
    var staged: StagedBatch
    do {
      staged = try BatchStaging(
        self, role: grant.role, hasRefusals: state.hasRefusals, transaction
      ).run(&memory.processedBytes)
      try setPayers(in: &staged, grant, transaction)
      try rules.limits.check(staged, &memory.totals, on: transaction)
    } catch let rejection as Rejection {
      memory.totals.reset()
      return .rejected(rejection, current: nil)
    }
    let before = try transaction.scope(batch.scope)
    let begun = try staged.scopes.keys.filter { scope in
      try scope == batch.scope ? before.head == 0 : transaction.scope(scope).head == 0
    }
    if isClaim {
      // NB: Before the changes, so that the account receives their conflicts.
      try transaction.grant(.owner, to: account, in: batch.scope)
      try transaction.addClaim(of: account)
    }
    try staged.store(at: now, in: &transaction)
    for edit in staged.reapplied {
      try transaction.removeRefusals(of: edit.row, at: edit.stamp, by: device, in: batch.scope)
    }
    let stored = staged.scopes[batch.scope] ?? before
    var after = stored
    try Cascade(rules: rules, scope: batch.scope, now: now)
      .run(after: staged, &after, &memory.processedBytes, in: &transaction)
    if after != stored {
      try transaction.setScope(batch.scope, after)
      memory.totals.reset()
    }
    for scope in begun.sorted() { try addMembers(to: scope, in: &transaction) }
    return .applied(SeqRange(first: before.head + 1, count: after.head - before.head))
  }

  /// Performs a command about a member.
  private func perform(
    _ command: MemberCommand, _ memory: inout PushMemory,
    on transaction: inout some StorageTransaction
  ) throws -> BatchResult.Outcome {
    if let failure { return .rejected(failure.rejection, current: nil) }
    let followers = rules.access.follow(from: batch.scope.kind)
    memory.processedBytes += followers ? rules.bytesPerDerivation : rules.bytesPerCommand
    let before = try transaction.scope(batch.scope).head
    do {
      try rules.members.perform(
        command, by: account, in: batch.scope, at: now, on: &transaction)
    } catch let error as AccountError {
      let row = MemberRow.id(of: command.account)
      return .rejected(
        Rejection(Rejection.Code(error.code), error.message, row: row), current: nil)
    }
    let head = try transaction.scope(batch.scope).head
    // The scope may have been removed, so that it counts for no account any more.
    if !command.role.canRead { memory.totals.reset() }
    return .applied(SeqRange(first: before + 1, count: head - before))
  }

  /// Adds the rows of all members to a scope that has its first change.
  private func addMembers(
    to scope: ScopeID, in transaction: inout some StorageTransaction
  ) throws {
    var state = try transaction.scope(scope)
    try MemberRows(personalKinds: rules.manifest.personalKinds, at: now)
      .writeAll(in: scope, &state, on: &transaction)
    try transaction.setScope(scope, state)
  }

  /// Records the account as the one for which the rows of scopes count, if it owns them and no
  /// account is recorded yet.
  private func setPayers(
    in staged: inout StagedBatch, _ grant: Grant, _ transaction: some StorageTransaction
  ) throws {
    for (scope, state) in staged.scopes where state.payer == nil {
      let role =
        scope == batch.scope ? grant.role : try transaction.grant(of: account, in: scope)?.role
      if role == .owner { staged.setPayer(account, of: scope) }
    }
  }

  // MARK: - Refusals

  private static var claimsUsed: BatchResult.Outcome {
    .rejected(
      Rejection(
        .limitReached,
        """
        This account has begun as much as one account may. Continue what it has begun, or use \
        another account.
        """), current: nil)
  }

  private static var usedID: BatchResult.Outcome {
    .rejected(
      Rejection(.invalidOp, "Another batch had this id. Give each batch an id of its own."),
      current: nil)
  }

  private static var forbidden: BatchResult.Outcome {
    .rejected(
      Rejection(.forbidden, "You may not write here. Ask the owner to let you."), current: nil)
  }
}

/// The state that the batches of a push share.
struct PushMemory {
  var room = AnswerRoom()
  var totals = AccountTotals()
  /// The bytes of rows and conflicts that the batches have read and written.
  var processedBytes = 0
}

extension Rejection.Code {
  /// Creates the code of a refused command.
  fileprivate init(_ code: AccountError.Code) {
    switch code {
    case .forbidden: self = .forbidden
    case .limitReached: self = .limitReached
    case .lastOwner: self = .lastOwner
    case .scopeFull: self = .scopeFull
    case .accountFull: self = .accountFull
    default: self = .invalidOp
    }
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
