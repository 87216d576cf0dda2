/// Answers requests in two steps: by the head alone, and then with the body.
public protocol Responder: Sendable {
  /// Looks at the head of a request before its body is taken.
  func admit(_ head: Request) async -> Admission

  /// Answers a request that was admitted and whose body has arrived.
  func respond(to request: Request) async -> Response

  /// Answers a request that was admitted and whose body is refused, for example for its size.
  func refuse(_ request: Request, _ error: HTTPError) async -> Response
}

/// What becomes of a request of which only the head has arrived.
public enum Admission: Sendable {
  /// Its body is taken, up to its ``Request/bodyLimit``.
  case admitted(Request)
  /// This is the answer, and nobody waits for the body.
  case refused(Response)
}

/// Answers every request by a closure.
struct ClosureResponder: Responder {
  let bodyLimit: @Sendable (Request) -> Int?
  let handler: Handler

  func admit(_ head: Request) async -> Admission {
    var head = head
    head.bodyLimit = bodyLimit(head)
    return .admitted(head)
  }

  func respond(to request: Request) async -> Response {
    do { return try await handler(request) } catch { return Response(presenting: error) }
  }

  func refuse(_ request: Request, _ error: HTTPError) async -> Response { error.response }
}
