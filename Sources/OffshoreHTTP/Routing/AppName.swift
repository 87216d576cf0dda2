/// The rule for the name of an app among several, whose pages or requests are below its name.
///
/// Hosts and servers of several apps share it, so that an app of a host can be served under its own name.
package enum AppName {
  /// The first components of the paths that a host answers for all apps.
  package static let hostPaths: Set<String> = ["assets", "live"]
  /// The first components of the paths of a server of one app.
  package static let serverPaths: Set<String> = ["healthz", "metrics", "readyz", "v1"]
  /// The rule, as the remedy in a message.
  package static let rule =
    "Use lowercase letters, digits and hyphens, and none of "
    + hostPaths.union(serverPaths).sorted().joined(separator: ", ") + "."

  private static let characters = "abcdefghijklmnopqrstuvwxyz0123456789-"

  /// Whether a text can name an app: lowercase letters of ASCII, digits and hyphens, and no path of a host
  /// or a server.
  package static func isValid(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy(characters.contains) && !hostPaths.contains(text)
      && !serverPaths.contains(text)
  }
}
