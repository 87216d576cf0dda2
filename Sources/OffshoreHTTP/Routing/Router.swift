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
/// path is 404, a known one with another method 405 with `Allow`, both by the head of the request, so
/// that nobody waits for its body; `HEAD` is answered like `GET`.
public struct Router: Responder {
  /// Around every request, the first one outermost; also around those that no route matches.
  public var middleware: [Middleware]
  /// Turns what a handler or middleware throws into a response, a page for example.
  public var presentError: @Sendable (any Error, Request) async -> Response
  /// Looks at the head of each request before its body is taken, and refuses it by what it throws.
  ///
  /// A server that checks here who asks takes no body from strangers. What it notes of the request by
  /// ``Request/subscript(_:)`` is there for middleware and handler.
  public var admission: @Sendable (inout Request) async throws -> Void = { _ in }
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
  package var routeList: [(method: Request.Method, pattern: String)] {
    routes.list.map { ($0.method, $0.pattern) }
  }

  /// Adds the routes of another router below a path.
  ///
  /// Its handlers see the requests as if it stood alone: ``Request/path`` is without the path, which is
  /// ``Request/base``, and the redirects that they answer with lead below it. Middleware, admission and
  /// errors are this router's.
  /// - Parameter path: One component or several, such as `/anyfleet`, without parameters.
  /// - Precondition: No route of this router has one of the patterns yet.
  public mutating func mount(_ other: Router, at path: String) {
    let components = path.split(separator: "/")
    let base = components.map { "/\($0)" }.joined()
    for (method, pattern, route) in other.routes.list {
      on(method, "\(base)/\(pattern)", bodyLimit: route.bodyLimit) { request in
        var request = request
        request.path = Self.path(request.path, below: components.count)
        request.base += base
        var response = try await route.handler(request)
        if let location = response.headers["Location"], location.hasPrefix("/"),
          !location.hasPrefix("//")
        {
          response.headers["Location"] = base + location
        }
        return response
      }
    }
  }

  /// Adds the routes of another router whose patterns have no route here yet, for whichever method.
  package mutating func addMissing(from other: Router) {
    for (method, pattern, route) in other.routes.list.filter({ !routes.contains($0.pattern) }) {
      routes.add(route, for: method, at: pattern)
    }
  }

  /// A path without its first components, however those are encoded.
  package static func path(_ path: String, below count: Int) -> String {
    let rest = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(count + 1)
    return "/" + rest.joined(separator: "/")
  }

  /// Answers a request, whatever happens on the way.
  ///
  /// One whose head was not looked at yet is admitted first.
  public func respond(to request: Request) async -> Response {
    guard !request.isAdmitted else { return await answer(request) { try await route($0) } }
    switch await admit(request) {
    case .admitted(let request): return await answer(request) { try await route($0) }
    case .refused(let response): return response
    }
  }

  public func admit(_ head: Request) async -> Admission {
    var head = head
    let match = head.components.flatMap { routes.match($0) }
    head.route = match?.pattern
    head.bodyLimit = match?.route(for: head.method)?.bodyLimit
    do {
      try await admission(&head)
      _ = try endpoint(of: head)
      head.isAdmitted = true
      return .admitted(head)
    } catch {
      return .refused(await answer(head) { _ in throw error })
    }
  }

  public func refuse(_ request: Request, _ error: HTTPError) async -> Response {
    var request = request
    (request.isAdmitted, request.body) = (false, [])
    return await answer(request) { _ in throw error }
  }

  private func answer(
    _ request: Request, by handler: @escaping @Sendable (Request) async throws -> Response
  ) async -> Response {
    var next: @Sendable (Request) async -> Response = { request in
      await presenting(request, handler)
    }
    for layer in middleware.reversed() {
      let inner = next
      next = { request in await presenting(request) { try await layer.handle($0, inner) } }
    }
    return await next(request)
  }

  private func presenting(_ request: Request, _ handler: Handler) async -> Response {
    do { return try await handler(request) } catch { return await presentError(error, request) }
  }

  /// The route that takes a request, with what stood in the path.
  /// - Throws: ``HTTPError`` with 400, 404 or 405 where there is none.
  private func endpoint(
    of request: Request
  ) throws -> (route: RouteTable.Route, parameters: [String: String]) {
    guard let components = request.components else { throw HTTPError(.badRequest) }
    guard let match = routes.match(components) else { throw HTTPError(.notFound) }
    guard let route = match.route(for: request.method) else {
      throw HTTPError(.methodNotAllowed, headers: ["Allow": match.allowed])
    }
    return (route, match.parameters)
  }

  private func route(_ request: Request) async throws -> Response {
    let (route, parameters) = try endpoint(of: request)
    if let limit = route.bodyLimit, request.body.count > limit { throw HTTPError(.contentTooLarge) }
    var request = request
    request.parameters = parameters
    return try await route.handler(request)
  }
}
