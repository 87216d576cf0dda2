import Synchronization

/// Where a page's events are put in, to be sent as its connection takes them.
///
/// ```swift
/// let channel = EventChannel()
/// channel.onClose { tabs.streamEnded(id) }
/// channel.send(ServerSentEvent(data: "hello"))
/// return .events(channel)
/// ```
///
/// Memory is bounded: a client that does not read is cut off once more waits for it than the capacity
/// allows. A channel serves one response.
public final class EventChannel: Sendable {
  private let buffer: Mutex<EventBuffer>
  /// When the server closes it.
  private let deadline: ContinuousClock.Instant?

  /// Makes an open channel.
  ///
  /// - Parameters:
  ///   - capacity: About how many bytes of events may wait to be sent.
  ///   - lifetime: After which time the server closes it, to about a second.
  public init(capacity: Int = 1 << 20, lifetime: Duration? = nil) {
    buffer = Mutex(EventBuffer(capacity: capacity))
    deadline = lifetime.map { .now + $0 }
  }

  /// Whether events are still taken.
  public var isOpen: Bool { buffer.withLock { !$0.isClosed } }

  /// Puts an event at the end, from any thread and without waiting.
  ///
  /// - Returns: Whether the channel took it; `false` once it is closed.
  @discardableResult public func send(_ event: ServerSentEvent) -> Bool {
    let (isTaken, ended) = buffer.withLock { $0.append(event) }
    ended.run()
    return isTaken
  }

  /// Takes no more events; those that wait are sent, then the response ends.
  public func close() {
    buffer.withLock { $0.finish() }.run()
  }

  /// Runs a closure once when the channel closes, whether by the app, the client, or the server.
  ///
  /// It runs at once where the channel is closed already, else on the thread that closes it, so it
  /// must not block.
  public func onClose(_ handler: @escaping @Sendable () -> Void) {
    buffer.withLock { $0.addHandler(handler) }.run()
  }

  /// The next event, or `nil` at the end: what a client would get, without a socket.
  ///
  /// - Precondition: One caller at a time, and no connection reads from the channel.
  package func next() async -> ServerSentEvent? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        buffer.withLock { buffer in
          buffer.take(waiter)
          // NB: Cancelled before there was a waiter, the closure below has run already.
          if Task.isCancelled { buffer.cancelWaiter() }
        }
      }
    } onCancel: {
      buffer.withLock { $0.cancelWaiter() }
    }
  }

  /// Removes the next buffered event, or returns `nil` at once if there is none.
  ///
  /// A simulation in virtual time cannot wait for an event, because no time passes while it does.
  ///
  /// - Precondition: No connection reads from the channel.
  package func poll() -> ServerSentEvent? { buffer.withLock { $0.popFirst() } }
}

// MARK: - The connection's side

extension EventChannel {
  /// What a connection does with the bytes it asks for.
  enum Reading: Equatable, Sendable {
    case bytes(Int)
    case wait
    case end
  }

  /// Lets a connection read; `false` where another one does.
  func attach(_ connection: EventBuffer.Connection) -> Bool {
    buffer.withLock { $0.attach(connection) }
  }

  /// Fills memory with what waits; where nothing does, puts the connection to sleep.
  func read(into memory: UnsafeMutableRawBufferPointer) -> Reading {
    buffer.withLock { $0.read(into: memory) }
  }

  /// Closes where the time is over.
  func check(at now: ContinuousClock.Instant) {
    if let deadline, deadline <= now { close() }
  }

  /// Gives an idle connection something to write, by which it notices that the client is gone.
  func beat() { buffer.withLock { $0.beat() } }

  /// Drops what waits, because nobody will read it.
  func disconnect() { buffer.withLock { $0.abandon() }.run() }
}
