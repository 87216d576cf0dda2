/// The numbers of commits, by which those of this process and those of others are told apart.
///
/// The right to write is one for all, so a transaction knows the number that its commit will have. It
/// is expected before the commit, and settled afterwards, when it is known whether it wrote any page.
struct CommitLedger {
  /// The number up to which all commits are accounted for.
  private(set) var seen: UInt32
  /// The numbers of commits that are under way.
  private var expected: Set<UInt32> = []
  /// The numbers of commits of this process that are not accounted for yet.
  private var own: Set<UInt32> = []

  /// Starts with a number of commits, none of which are of interest.
  init(seen: UInt32) { self.seen = seen }

  /// Records that this process is about to make a commit of this number.
  mutating func expect(_ number: UInt32) { expected.insert(number) }

  /// Records whether a commit that was expected was made.
  mutating func settle(_ number: UInt32, isWritten: Bool) {
    expected.remove(number)
    if isWritten, (1...Self.limit).contains(number &- seen) { own.insert(number) }
  }

  /// Accounts for all commits up to a number, unless one of them is still to be settled.
  /// - Returns: whether one of them is of another process.
  mutating func advance(to number: UInt32) -> Bool {
    guard number != seen else { return false }
    guard number &- seen <= Self.limit else {
      seen = number
      own.removeAll()
      return true
    }
    var isForeign = false
    while seen != number, !expected.contains(seen &+ 1) {
      seen &+= 1
      if own.remove(seen) == nil { isForeign = true }
    }
    return isForeign
  }

  /// How many commits are looked at one by one. A greater distance is that of a new index, or of
  /// commits of which one was surely not of this process.
  private static let limit: UInt32 = 4096
}
