import CMicroHTTPD
import Synchronization

/// A request and its response, from the request line until the last byte is sent.
///
/// libmicrohttpd (“the library” in these comments) makes one call at a time; the handler may finish
/// on any thread. While there is no response yet, the connection is suspended.
final class HTTPExchange: Sendable {
  private struct State: Sendable {
    var stage = Stage.receivingHeaders
    var response: Response?
    /// The connection, while it is suspended.
    var suspendedConnection: ConnectionHandle?
    /// The memory of the body and the response.
    var reservation: MemoryBudget.Reservation?
    /// The attachment of the response.
    var attachment: (any Sendable)?
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

  // MARK: - Calls from the library

  /// Processes the next input: headers, a part of the body, its end, or a resumption.
  func access(
    _ handle: ConnectionHandle, method: String, version: String, part: UnsafeRawBufferPointer
  ) -> MHD_Result {
    if !part.isEmpty { connection.receivedPart() }
    return switch state.withLock({ $0.stage }) {
    case .receivingHeaders: receiveHead(handle, method: method, version: version)
    case .admitting: .NO
    case .decided(let decision): act(on: decision, handle, part)
    case .discardingBody where !part.isEmpty: .YES
    case .discardingBody(let response): answer(response, on: handle)
    case .receivingBody where !part.isEmpty: receiveBody(part, handle)
    case .receivingBody(let request, _): run(request, on: handle)
    case .handling: answerOrSuspend(handle)
    case .refused: part.isEmpty ? .NO : .YES
    case .answered, .abandoned: .NO
    }
  }

  /// Cancels the task of the exchange. If the handler returns a response nevertheless, it is sent.
  func cancel() { state.withLock { $0.stage.task }?.cancel() }

  /// Abandons the exchange without a response, and cancels its task.
  func abandon() {
    let (task, response) = state.withLock { state in
      defer { state.response = nil }
      let task = state.stage.task
      state.stage = .abandoned
      state.suspendedConnection?.resume()
      state.suspendedConnection = nil
      return (task, state.response)
    }
    task?.cancel()
    response?.disconnect()
  }

  /// Ends the exchange after the response was sent or the client disconnected.
  func end() {
    let response = state.withLock { state in
      defer { (state.response, state.reservation, state.attachment) = (nil, nil, nil) }
      state.stage = .abandoned
      return state.response
    }
    response?.disconnect()
  }

  // MARK: - Steps

  private func receiveHead(_ handle: ConnectionHandle, method: String, version: String)
    -> MHD_Result
  {
    do {
      let head = try RequestHead(
        method: method, target: target, version: version, headers: Headers(of: handle.pointer),
        headerSize: offshore_mhd_header_size(handle.pointer),
        remoteAddress: connection.remoteAddress, configuration: context.configuration)
      return admit(head, handle)
    } catch {
      state.withLock { $0.stage = .answered }
      return handle.queue(Response(presenting: error), isLast: true, connection)
    }
  }

  /// Asks the responder for a decision about the head. The connection is suspended in the meantime.
  ///
  /// NB: After a connection was suspended at its headers, the library calls with them again.
  private func admit(_ head: RequestHead, _ handle: ConnectionHandle) -> MHD_Result {
    connection.enter(.handling)
    let isCurrent = state.withLock { state in
      guard case .receivingHeaders = state.stage else { return false }
      state.stage = .admitting(nil)
      return true
    }
    guard isCurrent else { return .NO }
    let task = Self.startTask { await self.decide(head) }
    let decision: Decision? = state.withLock { state in
      if case .decided(let decision) = state.stage { return decision }
      guard case .admitting = state.stage else { return nil }
      state.stage = .admitting(task)
      handle.suspend()
      state.suspendedConnection = handle
      return nil
    }
    return decision.map { act(on: $0, handle, UnsafeRawBufferPointer(start: nil, count: 0)) }
      ?? .YES
  }

