import OffshoreServer
import OffshoreWire

/// What the simulator notes of a server beside the server's own log, to hold it to.
struct ServerHistory {
  /// How a life of a row ended.
  struct Death {
    /// The last generation that is over.
    let generation: Int64
    /// The number of the change that ended it.
    let seq: Int64
  }

  /// What accounts may do, as the simulator let them.
  private(set) var roles: [AccountID: [ScopeID: Role]] = [:]
  /// What each batch was answered for good, with its hash.
  private var answers: [String: BatchResult.Outcome] = [:]
  private(set) var deaths: [ScopeID: [RowID: Death]] = [:]
  private var ended: Set<RowID> = []
  private var endedInScopes: [ScopeID: Set<RowID>] = [:]
  private var generations: [ScopeID: [RowID: Int64]] = [:]
  private var hashes: [ScopeID: [RowID: UInt64]] = [:]
  /// The texts of all edits that were applied, each of which stands for one change of one field.
  private(set) var appliedTexts: Set<[UInt8]> = []
  /// The version that each of those texts has.
  private(set) var versionsOfTexts: [[UInt8]: ClosedRange<Stamp>] = [:]
  /// The texts of edits that were refused.
  private(set) var refusedTexts: Set<[UInt8]> = []
  /// The texts of rows that were deleted, which nobody may see again.
  private(set) var buried: [[UInt8]] = []
  private var texts: [ScopeID: [RowID: Set<[UInt8]>]] = [:]
  /// The counters of rows after each change, by the number of the change.
  private var counts: [ScopeID: [RowID: [(seq: Int64, values: [String: WireValue])]]] = [:]
  /// The numbers with which edits were applied.
  private var numbers: [OpKey: Int64] = [:]
  /// How often the data was restored.
  private(set) var epochs = 0

  func role(of account: AccountID, in scope: ScopeID) -> Role? { roles[account]?[scope] }

  mutating func note(_ role: Role, of account: AccountID, in scope: ScopeID) {
    roles[account, default: [:]][scope] = role
  }

  /// Goes on after a restore: what was said of batches binds nobody, and what had been applied was.
  mutating func beginEpoch(after lost: ServerHistory) {
    answers = [:]
    appliedTexts.formUnion(lost.appliedTexts)
    refusedTexts.formUnion(lost.refusedTexts)
    // What a device knows of a life that is lost may still end it.
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

  /// Notes that a batch took effect.
  /// - Parameter seq: the number of its last change.
  mutating func noteApplied(_ batch: Batch, at limit: Int64, upTo seq: Int64) {
    for op in batch.ops {
      if op.row.hasCounter { numbers[OpKey(op)] = seq }
      let clamped = op.clamped(to: limit, over: nil)
      for (field, value) in op.fields {
        guard case .text(let bytes) = value else { continue }
        appliedTexts.insert(bytes)
        noteVersion(clamped.version(of: field), of: bytes)
      }
    }
  }

  /// NB: Two devices on copies of a file send one text twice, each with a version of its own.
  private mutating func noteVersion(_ version: Stamp, of text: [UInt8]) {
    let known = versionsOfTexts[text] ?? version...version
    versionsOfTexts[text] = min(known.lowerBound, version)...max(known.upperBound, version)
  }

  /// Notes that a batch was refused.
  mutating func noteRefused(_ batch: Batch) {
    for value in batch.ops.flatMap({ $0.fields.values }) {
      if case .text(let bytes) = value { refusedTexts.insert(bytes) }
    }
  }

  /// A batch is answered for good once, and from then on always the same.
  mutating func check(_ result: BatchResult, of device: DeviceID) -> Violation? {
    switch result.outcome {
    case .gap, .forked: return nil
    case .applied, .rejected: break
    }
    let key = "\(result.scope) \(device) \(result.number)"
    guard let before = answers[key] else {
      // An account that was never let in leaves no trace.
      if !Self.isForbidden(result.outcome) { answers[key] = result.outcome }
      return nil
    }
    guard result.isRepeated else {
      return Violation(.effectOnce, "Batch \(key) was answered for good twice.")
    }
    guard Self.isAlike(before, result.outcome) else {
      return Violation(.effectOnce, "Batch \(key) was answered in another way before.")
    }
    return nil
  }

  private static func isForbidden(_ outcome: BatchResult.Outcome) -> Bool {
    if case .rejected(let rejection, _) = outcome { rejection.code == .forbidden } else { false }
  }

  /// Whether two answers say the same, but for the row that the account may not see any more.
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

  /// Notes rows that have changed, and looks whether they may have changed like that.
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

  /// Digs up the texts of a row that nobody knows any more, and whose insertion was sent by two
  /// devices on copies of one file.
  private mutating func exhume(_ state: RowState) {
    for case .text(let bytes) in state.fields.values {
      if let place = buried.firstIndex(of: bytes) { buried[place] = [] }
    }
  }

  /// Buries the texts of a row that was deleted, unless it lives on in another scope.
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

  /// Whether a life of a row was ended in a scope, if only because it moved away.
  func hasEnded(_ row: RowID, in scope: ScopeID) -> Bool {
    endedInScopes[scope]?.contains(row) == true
  }

  /// Whether any life of a row was ended in any scope.
  func hasEnded(_ row: RowID) -> Bool { ended.contains(row) }

  /// A counter after the change of a scope with a number, or `nil` where the row was not there yet.
  func count(_ counter: Ledger.Counter, in scope: ScopeID, at seq: Int64) -> Int64? {
    let changes = counts[scope]?[counter.row] ?? []
    guard case .integer(let count)? = changes.last(where: { $0.seq <= seq })?.values[counter.column]
    else { return nil }
    return count
  }

  /// Whether an edit was applied by the change with a number.
  func isApplied(_ op: OpKey, by seq: Int64) -> Bool { numbers[op].map { $0 <= seq } ?? false }

  /// The sum over the rows as they were noted.
  func sum(of scope: ScopeID) -> UInt64 {
    (hashes[scope] ?? [:]).values.reduce(0) { $0 &+ $1 }
  }
}
