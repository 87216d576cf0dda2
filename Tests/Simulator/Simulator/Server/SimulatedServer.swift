import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport

/// The server: the product's rules over a log in memory, and the model that applies the same
/// batches.
struct SimulatedServer {
  var log: MemoryState
  var model: ModelServer
  private(set) var version: AppVersion
  private(set) var pushRules: PushRules
  let pullRules: PullRules
  /// The record of batches, grants and deletions, for the invariants.
  var history = ServerHistory()
  /// The last living states of deleted rows, for a breach.
  var graves: FaultyLog.Graves = [:]
  var files = ServerFiles()
  /// The scopes that were removed with the account of their owner or by their last member. No account gets a
  /// role there again.
  var removedScopes: Set<ScopeID> = []
  /// The copies from which the data may be restored.
  private var copies: [Copy] = []

  private struct Copy {
    let log: MemoryState
    let model: ModelServer
    let history: ServerHistory
    let files: ServerFiles
  }

  /// The milliseconds by which a stamp may be ahead.
  static let tolerance: Int64 = 1_000

  init(_ version: AppVersion, epoch: UInt64, pageBytes: Int) throws {
    log = MemoryState(epoch: epoch)
    model = ModelServer(tolerance: Self.tolerance)
    model.merge.version = version.number
    self.version = version
    pushRules = try Self.rules(of: version)
    pullRules = PullRules(pushRules.access, byteLimit: pageBytes)
  }

  private static func rules(of version: AppVersion) throws -> PushRules {
    try PushRules(version.schema.manifest, rules: AppVersion.rules, tolerance: tolerance)
  }

  /// Serves the data under the manifest of a later version, as far as that can follow the present one.
  mutating func upgrade(to version: AppVersion) throws {
    try ManifestComparison(pushRules.manifest, version.schema.manifest).check()
    self.version = version
    model.merge.version = version.number
    pushRules = try Self.rules(of: version)
  }

  /// The rules of a server that does not know who may write a table.
  var openRules: PushRules {
    get throws {
      let manifest = pushRules.manifest
      let tables = manifest.tables.map { table in
        SyncedTable(
          table.name, idColumn: table.idColumn, scopeKind: table.scopeKind,
          scopeColumn: table.scopeColumn, columns: table.columns, uniqueKeys: table.uniqueKeys,
          idSource: table.idSource, renamed: table.renamed, isRetired: table.isRetired)
      }
      return try PushRules(
        Manifest(version: manifest.version, tables: tables), rules: AppVersion.rules,
        tolerance: Self.tolerance)
    }
  }

  /// The rules of a server that merges the ranks of pins by the policy of the first version.
  var formerRules: PushRules {
    get throws {
      let manifest = pushRules.manifest
      return try PushRules(
        Manifest(
          version: manifest.version, tables: manifest.tables.map(\.withFormerRank),
          personalKinds: manifest.personalKinds, memberLimits: manifest.memberLimits,
          membershipLimits: manifest.membershipLimits, accessRules: manifest.accessRules),
        rules: AppVersion.rules, tolerance: Self.tolerance)
    }
  }

  var hasCopy: Bool { !copies.isEmpty }

  mutating func keepCopy() {
    copies.append(Copy(log: log, model: model, history: history, files: files))
  }

  /// Restores an earlier copy with a new epoch.
  mutating func restore(_ number: Int, epoch: UInt64, at now: Int64) throws {
    let copy = copies[number % copies.count]
    var log = copy.log
    try log.beginEpoch(epoch)
    log.renewUnused(at: now)
    files.restore(copy.files, at: now)
    let lost = history
    (self.log, model, history) = (log, copy.model, copy.history)
    model.merge.version = version.number
    history.beginEpoch(after: lost)
  }

  mutating func addAccount(_ account: AccountID, named name: String) throws {
    log.setAccount(
      Account(id: account, name: try AccountName(name), password: .none, created: 0))
  }

  /// Grants a role, and checks the rows that this changes.
  mutating func grant(
    _ role: Role, to account: AccountID, in scope: ScopeID, at now: Int64, _ breach: Breach?
  ) throws -> [Violation] {
    history.note(role, of: account, in: scope, after: log.scope(scope).conflicts)
    guard breach != .untoldMembers else {
      try log.grant(role, to: account, in: scope)
      return try settleAccess(breach)
    }
    let head = log.scope(scope).head
    let rows = MemberRows(personalKinds: pushRules.manifest.personalKinds, at: now)
    try rows.grant(role, to: account, in: scope, on: &log)
    return try check(scope, after: head) + settleAccess(breach)
  }

