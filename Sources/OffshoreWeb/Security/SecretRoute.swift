import OffshoreHTTP

/// A route whose path ends with a secret, which admits a request in place of the device's cookie.
///
/// The handler of the route checks the secret; the middleware of a ``LaunchToken`` does not.
package enum SecretRoute {
  /// The name of the parameter that is the secret, which no other route has.
  package static let parameter = "offshore-secret"

  /// Returns whether a request is for such a route.
  static func matches(_ request: Request) -> Bool {
    request.route?.hasSuffix("/:\(parameter)") ?? false
  }
}