  private func decide(_ head: RequestHead) async {
    let decision: Decision
    switch await context.responder.admit(head.request) {
    case .refused(let response): decision = .refused(response, head)
    case .admitted(let request):
      let limit = request.bodyLimit ?? context.configuration.bodyLimit
      if let length = head.contentLength, length > limit {
        decision = .tooLarge(
          await context.responder.refuse(request, HTTPError(.contentTooLarge)))
      } else {
        decision = .admitted(request, limit: limit)
      }
    }
    state.withLock { state in
      guard case .admitting = state.stage else { return }
      state.stage = .decided(decision)
      state.suspendedConnection?.resume()
      state.suspendedConnection = nil
    }
  }

  private func act(
    on decision: Decision, _ handle: ConnectionHandle, _ part: UnsafeRawBufferPointer
  ) -> MHD_Result {
    connection.enter(.receivingBody)
    switch decision {
    case .admitted(var request, let limit):
      let reservation = context.budget.reservation(for: request.client ?? request.remoteAddress)
      request.reservation = reservation
      state.withLock { $0.reservation = reservation }
      enter(.receivingBody(request, limit: limit))
    case .tooLarge(let response): return refuseBody(response, handle)
    case .refused(let response, let head):
      if head.expectsContinue { return answer(response, on: handle, isLast: true) }
      guard let length = head.contentLength, length <= Self.shortBody else {
        return refuseBody(response, handle)
      }
      enter(.discardingBody(response))
    }
    guard !part.isEmpty else { return .YES }
    return receiveBody(part, handle)
  }

  private func enter(_ stage: Stage) {
    state.withLock { state in
      if case .abandoned = state.stage { return }
      state.stage = stage
    }
  }

  /// The maximum number of bytes of a body that is read although it was refused, so that the
  /// connection can be reused. It is also the largest body whose handler starts on this thread,
  /// which serves other connections too. The handler of a compressed body never does, because a
  /// short one can become large.
  private static let shortBody = 64 << 10

  private func receiveBody(
    _ part: UnsafeRawBufferPointer, _ handle: ConnectionHandle
  ) -> MHD_Result {
    let part = Array(part)
    let refused: (request: Request, error: HTTPError)? = state.withLock { state in
      guard case .receivingBody(var request, let limit) = state.stage else { return nil }
      let count = request.body.count + part.count
      guard count <= limit else { return (request, HTTPError(.contentTooLarge)) }
      guard request.reservation?.resize(to: count) != false else {
        return (request, MemoryBudget.exhausted)
      }
      // Without the reference in the state, the body grows in place.
      state.stage = .answered
      request.body += part
      state.stage = .receivingBody(request, limit: limit)
      return nil
    }
    guard let refused else { return .YES }
    let answer = Mutex<Response?>(nil)
    let responder = context.responder
    _ = Self.startTask {
      let response = await responder.refuse(refused.request, refused.error)
      answer.withLock { $0 = response }
    }
    return refuseBody(answer.withLock { $0 } ?? refused.error.response, handle)
  }

  /// Sends a response before the body has arrived.
  ///
  /// The rest of the body is discarded until the client stops or the body's deadline passes.
  /// Closing at once would reset the connection, and the client might lose the response.
  private func refuseBody(_ response: Response, _ handle: ConnectionHandle) -> MHD_Result {
    enter(.refused)
    // Before the client has the response, so that its next request has the memory.
    state.withLock { $0.reservation?.replace(with: 0) }
    response.disconnect()
    connection.sendFinalResponse(response.serialized, handle)
    return .YES
  }

