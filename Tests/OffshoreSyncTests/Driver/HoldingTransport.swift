import Dispatch
import Offshore
import OffshoreWire
import Synchronization

@testable import OffshoreSync

/// Carries messages, and holds the first page that is cut off: nothing that follows it is stored until it
/// is let go.
final class HoldingTransport: SyncTransport {
  /// What is asked and answered.
  struct Traffic {
    var pulls = 0
    var running = 0
    /// The requests whose answers were cut off.
    var cut: [[UInt8]] = []
  }

  let traffic = Mutex(Traffic())
  private let base: HTTPTransport
  private let database = Mutex<Database?>(nil)
  private let release = DispatchSemaphore(value: 0)
  private let held: AsyncStream<Int>.Continuation
  /// How many pulls there were when the page was held, and each pull after that.
  let events: AsyncStream<Int>
  /// What is done before the answer that is held is handed over.
  private let beforeAnswer: @Sendable () async -> Void

  init(_ base: HTTPTransport, beforeAnswer: @escaping @Sendable () async -> Void = {}) {
    self.base = base
    self.beforeAnswer = beforeAnswer
    (events, held) = AsyncStream.makeStream()
  }

  /// Takes the database that the pages are for.
  func hold(_ database: Database) { self.database.withLock { $0 = database } }

  /// Lets go of what is held.
  func letGo() { release.signal() }

  /// Waits until a page is held and the one after it is asked for.
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

  /// Returns once a write waits to be let go, and all others for it.
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
