/// The state of an event channel: the buffered events, the connection that reads, and the handlers
/// of its end.
struct EventBuffer: Sendable {
  /// The operations on the connection that reads: suspend, resume, and shut down if it does not
  /// read.
  struct Connection: Sendable {
    let suspend: @Sendable () -> Void
    let resume: @Sendable () -> Void
    let shutDown: @Sendable () -> Void
  }

  /// The handlers to run after the lock is released.
  struct CloseHandlers: Sendable {
    var handlers: [@Sendable () -> Void] = []

    func run() { for handler in handlers { handler() } }
  }

  private(set) var isClosed = false
  private let capacity: Int
  private var events = FIFOQueue<ServerSentEvent>()
  private var size = 0
  /// The bytes of the current event, and the number of those already written.
  private var current: [UInt8] = []
  private var written = 0
  private var connection: Connection?
  private var isConnectionSuspended = false
  private var waiter: CheckedContinuation<ServerSentEvent?, Never>?
  private var handlers: [@Sendable () -> Void] = []

  init(capacity: Int) { self.capacity = capacity }

  mutating func append(_ event: ServerSentEvent) -> (isAccepted: Bool, CloseHandlers) {
    guard !isClosed else { return (false, CloseHandlers()) }
    if let waiter {
      self.waiter = nil
      waiter.resume(returning: event)
      return (true, CloseHandlers())
    }
    guard size + event.size <= capacity else {
      connection?.shutDown()
      return (false, abandon())
    }
    events.append(event)
    size += event.size
    resumeConnection()
    return (true, CloseHandlers())
  }

  /// Closes the buffer. Its events can still be read.
  mutating func finish() -> CloseHandlers {
    guard !isClosed else { return CloseHandlers() }
    isClosed = true
    waiter?.resume(returning: nil)
    waiter = nil
    resumeConnection()
    defer { handlers = [] }
    return CloseHandlers(handlers: handlers)
  }

  /// Closes the buffer and discards its events.
  mutating func abandon() -> CloseHandlers {
    events = FIFOQueue()
    size = 0
    (current, written) = ([], 0)
    return finish()
  }

  mutating func addHandler(_ handler: @escaping @Sendable () -> Void) -> CloseHandlers {
    if isClosed { return CloseHandlers(handlers: [handler]) }
    handlers.append(handler)
    return CloseHandlers()
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
    isConnectionSuspended = true
    connection?.suspend()
    return .wait
  }

  mutating func sendHeartbeat() {
    guard isConnectionSuspended, !isClosed else { return }
    (current, written) = (Self.comment, 0)
    resumeConnection()
  }

  /// Removes and returns the next event.
  mutating func popFirst() -> ServerSentEvent? {
    guard let event = events.popFirst() else { return nil }
    size -= event.size
    return event
  }

  /// Passes the next event to a waiter when there is one, or `nil` if the buffer is closed or
  /// another waiter is stored.
  mutating func addWaiter(_ waiter: CheckedContinuation<ServerSentEvent?, Never>) {
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

  private mutating func resumeConnection() {
    guard isConnectionSuspended else { return }
    isConnectionSuspended = false
    connection?.resume()
  }

  /// A comment, which every client ignores.
  private static let comment = Array(":\n\n".utf8)
}

/// A queue that appends and removes elements in amortized constant time.
struct FIFOQueue<Element> {
  private var elements: [Element?] = []
  private var head = 0

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let element = elements[head]
    elements[head] = nil
    head += 1
    if head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}

extension FIFOQueue: Sendable where Element: Sendable {}
