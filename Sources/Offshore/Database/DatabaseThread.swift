import Dispatch
import Foundation

/// The threads of a database's own, which know whose they are.
enum DatabaseThread {
  private static let key = "offshore.threads"

  /// Starts a thread that is in a group, which stands for its database, until its work is done.
  static func start(
    _ name: String, in group: DispatchGroup, _ body: @escaping @Sendable () -> Void
  ) {
    group.enter()
    let thread = Thread {
      Thread.current.threadDictionary[key] = group
      // The system's tools show a name only if the thread itself sets it.
      Thread.current.name = name
      body()
      group.leave()
    }
    thread.start()
  }

  /// Whether the calling thread is one of a group.
  static func isCurrent(in group: DispatchGroup) -> Bool {
    Thread.current.threadDictionary[key] as? DispatchGroup === group
  }
}
