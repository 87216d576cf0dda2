import Dispatch
import Offshore
import OffshoreWire
import Synchronization

@testable import OffshoreSync

/// A transport that holds an answer to a pull: it and later answers are not stored until it is
/// released.
final class HoldingTransport: SyncTransport {
  /// The pulls until now.
  struct Traffic {
    var requests: [[UInt8]] = []
    /// The number of requests without an answer.
    var running = 0
    /// The requests whose answers can be held, the one that was held first.
    var holdable: [[UInt8]] = []
  }

  let traffic = Mutex(Traffic())
  private let base: HTTPTransport
  private let database = Mutex<Database?>(nil)
  private let release = DispatchSemaphore(value: 0)
  private let held: AsyncStream<Int>.Continuation
  /// An element when an answer is held, and one for each pull after that.
  let events: AsyncStream<Int>
  /// Whether an answer can be held. The first of them is.
  private let isHoldable: @Sendable (PullResponse) -> Bool
  /// Runs before the held answer is returned.
  private let beforeAnswer: @Sendable () async -> Void

  /// Creates a transport that holds the first answer with an incomplete page, or another one.
  init(
    _ base: HTTPTransport, holding isHoldable: @escaping @Sendable (PullResponse) -> Bool = \.isCut,
    beforeAnswer: @escaping @Sendable () async -> Void = {}
  ) {
    (self.base, self.isHoldable) = (base, isHoldable)
    self.beforeAnswer = beforeAnswer
    (events, held) = AsyncStream.makeStream()
  }

  /// Sets the database that stores the answers.
  func hold(_ database: Database) { self.database.withLock { $0 = database } }

  /// Releases the held answer.
  func letGo() { release.signal() }

  /// Waits until an answer is held and the next pulls have been requested.
  func waitForNext(_ count: Int = 1) async {
    var heard = 0
    for await _ in events {
      heard += 1
      if heard == count + 1 { return }
    }
  }

  func send(
    _ body: [UInt8], to path: String, token: String
  ) async throws(SyncEngine.Failure) -> [UInt8] {
    guard path == "v1/pull" else { return try await base.send(body, to: path, token: token) }
    let isHeld = traffic.withLock { traffic in
      traffic.requests.append(body)
      traffic.running += 1
      return !traffic.holdable.isEmpty
    }
    if isHeld { held.yield(0) }
    defer { traffic.withLock { $0.running -= 1 } }
    let answer = try await base.send(body, to: path, token: token)
    guard let response = try? PullResponse(body: answer), isHoldable(response) else {
      return answer
    }
    let isFirst = traffic.withLock { traffic in
      traffic.holdable.append(body)
      return traffic.holdable.count == 1
    }
    if isFirst {
      await occupyWriter()
      held.yield(0)
      await beforeAnswer()
    }
    return answer
  }

  /// Occupies the database's writer until the answer is released.
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
