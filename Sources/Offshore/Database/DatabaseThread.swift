import Dispatch
import Foundation

/// The threads of databases. Each belongs to the group of its database.
enum DatabaseThread {
  private static let key = "offshore.threads"

  /// Starts a thread that belongs to the group of its database until its work is done.
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

  /// Returns whether the calling thread belongs to a group.
  static func isCurrent(in group: DispatchGroup) -> Bool {
    Thread.current.threadDictionary[key] as? DispatchGroup === group
  }
}
