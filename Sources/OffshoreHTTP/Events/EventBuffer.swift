/// The state of an event channel: the buffered events, the connection that reads, and the handlers
/// of its end.
struct EventBuffer: Sendable {
  /// The operations on the connection that reads: suspend, resume, and shut down if it does not
  /// read.
  struct Connection: Sendable {
    let sleep: @Sendable () -> Void
    let wake: @Sendable () -> Void
    let cutOff: @Sendable () -> Void
  }

  /// The handlers to run after the lock is released.
  struct Ended: Sendable {
    var handlers: [@Sendable () -> Void] = []

    func run() { for handler in handlers { handler() } }
  }

  private(set) var isClosed = false
  private let capacity: Int
  private var events = FirstInFirstOut<ServerSentEvent>()
  private var size = 0
  /// The bytes of the current event, and the number of those already written.
  private var current: [UInt8] = []
  private var written = 0
  private var connection: Connection?
  private var isConnectionWaiting = false
  private var waiter: CheckedContinuation<ServerSentEvent?, Never>?
  private var handlers: [@Sendable () -> Void] = []

  init(capacity: Int) { self.capacity = capacity }

  mutating func append(_ event: ServerSentEvent) -> (isTaken: Bool, Ended) {
    guard !isClosed else { return (false, Ended()) }
    if let waiter {
      self.waiter = nil
      waiter.resume(returning: event)
      return (true, Ended())
    }
    guard size + event.size <= capacity else {
      connection?.cutOff()
      return (false, abandon())
    }
    events.append(event)
    size += event.size
    wake()
    return (true, Ended())
  }

  mutating func finish() -> Ended {
    guard !isClosed else { return Ended() }
    isClosed = true
    waiter?.resume(returning: nil)
    waiter = nil
    wake()
    defer { handlers = [] }
    return Ended(handlers: handlers)
  }

  mutating func abandon() -> Ended {
    events = FirstInFirstOut()
    size = 0
    (current, written) = ([], 0)
    return finish()
  }

  mutating func addHandler(_ handler: @escaping @Sendable () -> Void) -> Ended {
    if isClosed { return Ended(handlers: [handler]) }
    handlers.append(handler)
    return Ended()
  }

  // MARK: - Reading

  mutating func attach(_ connection: Connection) -> Bool {
    guard self.connection == nil else { return false }
    self.connection = connection
    // NB: The headers are sent with the first bytes of the body, so there have to be some at once.
    current = Self.comment
    return true
  }

  mutating func read(into memory: UnsafeMutableRawBufferPointer) -> EventChannel.Reading {
    var count = 0
    while count < memory.count, prepareCurrent() {
      let part = current[written...].prefix(memory.count - count)
      memory[count...].copyBytes(from: part)
      written += part.count
      count += part.count
    }
    if count > 0 { return .bytes(count) }
    if isClosed { return .end }
    // Under the channel's lock, so that the connection is not resumed before it was suspended.
    isConnectionWaiting = true
    connection?.sleep()
    return .wait
  }

  mutating func beat() {
    guard isConnectionWaiting, !isClosed else { return }
    (current, written) = (Self.comment, 0)
    wake()
  }

  /// Removes and returns the next event.
  mutating func popFirst() -> ServerSentEvent? {
    guard let event = events.popFirst() else { return nil }
    size -= event.size
    return event
  }

  mutating func take(_ waiter: CheckedContinuation<ServerSentEvent?, Never>) {
    if let event = popFirst() {
      waiter.resume(returning: event)
    } else if isClosed || self.waiter != nil {
      waiter.resume(returning: nil)
    } else {
      self.waiter = waiter
    }
  }

  mutating func cancelWaiter() {
    waiter?.resume(returning: nil)
    waiter = nil
  }

  /// Encodes the next event if the current one is complete, and returns whether there are bytes to
  /// write.
  private mutating func prepareCurrent() -> Bool {
    if written < current.count { return true }
    guard let event = popFirst() else { return false }
    (current, written) = (event.encoded, 0)
    return true
  }

  private mutating func wake() {
    guard isConnectionWaiting else { return }
    isConnectionWaiting = false
    connection?.wake()
  }

  /// A comment, which every client ignores.
  private static let comment = Array(":\n\n".utf8)
}
