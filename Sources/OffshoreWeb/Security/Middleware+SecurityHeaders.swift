public import OffshoreHTTP

extension Middleware {
  /// Returns middleware that forbids browsers to load content of other origins or run inline
  /// scripts, and other pages to frame this one.
  ///
  /// - Parameters:
  ///   - frameAncestors: the origins of pages that may frame this one, such as
  ///     `http://127.0.0.1:8080`; needed only if a dock shows the device.
  ///   - frames: the origins of pages that this one may frame; needed only for a dock.
  public static func securityHeaders(
    frameAncestors: [String] = [], frames: [String] = []
  ) -> Middleware {
    let policy = """
      default-src 'self'; base-uri 'none'; form-action 'self'; \
      frame-ancestors \(sources(frameAncestors)); frame-src \(sources(frames)); object-src 'none'
      """
    return Middleware { request, next in
      var response = try await next(request)
      response.headers["Content-Security-Policy"] = policy
      response.headers["X-Content-Type-Options"] = "nosniff"
      response.headers["Referrer-Policy"] = "same-origin"
      return response
    }
  }

  private static func sources(_ origins: [String]) -> String {
    // NB: A semicolon or comma would start another directive.
    let origins = origins.filter { !$0.isEmpty && !$0.contains { ";, \r\n".contains($0) } }
    return origins.isEmpty ? "'none'" : origins.joined(separator: " ")
  }

  /// Returns all middleware that protects a device, in the required order.
  ///
  /// - Parameters:
  ///   - hosts: the names of the device.
  ///   - token: the token that admits a browser; without one, all programs on this machine have
  ///     access.
  ///   - frameAncestors: the origins of pages that may frame the device.
  ///   - frames: the origins of pages that the device may frame.
  public static func deviceSecurity(
    hosts: Set<String> = ["127.0.0.1", "localhost", "[::1]"], token: LaunchToken?,
    frameAncestors: [String] = [], frames: [String] = []
  ) -> [Middleware] {
    [
      .securityHeaders(frameAncestors: frameAncestors, frames: frames), .hosts(hosts), .sameOrigin,
    ]
      + (token.map { [$0.middleware] } ?? [])
  }
}