  /// Removes tombstones, also from the model and the history.
  /// - Returns: The number of removed tombstones.
  mutating func collect(_ scope: ScopeID, upTo seq: Int64) throws -> Int {
    let before = log.rows(in: scope, after: 0, limit: .max).map(\.row)
    try log.collect(scope, upTo: seq)
    let after = Set(log.rows(in: scope, after: 0, limit: .max).map(\.row))
    let gone = before.filter { !after.contains($0) }
    model.forget(gone, in: scope)
    history.forget(gone, in: scope)
    return gone.count
  }
}

extension SimulatedServer {
  /// Applies a push, and checks the result.
  /// - Throws: `WireProblem` if the server rejects the request.
  mutating func push(
    _ request: PushRequest, of account: AccountID, at now: Int64, _ breach: Breach?
  ) throws -> (response: PushResponse, violations: [Violation]) {
    let scopes = Self.scopes(of: request)
    let before = scopes.map { (scope: $0, state: log.scope($0)) }
    let conflicts = Conflicts(before: request, in: log)
    let response =
      try breach?.push(request, of: account, at: now, &self)
      ?? pushRules.apply(request, of: account, at: now, to: &log)
    var violations: [Violation] = []
    var commands: [ScopeID: CommandChecks] = [:]
    for (batch, result) in zip(request.batches, response.results) {
      if let violation = history.check(result, of: request.device, id: batch.id) {
        violations.append(violation)
      }
      if let command = MemberCommand(batch) {
        guard !result.isRepeated else { continue }
        let violation =
          commands[
            batch.scope,
            default: CommandChecks(
              account: account, scope: batch.scope, roles: history.roles(in: batch.scope))
          ].check(result.outcome, to: command)
        violations += [violation].compactMap(\.self)
        continue
      }
      let writers = WriterChecks(
        account: account, rows: model.scopes[batch.scope] ?? [:],
        role: history.role(of: account, in: batch.scope))
      let violation = writers.violation(
        result, to: batch, isDemoted: commands[batch.scope] != nil)
      if !result.isRepeated, let violation { violations.append(violation) }
      if case .rejected = result.outcome { history.noteRefused(batch) }
      guard case .applied(let range) = result.outcome, !result.isRepeated else { continue }
      violations += model.apply(batch, of: request.device, at: now) {
        writers.isEffective($0, in: batch)
      }
      history.noteApplied(batch, at: now + Self.tolerance, upTo: range.last)
      files.accept(batch.ops.flatMap(\.files), in: batch.scope)
    }
    for (scope, checks) in commands {
      do throws(Violation) {
        for (account, role) in try checks.roles(in: log) {
          let conflicts = before.first { $0.scope == scope }?.state.conflicts ?? 0
          history.note(role, of: account, in: scope, after: conflicts)
        }
        if checks.isRemoved {
          guard log.rows(in: scope, after: 0, limit: 1).isEmpty else {
            throw Violation(.members, "\(scope) has no member any more, and is still there.")
          }
          remove(scope)
        }
      } catch {
        violations.append(error)
      }
    }
    let access = try settleAccess(breach)
    if breach?.isOfAccess != false { violations += access }
    for (scope, state) in before { violations += check(scope, after: state.head) }
    violations += checkRows(of: request)
    violations += conflicts.check(log)
    noteFiles(in: before.map(\.scope), at: now)
    return (response, violations)
  }

  /// Answers a pull, and checks that the account may read the scopes of the answer.
  /// - Throws: `WireProblem` if the server rejects the request.
  mutating func pull(
    _ request: PullRequest, of account: AccountID, at now: Int64, _ breach: Breach?
  ) throws -> (response: PullResponse, violations: [Violation]) {
    let seen = breach?.log(for: request, of: account, self) ?? log
    let response = try pullRules.answer(request, of: account, at: now, from: seen)
    try pullRules.acknowledge(request, of: account, in: &log)
    let violations = response.scopes.compactMap { answer -> Violation? in
      guard case .page(let page) = answer.content else { return nil }
      if page.rows.count > 0, history.role(of: account, in: answer.scope)?.canRead != true {
        return Violation(.grants, "An account without a role was told \(answer.scope).")
      }
      let early = page.conflicts.first { !history.discloses($0, to: account, in: answer.scope) }
      return early.map {
        Violation(.history, "An account was told of the conflict \($0.number) of \(answer.scope).")
      }
    }
    return (response, violations)
  }

