import OffshoreWire
import Testing

@testable import OffshoreServer

/// A rule that a run breaks, to show that its checks would notice.
enum Breach: CaseIterable {
  /// The changes of a batch share a number.
  case sharedNumbers
  /// Only the first of several pages looks at what was collected.
  case firstPageOnly
}

/// Four devices in two scopes, and one log in memory beside one in SQLite, which are told the same.
///
/// Pushes arrive twice, late and out of order; between two pages rows are written and tombstones are
/// collected. What does not hold is noted in ``failures``.
struct ServerRun {
  private(set) var failures: Set<String> = []
  private(set) var rejected: Set<Rejection.Code?> = []
  private(set) var resyncs = 0
  private(set) var moves = 0
  private(set) var sqlite: SQLiteChangeLog
  private(set) var memory = MemoryState(epoch: 7)
  private let breach: Breach?
  private let pushRules: PushRules
  private let pullRules = PullRules()
  private var random: SeededRandom
  private var now: Int64 = 1_000_000
  private let scopes: [ScopeID]
  private var devices: [[PagingDevice]]
  /// The batches of each device and scope, sent or not.
  private var batches: [[[Batch]]]
  /// What each batch was answered for good.
  private var answers: [String: BatchResult.Outcome] = [:]

  init(seed: UInt64, breach: Breach? = nil) throws {
    random = SeededRandom(seed: seed)
    self.breach = breach
    pushRules = try PushRules(Lists.manifest())
    sqlite = try SQLiteChangeLog.inMemory(epoch: 7)
    let scopes = try ["1", "2"].map { try Lists.scope($0) }
    self.scopes = scopes
    devices = (0..<4).map { _ in scopes.map(PagingDevice.init) }
    batches = (0..<4).map { _ in scopes.map { _ in [] } }
  }

  /// Runs some steps, then lets everything arrive.
  mutating func run(steps: Int) async throws {
    try await onBoth { [scopes] log in
      for scope in scopes { try log.grant(.owner, to: .sample(1), in: scope) }
    }
    for _ in 0..<steps { try await step() }
    for device in devices.indices {
      for scope in scopes.indices { try await push(device, batches[device][scope]) }
    }
    for device in devices.indices { try await settle(device) }
    try await compareLogs()
  }

  // MARK: - Steps

  private mutating func step() async throws {
    now += Int64(random.number(below: 50))
    let (device, scope) = (random.number(below: 4), random.number(below: 2))
    switch random.number(below: 12) {
    case 0...3: try edit(device, scope)
    case 4...6: try await pushSome(device, scope)
    case 7 where random.number(below: 2) == 0: try await collect(scope)
    default: try await pull(device, limit: 1 + random.number(below: 3))
    }
  }

  private mutating func edit(_ device: Int, _ scope: Int) throws {
    // Clocks are wrong by a minute.
    let skew = Int64.random(in: -60_000...60_000, using: &random)
    let edits = RandomEdits(
      device: UInt8(device + 1), list: scopes[scope].value, rows: devices[device][scope].rows,
      time: now + skew)
    let number = batches[device][scope].count + 1
    let batch = Batch(
      scopes[scope], number: Int64(number), id: .sample(UInt8(truncatingIfNeeded: number)),
      ops: try edits.ops(&random))
    batches[device][scope].append(batch)
  }

  /// Sends some of a device's batches, old ones among them, in the right order or not.
  private mutating func pushSome(_ device: Int, _ scope: Int) async throws {
    let all = batches[device][scope]
    var some = Array(all.suffix(1 + random.number(below: 4)))
    if random.number(below: 3) == 0 { some.shuffle(using: &random) }
    if random.number(below: 3) == 0, let again = all.randomElement(using: &random) {
      some.append(again)
    }
    try await push(device, some)
  }

  private mutating func collect(_ scope: Int) async throws {
    let head = memory.scope(scopes[scope]).head
    // Half of the time, all that can be.
    let seq = random.number(below: 2) == 0 ? head : Int64.random(in: 0...head, using: &random)
    try await onBoth { [scopes] log in try log.collect(scopes[scope], upTo: seq) }
  }

  /// Makes the same change in both logs.
  private mutating func onBoth(
    _ body: @escaping @Sendable (inout any ChangeLogWriter) throws -> Void
  ) async throws {
    var writer: any ChangeLogWriter = memory
    try body(&writer)
    if let state = writer as? MemoryState { memory = state }
    try await sqlite.write { transaction in
      var writer: any ChangeLogWriter = transaction
      try body(&writer)
    }
  }

  // MARK: - Push