  private func run(_ request: Request, on handle: ConnectionHandle) -> MHD_Result {
    connection.enter(.handling)
    let isCurrent = state.withLock { state in
      guard case .receivingBody = state.stage else { return false }
      state.stage = .handling(nil)
      return true
    }
    guard isCurrent else { return .NO }
    let isShort =
      request.body.count <= Self.shortBody && request.headers["Content-Encoding"] == nil
    let task = Self.startTask(atOnce: isShort) {
      let response = await self.context.responder.respond(to: request)
      self.finish(await self.withinBudget(response, to: request))
    }
    state.withLock { if case .handling = $0.stage { $0.stage = .handling(task) } }
    return answerOrSuspend(handle)
  }

  /// Starts a task, which runs on this thread until it first suspends, if `isImmediate` is true and
  /// the system allows it.
  private static func startTask(
    atOnce isImmediate: Bool = true, _ body: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    if #available(macOS 26, iOS 26, *), isImmediate {
      Task.immediate { await body() }
    } else {
      Task { await body() }
    }
  }

  /// The number of bytes up to which a response is sent whatever the budget has left, so that
  /// refusals and short answers always arrive. There is one response for each connection at most.
  private static let shortResponse = 16 << 10

  /// Reserves memory for a response until it is sent.
  ///
  /// NB: A change that the handler has made is not undone. Such requests can be repeated: by the
  /// number of a batch, an idempotency key, or an entity tag.
  /// - Returns: the response, or a refusal with 503 if the budget has no room for it.
  private func withinBudget(_ response: Response, to request: Request) async -> Response {
    guard let reservation = request.reservation else { return response }
    let count = response.heldByteCount
    if count <= Self.shortResponse {
      reservation.replace(with: count)
      return response
    }
    if reservation.resize(to: count) { return response }
    response.disconnect()
    let refusal = await context.responder.refuse(request, MemoryBudget.exhausted)
    reservation.replace(with: refusal.heldByteCount)
    return refusal
  }

  private func finish(_ response: Response) {
    let isAwaited = state.withLock { state in
      guard case .handling = state.stage else { return false }
      state.response = response
      state.attachment = response.attachment
      state.suspendedConnection?.resume()
      state.suspendedConnection = nil
      return true
    }
    if !isAwaited { response.disconnect() }
  }

  private func answerOrSuspend(_ handle: ConnectionHandle) -> MHD_Result {
    enum Step: Sendable {
      case answer(Response)
      case suspend
      case close
    }
    let step: Step = state.withLock { state in
      guard case .handling = state.stage else { return .close }
      if let response = state.response {
        state.response = nil
        state.stage = .answered
        return .answer(response)
      }
      // Under the lock, so that the connection is not resumed before it was suspended.
      handle.suspend()
      state.suspendedConnection = handle
      return .suspend
    }
    return switch step {
    case .answer(let response): answer(response, on: handle)
    case .suspend: .YES
    case .close: .NO
    }
  }

  private func answer(
    _ response: Response, on handle: ConnectionHandle, isLast: Bool = false
  ) -> MHD_Result {
    enter(.answered)
    let result = handle.queue(response, isLast: isLast || context.isStopping, connection)
    // The server closes its streams when it stops. This one may have begun after that.
    if case .events(let channel) = response.body, context.isStopping { channel.close() }
    return result
  }
}

extension HTTPExchange {
  /// The progress of a request.
  enum Stage: Sendable {
    case receivingHeaders
    /// The responder decides about the head, and so whether the body is received.
    case admitting(Task<Void, Never>?)
    case decided(Decision)
    case receivingBody(Request, limit: Int)
    /// The short body is discarded, then this response is sent.
    case discardingBody(Response)
    /// The refusal was sent, and the rest of the body is discarded.
    case refused
    case handling(Task<Void, Never>?)
    case answered
    case abandoned

    var task: Task<Void, Never>? {
      switch self {
      case .handling(let task), .admitting(let task): task
      default: nil
      }
    }
  }

  /// The decision about a request's head.
  enum Decision: Sendable {
    case admitted(Request, limit: Int)
    case refused(Response, RequestHead)
    case tooLarge(Response)
  }
}
