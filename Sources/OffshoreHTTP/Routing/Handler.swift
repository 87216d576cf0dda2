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
