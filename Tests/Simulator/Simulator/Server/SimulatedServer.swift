import OffshoreServer
import OffshoreSync
import OffshoreWire

/// The server: the product's rules over a log in memory, and the model that is told what it took.
struct SimulatedServer {
  var log: MemoryState
  var model: ModelServer
  let pushRules: PushRules
  let pullRules: PullRules
  /// What is known of the batches, grants and deaths, for the invariants.
  var history = ServerHistory()
  /// What rows were before they were deleted, for a rule that is broken.
  var graves: FaultyLog.Graves = [:]
  /// Copies from which the data may be restored.
  private var copies: [(log: MemoryState, model: ModelServer, history: ServerHistory)] = []

  /// How many milliseconds a stamp may be ahead.
  static let tolerance: Int64 = 1_000

  init(_ version: AppVersion, epoch: UInt64, pageBytes: Int) throws {
    log = MemoryState(epoch: epoch)
    model = ModelServer(tolerance: Self.tolerance)
    pushRules = try PushRules(
      version.schema.manifest, rules: AppVersion.rules, tolerance: Self.tolerance)
    pullRules = PullRules(byteLimit: pageBytes)
  }

  var hasCopy: Bool { !copies.isEmpty }

  mutating func keepCopy() { copies.append((log, model, history)) }

  /// Goes on from an earlier copy, as another epoch.
  mutating func restore(_ number: Int, epoch: UInt64) throws {
    let copy = copies[number % copies.count]
    var log = copy.log
    try log.beginEpoch(epoch)
    let lost = history
    (self.log, model, history) = (log, copy.model, copy.history)
    history.beginEpoch(after: lost)
  }

  /// Forgets tombstones, and lets the model forget the same.
  /// - Returns: how many.
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
