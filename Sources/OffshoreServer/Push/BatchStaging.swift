import OffshoreWire

/// The merge of a batch's ops, which are all accepted or all rejected.
struct BatchStaging<Transaction: StorageTransaction> {
  private let push: BatchPush
  private let hasRefusals: Bool
  private let transaction: Transaction
  private var staged: StagedBatch
  /// The references that the batch writes. They are checked last, because a later op may insert
  /// their targets.
  private var written: [(place: StagedBatch.Place, column: SyncedColumn)] = []

  init(_ push: BatchPush, hasRefusals: Bool, _ transaction: Transaction) {
    self.push = push
    self.hasRefusals = hasRefusals
    self.transaction = transaction
    staged = StagedBatch(push.rules.manifest)
  }

  private var scope: ScopeID { push.batch.scope }

  /// Merges all ops, checks their references, and updates references to deleted rows.
  /// - Throws: `Rejection` for an op that cannot be accepted; any error of the storage.
  consuming func run() throws -> StagedBatch {
    for (index, op) in push.batch.ops.enumerated() {
      if let failure = push.failure, failure.index == index { throw failure.rejection }
      try stage(op)
    }
    for (place, column) in written { try checkReference(column, of: place) }
    try Cascade(rules: push.rules, scope: scope).run(on: &staged, transaction)
    return staged
  }

  // MARK: - Ops

  private mutating func stage(_ op: Op) throws {
    let place = StagedBatch.Place(scope: scope, row: op.row)
    let state = try staged.state(place, on: transaction)
    if hasRefusals { try checkRefusals(op, state) }
    let clamped = op.clamped(to: push.now + push.rules.tolerance, over: state)
    let merged = try merge(clamped, state, at: place)
    if case .move(let target) = op.kind { try move(clamped, to: target, merged.carried) }
  }

  private mutating func merge(
    _ op: Op, _ state: RowState?, at place: StagedBatch.Place
  ) throws -> MergedRow {
    switch push.rules.merge.apply(op, to: state) {
    case .refused(let rejection): throw rejection
    case .merged(let row):
      try checkSize(row, at: place)
      for conflict in row.conflicts { try staged.add(conflict, in: place.scope, on: transaction) }
      // An unchanged row with a conflict gets a new number too, so that devices pull the conflict.
      if row.isChanged || !row.conflicts.isEmpty {
        try staged.write(row.state, over: state, at: place, on: transaction)
      }
      recordReferences(of: op, at: place)
      return row
    }
  }

  private mutating func move(
    _ op: Op, to target: ScopeID, _ fields: [String: WireValue]?
  ) throws {
    guard try transaction.grant(of: push.account, in: target)?.role.canWrite == true else {
      throw Rejection(.forbidden, "You may not write where the row is to go.", row: op.row)
    }
    // A row that was deleted before the move is not inserted.
    guard let fields else { return }
    let place = StagedBatch.Place(scope: target, row: op.row)
    let state = try staged.state(place, on: transaction)
    _ = try merge(.arrival(of: op, carrying: fields, in: state), state, at: place)
  }

  /// Refuses an op that makes a row too large for an answer, because no device could pull the row.
  private func checkSize(_ row: MergedRow, at place: StagedBatch.Place) throws {
    guard row.isChanged, row.state.byteCount > WireLimits.rowBytes else { return }
    throw Rejection(
      .tooLarge, "The row would become too large. Store some values as blobs, or in other rows.",
      row: place.row)
  }

  // MARK: - Dependencies

  /// Refuses an op that depends on a refused one: on the row that it would have inserted, or on a
  /// value that it would have written.
  ///
  /// If the op itself was refused before, the device has sent it again in another batch. Later ops
  /// may depend on it from then on.
  private mutating func checkRefusals(_ op: Op, _ state: RowState?) throws {
    let refusals = try transaction.refusals(of: op.row, by: push.device, in: scope)
      .filter { refusal in !staged.reapplied.contains { $0 == (op.row, refusal.stamp) } }
    let isThere = state.map { $0.generation >= op.generation } ?? false
    let lacksRow =
      op.kind != .put && !isThere
      && refusals.contains { $0.isInsertion && $0.generation <= op.generation }
    // A deletion depends on no value: it applies whatever was refused before.
    let seen = op.kind == .delete ? [] : Set(op.base.values)
    guard !lacksRow, !refusals.contains(where: { seen.contains($0.stamp) }) else {
      throw Rejection(
        .dependency, "The edit builds on one that was not taken. Make it again.", row: op.row)
    }
    if refusals.contains(where: { $0.stamp == op.stamp }) {
      staged.reapplied.append((op.row, op.stamp))
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
    guard let state = try staged.state(place, on: transaction),
      let target = column.referencedRow(in: state)
    else { return }
    let parent = StagedBatch.Place(scope: place.scope, row: target)
    let parentState = try staged.state(parent, on: transaction)
    if parentState?.isLiving == true { return }
    throw try missing(parent, known: parentState != nil, for: place.row, column)
  }

  private func missing(
    _ parent: StagedBatch.Place, known isKnown: Bool, for row: RowID, _ column: SyncedColumn
  ) throws -> Rejection {
    let refusals = try transaction.refusals(of: parent.row, by: push.device, in: parent.scope)
    if isKnown || refusals.contains(where: \.isInsertion) {
      return Rejection(
        .dependency, "What the row refers to was deleted or not taken.", row: row,
        field: column.name)
    }
    return Rejection(
      .missingReference, "What the row refers to is not in its scope.", row: row,
      field: column.name)
  }
}
