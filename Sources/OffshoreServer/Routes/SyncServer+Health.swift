import OffshoreHTTP

/// What tells those who watch over a server how it is.
extension SyncServer {
  func addHealth(to router: inout Router) {
    router.get("healthz") { _ in .text("ok") }
    router.get("readyz") { _ in
      do {
        _ = try await log.read { try $0.epoch() }
        return .text("ready")
      } catch {
        return .text("The data cannot be read.", status: .serviceUnavailable)
      }
    }
  }
}
