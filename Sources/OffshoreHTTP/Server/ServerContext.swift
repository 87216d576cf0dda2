import Synchronization

/// What all connections of a server share: how to answer, who is connected, what is under way.
final class ServerContext: Sendable {
  private struct State: Sendable {
    var connections: [ObjectIdentifier: ClientConnection] = [:]
    var exchanges = 0
    var isStopping = false
    var isAborting = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  let configuration: HTTPServer.Configuration
  let responder: any Responder
  private let state = Mutex(State())

  init(configuration: HTTPServer.Configuration, responder: any Responder) {
    self.configuration = configuration
    self.responder = responder
  }

  var isStopping: Bool { state.withLock { $0.isStopping } }

  var isAborting: Bool { state.withLock { $0.isAborting } }

  func add(_ connection: ClientConnection) {
    state.withLock { $0.connections[ObjectIdentifier(connection)] = connection }
  }

  func remove(_ connection: ClientConnection) {
    connection.enter(.closed)
    state.withLock { _ = $0.connections.removeValue(forKey: ObjectIdentifier(connection)) }
  }

  func exchangeBegan() { state.withLock { $0.exchanges += 1 } }

  func exchangeEnded() {
    state.withLock { state in
      state.exchanges -= 1
      guard state.exchanges == 0 else { return }
      state.waiter?.resume()
      state.waiter = nil
    }
  }

  /// Looks at every deadline.
  func check(at now: ContinuousClock.Instant) {
    for connection in connections { connection.check(at: now) }
  }

  // MARK: - Stopping

  /// Lets nobody in any more, and ends idle connections and streams; other responses end their connections from now on.
  func finish() {
    state.withLock { $0.isStopping = true }
    for connection in connections { connection.finish() }
  }

  /// Returns when nothing is under way, or when ``stopWaiting()`` is called.
  func waitUntilIdle() async {
    await withCheckedContinuation { waiter in
      state.withLock { state in
        if state.exchanges == 0 { waiter.resume() } else { state.waiter = waiter }
      }
    }
  }

  func stopWaiting() {
    state.withLock { state in
      state.waiter?.resume()
      state.waiter = nil
    }
  }

  /// Gives up what is still under way, so that no connection sleeps any more.
  func abort() {
    state.withLock { $0.isAborting = true }
    for connection in connections { connection.abort() }
  }

  private var connections: [ClientConnection] {
    state.withLock { Array($0.connections.values) }
  }
}
