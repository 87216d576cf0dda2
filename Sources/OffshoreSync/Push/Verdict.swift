import OffshoreWire

/// What becomes of the ops of a batch that was refused.
///
/// The transactions that have changed the refused row are set aside. What was only sent along with
/// them is to be sealed again. So are those that may be taken the next time, as often as the limit for
/// the reason says. A deletion of a row that is gone has come true. What only came too early is sealed
/// again behind the rest.
struct Verdict {
  /// The ops that are set aside.
  private(set) var dead: [Op] = []
  /// The deletions that have come true.
  private(set) var done: [Op] = []
  /// The batches to be sealed again: ops, their parts, and how often all of them were refused together.
  private(set) var sealedAgain: [(ops: [Op], parts: [Int], attempts: Int64)] = []

  /// How often ops may come too early. Batches can wait for each other's rows.
  private static let earlyLimit: Int64 = 10

  /// - Parameters:
  ///   - limit: how often a change that is refused for the reason is sent.
  ///   - early: the rows that wait for others to come, where the batch was refused for that; see
  ///     ``AwaitedRows``.
  init(_ sealed: SealedBatch, _ rejection: Rejection, limit: Int, early: Set<RowID> = []) {
    let all = Array(zip(sealed.batch.ops, sealed.parts))
    let concerned = all.filter { $0.0.row == rejection.row }
    let guilty = Set(concerned.map(\.1))
    let (attempts, others) = (sealed.attempts, all.filter { !guilty.contains($0.1) })
    if !early.isEmpty, attempts < Self.earlyLimit {
      keep(all.filter { !early.contains($0.0.row) }, attempts)
      keep(all.filter { early.contains($0.0.row) }, attempts + 1)
    } else if rejection.code == .gone, early.isEmpty, !concerned.isEmpty,
      concerned.allSatisfy({ $0.0.kind == .delete })
    {
      done = concerned.map(\.0)
      keep(all.filter { $0.0.row != rejection.row }, attempts)
    } else if attempts + 1 < limit {
      keep(all, attempts + 1)
    } else if concerned.isEmpty {
      dead = sealed.batch.ops
    } else {
      dead = all.filter { guilty.contains($0.1) }.map(\.0)
      keep(others, attempts)
    }
  }

  private mutating func keep(_ ops: [(Op, Int)], _ attempts: Int64) {
    guard !ops.isEmpty else { return }
    sealedAgain.append((ops.map(\.0), ops.map(\.1), attempts))
  }
}
