import Synchronization

/// A buffer of events for one page, which are sent as fast as its connection accepts them.
///
/// ```swift
/// let channel = EventChannel()
/// channel.onClose { tabs.streamEnded(id) }
/// channel.send(ServerSentEvent(data: "hello"))
/// return .events(channel)
/// ```
///
/// Memory is limited: a client that does not read is disconnected when its buffered events exceed
/// the capacity. A channel serves one response.
public final class EventChannel: Sendable {
  private let buffer: Mutex<EventBuffer>
  /// The time at which the server closes the channel.
  private let deadline: ContinuousClock.Instant?

  /// Creates an open channel.
  ///
  /// - Parameters:
  ///   - capacity: the approximate number of bytes of events that may be buffered.
  ///   - lifetime: the time after which the server closes the channel, to about a second.
  public init(capacity: Int = 1 << 20, lifetime: Duration? = nil) {
    buffer = Mutex(EventBuffer(capacity: capacity))
    deadline = lifetime.map { .now + $0 }
  }

  /// Whether the channel accepts events.
  public var isOpen: Bool { buffer.withLock { !$0.isClosed } }

  /// Appends an event, from any thread and without waiting.
  ///
  /// - Returns: whether the channel accepted the event; `false` if it is closed, or exceeds its
  ///   capacity and closes now.
  @discardableResult public func send(_ event: ServerSentEvent) -> Bool {
    let (isAccepted, handlers) = buffer.withLock { $0.append(event) }
    handlers.run()
    return isAccepted
  }

  /// Stops accepting events. Buffered events are still sent, then the response ends.
  public func close() {
    buffer.withLock { $0.finish() }.run()
  }

  /// Runs a closure once when the channel is closed by the app, the client or the server.
  ///
  /// If the channel is already closed, the closure runs at once. Otherwise it runs on the thread
  /// that closes the channel, so it must not block.
  public func onClose(_ handler: @escaping @Sendable () -> Void) {
    buffer.withLock { $0.addHandler(handler) }.run()
  }

  /// Returns the next event when there is one, like a client but without a socket.
  ///
  /// - Returns: `nil` if the channel is closed or the task is cancelled.
  /// - Precondition: There is one caller at a time, and no connection reads from the channel.
  package func next() async -> ServerSentEvent? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        buffer.withLock { buffer in
          buffer.addWaiter(waiter)
          // NB: If the task was cancelled before the waiter was stored, the closure below has
          // already run.
          if Task.isCancelled { buffer.cancelWaiter() }
        }
      }
    } onCancel: {
      buffer.withLock { $0.cancelWaiter() }
    }
  }

  /// Removes and returns the next buffered event, or returns `nil` at once if there is none.
  ///
  /// A simulation in virtual time cannot wait for an event, because no time passes while it does.
  ///
  /// - Precondition: No connection reads from the channel.
  package func poll() -> ServerSentEvent? { buffer.withLock { $0.popFirst() } }
}

// MARK: - Reading by a connection

extension EventChannel {
  /// The result of a read by a connection.
  enum Reading: Equatable, Sendable {
    case bytes(Int)
    case wait
    case end
  }

  /// Attaches the connection that reads.
  /// - Returns: `false` if another connection is attached.
  func attach(_ connection: EventBuffer.Connection) -> Bool {
    buffer.withLock { $0.attach(connection) }
  }

  /// Copies buffered bytes into memory. If there are none, it suspends the connection.
  func read(into memory: UnsafeMutableRawBufferPointer) -> Reading {
    buffer.withLock { $0.read(into: memory) }
  }

  /// Closes the channel if its lifetime has passed.
  func check(at now: ContinuousClock.Instant) {
    if let deadline, deadline <= now { close() }
  }

  /// Writes a comment to an idle connection, which shows whether the client is still connected.
  func sendHeartbeat() { buffer.withLock { $0.sendHeartbeat() } }

  /// Closes the channel and discards buffered events, because they will not be read.
  func disconnect() { buffer.withLock { $0.abandon() }.run() }
}
