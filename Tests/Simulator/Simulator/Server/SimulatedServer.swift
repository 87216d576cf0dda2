import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport

/// The server: the product's rules over a log in memory, and the model that applies the same
/// batches.
struct SimulatedServer {
  var log: MemoryState
  var model: ModelServer
  let pushRules: PushRules
  let pullRules: PullRules
  /// The record of batches, grants and deletions, for the invariants.
  var history = ServerHistory()
  /// The last living states of deleted rows, for a breach.
  var graves: FaultyLog.Graves = [:]
  /// The copies from which the data may be restored.
  private var copies: [(log: MemoryState, model: ModelServer, history: ServerHistory)] = []

  /// The milliseconds by which a stamp may be ahead.
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

  /// Restores an earlier copy with a new epoch.
  mutating func restore(_ number: Int, epoch: UInt64) throws {
    let copy = copies[number % copies.count]
    var log = copy.log
    try log.beginEpoch(epoch)
    let lost = history
    (self.log, model, history) = (log, copy.model, copy.history)
    history.beginEpoch(after: lost)
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
