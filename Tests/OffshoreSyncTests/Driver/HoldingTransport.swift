import Dispatch
import Offshore
import OffshoreWire
import Synchronization

@testable import OffshoreSync

/// A transport that blocks the first incomplete page: later answers are not stored until it is
/// released.
final class HoldingTransport: SyncTransport {
  /// The counts of requests and answers.
  struct Traffic {
    var pulls = 0
    var running = 0
    /// The requests whose answers had further pages.
    var cut: [[UInt8]] = []
  }

  let traffic = Mutex(Traffic())
  private let base: HTTPTransport
  private let database = Mutex<Database?>(nil)
  private let release = DispatchSemaphore(value: 0)
  private let held: AsyncStream<Int>.Continuation
  /// An element when the page is held, and one for each pull after that.
  let events: AsyncStream<Int>
  /// Runs before the held answer is returned.
  private let beforeAnswer: @Sendable () async -> Void

  init(_ base: HTTPTransport, beforeAnswer: @escaping @Sendable () async -> Void = {}) {
    self.base = base
    self.beforeAnswer = beforeAnswer
    (events, held) = AsyncStream.makeStream()
  }

  /// Sets the database that stores the pages.
  func hold(_ database: Database) { self.database.withLock { $0 = database } }

  /// Releases the held page.
  func letGo() { release.signal() }

  /// Waits until a page is held and the next page has been requested.
  func waitForNext() async {
    var heard = 0
    for await _ in events {
      heard += 1
      if heard == 2 { return }
    }
  }

  func send(
    _ body: [UInt8], to path: String, token: String
  ) async throws(SyncEngine.Failure) -> [UInt8] {
    guard path == "v1/pull" else { return try await base.send(body, to: path, token: token) }
    let isHeld = traffic.withLock { traffic in
      traffic.pulls += 1
      traffic.running += 1
      return !traffic.cut.isEmpty
    }
    if isHeld { held.yield(0) }
    defer { traffic.withLock { $0.running -= 1 } }
    let answer = try await base.send(body, to: path, token: token)
    guard let response = try? PullResponse(body: answer), response.isCut else { return answer }
    let isFirst = traffic.withLock { traffic in
      traffic.cut.append(body)
      return traffic.cut.count == 1
    }
    if isFirst {
      await occupyWriter()
      held.yield(0)
      await beforeAnswer()
    }
    return answer
  }

  /// Occupies the database's writer until the page is released.
  private func occupyWriter() async {
    let (running, continuation) = AsyncStream.makeStream(of: Void.self)
    let database = database.withLock { $0 }
    _Concurrency.Task { [release] in
      try await database?.write { _ in
        continuation.finish()
        release.wait()
      }
    }
    for await _ in running {}
  }

  func listen(
    token: String, _ heard: @escaping @Sendable (StreamEvent) async -> Void
  ) async throws(SyncEngine.Failure) {
    try await base.listen(token: token, heard)
  }
}

extension PullResponse {
  fileprivate var isCut: Bool {
    scopes.contains { answer in
      guard case .page(let page) = answer.content else { return false }
      return page.isFull
    }
  }
}
