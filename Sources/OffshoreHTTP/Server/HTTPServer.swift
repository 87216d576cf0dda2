import Dispatch
import Synchronization

/// An HTTP/1.1 server that answers requests by a router or another responder.
///
/// ```swift
/// let server = HTTPServer(router: router)
/// let port = try server.start()
/// …
/// await server.stop()
/// ```
///
/// A server runs from its start until it is stopped, even if it is not referenced. A handler starts
/// on a thread that serves other connections too, so it must not block.
public final class HTTPServer: Sendable {
  private struct Running: @unchecked Sendable {  // The server's lock guards both.
    let daemon: Daemon
    let timer: any DispatchSourceTimer
  }

  private enum State: Sendable {
    case new
    case running(Running)
    case stopped
  }

  private let context: ServerContext
  private let state = Mutex(State.new)

  /// Creates a server that answers by the routes of a router.
  public convenience init(_ configuration: Configuration = Configuration(), router: Router) {
    self.init(configuration, responder: router)
  }

  /// Creates a server that answers by a closure.
  ///
  /// - Parameters:
  ///   - configuration: the address and the limits.
  ///   - bodyLimit: returns the maximum number of bytes of a request's body by its head; `nil` is
  ///     the limit of the configuration.
  ///   - handler: answers each request. If it throws, see ``ResponseError``.
  package convenience init(
    _ configuration: Configuration = Configuration(),
    bodyLimit: @escaping @Sendable (Request) -> Int? = { _ in nil },
    handler: @escaping Handler
  ) {
    self.init(
      configuration, responder: ClosureResponder(bodyLimit: bodyLimit, handler: handler))
  }

  /// Creates a server whose responder decides about the head of each request before its body is
  /// received.
  public init(_ configuration: Configuration = Configuration(), responder: some Responder) {
    context = ServerContext(configuration: configuration, responder: responder)
  }

  /// Starts to accept connections.
  ///
  /// - Returns: the port, which the system chose if the configuration has 0.
  /// - Throws: ``HTTPServerError``, for example if another program listens at the port.
  @discardableResult public func start() throws -> UInt16 {
    try state.withLock { state in
      guard case .new = state else {
        throw HTTPServerError(.alreadyStarted, "A server starts once. Make another one.")
      }
      let configuration = context.configuration
      let socket = try ListeningSocket(address: configuration.address, port: configuration.port)
      guard let daemon = Daemon(socket, context) else {
        // NB: The library may have closed the socket, whose number may be in use again by now.
        throw HTTPServerError(.system, "The system has no threads or memory for a server left.")
      }
      state = .running(Running(daemon: daemon, timer: startTimer()))
      return socket.port
    }
  }

  /// Stops accepting connections, completes current requests, closes streams of events, and frees
  /// the port.
  ///
  /// Returns after the configuration's ``Configuration/stopDeadline`` at the latest, plus the time
  /// for which a handler blocks a thread. Requests that are not complete by then are aborted.
  public func stop() async {
    let running: Running? = state.withLock { state in
      defer { state = .stopped }
      return if case .running(let running) = state { running } else { nil }
    }
    guard let running else { return }
    context.finish()
    let deadline = DispatchTime.now() + context.configuration.stopDeadline.seconds
    queue.asyncAfter(deadline: deadline) { [context] in context.stopWaiting() }
    await context.waitUntilIdle()
    context.abort()
    running.timer.cancel()
    // Stopping waits for threads, which a task must not do.
    await withCheckedContinuation { done in
      queue.async {
        running.daemon.stop()
        done.resume()
      }
    }
  }

  /// The reserved bytes of bodies and responses; see ``Configuration/maximumHeldBytes``.
  package var heldBytes: Int { context.budget.reservedBytes }

  private let queue = DispatchQueue(label: "offshore.http")

  private func startTimer() -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let tick = context.configuration.tick.seconds
    timer.schedule(deadline: .now() + tick, repeating: tick)
    timer.setEventHandler { [context] in context.check(at: .now) }
    timer.activate()
    return timer
  }
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}

/// The reason for which a server did not start, and its remedy.
public struct HTTPServerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A kind of failure. More may be added, so a `switch` over codes needs a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case addressInUse, addressInvalid, notPermitted, alreadyStarted, certificateInvalid, system
    }

    private let kind: Kind
    private init(_ kind: Kind) { self.kind = kind }

    /// Another program listens at the port.
    public static let addressInUse = Code(.addressInUse)
    /// The address is not numeric, or not an address of this machine.
    public static let addressInvalid = Code(.addressInvalid)
    /// This user may not listen at the port.
    public static let notPermitted = Code(.notPermitted)
    /// The server was started before.
    public static let alreadyStarted = Code(.alreadyStarted)
    /// The certificate or its key cannot be parsed, or they do not match.
    public static let certificateInvalid = Code(.certificateInvalid)
    /// The system reported another error.
    public static let system = Code(.system)

    /// The name of the kind, stable across releases.
    public var description: String { kind.rawValue }
  }

  /// The kind of failure.
  public let code: Code
  /// The failure and its remedy.
  public let message: String

  /// The message with the kind.
  public var description: String { "\(message) (\(code))" }

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
