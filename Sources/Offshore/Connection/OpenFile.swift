import CSQLite
import Synchronization

/// A file that a connection of this process has open.
///
/// NB: To close a file ends all locks that the process has on it, whichever connection has taken
/// them (<https://sqlite.org/howtocorrupt.html#posix_close_bug>). SQLite minds that for its own
/// connections, but for those that are opened without locks. So these are closed once no connection
/// of the process locks the file.
struct OpenFile {
  private let identity: FileIdentity
  private let isLocked: Bool

  /// Adds a file that was opened, before its connection takes a lock.
  ///
  /// - Parameter isLocked: whether the connection uses locks.
  /// - Returns: `nil` if there is no file at the path.
  init?(_ path: String, isLocked: Bool) {
    guard let identity = FileIdentity(path) else { return nil }
    self.identity = identity
    self.isLocked = isLocked
    if isLocked { Self.uses.withLock { $0[identity, default: Use()].lockCount += 1 } }
  }

  /// Closes the connection: at once, or without locks after the last one that locks the file.
  func close(_ handle: OpaquePointer) {
    if isLocked {
      sqlite3_close_v2(handle)
      Self.uses.withLock { uses in
        uses[identity]?.lockCount -= 1
        Self.closeUnlocked(identity, &uses)
      }
    } else {
      let handle = UnlockedHandle(pointer: handle)
      Self.uses.withLock { uses in
        uses[identity, default: Use()].closing.append(handle)
        Self.closeUnlocked(identity, &uses)
      }
    }
  }

  // MARK: - All files of the process

  /// The connections to a file.
  private struct Use {
    /// The number of those that lock it.
    var lockCount = 0
    /// Those without locks that are to be closed.
    var closing: [UnlockedHandle] = []
  }

  private struct UnlockedHandle: @unchecked Sendable {  // Closed with `uses` locked.
    let pointer: OpaquePointer
  }

  private static let uses = Mutex<[FileIdentity: Use]>([:])

  private static func closeUnlocked(
    _ identity: FileIdentity, _ uses: inout [FileIdentity: Use]
  ) {
    guard uses[identity]?.lockCount == 0 else { return }
    for handle in uses.removeValue(forKey: identity)?.closing ?? [] {
      sqlite3_close_v2(handle.pointer)
    }
  }
}
