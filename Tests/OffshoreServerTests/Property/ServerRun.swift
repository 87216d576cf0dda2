import OffshoreWire
import ServerSupport
import TestSupport

@testable import OffshoreServer

/// A rule that a run breaks, to show that its checks detect it.
enum Breach: CaseIterable {
  /// The changes of a batch share a number.
  case sharedNumbers
  /// Only the first of several pages checks whether its cursor is before the collected changes.
  case firstPageOnly
}

/// Four devices in two scopes, and two logs, in memory and in SQLite, with the same requests.
///
/// Pushes arrive twice, late and out of order, and from copies of a device's file. A refused batch
/// is sent again without its bad edit. Between two pages rows are written and tombstones are
/// collected. Devices lose rows. Each failed check is recorded in ``checks``.
struct ServerRun {
  /// The number of times each case occurred.
  struct Seen {
    var rejected: Set<Rejection.Code?> = []
    var (resyncs, cascades, forks, gaps, resealed, conflictPages) = (0, 0, 0, 0, 0, 0)
  }

  var checks = RunChecks()
  var seen = Seen()
  let sqlite: SQLiteStorage
  var memory = MemoryState(epoch: 7)
  let breach: Breach?
  let pushRules: PushRules
  var random: SeededRandom
  var now: Int64 = 1_000_000
  let scopes: [ScopeID]
  var devices: [[PagingDevice]]
  /// The batches of each device and scope, sent or not.
  var batches: [[[Batch]]]
  /// The final answer to each batch.
  var answers: [String: BatchResult.Outcome] = [:]

  init(seed: UInt64, breach: Breach? = nil) throws {
    random = SeededRandom(seed: seed)
    self.breach = breach
    pushRules = try PushRules(Lists.withPhotos())
    sqlite = try SQLiteStorage.temporary(epoch: 7)
    let scopes = try ["1", "2"].map { try Lists.scope($0) }
    self.scopes = scopes
    devices = (0..<4).map { _ in scopes.map(PagingDevice.init) }
    batches = (0..<4).map { _ in scopes.map { _ in [] } }
  }

  /// Runs some steps, then delivers everything.
  mutating func run(steps: Int) async throws {
    try await onBoth { [scopes] log in
      for scope in scopes { try log.grant(.owner, to: .sample(1), in: scope) }
    }
    for _ in 0..<steps { try await step() }
    for device in devices.indices {
      for scope in scopes.indices { try await pushAll(device, scope) }
    }
    for device in devices.indices { try await settle(device) }
    try await compareLogs()
  }

  private mutating func check(_ holds: Bool, _ sentence: String) { checks.check(holds, sentence) }

  // MARK: - Steps

  private mutating func step() async throws {
    now += Int64(random.number(below: 50))
    let (device, scope) = (random.number(below: 4), random.number(below: 2))
    switch random.number(below: 13) {
    case 0...3: try edit(device, scope)
    case 4...6: try await pushSome(device, scope)
    case 7 where random.number(below: 2) == 0: try await collect(scope)
    case 8 where random.number(below: 3) == 0: try await pushFromCopy(device, scope)
    case 10 where random.number(below: 2) == 0: try await changeBlobs(scope)
    // A breach has to be detected as a difference, so nothing is repaired in such a run.
    case 9 where breach == nil && random.number(below: 3) == 0:
      devices[device][scope].damage(&random)
    default: try await pull(device, limit: 1 + random.number(below: 3))
    }
  }

  private mutating func edit(_ device: Int, _ scope: Int) throws {
    // Clocks are wrong by up to a minute.
    let skew = Int64.random(in: -60_000...60_000, using: &random)
    let stamp = Stamp(
      milliseconds: now + skew, counter: UInt16(batches[device][scope].count),
      device: .sample(UInt8(device + 1)))
    let edits = RandomEdits(
      list: scopes[scope].value, rows: devices[device][scope].rows, stamp: stamp)
    seal(try edits.ops(&random), device, scope)
  }

