public import OffshoreHTTP

extension Middleware {
  /// Returns middleware that forbids browsers to load content of other origins or run inline
  /// scripts, and other pages to frame this one.
  ///
  /// - Parameters:
  ///   - framingOrigins: the origins of pages that may frame this one, such as
  ///     `http://127.0.0.1:8080`; needed only if a dock shows the device.
  ///   - framedOrigins: the origins of pages that this one may frame; needed only for a dock.
  static func securityHeaders(
    framingOrigins: [String] = [], framedOrigins: [String] = []
  ) -> Middleware {
    let policy = """
      default-src 'self'; base-uri 'none'; form-action 'self'; \
      frame-ancestors \(sources(framingOrigins)); frame-src \(sources(framedOrigins)); \
      object-src 'none'
      """
    return Middleware { request, next in
      var response = try await next(request)
      response.headers["Content-Security-Policy"] = policy
      response.headers["X-Content-Type-Options"] = "nosniff"
      if response.headers["Referrer-Policy"] == nil {
        response.headers["Referrer-Policy"] = "same-origin"
      }
      return response
    }
  }

  private static func sources(_ origins: [String]) -> String {
    // NB: A semicolon or comma would start another directive.
    let origins = origins.filter { !$0.isEmpty && !$0.contains { ";, \r\n".contains($0) } }
    return origins.isEmpty ? "'none'" : origins.joined(separator: " ")
  }

  /// Returns all middleware that protects a device, in the required order. Pass it to the
  /// initializer of the device's router.
  ///
  /// ```swift
  /// let token = LaunchToken(device: "8080")
  /// var router = Router(middleware: Middleware.deviceSecurity(token: token))
  /// ```
  ///
  /// `Router` and `Middleware` are types of the module `OffshoreHTTP`. The middleware of a router
  /// also protects the apps that are mounted in it. It has these effects:
  /// - A content security policy forbids content of other origins and inline scripts. A page may
  ///   frame only pages of `framedOrigins`, and only pages of `framingOrigins` may frame it. Even
  ///   the device's own origin has to be in these lists if its pages frame each other.
  /// - Requests for other hosts, and requests of other sites that change data, are refused with
  ///   403.
  /// - If there is a token, requests with neither the token nor the current cookie are refused with
  ///   401, except for the stylesheet and the script.
  ///
  /// - Parameters:
  ///   - hosts: the names and addresses of the device, without a port; an IPv6 address is in
  ///     brackets.
  ///   - token: the token that admits a browser. If it is `nil`, all programs on this machine have
  ///     access.
  ///   - framingOrigins: the origins of pages that may show the device's pages in a frame, such as
  ///     `http://127.0.0.1:8080`.
  ///   - framedOrigins: the origins of pages that the device's pages may show in an ``iframe``.
  public static func deviceSecurity(
    hosts: Set<String> = ["127.0.0.1", "localhost", "[::1]"], token: LaunchToken?,
    framingOrigins: [String] = [], framedOrigins: [String] = []
  ) -> [Middleware] {
    [
      .securityHeaders(framingOrigins: framingOrigins, framedOrigins: framedOrigins), .hosts(hosts),
      .sameOrigin,
    ]
      + (token.map { [$0.middleware] } ?? [])
  }
}

extension Middleware {
  /// Middleware that refuses requests from other sites unless they only read (403).
  ///
  /// Browsers send the origin of a request: `Sec-Fetch-Site` must be `same-origin` or `none`. For
  /// an older browser, which does not send it, `Origin` must be this host
  /// (<https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header>).
  static let sameOrigin = Middleware { request, next in
    guard request.method.isSafe || isSameOrigin(request.headers) else {
      throw HTTPError(.forbidden, "This came from another site. Open the page and try there.")
    }
    return try await next(request)
  }

  /// Returns middleware that refuses requests for hosts that are not this device (403).
  ///
  /// Otherwise a page of another site whose name is changed to resolve to this machine would have
  /// the same origin as the device ([DNS rebinding](https://en.wikipedia.org/wiki/DNS_rebinding)).
  ///
  /// - Parameter names: names and addresses without a port; an IPv6 address is in brackets.
  static func hosts(_ names: Set<String>) -> Middleware {
    let names = HostNames(names)
    return Middleware { request, next in
      try names.check(request)
      return try await next(request)
    }
  }

  private static func isSameOrigin(_ headers: Headers) -> Bool {
    let sites = headers.all("Sec-Fetch-Site")
    guard sites.isEmpty else { return sites == ["same-origin"] || sites == ["none"] }
    let origins = headers.all("Origin")
    let hosts = headers.all("Host")
    guard origins.count == 1, hosts.count == 1 else { return false }
    for scheme in ["http", "https"] where origins[0].hasPrefix("\(scheme)://") {
      let port = scheme == "http" ? 80 : 443
      guard let origin = Authority(String(origins[0].dropFirst(scheme.count + 3))),
        let host = Authority(hosts[0])
      else { return false }
      return origin.name == host.name && (origin.port ?? port) == (host.port ?? port)
    }
    return false
  }
}
