import OffshoreHTTP
import OffshoreWire
import Synchronization

/// The downloads of blobs that are under way. Each has a file open beside its connection, so their
/// number is limited, for each account and for all servers of a process together.
package final class DownloadSlots: Sendable {
  private let limit: Int
  private let limitPerAccount: Int
  private let accounts = Mutex<[AccountID: Int]>([:])

  /// - Parameters:
  ///   - limit: the number of downloads.
  ///   - limitPerAccount: the number of downloads of one account.
  package init(limit: Int = 128, limitPerAccount: Int = 16) {
    self.limit = limit
    self.limitPerAccount = limitPerAccount
  }

  /// Occupies a slot, until the returned object is released.
  /// - Throws: `HTTPError` with 503 and `Retry-After` if no slot is free.
  func occupy(for account: AccountID) throws -> Slot {
    let isFree = accounts.withLock { accounts in
      guard accounts.values.reduce(0, +) < limit, accounts[account, default: 0] < limitPerAccount
      else { return false }
      accounts[account, default: 0] += 1
      return true
    }
    guard isFree else { throw MemoryBudget.exhausted }
    return Slot(slots: self, account: account)
  }

  /// A download that is under way.
  final class Slot: Sendable {
    private let slots: DownloadSlots
    private let account: AccountID

    fileprivate init(slots: DownloadSlots, account: AccountID) {
      self.slots = slots
      self.account = account
    }

    deinit {
      slots.accounts.withLock { accounts in
        let count = accounts[account, default: 0] - 1
        accounts[account] = count > 0 ? count : nil
      }
    }
  }
}
