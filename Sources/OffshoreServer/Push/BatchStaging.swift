import OffshoreWire

/// The merge of a batch's ops, which are all accepted or all rejected.
struct BatchStaging<Transaction: StorageTransaction> {
  private let push: BatchPush
  private let hasRefusals: Bool
  private let transaction: Transaction
  private let role: Role
  private var staged: StagedBatch
  /// The check of the writers, or `nil` if all members may write all tables.
  private var writers: WriterCheck?
  /// The refused ops on each row of the batch that are not applied again by it.
  private var refused: [RowID: RefusedOps] = [:]
  /// The references that the batch writes. They are checked last, because a later op may insert
  /// their targets.
  private var written: [(place: StagedBatch.Place, column: SyncedColumn)] = []

  /// Prepares the merge.
  /// - Parameters:
  ///   - role: the role of the account in the scope of the batch.
  ///   - hasRefusals: whether ops of the device in the scope were refused before.
  init(_ push: BatchPush, role: Role, hasRefusals: Bool, _ transaction: Transaction) {
    self.push = push
    self.role = role
    self.hasRefusals = hasRefusals
    writers = push.rules.hasWriters ? WriterCheck(push.batch, of: push.account) : nil
    self.transaction = transaction
    staged = StagedBatch(push.rules.manifest)
  }

  private var scope: ScopeID { push.batch.scope }

  /// Merges all ops and checks their references.
  /// - Parameter processedBytes: the bytes to which those are added that were read and written.
  /// - Throws: `Rejection` for an op that cannot be accepted; any error of the storage.
  consuming func run(_ processedBytes: inout Int) throws -> StagedBatch {
    defer { processedBytes += staged.processedBytes }
    for (index, op) in push.batch.ops.enumerated() {
      if let failure = push.failure, failure.index == index { throw failure.rejection }
      try stage(op)
      try checkCosts(op)
    }
    for (place, column) in written { try checkReference(column, of: place) }
    try writers?.finish(push.rules.manifest)
    staged.finishDigests()
    return staged
  }

  // MARK: - Ops

  private mutating func stage(_ op: Op) throws {
    let place = StagedBatch.Place(scope: scope, row: op.row)
    let known = try staged.state(place, on: transaction)
    if known.state == nil { try checkGeneration(op) }
    if hasRefusals { try checkRefusals(op, known.state) }
    guard try isEffective(op, known.state, role) else { return }
    let clamped = op.clamped(to: push.now + push.rules.tolerance, over: known.state)
    let merged = try merge(clamped, known, at: place)
    if case .move(let target) = op.kind { try move(clamped, to: target, merged.carried) }
  }

  private mutating func merge(
    _ op: Op, _ known: StagedBatch.Known, at place: StagedBatch.Place
  ) throws -> MergedRow {
    switch push.rules.merge.apply(op, to: known.state) {
    case .refused(let rejection): throw rejection
    case .merged(let row):
      let bytes = row.isChanged ? row.state.byteCount : known.bytes
      staged.countMerge(of: known.bytes + bytes)
      if row.isChanged { try checkSize(bytes, of: place.row) }
      for conflict in row.conflicts { try staged.add(conflict, in: place.scope, on: transaction) }
      // An unchanged row with a conflict gets a new number too, so that devices pull the conflict.
      if row.isChanged || !row.conflicts.isEmpty {
        try staged.write(row.state, bytes: bytes, over: known, at: place, on: transaction)
      }
      recordReferences(of: op, at: place)
      return row
    }
  }

  private mutating func move(
    _ op: Op, to target: ScopeID, _ fields: [String: WireValue]?
  ) throws {
    guard let role = try transaction.grant(of: push.account, in: target)?.role, role.canWrite else {
      throw Rejection(.forbidden, "You may not write where the row is to go.", row: op.row)
    }
    // A row that was deleted before the move is not inserted.
    guard let fields else { return }
    let place = StagedBatch.Place(scope: target, row: op.row)
    let known = try staged.state(place, on: transaction)
    let arrival = Op.arrival(of: op, carrying: fields, in: known.state)
    guard try isEffective(arrival, known.state, role) else { return }
    _ = try merge(arrival, known, at: place)
  }

