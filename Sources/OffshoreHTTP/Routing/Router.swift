/// A responder that finds the handler for a method and a path, and presents its errors.
///
/// ```swift
/// var router = Router()
/// router.get("charters/:id") { request in
///   let id: UUID = try request.parameter("id")
///   return .html(try await page(id))
/// }
/// ```
///
/// If several patterns match a path, the one with the earlier literal component wins. An unknown
/// path is answered with 404, a known one without the method with 405 and `Allow`. Both are decided
/// by the head of the request, before its body is received. `HEAD` is answered like `GET`.
public struct Router: Responder {
  /// The middleware around every request, the first one outermost. It also receives requests
  /// without a route.
  public var middleware: [Middleware]
  /// The closure that converts an error of a handler or middleware to a response, for example a
  /// page.
  public var presentError: @Sendable (any Error, Request) async -> Response
  /// The check of each request's head before its body is received. It throws to refuse the request.
  ///
  /// A server that authenticates clients here receives no bodies from unknown ones. Values that the
  /// check stores by ``Request/subscript(_:)`` are available to middleware and handlers.
  public var admission: @Sendable (inout Request) async throws -> Void = { _ in }
  private var routes = RouteTable()

  /// Creates a router without routes.
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
  ///   - method: the method.
  ///   - pattern: components between slashes. A component that begins with a colon is a parameter.
  ///   - bodyLimit: the maximum number of bytes of the body; `nil` is the server's limit.
  ///   - handler: the closure that answers requests.
  /// - Precondition: The method has no route with this pattern yet.
  public mutating func on(
    _ method: Request.Method, _ pattern: String, bodyLimit: Int? = nil,
    handler: @escaping Handler
  ) {
    routes.add(
      RouteTable.Route(bodyLimit: bodyLimit, handler: handler), for: method, at: pattern)
  }

  /// Adds a route for `GET`.
  public mutating func get(_ pattern: String, handler: @escaping Handler) {
    on(.get, pattern, handler: handler)
  }

  /// Adds a route for `POST`, with a form or another body.
  public mutating func post(_ pattern: String, bodyLimit: Int? = nil, handler: @escaping Handler) {
    on(.post, pattern, bodyLimit: bodyLimit, handler: handler)
  }

  /// The methods and patterns of all routes, in the order in which they were added.
  package var routeList: [(method: Request.Method, pattern: String)] {
    routes.list.map { ($0.method, $0.pattern) }
  }

  /// Adds the routes of another router below a path.
  ///
  /// The handlers of the other router receive requests as if it were not mounted: their
  /// ``Request/path`` is the part after the mount path, ``Request/base`` is the mount path, and
  /// their redirects lead to paths below it. Middleware, admission and the presentation of errors
  /// are those of this router.
  /// - Parameters:
  ///   - other: the router to mount.
  ///   - path: one or several components without parameters, such as `/anyfleet`.
  /// - Precondition: No route of this router has the same method and pattern.
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

  /// Adds the routes of another router whose patterns have no route here yet, for any method.
  package mutating func addMissing(from other: Router) {
    for (method, pattern, route) in other.routes.list.filter({ !routes.contains($0.pattern) }) {
      routes.add(route, for: method, at: pattern)
    }
  }

  /// Returns a path without its first components, in whichever way those are encoded.
  package static func path(_ path: String, below count: Int) -> String {
    let rest = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(count + 1)
    return "/" + rest.joined(separator: "/")
  }

  /// Answers a request, also if an error occurs.
  ///
  /// A request that is not admitted yet is admitted first.
  public func respond(to request: Request) async -> Response {
    guard !request.isAdmitted else { return await answer(request) { try await route($0) } }
    switch await admit(request) {
    case .admitted(let request): return await answer(request) { try await route($0) }
    case .refused(let response): return response
    }
  }

  /// Runs the ``admission`` check and finds the route, before the body is received.
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

  /// Presents the error, with the middleware around it.
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

  /// Returns the route for a request, with the values of the path's parameters.
  /// - Throws: ``HTTPError`` with 400, 404 or 405 if there is no route.
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

/// The rule for the name of an app among several, which is the first component of its paths.
///
/// Hosts and servers of several apps share this rule, so that an app of a host can be served under
/// its name.
package enum AppName {
  /// The first components of a host's own paths, which serve all apps.
  package static let hostPaths: Set<String> = ["assets", "live"]
  /// The first components of the paths of a server of one app.
  package static let serverPaths: Set<String> = ["healthz", "metrics", "readyz", "v1"]
  /// The rule, as the remedy in an error message.
  package static let rule =
    "Use lowercase letters, digits and hyphens, and none of "
    + hostPaths.union(serverPaths).sorted().joined(separator: ", ") + "."

  private static let characters = "abcdefghijklmnopqrstuvwxyz0123456789-"

  /// Returns whether a text can name an app.
  ///
  /// A name has lowercase ASCII letters, digits and hyphens, and is not a path of a host or a
  /// server.
  package static func isValid(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy(characters.contains) && !hostPaths.contains(text)
      && !serverPaths.contains(text)
  }
}
