import OffshoreHTTP
import OffshoreWire

/// What tells those who watch over a server how it is.
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

  /// The metrics, for this machine, and for who has the token that the configuration names.
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

  /// NB: Hashes are compared, so the time it takes tells nothing of the token.
  private func hasMetricsToken(_ request: Request) -> Bool {
    guard let token = configuration.metricsToken, !token.isEmpty,
      let sent = Self.bearerText(in: request)
    else { return false }
    return ContentHash(of: Array(sent.utf8)) == ContentHash(of: Array(token.utf8))
  }
}
