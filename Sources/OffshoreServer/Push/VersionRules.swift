import OffshoreWire

/// Which devices a server serves, by the version of their manifest.
struct VersionRules: Sendable {
  /// The oldest that is served.
  let oldest: Int
  /// The server's own.
  let newest: Int

  /// NB: What a newer device writes would be refused for good, column by column. It waits instead, and
  /// pulls meanwhile.
  func checkPush(_ version: Int) throws(WireProblem) {
    try checkPull(version)
    guard version <= newest else {
      throw WireProblem(
        .unavailable, "The server does not know the newest tables yet. Update the server.")
    }
  }

  func checkPull(_ version: Int) throws(WireProblem) {
    guard version >= oldest else {
      throw WireProblem(.upgradeRequired, "The app is too old for this server. Update the app.")
    }
  }
}
