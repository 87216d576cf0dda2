import OffshoreWire

/// What becomes of the ops of a batch that was refused.
///
/// The transactions that have changed the refused row are set aside. What was only sent along with
/// them is to be sealed again. So are transactions that build on others which were refused: those may
/// have been sealed again too. The second time they are set aside. And a deletion of a row that is
/// gone has come true.
struct Verdict {
  /// The ops that are set aside.
  private(set) var dead: [Op] = []
  /// The ops to be sealed again, and their parts.
  private(set) var ops: [Op] = []
  private(set) var parts: [Int] = []
  /// How often they have been refused for what they build on.
  private(set) var attempts: Int64

  init(_ sealed: SealedBatch, _ rejection: Rejection) {
    attempts = sealed.attempts
    let all = Array(zip(sealed.batch.ops, sealed.parts))
    let concerned = all.filter { $0.0.row == rejection.row }
    if rejection.code == .gone, !concerned.isEmpty, concerned.allSatisfy({ $0.0.kind == .delete }) {
      keep(all.filter { $0.0.row != rejection.row })
    } else if rejection.code == .dependency, sealed.attempts == 0 {
      attempts = 1
      keep(all)
    } else if concerned.isEmpty || rejection.code == .forbidden {
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
