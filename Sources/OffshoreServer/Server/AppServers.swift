public import OffshoreHTTP

/// A responder for several apps, each below its name: `/anyfleet/v1/push`.
///
/// ```swift
/// let apps = AppServers([("anyfleet", charters.router), ("packing", lists.router)])
/// let server = HTTPServer(HTTPServer.Configuration(), responder: apps)
/// ```
///
/// Each app has its own log, accounts and limits. The first app is also served without its name,
/// for devices that know it from a server of one app. `/readyz` reports whether all apps are ready.
/// `/metrics` has the numbers of the first app, `/packing/metrics` those of another.
public struct AppServers: Responder {
  private let apps: [(name: String, router: Router)]

  /// Creates a responder from the routers of apps.
  ///
  /// - Parameter apps: the names and routers. The first app is also served without its name.
  /// - Precondition: There is at least one app, no two have the same name, and each name is valid
  ///   (``isValidName(_:)``).
  public init(_ apps: [(name: String, router: Router)]) {
    precondition(!apps.isEmpty, "A server has at least one app; pass its apps.")
    precondition(
      Set(apps.map(\.name)).count == apps.count, "Two apps have the same name. Rename one.")
    for app in apps {
      precondition(
        Self.isValidName(app.name), "“\(app.name)” is not the name of an app. \(AppName.rule)")
    }
    self.apps = apps
  }

  /// Returns whether a text is a valid name of an app.
  ///
  /// It consists of lowercase ASCII letters, digits and hyphens. It is not a path of a server of
  /// one app (such as `v1`) or of a host of apps (`assets`, `live`).
  public static func isValidName(_ text: String) -> Bool { AppName.isValid(text) }

  /// Passes the head of a request to the router of its app.
  public func admit(_ head: Request) async -> Admission {
    let (router, head) = addressed(head)
    return await router.admit(head)
  }

  /// Passes a request to the router of its app, and answers `/readyz` for all apps.
  public func respond(to request: Request) async -> Response {
    if request.base.isEmpty, request.components == ["readyz"] { return await readiness(request) }
    let (router, request) = addressed(request)
    return await router.respond(to: request)
  }

  /// Passes a request with a refused body to the router of its app.
  public func refuse(_ request: Request, _ error: HTTPError) async -> Response {
    let (router, request) = addressed(request)
    return await router.refuse(request, error)
  }

  /// Returns the router of a request, and the request with its path relative to the app.
  private func addressed(_ request: Request) -> (Router, Request) {
    // The path of an admitted request is relative already.
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

  /// Returns the answer of an app that is not ready, if any, and otherwise that of the first app.
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