  private mutating func push(_ device: Int, _ batches: [Batch]) async throws {
    let request = PushRequest(
      device: .sample(UInt8(device + 1)), epoch: 7, manifestVersion: 1, batches: batches)
    let heads = scopes.map { memory.scope($0).head }
    let (rules, time) = (pushRules, now)
    let first = try rules.apply(request, of: .sample(1), at: time, to: &memory)
    let second = try await sqlite.write { log in
      try rules.apply(request, of: .sample(1), at: time, to: &log)
    }
    check(first == second, "Both logs answer a push alike.")
    for result in first.results { note(result, of: device) }
    checkRanges(of: first.results, before: heads)
    for (scope, head) in zip(scopes, heads) { checkNumbers(scope, after: head) }
    if breach == .sharedNumbers { shareNumbers(first.results) }
  }

  /// Each batch is answered for good once, and from then on always the same.
  private mutating func note(_ result: BatchResult, of device: Int) {
    switch result.outcome {
    case .gap: return
    case .forked: check(false, "No batch is another of the same number.")
    case .applied, .rejected: break
    }
    let key = "\(result.scope) \(device) \(result.number)"
    check((answers[key] != nil) == result.isRepeated, "A batch takes effect once.")
    if let before = answers[key] {
      check(before == result.outcome, "A batch is answered as before.")
    } else if result.outcome.rejection != nil {
      rejected.insert(result.outcome.rejection)
    }
    answers[key] = result.outcome
  }

  /// The ranges of what was applied follow one another from the old head to the new one: a push of one
  /// scope has no arrivals in it.
  private mutating func checkRanges(of results: [BatchResult], before heads: [Int64]) {
    guard let scope = results.first?.scope, let index = scopes.firstIndex(of: scope) else { return }
    var head = heads[index]
    for result in results where !result.isRepeated {
      guard let range = result.outcome.range else { continue }
      check(range.first == head + 1, "A batch's numbers follow those before.")
      head = range.last
    }
    check(head == memory.scope(scope).head, "No number is left out.")
  }

  private mutating func checkNumbers(_ scope: ScopeID, after head: Int64) {
    let state = memory.scope(scope)
    let rows = memory.rows(in: scope, after: 0, limit: .max)
    moves += rows.count { $0.seq > head && $0.state.presence == .moved }
    let sum = rows.reduce(into: Digest()) { $0.add($1.state, of: $1.row) }
    check(state.digest == sum, "The digest is the sum of the rows.")
    if breach == .sharedNumbers { return }
    check(Set(rows.map(\.seq)).count == rows.count, "Each row has a number of its own.")
    check(rows.allSatisfy { 1...state.head ~= $0.seq }, "No number is beyond the head.")
    check(state.head == head || rows.last?.seq == state.head, "The head is a row's.")
  }

  /// What a server would do that numbers batches instead of changes.
  private mutating func shareNumbers(_ results: [BatchResult]) {
    for result in results where !result.isRepeated {
      guard let range = result.outcome.range else { continue }
      for row in memory.rows(in: result.scope, after: range.first - 1, limit: .max)
      where row.seq <= range.last {
        let shared = SyncedRow(row.row, seq: range.last, state: row.state)
        memory.setRow(shared, in: result.scope)
      }
    }
  }

  // MARK: - Pull

  private mutating func pull(_ device: Int, limit: Int) async throws {
    let request = PullRequest(
      device: .sample(UInt8(device + 1)), manifestVersion: 1, grantsAfter: 0,
      cursors: devices[device].map(\.request), limit: limit)
    let (rules, time) = (pullRules, now)
    var response = try rules.answer(request, of: .sample(1), at: time, from: forgetful(device))
    if breach == nil {
      let other = try await sqlite.read {
        try rules.answer(request, of: .sample(1), at: time, from: $0)
      }
      check(response == other, "Both logs answer a pull alike.")
      response = other
    }
    for (index, answer) in response.scopes.enumerated() {
      if case .resync = answer.content { resyncs += 1 }
      guard let digest = devices[device][index].take(answer) else { continue }
      check(devices[device][index].digest == digest, "A device has what the server had.")
    }
  }

  /// The log in memory, without what was collected where that is to be overlooked.
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

  private mutating func settle(_ device: Int) async throws {
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

  // MARK: - What holds

  private mutating func check(_ holds: Bool, _ sentence: String) {
    if !holds { failures.insert(sentence) }
  }

  private mutating func compareLogs() async throws {
    if breach != nil { return }
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
      for row in (0..<6).map({ Lists.task("t\($0)") }) {
        let conflicts = try await sqlite.read { try $0.conflicts(of: row, in: scope) }
        check(conflicts == memory.conflicts(of: row, in: scope), "Both logs keep the conflicts.")
      }
    }
  }
}
