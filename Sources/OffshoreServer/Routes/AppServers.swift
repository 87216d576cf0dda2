public import OffshoreHTTP

/// Answers for the servers of several apps, each below its name: `/anyfleet/v1/push`.
///
/// ```swift
/// let apps = AppServers([("anyfleet", charters.router), ("packing", lists.router)])
/// let server = HTTPServer(HTTPServer.Configuration(), responder: apps)
/// ```
///
/// Each has a log, accounts and limits of its own. The first app is also answered without its name, for
/// devices that know it from a server of one app. `/readyz` reports whether all are ready; `/metrics` has the
/// numbers of the first app, `/packing/metrics` those of another.
public struct AppServers: Responder {
  private let apps: [(name: String, router: Router)]

  /// Combines servers.
  ///
  /// - Parameter apps: the names and the routers, the first of which answers without a name, too.
  /// - Precondition: there is an app, no two have the same name, and each name ``isName(_:)``.
  public init(_ apps: [(name: String, router: Router)]) {
    precondition(!apps.isEmpty, "A server has at least one app; pass its apps.")
    precondition(
      Set(apps.map(\.name)).count == apps.count, "Two apps have the same name. Rename one.")
    for app in apps {
      precondition(
        Self.isName(app.name), "“\(app.name)” is not the name of an app. \(AppName.rule)")
    }
    self.apps = apps
  }

  /// Whether a text can name an app: lowercase letters of ASCII, digits and hyphens, and neither a path of
  /// a server of one app nor one that a host of apps answers itself (`assets`, `live`).
  public static func isName(_ text: String) -> Bool { AppName.isValid(text) }

  /// Has the app of a request look at its head.
  public func admit(_ head: Request) async -> Admission {
    let (router, head) = addressed(head)
    return await router.admit(head)
  }

  /// Has the app of a request answer it.
  public func respond(to request: Request) async -> Response {
    if request.base.isEmpty, request.components == ["readyz"] { return await readiness(request) }
    let (router, request) = addressed(request)
    return await router.respond(to: request)
  }

  /// Has the app of a request answer that its body is refused.
  public func refuse(_ request: Request, _ error: HTTPError) async -> Response {
    let (router, request) = addressed(request)
    return await router.refuse(request, error)
  }

  /// The router of a request, and the request as the router of one app knows it.
  private func addressed(_ request: Request) -> (Router, Request) {
    // A request that was admitted is addressed already.
    if let app = apps.first(where: { request.base == "/\($0.name)" }) {
      return (app.router, request)
    }
    let name = request.components?.first
    guard let app = apps.first(where: { $0.name == name }) else { return (apps[0].router, request) }
    var request = request
    request.path = Router.path(request.path, below: 1)
    request.base = "/\(app.name)"
    return (app.router, request)
  }

  /// The first answer of an app that is not ready, or else that of the first app.
  private func readiness(_ request: Request) async -> Response {
    for app in apps.dropFirst() {
      var asked = Request(.get, "/readyz")
      asked.remoteAddress = request.remoteAddress
      let response = await app.router.respond(to: asked)
      if response.status != .ok { return response }
    }
    return await apps[0].router.respond(to: request)
  }
}
