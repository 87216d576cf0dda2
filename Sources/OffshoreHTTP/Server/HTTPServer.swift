import Dispatch
import Synchronization

/// Answers HTTP/1.1 requests at an address, by a handler.
///
/// ```swift
/// let server = HTTPServer(router: router)
/// let port = try server.start()
/// …
/// await server.stop()
/// ```
///
/// A server that was started runs until it is stopped, whether or not somebody holds it. A handler
/// starts on a thread that serves other connections too, so it must not block.
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

  /// Makes a server that answers by the routes of a router.
  public convenience init(_ configuration: Configuration = Configuration(), router: Router) {
    self.init(configuration, responder: router)
  }

  /// Makes a server that answers by a closure.
  ///
  /// - Parameters:
  ///   - bodyLimit: How many bytes the body of a request may have, of which only the head has
  ///     arrived; `nil` is the limit of the configuration.
  ///   - handler: Answers each request; for what it throws see ``ResponseError``.
  public convenience init(
    _ configuration: Configuration = Configuration(),
    bodyLimit: @escaping @Sendable (Request) -> Int? = { _ in nil },
    handler: @escaping Handler
  ) {
    self.init(
      configuration, responder: ClosureResponder(bodyLimit: bodyLimit, handler: handler))
  }

  /// Makes a server that looks at the head of each request before it takes the body.
  public init(_ configuration: Configuration = Configuration(), responder: some Responder) {
    context = ServerContext(configuration: configuration, responder: responder)
  }

  /// Starts to accept connections.
  ///
  /// - Returns: The port, which the system chose where the configuration says 0.
  /// - Throws: ``HTTPServerError``, for example where another program listens at the port.
  @discardableResult public func start() throws -> UInt16 {
    try state.withLock { state in
      guard case .new = state else {
        throw HTTPServerError(.alreadyStarted, "A server starts once. Make another one.")
      }
      let configuration = context.configuration
      let socket = try ListeningSocket(address: configuration.address, port: configuration.port)
      guard let daemon = Daemon(socket, context) else {
        // NB: The library may have closed the socket, whose number may be another's by now.
        throw HTTPServerError(.system, "The system has no threads or memory for a server left.")
      }
      state = .running(Running(daemon: daemon, timer: startTimer()))
      return socket.port
    }
  }

  /// Accepts no more, finishes what was accepted, ends streams of events, and frees the port.
  ///
  /// Returns after the configuration's ``Configuration/stopDeadline`` at the latest, plus the time
  /// that a handler blocks a thread; what was not finished by then is cut off.
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
    // Waits for threads, which a task must not.
    await withCheckedContinuation { done in
      queue.async {
        running.daemon.stop()
        done.resume()
      }
    }
  }

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
