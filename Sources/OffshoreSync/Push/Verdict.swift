import OffshoreWire

/// What becomes of the ops of a batch that was refused.
///
/// The transactions that have changed the refused row are set aside. What was only sent along with
/// them is to be sealed again. So are those that may be taken the next time, as often as the limit for
/// the reason says. And a deletion of a row that is gone has come true.
struct Verdict {
  /// The ops that are set aside.
  private(set) var dead: [Op] = []
  /// The deletions that have come true.
  private(set) var done: [Op] = []
  /// The ops to be sealed again, and their parts.
  private(set) var ops: [Op] = []
  private(set) var parts: [Int] = []
  /// How often all of them have been refused together.
  private(set) var attempts: Int64

  /// - Parameters:
  ///   - limit: how often a change that is refused for the reason is sent.
  ///   - isEarly: whether the refused row is yet to come, with a change that waits.
  init(_ sealed: SealedBatch, _ rejection: Rejection, limit: Int, isEarly: Bool) {
    attempts = sealed.attempts
    let all = Array(zip(sealed.batch.ops, sealed.parts))
    let concerned = all.filter { $0.0.row == rejection.row }
    if isEarly {
      keep(all)
    } else if rejection.code == .gone, !concerned.isEmpty,
      concerned.allSatisfy({ $0.0.kind == .delete })
    {
      done = concerned.map(\.0)
      keep(all.filter { $0.0.row != rejection.row })
    } else if sealed.attempts + 1 < limit {
      attempts += 1
      keep(all)
    } else if concerned.isEmpty {
      dead = sealed.batch.ops
    } else {
      let guilty = Set(concerned.map(\.1))
      dead = all.filter { guilty.contains($0.1) }.map(\.0)
      keep(all.filter { !guilty.contains($0.1) })
    }
  }

  private mutating func keep(_ rest: [(Op, Int)]) {
    ops = rest.map(\.0)
    parts = rest.map(\.1)
  }
}