  /// Seals the next batch of a device.
  mutating func seal(_ ops: [Op], _ device: Int, _ scope: Int) {
    let number = batches[device][scope].count + 1
    batches[device][scope].append(
      Batch(
        scopes[scope], number: Int64(number), id: .batch(Int64(number)),
        ops: ops))
  }

  private mutating func collect(_ scope: Int) async throws {
    let head = memory.scope(scopes[scope]).head
    // Half of the time, all that can be collected.
    let seq = random.number(below: 2) == 0 ? head : Int64.random(in: 0...head, using: &random)
    try await onBoth { [scopes] log in try log.collect(scopes[scope], upTo: seq) }
  }

  /// Adds a blob that has arrived, or removes blobs that have been unused for a while.
  private mutating func changeBlobs(_ scope: Int) async throws {
    let hash = RunChecks.photos[random.number(below: RunChecks.photos.count)]
    let removes = random.number(below: 4) == 0
    let rules = BlobRules(BlobLimits(), pushRules.manifest)
    try await onBoth { [now, place = scopes[scope]] log in
      guard !removes else {
        _ = try log.removeBlobs(unusedSince: now - 500, limit: 2)
        return
      }
      let upload = BlobUpload(hash: hash, account: .sample(1), byteCount: 1, expires: .max)
      try rules.complete(upload, in: place, at: now, on: &log)
    }
  }

  /// Makes the same change in both logs.
  private mutating func onBoth(
    _ body: @escaping @Sendable (inout any StorageTransaction) throws -> Void
  ) async throws {
    var writer: any StorageTransaction = memory
    try body(&writer)
    if let state = writer as? MemoryState { memory = state }
    try await sqlite.write(body)
  }

  // MARK: - Pushes

  /// Sends some of a device's batches, including earlier ones, sometimes out of order.
  mutating func pushSome(_ device: Int, _ scope: Int) async throws {
    let all = batches[device][scope]
    var some = Array(all.suffix(1 + random.number(below: 4)))
    if random.number(below: 3) == 0 { some.shuffle(using: &random) }
    if random.number(below: 3) == 0, let again = all.randomElement(using: &random) {
      some.append(again)
    }
    try await push(device, some)
  }

  /// Sends all batches of a device, until no refused one has been sealed again.
  mutating func pushAll(_ device: Int, _ scope: Int) async throws {
    var count = -1
    while count < batches[device][scope].count {
      count = batches[device][scope].count
      try await push(device, batches[device][scope])
    }
  }

  /// Sends a batch with a number that is already in use, and later ones, as a copied device file
  /// would.
  mutating func pushFromCopy(_ device: Int, _ scope: Int) async throws {
    let last = memory.device(.sample(UInt8(device + 1)), in: scopes[scope]).lastNumber
    guard last > 0 else { return }
    let number = Int64.random(in: 1...last, using: &random)
    let op = Op.task("copied", at: now, by: UInt8(device + 1))
    let copied = (number...(last + 1)).map {
      Batch(scopes[scope], number: $0, id: .sample(1), ops: [op])
    }
    let before = memory
    let outcomes = try await answer(device, copied).map(\.outcome)
    check(outcomes.allSatisfy { $0 == .forked }, "After a fork all is forked.")
    check(memory == before, "A copy changes nothing.")
    seen.forks += outcomes.count
  }

  private mutating func push(_ device: Int, _ batches: [Batch]) async throws {
    let heads = Dictionary(uniqueKeysWithValues: scopes.map { ($0, memory.scope($0).head) })
    let results = try await answer(device, batches)
    for (result, batch) in zip(results, batches) { note(result, of: batch, by: device) }
    checkGaps(results)
    checks.checkRanges(of: results, after: heads, in: memory)
    for (scope, head) in heads {
      checks.checkNumbers(
        of: scope, after: head, areShared: breach == .sharedNumbers, in: memory)
    }
    if breach == nil {
      for scope in scopes {
        checks.checkReferences(in: scope, of: memory, pushRules.manifest)
        checks.checkBlobs(in: scope, of: memory, pushRules.manifest)
      }
    }
    if breach == .sharedNumbers { shareNumbers(results) }
  }

