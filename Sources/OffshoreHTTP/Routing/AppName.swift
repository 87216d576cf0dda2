/// The rule for the name of an app among several, which is the first component of its paths.
///
/// Hosts and servers of several apps share this rule, so that an app of a host can be served under
/// its name.
package enum AppName {
  /// The first components of a host's own paths, which serve all apps.
  package static let hostPaths: Set<String> = ["assets", "live"]
  /// The first components of the paths of a server of one app.
  package static let serverPaths: Set<String> = ["healthz", "metrics", "readyz", "v1"]
  /// The rule, as the remedy in an error message.
  package static let rule =
    "Use lowercase letters, digits and hyphens, and none of "
    + hostPaths.union(serverPaths).sorted().joined(separator: ", ") + "."

  private static let characters = "abcdefghijklmnopqrstuvwxyz0123456789-"

  /// Returns whether a text can name an app.
  ///
  /// A name has lowercase ASCII letters, digits and hyphens, and is not a path of a host or a
  /// server.
  package static func isValid(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy(characters.contains) && !hostPaths.contains(text)
      && !serverPaths.contains(text)
  }
}
