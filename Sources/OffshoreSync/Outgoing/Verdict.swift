import OffshoreWire

/// The decisions about the ops of a refused batch.
///
/// - The transactions that have changed the refused row are refused. If the server names no row of
///   the batch, all ops are.
/// - The ops of other transactions are sealed again.
/// - While the limit for the rejection's code allows another attempt, the refused transactions are
///   postponed: they are sent again later.
/// - A deletion of a row that the server has already deleted counts as done. If the server's data was
///   restored, the row may come back, so the deletion is refused.
/// - Ops that arrived too early are sealed again after the others. Those that need a postponed row are
///   postponed with it.
struct Verdict {
  /// Ops, the part that each belongs to, and the number of times that they were refused together.
  typealias Group = (ops: [Op], parts: [Int], attempts: Int64)

  /// The refused ops.
  private(set) var dead: [Op] = []
  /// The deletions that count as done.
  private(set) var done: [Op] = []
  /// The batches to seal again.
  private(set) var sealedAgain: [Group] = []
  /// The batch to send again later.
  private(set) var postponed: Group?

  /// The maximum number of times that ops may arrive too early. Without a limit, batches that need
  /// each other's rows would be sent forever.
  private static let earlyLimit: Int64 = 10

  /// - Parameters:
  ///   - limit: the maximum number of times that a change is sent if it is refused with this code.
  ///   - early: the rows that need rows of other batches, if the batch was refused for that reason;
  ///     see ``AwaitedRows``.
  ///   - awaiting: the rows that need postponed rows.
  init(
    _ sealed: SealedBatch, _ rejection: Rejection, limit: Int, early: Set<RowID> = [],
    awaiting: Set<RowID> = []
  ) {
    let all = Array(zip(sealed.batch.ops, sealed.parts))
    let concerned = all.filter { $0.0.row == rejection.row }
    let guilty = Set(concerned.map(\.1))
    let (attempts, others) = (sealed.attempts, all.filter { !guilty.contains($0.1) })
    if !awaiting.isEmpty {
      retain(all.filter { !awaiting.contains($0.0.row) }, attempts)
      postpone(all.filter { awaiting.contains($0.0.row) }, attempts)
    } else if !early.isEmpty, sealed.refusals < Self.earlyLimit {
      retain(all.filter { !early.contains($0.0.row) }, attempts)
      retain(all.filter { early.contains($0.0.row) }, attempts + 1)
    } else if rejection.code == .gone, !sealed.followsRestore, early.isEmpty, !concerned.isEmpty,
      concerned.allSatisfy({ $0.0.kind == .delete })
    {
      done = concerned.map(\.0)
      retain(all.filter { $0.0.row != rejection.row }, attempts)
    } else if sealed.refusals + 1 < limit, rejection.code == .dependency {
      // The change that this one builds on may have been sealed again.
      retain(all, attempts + 1)
    } else if sealed.refusals + 1 < limit {
      postpone(concerned.isEmpty ? all : all.filter { guilty.contains($0.1) }, attempts + 1)
      if !concerned.isEmpty { retain(others, attempts) }
    } else if concerned.isEmpty {
      dead = sealed.batch.ops
    } else {
      dead = all.filter { guilty.contains($0.1) }.map(\.0)
      retain(others, attempts)
    }
  }

  private mutating func postpone(_ ops: [(Op, Int)], _ attempts: Int64) {
    postponed = (ops.map(\.0), ops.map(\.1), attempts)
  }

  private mutating func retain(_ ops: [(Op, Int)], _ attempts: Int64) {
    guard !ops.isEmpty else { return }
    sealedAgain.append((ops.map(\.0), ops.map(\.1), attempts))
  }
}
