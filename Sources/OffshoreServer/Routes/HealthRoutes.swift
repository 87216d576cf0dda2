import OffshoreHTTP
import OffshoreWire

/// The routes for monitoring.
struct HealthRoutes: Sendable {
  let server: SyncServer

  var routes: [ServerRoute] {
    [
      ServerRoute(
        .get, "healthz", "Tells that the process is alive.", access: .open,
        answers: [.answer(200, "It is.", .text)]
      ) { _ in .text("ok") },
      ServerRoute(
        .get, "metrics", "Tells Prometheus how the server does.", access: .open,
        answers: [
          .answer(200, "The metrics.", .metrics),
          .problem(403, "It is asked from another machine, without the token for it."),
          .problem(429, "That was too often.", headers: ServerRoute.retryAfter),
        ], handler: metrics),
      ServerRoute(
        .get, "readyz", "Tells whether the data can be read.", access: .open,
        answers: [
          .answer(200, "It can.", .text), .answer(503, "It cannot.", .text),
        ], handler: readiness),
    ]
  }

  private func readiness(_ request: Request) async -> Response {
    do {
      _ = try await server.storage.readPromptly { try $0.epoch() }
      return .text("ready")
    } catch {
      return .text("The data cannot be read.", status: .serviceUnavailable)
    }
  }

  // MARK: - Metrics

  /// Returns the metrics, to this machine or to a client with the token of the configuration.
  private func metrics(_ request: Request) throws -> Response {
    guard request[ClientAddress.self]?.isLocal == true || hasMetricsToken(request) else {
      try server.limits.failures.count(request.network, at: server.clock())
      throw AccountError(
        .forbidden, "Metrics are read on the server's own machine, or by the token for them.")
    }
    let gauges = MetricsText.Gauges(streams: server.hub.count, bytes: server.storage.byteCount)
    return Response(
      .ok,
      headers: [
        "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store",
      ],
      body: .bytes(Array(MetricsText(server.metrics.counts, gauges).text.utf8)))
  }

  /// NB: Comparing hashes makes the time independent of the token.
  private func hasMetricsToken(_ request: Request) -> Bool {
    guard let token = server.configuration.metricsToken, !token.isEmpty,
      let sent = Caller.token(in: request)
    else { return false }
    return ContentHash(of: Array(sent.utf8)) == ContentHash(of: Array(token.utf8))
  }
}