  /// Applies the batches to both logs, and checks that the answers are equal.
  private mutating func answer(_ device: Int, _ batches: [Batch]) async throws -> [BatchResult] {
    let request = PushRequest(
      device: .sample(UInt8(device + 1)), epoch: 7, manifestVersion: 1, batches: batches)
    let (rules, time) = (pushRules, now)
    let push = try rules.verified(request)
    let first = try rules.apply(push, of: .sample(1), at: time, to: &memory)
    let second = try await sqlite.write { log in
      try rules.apply(push, of: .sample(1), at: time, to: &log)
    }
    check(first == second, "Both logs answer a push alike.")
    return first.results
  }

  // MARK: - Answers

  /// Checks that each batch has one final answer, which is repeated from then on.
  private mutating func note(_ result: BatchResult, of batch: Batch, by device: Int) {
    switch result.outcome {
    case .gap: return
    case .forked: check(false, "No batch is another of the same number.")
    case .applied, .rejected: break
    }
    let key = "\(result.scope) \(device) \(result.number)"
    check((answers[key] != nil) == result.isRepeated, "A batch takes effect once.")
    if let before = answers[key] {
      check(before.withoutRow == result.outcome.withoutRow, "A batch is answered as before.")
    } else {
      noteFirst(result.outcome, of: batch, by: device)
    }
    answers[key] = result.outcome
  }

  private mutating func noteFirst(
    _ outcome: BatchResult.Outcome, of batch: Batch, by device: Int
  ) {
    if let range = outcome.range, range.count > batch.ops.count { seen.cascades += 1 }
    if case .rejected(let rejection, _) = outcome {
      seen.rejected.insert(rejection.code)
      sealAgain(batch, without: rejection.row, device)
      return
    }
    for op in batch.ops {
      let refusals = memory.refusals(of: op.row, by: op.stamp.device, in: batch.scope)
      check(!refusals.contains { $0.stamp == op.stamp }, "An applied edit is no refusal.")
    }
  }

  /// Seals the edits of a refused batch again that did not cause the refusal.
  private mutating func sealAgain(_ batch: Batch, without row: RowID?, _ device: Int) {
    let innocent = batch.ops.filter { $0.row != row }
    guard !innocent.isEmpty, innocent.count < batch.ops.count,
      let scope = scopes.firstIndex(of: batch.scope)
    else { return }
    seal(innocent, device, scope)
    seen.resealed += 1
  }

  /// Checks that after a gap all results are the same gap, since the request has one scope only.
  private mutating func checkGaps(_ results: [BatchResult]) {
    var gap: BatchResult.Outcome?
    for result in results {
      if let gap {
        check(result.outcome == gap, "After a gap all wait.")
        seen.gaps += 1
      } else if case .gap = result.outcome {
        gap = result.outcome
      }
    }
  }

  /// Gives the changes of a batch a common number, as a faulty server would.
  mutating func shareNumbers(_ results: [BatchResult]) {
    for result in results where !result.isRepeated {
      guard let range = result.outcome.range else { continue }
      for row in memory.rows(in: result.scope, after: range.first - 1, limit: .max)
      where row.seq <= range.last {
        let shared = SyncedRow(row.row, seq: range.last, state: row.state)
        memory.setRow(shared, in: result.scope)
      }
    }
  }

  // MARK: - Pulls