  /// Returns the scopes that a push may change, without duplicates, in order.
  private static func scopes(of request: PushRequest) -> [ScopeID] {
    var scopes: [ScopeID] = []
    for batch in request.batches {
      if !scopes.contains(batch.scope) { scopes.append(batch.scope) }
      for op in batch.ops {
        if case .move(let target) = op.kind, !scopes.contains(target) { scopes.append(target) }
      }
    }
    return scopes
  }

  // MARK: - Checks

  /// Checks the numbers, the lives and the digest of the rows that have changed in a scope.
  mutating func check(_ scope: ScopeID, after head: Int64) -> [Violation] {
    let state = log.scope(scope)
    // NB: Sorted by row, because a listing by number would miss one of two rows that share a
    // number.
    let rows = log.rows(in: scope, after: nil, limit: .max)
    let changed = rows.filter { $0.seq > head }.sorted { $0.seq < $1.seq }
    var violations = history.check(changed, in: scope)
    if Set(rows.map(\.seq)).count < rows.count || rows.contains(where: { $0.seq > state.head }) {
      violations.append(Violation(.ownNumbers, "Rows of \(scope) share numbers."))
    }
    if history.sum(of: scope) != state.digest.value {
      violations.append(Violation(.digest, "The server's digest of \(scope) is another."))
    }
    return violations
  }

  /// Checks that the rows of a push equal those of the model.
  private func checkRows(of request: PushRequest) -> [Violation] {
    request.batches.flatMap { batch in
      batch.ops.filter { $0.row.table != MemberRow.table }.flatMap { op -> [Violation] in
        var places = [batch.scope]
        if case .move(let target) = op.kind { places.append(target) }
        return places.compactMap { difference(op.row, in: $0) }
      }
    }
  }

  private func difference(_ row: RowID, in scope: ScopeID) -> Violation? {
    let expected = model.scopes[scope]?[row]
    let found = log.row(row, in: scope).map { ModelRow($0.state) }
    if expected == found { return nil }
    return Violation(
      .model, "\(row) in \(scope) is \(describe(found)), but \(describe(expected)) in the model.")
  }

  private func describe(_ row: ModelRow?) -> String {
    guard let row else { return "unknown" }
    let fields = row.fields.sorted { $0.key < $1.key }.map { name, field in
      "\(name)=\(field.value.spelled)@\(field.version.time)"
    }
    return
      "\(row.end.map { "\($0)" } ?? "living") \(row.generation) [\(fields.joined(separator: " "))]"
  }

  /// Compares all rows with the model's.
  func compareWithModel() -> [Violation] {
    model.scopes.keys.sorted { $0.text < $1.text }.flatMap { scope in
      let known = (model.scopes[scope] ?? [:]).keys
      let rows = log.rows(in: scope, after: 0, limit: .max).map(\.row)
        .filter { $0.table != MemberRow.table }
      return Set(rows).union(known).sorted().compactMap { difference($0, in: scope) }
    }
  }
}

/// The conflicts of a push's rows before the push, to find the new ones.
private struct Conflicts {
  private let places: [(scope: ScopeID, row: RowID, count: Int)]

  init(before request: PushRequest, in log: MemoryState) {
    var seen: Set<String> = []
    var places: [(ScopeID, RowID, Int)] = []
    for batch in request.batches {
      for op in batch.ops where seen.insert("\(batch.scope) \(op.row)").inserted {
        places.append((batch.scope, op.row, log.conflicts(of: op.row, in: batch.scope).count))
      }
    }
    self.places = places
  }

  /// Checks that no edit lost to an earlier edit of the same device.
  func check(_ log: MemoryState) -> [Violation] {
    places.flatMap { place in
      log.conflicts(of: place.row, in: place.scope).dropFirst(place.count).compactMap { numbered in
        let conflict = numbered.conflict
        guard conflict.losingStamp.device == conflict.winningStamp.device,
          conflict.reason != .ended
        else { return nil }
        return Violation(
          .sameDevice,
          "\(conflict.losing.spelled) of \(conflict.losingStamp) as \(place.row).\(conflict.field) "
            + "lost to \(conflict.winning?.spelled ?? "nothing") of \(conflict.winningStamp).")
      }
    }
  }
}
