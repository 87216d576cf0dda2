import CMicroHTTPD
import Synchronization

/// A request and its response, from the request line until the last byte is sent.
///
/// The library calls from one thread at a time; the handler finishes on any thread. Where it is not
/// done at once the connection sleeps, and is woken when the response is there.
final class Exchange: Sendable {
  private enum Stage: Sendable {
    case sendingHeaders
    case sendingBody(Request, limit: Int)
    /// The refusal is sent, and what the client still sends is dropped.
    case refused
    case handling(Task<Void, Never>?)
    case answered
    case abandoned
  }

  private struct State: Sendable {
    var stage = Stage.sendingHeaders
    var response: Response?
    /// The connection that sleeps, until the response is there.
    var sleeper: ConnectionHandle?
  }

  let connection: ClientConnection
  private let target: String
  private let context: ServerContext
  private let state = Mutex(State())

  init(target: String, connection: ClientConnection, context: ServerContext) {
    self.target = target
    self.connection = connection
    self.context = context
    context.exchangeBegan()
  }

  deinit { context.exchangeEnded() }

  // MARK: - What the library calls

  /// Takes what has arrived: headers, a part of the body, its end, or a wake-up.
  func access(
    _ handle: ConnectionHandle, method: String, version: String, part: UnsafeRawBufferPointer
  ) -> MHD_Result {
    switch state.withLock({ $0.stage }) {
    case .sendingHeaders: takeHead(handle, method: method, version: version)
    case .sendingBody where !part.isEmpty: takeBody(part)
    case .sendingBody(let request, _): run(request, on: handle)
    case .handling: answerOrSleep(handle)
    case .refused: part.isEmpty ? .NO : .YES
    case .answered, .abandoned: .NO
    }
  }

  /// Gives up: no response will be sent any more. The task is told so.
  func abandon() {
    let (task, response) = state.withLock { state in
      defer { state.response = nil }
      let task: Task<Void, Never>? = if case .handling(let task) = state.stage { task } else { nil }
      state.stage = .abandoned
      state.sleeper?.wake()
      state.sleeper = nil
      return (task, state.response)
    }
    task?.cancel()
    response?.disconnect()
  }

  /// Ends: the response was sent, or the client went away.
  func end() {
    let response = state.withLock { state in
      defer { state.response = nil }
      state.stage = .abandoned
      return state.response
    }
    response?.disconnect()
  }

  // MARK: - Steps

  private func takeHead(_ handle: ConnectionHandle, method: String, version: String) -> MHD_Result {
    do {
      let head = try RequestHead(
        method: method, target: target, version: version, headers: Headers(of: handle.pointer),
        headerSize: offshore_mhd_header_size(handle.pointer),
        remoteAddress: connection.remoteAddress, configuration: context.configuration)
      connection.enter(.sendingBody)
      let limit = context.bodyLimit(head.request) ?? context.configuration.bodyLimit
      if let length = head.contentLength, length > limit { return refuseBody() }
      return begin(head.request, limit: limit)
    } catch {
      state.withLock { $0.stage = .answered }
      return handle.queue(Response(presenting: error), isLast: true, connection)
    }
  }

  private func begin(_ request: Request, limit: Int) -> MHD_Result {
    state.withLock { state in
      if case .abandoned = state.stage { return .NO }
      state.stage = .sendingBody(request, limit: limit)
      return .YES
    }
  }

  private func takeBody(_ part: UnsafeRawBufferPointer) -> MHD_Result {
    let part = Array(part)
    let fits = state.withLock { state in
      guard case .sendingBody(var request, let limit) = state.stage else { return false }
      guard request.body.count + part.count <= limit else { return false }
      // Without the state's own reference the body grows in place.
      state.stage = .answered
      request.body += part
      state.stage = .sendingBody(request, limit: limit)
      return true
    }
    return fits ? .YES : refuseBody()
  }

  /// Answers 413 while the body is still on its way.
  ///
  /// What follows is dropped until the client stops or the body's deadline comes: closing at once
  /// would reset the connection, and the client might lose the answer.
  private func refuseBody() -> MHD_Result {
    state.withLock { $0.stage = .refused }
    connection.sendLast(Self.contentTooLarge)
    return .YES
  }

  private func run(_ request: Request, on handle: ConnectionHandle) -> MHD_Result {
    connection.enter(.handling)
    let isWanted = state.withLock { state in
      guard case .sendingBody = state.stage else { return false }
      state.stage = .handling(nil)
      return true
    }
    guard isWanted else { return .NO }
    let task = startTask(request)
    state.withLock { if case .handling = $0.stage { $0.stage = .handling(task) } }
    return answerOrSleep(handle)
  }

  /// Runs at once on this thread until the handler waits for something, where that is possible.
  private func startTask(_ request: Request) -> Task<Void, Never> {
    if #available(macOS 26, iOS 26, *) {
      Task.immediate { await self.finish(self.context.handler(request)) }
    } else {
      Task { await self.finish(self.context.handler(request)) }
    }
  }

  private func finish(_ response: Response) {
    let isTaken = state.withLock { state in
      guard case .handling = state.stage else { return false }
      state.response = response
      state.sleeper?.wake()
      state.sleeper = nil
      return true
    }
    if !isTaken { response.disconnect() }
  }

  private func answerOrSleep(_ handle: ConnectionHandle) -> MHD_Result {
    enum Step: Sendable {
      case answer(Response)
      case sleep
      case close
    }
    let step: Step = state.withLock { state in
      guard case .handling = state.stage else { return .close }
      if let response = state.response {
        state.response = nil
        state.stage = .answered
        return .answer(response)
      }
      // Under the lock, so that nobody wakes a connection that has not gone to sleep yet.
      handle.sleep()
      state.sleeper = handle
      return .sleep
    }
    return switch step {
    case .answer(let response): answer(response, on: handle)
    case .sleep: .YES
    case .close: .NO
    }
  }

  private func answer(_ response: Response, on handle: ConnectionHandle) -> MHD_Result {
    let result = handle.queue(response, isLast: context.isStopping, connection)
    // The server ends the streams it knows when it stops; this one may be too late for that.
    if case .events(let channel) = response.body, context.isStopping { channel.close() }
    return result
  }

  private static let contentTooLarge: [UInt8] = {
    let text = Response.Status.contentTooLarge.explanation
    return Array(
      """
      HTTP/1.1 413 Content Too Large\r
      Connection: close\r
      Content-Type: text/plain; charset=utf-8\r
      Content-Length: \(text.utf8.count)\r
      \r
      \(text)
      """.utf8)
  }()
}

extension Response {
  /// Tells the channel, where there is one, that nobody will read from it.
  func disconnect() { if case .events(let channel) = body { channel.disconnect() } }
}
