import Foundation
import OffshoreServer
import OffshoreWire

/// The simulator's own record of a server's decisions, to compare with the server's log.
struct ServerHistory {
  /// The end of a life of a row.
  struct Death {
    /// The last generation that has ended.
    let generation: Int64
    /// The number of the change that ended it.
    let seq: Int64
  }

  /// The roles that the simulator has granted.
  private(set) var roles: [AccountID: [ScopeID: Role]] = [:]
  /// The numbers of conflicts that scopes had when accounts began to read them.
  private var starts: [AccountID: [ScopeID: Int64]] = [:]
  /// The final answer to each batch.
  private var answers: [String: (id: UUID?, outcome: BatchResult.Outcome)] = [:]
  private(set) var deaths: [ScopeID: [RowID: Death]] = [:]
  private var ended: Set<RowID> = []
  private var endedInScopes: [ScopeID: Set<RowID>] = [:]
  private var generations: [ScopeID: [RowID: Int64]] = [:]
  private var hashes: [ScopeID: [RowID: UInt64]] = [:]
  /// The texts of all applied edits, with the scopes of the edits. Each text identifies one change of
  /// one field, which a move writes again in another scope.
  private(set) var appliedTexts: [[UInt8]: Set<ScopeID>] = [:]
  /// The texts of those edits that were applied to the present data, or to the copy that it was
  /// restored from before the copy was made.
  private(set) var knownTexts: Set<[UInt8]> = []
  /// The range of versions of each of the applied texts.
  private(set) var versionsOfTexts: [[UInt8]: ClosedRange<Stamp>] = [:]
  /// The texts of refused edits.
  private(set) var refusedTexts: Set<[UInt8]> = []
  /// The rows whose deletion was refused, because they were not in the scope.
  private(set) var refusedDeletions: [ScopeID: Set<RowID>] = [:]
  /// The texts of deleted rows, which no device may show again.
  private(set) var buried: [[UInt8]] = []
  private var texts: [ScopeID: [RowID: Set<[UInt8]>]] = [:]
  /// The counters of rows after each change, with the change's number.
  private var counts: [ScopeID: [RowID: [(seq: Int64, values: [String: WireValue])]]] = [:]
  /// The numbers with which edits were applied.
  private var numbers: [OpKey: Int64] = [:]
  /// The number of restores.
  private(set) var epochs = 0

  func role(of account: AccountID, in scope: ScopeID) -> Role? { roles[account]?[scope] }

  /// Returns the accounts that may read a scope, with their roles.
  func members(of scope: ScopeID) -> [AccountID: Role] {
    roles.compactMapValues { $0[scope] }.filter { $0.value.canRead }
  }

  /// Returns the roles that accounts have or had in a scope.
  func roles(in scope: ScopeID) -> [AccountID: Role] { roles.compactMapValues { $0[scope] } }

  /// Returns the scopes in which an account has or had a role, in order.
  func scopes(of account: AccountID) -> [ScopeID] { (roles[account] ?? [:]).keys.sorted() }

  /// Removes the roles of an account that was deleted.
  mutating func forget(_ account: AccountID) { (roles[account], starts[account]) = (nil, nil) }

  /// Removes the records of rows of a scope that was removed.
  ///
  /// NB: Its counters stay: devices show them until they have received the end of their role.
  mutating func remove(_ scope: ScopeID) {
    (deaths[scope], generations[scope]) = (nil, nil)
    (hashes[scope], texts[scope]) = (nil, nil)
  }

  /// Records a role.
  /// - Parameter conflicts: the number of conflicts that the account does not receive if it begins to
  ///   read the scope.
  mutating func note(
    _ role: Role, of account: AccountID, in scope: ScopeID, after conflicts: Int64
  ) {
    if role.canRead, self.role(of: account, in: scope)?.canRead != true {
      starts[account, default: [:]][scope] = conflicts
    }
    roles[account, default: [:]][scope] = role
  }

  /// Whether an account may receive a conflict.
  func discloses(_ conflict: NumberedConflict, to account: AccountID, in scope: ScopeID) -> Bool {
    conflict.number > starts[account]?[scope] ?? 0
  }

  /// Continues after a restore: drops the answers to batches, and retains the applied and refused
  /// texts.
  mutating func beginEpoch(after lost: ServerHistory) {
    answers = [:]
    appliedTexts.merge(lost.appliedTexts) { $0.union($1) }
    refusedTexts.formUnion(lost.refusedTexts)
    // A device may still end a life that the restored data lacks.
    ended.formUnion(lost.ended)
    versionsOfTexts.merge(lost.versionsOfTexts) { old, _ in old }
    epochs = lost.epochs + 1
  }

  mutating func forget(_ rows: [RowID], in scope: ScopeID) {
    for row in rows {
      deaths[scope]?[row] = nil
      generations[scope]?[row] = nil
    }
  }

  // MARK: - Push

  /// Records that a batch was applied.
  /// - Parameters:
  ///   - limit: The latest time of a stamp, in milliseconds.
  ///   - seq: The number of the batch's last change.
  mutating func noteApplied(_ batch: Batch, at limit: Int64, upTo seq: Int64) {
    for op in batch.ops {
      if op.row.hasCounter { numbers[OpKey(op)] = seq }
      let clamped = op.clamped(to: limit, over: nil)
      for (field, value) in op.fields {
        guard case .text(let bytes) = value else { continue }
        appliedTexts[bytes, default: []].insert(batch.scope)
        knownTexts.insert(bytes)
        noteVersion(clamped.version(of: field), of: bytes)
      }
    }
  }

  /// NB: Two devices with copies of a file send the same text, each with its own version.
  private mutating func noteVersion(_ version: Stamp, of text: [UInt8]) {
    let known = versionsOfTexts[text] ?? version...version
    versionsOfTexts[text] = min(known.lowerBound, version)...max(known.upperBound, version)
  }