  /// Checks that the account may write the row.
  /// - Returns: whether to merge the op.
  private mutating func isEffective(
    _ op: Op, _ state: RowState?, _ role: Role
  ) throws -> Bool {
    guard writers != nil, let table = push.rules.manifest[op.row.table] else { return true }
    return try writers?.check(op, state, table, role) ?? true
  }

  // MARK: - Sizes

  /// Refuses an op that makes a row too large for an answer, because no device could pull the row.
  private func checkSize(_ bytes: Int, of row: RowID) throws {
    guard bytes > WireLimits.rowBytes else { return }
    throw Rejection(
      .tooLarge, "The row would become too large. Store some values as blobs, or in other rows.",
      row: row)
  }

  /// Refuses an op if the rows of the batch would need too much memory, or their merges too much time.
  private func checkCosts(_ op: Op) throws {
    let limits = push.rules
    if staged.heldBytes > limits.maximumStagedBytes {
      throw Rejection(
        .tooLarge,
        """
        The rows that are changed together have more than \(limits.maximumStagedBytes >> 20) MiB. \
        Change fewer of them at once, or store large values as blobs.
        """, row: op.row)
    }
    if staged.processedBytes > limits.maximumProcessedBytes {
      throw Rejection(
        .tooLarge,
        "A large row is changed too often at once. Send its changes as one, or in several batches.",
        row: op.row)
    }
  }

  /// Refuses the insertion of an unknown row with a generation that its lives cannot have reached.
  ///
  /// Otherwise a device could use up the generations of an id, so that no device could insert
  /// the row any more.
  ///
  /// NB: The row may have had earlier lives, whose tombstone was collected, and the device may know
  /// lives that were refused or that restored data lacks. Each life takes two changes, so the
  /// number of the scope's changes is a limit, with room for the latter.
  private mutating func checkGeneration(_ op: Op) throws {
    guard op.kind == .put, op.generation > 1 else { return }
    let head = try staged.scope(scope, on: transaction).head
    guard op.generation <= head + push.rules.generationMargin else {
      throw Rejection(
        .invalidOp,
        "The row's generation is beyond its insertions and deletions. Insert it under another id.",
        row: op.row)
    }
  }

  // MARK: - Dependencies

  /// Refuses an op that depends on a refused one.
  ///
  /// If the op itself was refused before, the device has sent it again in another batch. Later ops
  /// may depend on it from then on.
  private mutating func checkRefusals(_ op: Op, _ state: RowState?) throws {
    if refused[op.row] == nil {
      refused[op.row] = RefusedOps(
        try transaction.refusals(of: op.row, by: push.device, in: scope))
    }
    let isThere = state.map { $0.generation >= op.generation } ?? false
    guard refused[op.row]?.isBasis(of: op, isThere: isThere) != true else {
      throw Rejection(
        .dependency, "The edit builds on one that was not taken. Make it again.", row: op.row)
    }
    if refused[op.row]?.remove(at: op.stamp) == true {
      staged.reapplied.insert(StagedBatch.Reapplied(row: op.row, stamp: op.stamp))
    }
  }

  // MARK: - References

  private mutating func recordReferences(of op: Op, at place: StagedBatch.Place) {
    for column in push.rules.manifest[op.row.table]?.references ?? []
    where op.fields[column.name] != nil {
      written.append((place, column))
    }
  }

  private mutating func checkReference(_ column: SyncedColumn, of place: StagedBatch.Place) throws {
    guard let state = try staged.state(place, on: transaction).state,
      let target = column.referencedRow(in: state)
    else { return }
    let parent = StagedBatch.Place(scope: place.scope, row: target)
    let presence = try staged.presence(parent, on: transaction)
    if presence == .living { return }
    throw try missing(parent, known: presence != nil, for: place.row, column)
  }

  private func missing(
    _ parent: StagedBatch.Place, known isKnown: Bool, for row: RowID, _ column: SyncedColumn
  ) throws -> Rejection {
    let refusals = RefusedOps(
      try transaction.refusals(of: parent.row, by: push.device, in: parent.scope))
    if isKnown || refusals.hasInsertion {
      return Rejection(
        .dependency, "What the row refers to was deleted or not taken.", row: row,
        field: column.name)
    }
    return Rejection(
      .missingReference, "What the row refers to is not in its scope.", row: row,
      field: column.name)
  }
}
