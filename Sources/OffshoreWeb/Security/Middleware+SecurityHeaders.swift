public import OffshoreHTTP

extension Middleware {
  /// Tells browsers to load nothing from elsewhere, to run no script within a page, and to let no other
  /// page frame this one.
  ///
  /// - Parameters:
  ///   - frameAncestors: The origins of pages that may frame this one, such as
  ///     `http://127.0.0.1:8080`; none unless a dock shows the device.
  ///   - frames: The origins of pages that this one may frame; none unless it is a dock.
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
    // NB: A semicolon or comma would start another rule.
    let origins = origins.filter { !$0.isEmpty && !$0.contains { ";, \r\n".contains($0) } }
    return origins.isEmpty ? "'none'" : origins.joined(separator: " ")
  }

  /// Everything that guards a device, in the order in which it has to stand.
  ///
  /// - Parameters:
  ///   - hosts: The names of the device.
  ///   - token: Who is let in; everybody on this machine without one.
  ///   - frameAncestors: The origins of pages that may frame the device.
  ///   - frames: The origins of pages that the device may frame.
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