  mutating func pull(_ device: Int, limit: Int) async throws {
    let request = PullRequest(
      device: .sample(UInt8(device + 1)), manifestVersion: 1, grantsAfter: 0,
      cursors: devices[device].map(\.request), limit: limit)
    // Half of the time few rows fit on a page, and conflicts arrive one at a time.
    let rules = random.number(below: 2) == 0 ? PullRules(.none) : PullRules(.none, byteLimit: 200)
    let time = now
    var response = try rules.answer(request, of: .sample(1), at: time, from: forgetful(device))
    if breach == nil {
      let other = try await sqlite.read {
        try rules.answer(request, of: .sample(1), at: time, from: $0)
      }
      check(response == other, "Both logs answer a pull alike.")
      response = other
    }
    for (index, answer) in response.scopes.enumerated() {
      if case .resync = answer.content { seen.resyncs += 1 }
      if let page = answer.content.page, page.isFull, !page.conflicts.isEmpty {
        seen.conflictPages += 1
      }
      guard let digest = devices[device][index].apply(answer) else { continue }
      check(devices[device][index].digest == digest, "A device has what the server had.")
      let place = devices[device][index]
      let known = memory.conflicts(in: place.scope, after: 0, limit: .max)
      check(place.conflicts == known, "A device knows what did not stay.")
      check(known.map(\.number) == Array(1..<Int64(known.count + 1)), "Conflicts are counted.")
    }
  }

  /// Returns the log in memory. If the run breaks `firstPageOnly`, the log reports nothing as
  /// collected from the scopes in which the device is amid pages.
  private func forgetful(_ device: Int) -> MemoryState {
    var log = memory
    guard breach == .firstPageOnly else { return log }
    for place in devices[device] where place.isAmidPages {
      var scope = log.scope(place.scope)
      scope.minSeq = 0
      log.setScope(place.scope, scope)
    }
    return log
  }

  mutating func settle(_ device: Int) async throws {
    for _ in 0..<200 {
      try await pull(device, limit: 3)
      if converged(device) { return }
    }
    check(false, "A device ends with what the server has.")
  }

  private func converged(_ device: Int) -> Bool {
    devices[device].allSatisfy { place in
      let rows = memory.rows(in: place.scope, after: 0, limit: .max)
      let living = rows.filter(\.state.isLiving)
      return !place.isAmidPages && Set(place.living.values) == Set(living)
    }
  }

  // MARK: - The end

  mutating func compareLogs() async throws {
    if breach != nil { return }
    try await compareBlobs()
    for scope in scopes {
      let (rows, state) = try await sqlite.read { log in
        (try log.rows(in: scope, after: 0, limit: .max), try log.scope(scope))
      }
      check(rows == memory.rows(in: scope, after: 0, limit: .max), "Both logs have the same rows.")
      check(state == memory.scope(scope), "Both logs have the same scopes.")
      for device in 1...4 as ClosedRange<UInt8> {
        let state = try await sqlite.read { try $0.device(.sample(device), in: scope) }
        check(state == memory.device(.sample(device), in: scope), "Both logs know the devices.")
        let sent = batches[Int(device) - 1][scopes.firstIndex(of: scope) ?? 0]
        check(state.lastNumber == sent.count, "Every batch is answered for good.")
      }
      for row in RunChecks.places(in: scope) {
        let (conflicts, referrers) = try await sqlite.read { log in
          (try log.conflicts(of: row, in: scope), try log.referrers(of: row, in: scope))
        }
        check(conflicts == memory.conflicts(of: row, in: scope), "Both logs keep the conflicts.")
        check(referrers == memory.referrers(of: row, in: scope), "Both logs know who refers.")
      }
    }
  }
}

extension ServerRun {
  private mutating func compareBlobs() async throws {
    for hash in RunChecks.photos {
      let blobs = try await sqlite.read { try $0.blobs(hash) }
      checks.check(blobs == memory.blobs(hash), "Both logs have the same blobs.")
      for scope in scopes {
        let isUsed = try await sqlite.read { try $0.isUsed(hash, in: scope) }
        checks.check(
          isUsed == memory.isUsed(hash, in: scope), "Both logs know which blobs are used.")
      }
    }
  }
}

extension BatchResult.Outcome {
  /// The outcome without the row that caused a refusal, since that row may have changed since.
  fileprivate var withoutRow: BatchResult.Outcome {
    guard case .rejected(let rejection, _) = self else { return self }
    return .rejected(rejection, current: nil)
  }
}
