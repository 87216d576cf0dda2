import OffshoreWire
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
/// collected. Devices lose rows. Each failed check is recorded in ``failures``.
struct ServerRun {
  /// The number of occurrences of each case.
  struct Seen {
    var rejected: Set<Rejection.Code?> = []
    var (resyncs, moves, cascades, forks, gaps, remade, conflictPages) = (0, 0, 0, 0, 0, 0, 0)
  }

  var failures: Set<String> = []
  var seen = Seen()
  let sqlite: SQLiteChangeLog
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
    pushRules = try PushRules(Lists.manifest())
    sqlite = try SQLiteChangeLog.inMemory(epoch: 7)
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

  mutating func check(_ holds: Bool, _ sentence: String) {
    if !holds { failures.insert(sentence) }
  }

  // MARK: - Steps

  private mutating func step() async throws {
    now += Int64(random.number(below: 50))
    let (device, scope) = (random.number(below: 4), random.number(below: 2))
    switch random.number(below: 13) {
    case 0...3: try edit(device, scope)
    case 4...6: try await pushSome(device, scope)
    case 7 where random.number(below: 2) == 0: try await collect(scope)
    case 8 where random.number(below: 3) == 0: try await pushFromCopy(device, scope)
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
        scopes[scope], number: Int64(number), id: .sample(UInt8(truncatingIfNeeded: number)),
        ops: ops))
  }

  private mutating func collect(_ scope: Int) async throws {
    let head = memory.scope(scopes[scope]).head
    // Half of the time, all that can be collected.
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
}
