public import OffshoreHTTP

extension Middleware {
  /// Tells browsers to load nothing from elsewhere, to run no script within a page, and to let no other
  /// page frame this one.
  ///
  /// - Parameter frameAncestors: The origins of pages that may frame this one, such as
  ///   `http://127.0.0.1:8080`; none unless a dock shows the device.
  public static func securityHeaders(frameAncestors: [String] = []) -> Middleware {
    // NB: A semicolon or comma would start another rule.
    let ancestors = frameAncestors.filter { !$0.isEmpty && !$0.contains { ";, \r\n".contains($0) } }
    let frames = ancestors.isEmpty ? "'none'" : ancestors.joined(separator: " ")
    let policy = """
      default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors \(frames); \
      object-src 'none'
      """
    return Middleware { request, next in
      var response = try await next(request)
      response.headers["Content-Security-Policy"] = policy
      response.headers["X-Content-Type-Options"] = "nosniff"
      response.headers["Referrer-Policy"] = "same-origin"
      return response
    }
  }

  /// Everything that guards a device, in the order in which it has to stand.
  ///
  /// - Parameters:
  ///   - hosts: The names of the device.
  ///   - token: Who is let in; everybody on this machine without one.
  ///   - frameAncestors: The origins of pages that may frame the device.
  public static func deviceSecurity(
    hosts: Set<String> = ["127.0.0.1", "localhost", "[::1]"], token: LaunchToken?,
    frameAncestors: [String] = []
  ) -> [Middleware] {
    [.securityHeaders(frameAncestors: frameAncestors), .hosts(hosts), .sameOrigin]
      + (token.map { [$0.middleware] } ?? [])
  }
}
