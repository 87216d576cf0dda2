import OffshoreHTTP
import OffshoreWire

/// Routes for monitoring.
extension SyncServer {
  func addHealth(to router: inout Router) {
    router.get("healthz") { _ in .text("ok") }
    router.get("metrics") { try readMetrics($0) }
    router.get("readyz") { _ in
      do {
        _ = try await log.read { try $0.epoch() }
        return .text("ready")
      } catch {
        return .text("The data cannot be read.", status: .serviceUnavailable)
      }
    }
  }

  /// Returns the metrics, to this machine or to a client with the token of the configuration.
  private func readMetrics(_ request: Request) throws -> Response {
    guard request[ClientAddress.self]?.isLocal == true || hasMetricsToken(request) else {
      try limit(limits.failures, network(of: request), at: clock())
      throw AccountError(
        .forbidden, "Metrics are read on the server's own machine, or by the token for them.")
    }
    let gauges = MetricsText.Gauges(streams: hub.count, bytes: log.storedBytes)
    return Response(
      .ok,
      headers: [
        "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store",
      ],
      body: .bytes(Array(MetricsText(metrics.counts, gauges).text.utf8)))
  }

  /// NB: Comparing hashes makes the time independent of the token.
  private func hasMetricsToken(_ request: Request) -> Bool {
    guard let token = configuration.metricsToken, !token.isEmpty,
      let sent = Self.bearerText(in: request)
    else { return false }
    return ContentHash(of: Array(sent.utf8)) == ContentHash(of: Array(token.utf8))
  }
}
