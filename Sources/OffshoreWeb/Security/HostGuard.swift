package import OffshoreHTTP

/// A responder that refuses requests for foreign hosts (403), before their bodies are received.
package struct HostGuard<Guarded: Responder>: Responder {
  private let guarded: Guarded
  private let names: HostNames

  /// Creates a guard.
  ///
  /// - Parameters:
  ///   - guarded: the responder for all other requests.
  ///   - names: the names and addresses of the server, without a port; an IPv6 address is in
  ///     brackets. By default they are those of this machine for its own programs.
  package init(_ guarded: Guarded, names: Set<String> = ["127.0.0.1", "localhost", "[::1]"]) {
    self.guarded = guarded
    self.names = HostNames(names)
  }

  /// Refuses the head of a request for a foreign host, and passes any other to the responder.
  package func admit(_ head: Request) async -> Admission {
    do {
      try names.check(head)
      return await guarded.admit(head)
    } catch {
      return .refused(error.response)
    }
  }

  /// Passes an admitted request to the responder.
  package func respond(to request: Request) async -> Response {
    await guarded.respond(to: request)
  }

  /// Passes an admitted request with a refused body to the responder.
  package func refuse(_ request: Request, _ error: HTTPError) async -> Response {
    await guarded.refuse(request, error)
  }
}
