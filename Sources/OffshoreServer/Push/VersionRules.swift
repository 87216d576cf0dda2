import OffshoreWire

/// The versions of the manifest that a server supports.
struct VersionRules: Sendable {
  /// The oldest version that devices may have.
  let oldest: Int
  /// The version of the server's own manifest.
  let newest: Int

  /// Checks the version of a device that pushes.
  ///
  /// NB: A newer device retries until the server is updated, and can pull meanwhile. Otherwise its
  /// new columns would be refused for good.
  /// - Throws: `WireProblem`: `upgradeRequired` if the version is too old, `unavailable` if it is
  ///   newer than the server's.
  func checkPush(_ version: Int) throws(WireProblem) {
    try checkPull(version)
    guard version <= newest else {
      throw WireProblem(
        .unavailable, "The server does not know the newest tables yet. Update the server.")
    }
  }

  /// Checks the version of a device that pulls.
  /// - Throws: `WireProblem` with the code `upgradeRequired` if the version is too old.
  func checkPull(_ version: Int) throws(WireProblem) {
    guard version >= oldest else {
      throw WireProblem(.upgradeRequired, "The app is too old for this server. Update the app.")
    }
  }
}