  /// Records that a batch was refused.
  mutating func noteRefused(_ batch: Batch) {
    for op in batch.ops where op.kind == .delete {
      refusedDeletions[batch.scope, default: []].insert(op.row)
    }
    for value in batch.ops.flatMap({ $0.fields.values }) {
      if case .text(let bytes) = value { refusedTexts.insert(bytes) }
    }
  }

  /// Checks that a batch gets one final answer, and the same one when it is repeated.
  /// - Parameter id: The id of the batch, by which a server recognizes it under another number.
  mutating func check(
    _ result: BatchResult, of device: DeviceID, id: UUID? = nil
  ) -> Violation? {
    switch result.outcome {
    case .gap, .forked: return nil
    case .applied, .rejected: break
    }
    let key = "\(result.scope) \(device) \(result.number)"
    guard let before = answers[key] else {
      // A batch that was answered under another number uses up no number.
      if result.isRepeated { return nil }
      // A forbidden batch of an account without a role is not stored by the server.
      if !Self.isForbidden(result.outcome) { answers[key] = (id, result.outcome) }
      return nil
    }
    if result.isRepeated, before.id != id { return nil }
    guard result.isRepeated else {
      return Violation(.effectOnce, "Batch \(key) was answered for good twice.")
    }
    guard Self.isAlike(before.outcome, result.outcome) else {
      return Violation(.effectOnce, "Batch \(key) was answered in another way before.")
    }
    return nil
  }

  private static func isForbidden(_ outcome: BatchResult.Outcome) -> Bool {
    if case .rejected(let rejection, _) = outcome { rejection.code == .forbidden } else { false }
  }

  /// Whether two answers are equal, apart from a row that the account may not see any more.
  private static func isAlike(
    _ left: BatchResult.Outcome, _ right: BatchResult.Outcome
  ) -> Bool {
    switch (left, right) {
    case (.applied(let left), .applied(let right)): left == right
    case (.rejected(let left, _), .rejected(let right, _)): left == right
    default: false
    }
  }

  // MARK: - Rows

  /// Records changed rows, and checks that their changes are allowed.
  mutating func check(_ rows: [SyncedRow], in scope: ScopeID) -> [Violation] {
    var violations: [Violation] = []
    for row in rows {
      let state = row.state
      let place = "\(row.row) in \(scope)"
      if state.isLiving, let death = deaths[scope]?[row.row], state.generation <= death.generation {
        violations.append(Violation(.noResurrection, "\(place) is back on the server."))
      }
      if let before = generations[scope]?[row.row], state.generation < before {
        violations.append(
          Violation(.monotonic, "\(place) fell from life \(before) to \(state.generation)."))
      }
      if generations[scope]?[row.row] == nil { exhume(state) }
      // Two lives may follow one another within a push.
      if state.generation > generations[scope]?[row.row] ?? 1 { ended.insert(row.row) }
      generations[scope, default: [:]][row.row] = state.generation
      if !state.isLiving {
        endedInScopes[scope, default: []].insert(row.row)
        deaths[scope, default: [:]][row.row] = Death(generation: state.generation, seq: row.seq)
      }
      noteTexts(of: row.row, state, in: scope)
      if row.row.hasCounter, state.isLiving {
        counts[scope, default: [:]][row.row, default: []].append((row.seq, state.fields))
      }
      hashes[scope, default: [:]][row.row] = state.isLiving ? state.hash(of: row.row) : nil
    }
    return violations
  }

  /// Removes the texts of an unknown row from the buried ones: two devices with copies of a file
  /// may send the same insertion.
  private mutating func exhume(_ state: RowState) {
    for case .text(let bytes) in state.fields.values {
      if let place = buried.firstIndex(of: bytes) { buried[place] = [] }
    }
  }

  /// Records the texts of a row. Buries those of a deleted row, unless another scope still has
  /// them.
  private mutating func noteTexts(of row: RowID, _ state: RowState, in scope: ScopeID) {
    for (field, value) in state.fields {
      if case .text(let bytes) = value, let version = state.version(of: field) {
        noteVersion(version, of: bytes)
      }
    }
    let old = texts[scope]?[row] ?? []
    texts[scope, default: [:]][row] = Set(
      state.fields.values.compactMap { value in
        if case .text(let bytes) = value, bytes.first == Text.mark { bytes } else { nil }
      })
    guard state.presence == .deleted else { return }
    for text in old where !texts.values.contains(where: { $0[row]?.contains(text) == true }) {
      buried.append(text)
    }
  }

  /// Whether a life of the row has ended in the scope, by a deletion or a move.
  func hasEnded(_ row: RowID, in scope: ScopeID) -> Bool {
    endedInScopes[scope]?.contains(row) == true
  }

  /// Whether any life of a row has ended in any scope.
  func hasEnded(_ row: RowID) -> Bool { ended.contains(row) }

  /// Returns a counter after the change with a number, or `nil` if the row did not exist yet.
  func count(_ counter: Ledger.Counter, in scope: ScopeID, at seq: Int64) -> Int64? {
    let changes = counts[scope]?[counter.row] ?? []
    guard case .integer(let count)? = changes.last(where: { $0.seq <= seq })?.values[counter.column]
    else { return nil }
    return count
  }

  /// Whether an edit was applied at or before a number.
  func isApplied(_ op: OpKey, by seq: Int64) -> Bool { numbers[op].map { $0 <= seq } ?? false }

  /// Returns the sum of the recorded rows' hashes.
  func sum(of scope: ScopeID) -> UInt64 {
    (hashes[scope] ?? [:]).values.reduce(0) { $0 &+ $1 }
  }
}
