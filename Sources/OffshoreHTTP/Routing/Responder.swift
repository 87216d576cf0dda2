/// A type that answers requests in two steps: first by the head alone, then with the body.
public protocol Responder: Sendable {
  /// Decides about the head of a request before its body is received.
  func admit(_ head: Request) async -> Admission

  /// Answers an admitted request after its body has arrived.
  func respond(to request: Request) async -> Response

  /// Answers an admitted request whose body is refused, for example because it is too large.
  func refuse(_ request: Request, _ error: HTTPError) async -> Response
}

/// The decision about a request of which only the head has arrived.
public enum Admission: Sendable {
  /// The body is received, up to the request's ``Request/bodyLimit``.
  case admitted(Request)
  /// The response is sent without receiving the body.
  case refused(Response)
}

/// A closure that answers a request.
public typealias Handler = @Sendable (Request) async throws -> Response

/// A layer around handlers, which can change the request, respond itself, or change the response.
///
/// ```swift
/// let noSniffing = Middleware { request, next in
///   var response = try await next(request)
///   response.headers["X-Content-Type-Options"] = "nosniff"
///   return response
/// }
/// ```
///
/// Errors of inner layers become responses before `next` returns, so middleware receives every
/// response, including those for errors.
public struct Middleware: Sendable {
  let handle: @Sendable (Request, Handler) async throws -> Response

  /// Creates middleware from a closure that receives the request and the next handler.
  public init(_ handle: @escaping @Sendable (Request, Handler) async throws -> Response) {
    self.handle = handle
  }
}

/// A responder that answers every request by a closure.
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
