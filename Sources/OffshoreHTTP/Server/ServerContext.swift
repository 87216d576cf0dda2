import Synchronization

/// The shared state of a server's connections: the responder, the connections, and the current
/// exchanges.
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
  let budget: MemoryBudget
  private let state = Mutex(State())

  init(configuration: HTTPServer.Configuration, responder: any Responder) {
    self.configuration = configuration
    self.responder = responder
    budget = MemoryBudget(
      bytes: configuration.maximumHeldBytes,
      bytesPerClient: configuration.maximumHeldBytesPerClient)
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

  /// Checks the deadlines of all connections.
  func check(at now: ContinuousClock.Instant) {
    for connection in connections { connection.check(at: now) }
  }

  // MARK: - Stopping

  /// Refuses new connections, and ends idle ones and streams. Later responses close their
  /// connections.
  func finish() {
    state.withLock { $0.isStopping = true }
    for connection in connections { connection.finish() }
  }

  /// Waits until there are no exchanges, or until ``stopWaiting()`` is called.
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

  /// Aborts all current exchanges, so that no connection is suspended any more.
  func abort() {
    state.withLock { $0.isAborting = true }
    for connection in connections { connection.abort() }
  }

  private var connections: [ClientConnection] {
    state.withLock { Array($0.connections.values) }
  }
}
