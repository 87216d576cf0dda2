/// Answers a request.
public typealias Handler = @Sendable (Request) async throws -> Response

/// What stands around handlers: it may change the request, answer itself, or change the response.
///
/// ```swift
/// let noSniffing = Middleware { request, next in
///   var response = try await next(request)
///   response.headers["X-Content-Type-Options"] = "nosniff"
///   return response
/// }
/// ```
///
/// What a handler throws has been made a response when `next` returns, so middleware sees every
/// response, those for errors included.
public struct Middleware: Sendable {
  let handle: @Sendable (Request, Handler) async throws -> Response

  /// Makes middleware of a closure that gets the request and what comes next.
  public init(_ handle: @escaping @Sendable (Request, Handler) async throws -> Response) {
    self.handle = handle
  }
}
