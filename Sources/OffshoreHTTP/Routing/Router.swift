/// Finds the handler for a method and a path, and presents what it throws.
///
/// ```swift
/// var router = Router()
/// router.get("charters/:id") { request in
///   let id: UUID = try request.parameter("id")
///   return .html(try await page(id))
/// }
/// ```
///
/// Where several patterns match a path, the one with the earlier literal component wins. An unknown
/// path is 404, a known one with another method 405 with `Allow`; `HEAD` is answered like `GET`.
public struct Router: Sendable {
  /// Around every request, the first one outermost; also around those that no route matches.
  public var middleware: [Middleware]
  /// Turns what a handler or middleware throws into a response, a page for example.
  public var presentError: @Sendable (any Error, Request) async -> Response
  private var routes = RouteTable()

  /// Makes a router without routes.
  public init(
    middleware: [Middleware] = [],
    presentError: @escaping @Sendable (any Error, Request) async -> Response = { error, _ in
      Response(presenting: error)
    }
  ) {
    self.middleware = middleware
    self.presentError = presentError
  }

  /// Adds a route.
  ///
  /// - Parameters:
  ///   - pattern: Components between slashes; one that begins with a colon is a parameter.
  ///   - bodyLimit: How many bytes the body may have; `nil` is the server's limit.
  /// - Precondition: The method has no route of the pattern yet.
  public mutating func on(
    _ method: Request.Method, _ pattern: String, bodyLimit: Int? = nil,
    handler: @escaping Handler
  ) {
    routes.add(
      RouteTable.Route(bodyLimit: bodyLimit, handler: handler), for: method, at: pattern)
  }

  /// Adds a route that reads.
  public mutating func get(_ pattern: String, handler: @escaping Handler) {
    on(.get, pattern, handler: handler)
  }

  /// Adds a route that takes a form or another body.
  public mutating func post(_ pattern: String, bodyLimit: Int? = nil, handler: @escaping Handler) {
    on(.post, pattern, bodyLimit: bodyLimit, handler: handler)
  }

  /// The methods and patterns of all routes, in the order in which they were added.
  package var routeList: [(method: Request.Method, pattern: String)] { routes.list }

  /// Answers a request, whatever happens on the way.
  public func respond(to request: Request) async -> Response {
    var next: @Sendable (Request) async -> Response = { request in
      await presenting(request) { try await route($0) }
    }
    for layer in middleware.reversed() {
      let inner = next
      next = { request in await presenting(request) { try await layer.handle($0, inner) } }
    }
    return await next(request)
  }

  /// How many bytes the body of a request may have, or `nil` where its route does not say.
  public func bodyLimit(for request: Request) -> Int? {
    request.components.flatMap { routes.match($0) }?.route(for: request.method)?.bodyLimit
  }

  private func presenting(_ request: Request, _ handler: Handler) async -> Response {
    do { return try await handler(request) } catch { return await presentError(error, request) }
  }

  private func route(_ request: Request) async throws -> Response {
    guard let components = request.components else { throw HTTPError(.badRequest) }
    guard let match = routes.match(components) else { throw HTTPError(.notFound) }
    guard let route = match.route(for: request.method) else {
      throw HTTPError(.methodNotAllowed, headers: ["Allow": match.allowed])
    }
    if let limit = route.bodyLimit, request.body.count > limit { throw HTTPError(.contentTooLarge) }
    var request = request
    request.parameters = match.parameters
    return try await route.handler(request)
  }
}
