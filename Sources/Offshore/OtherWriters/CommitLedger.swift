/// The numbers of commits, by which those of this process are distinguished from those of others.
///
/// Only one transaction at a time holds the write lock, so it knows the number that its commit will
/// have. The number is expected before the commit. It is settled afterwards, when it is known
/// whether the commit has written any page.
struct CommitLedger {
  /// The number up to which all commits are accounted for.
  private(set) var seen: UInt32
  /// The numbers of commits that are in progress.
  private var expected: Set<UInt32> = []
  /// The numbers of this process's commits that are not accounted for yet.
  private var own: Set<UInt32> = []

  /// Creates a ledger that ignores the commits so far.
  init(seen: UInt32) { self.seen = seen }

  /// Records that this process is about to commit with this number.
  mutating func expect(_ number: UInt32) { expected.insert(number) }

  /// Records whether an expected commit has written anything.
  mutating func settle(_ number: UInt32, isWritten: Bool) {
    expected.remove(number)
    if isWritten, (1...Self.limit).contains(number &- seen) { own.insert(number) }
  }

  /// Accounts for all commits up to a number, or up to the first one that is still in progress.
  /// - Returns: Whether one of them was made by another process.
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

  /// The maximum number of commits that are accounted for one by one. A greater distance is due to
  /// a new index, or to commits of which at least one was made by another process.
  private static let limit: UInt32 = 4096
}
