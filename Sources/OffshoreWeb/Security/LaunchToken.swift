import OffshoreHTTP

/// A secret in the address that a device prints. Only browsers that open this address have access.
///
/// The address has the token: `http://127.0.0.1:8080/?token=…`. The first request exchanges it for
/// a cookie that scripts cannot read and other sites cannot use, and removes it from the query.
/// A request with neither token nor cookie is refused with 401, except for the stylesheet and the
/// script, and for addresses with a secret of their own. Other programs and other users of the
/// machine do not know the token.
///
/// Browsers send the cookies of a host to each of its ports, so a service of another user receives
/// the cookie if a browser opens that service. The cookie is therefore not the token but a random
/// value, which is valid as long as this ``LaunchToken`` is used: until the device stops.
///
/// After a restart, a browser gets the next cookie by the token. The redirect passes the token to
/// the script, in the fragment of the address. The script removes it from there, stores it in the
/// browser's storage of this host and port, which pages of other ports cannot read, and sends it
/// when a request is refused. Without JavaScript, the user opens the printed address again.
public struct LaunchToken: Sendable {
  /// The header field in which the script sends the token after a request was refused.
  static let header = "Offshore-Token"
  /// The scheme in `WWW-Authenticate`, by which the script recognizes a request that was refused
  /// for want of a cookie.
  static let scheme = "Offshore-Token"

  private let secret: String
  private let cookie: Cookie

  /// Creates a token, with a cookie that is valid as long as the token exists.
  /// - Parameters:
  ///   - device: the device's name or port. It is part of the cookie's name, because cookies ignore
  ///     ports. Characters other than ASCII letters and digits become hyphens there.
  ///   - secret: the secret, any text; by default 192 random bits. A device may store it and
  ///     pass it at each start.
  /// - Precondition: The secret is not empty.
  public init(device: String, secret: String = Self.randomSecret()) {
    self.init(device: device, secret: secret, session: Self.randomSecret())
  }

  /// Creates a token with the value of its cookie, a secret that is used for one start only.
  /// - Precondition: The secret and the value are not empty.
  package init(device: String, secret: String, session: String) {
    precondition(
      !secret.isEmpty && !session.isEmpty,
      "An empty secret protects nothing. Omit it for a random one.")
    self.secret = secret
    cookie = Cookie(Self.cookieName(device), session)
  }

  private static func cookieName(_ device: String) -> String {
    let name = device.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        byte
      default: UInt8(ascii: "-")
      }
    }
    return "offshore-" + String(decoding: name, as: UTF8.self)
  }

  /// Returns 192 random bits as text: at most 39 lower-case letters and digits.
  public static func randomSecret() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<3).map { _ in String(generator.next() as UInt64, radix: 36) }.joined()
  }

  /// Returns the path with the token, such as `/?token=…`. Append it to the device's origin, such
  /// as `http://127.0.0.1:8080`, to get the address that the user opens.
  /// - Parameter path: the path, without a query.
  public func address(_ path: String = "/") -> String { "\(path)?\(field)" }

  /// The token as the field of a query or of a fragment.
  private var field: String {
    let fields: Fields = ["token": secret]
    return fields.encoded
  }

  /// The middleware that refuses requests without the cookie (401), and exchanges a token for the
  /// cookie.
  ///
  /// The stylesheet and the script of all pages need no cookie: they are the same on every device,
  /// and the page that explains the refusal uses them. A ``SecretRoute`` checks its own secret.
  var middleware: Middleware {
    Middleware { request, next in
      if request.method.isSafe, let token = request.query["token"], Self.isEqual(token, secret) {
        return exchangeToken(in: request)
      }
      if request.method.isSafe,
        WebAsset.contains(path: request.path) || SecretRoute.matches(request)
      {
        return try await next(request)
      }
      if let value = request.cookies[cookie.name], Self.isEqual(value, cookie.value) {
        return try await next(request)
      }
      guard let token = request.headers[Self.header], Self.isEqual(token, secret) else {
        throw HTTPError(
          .unauthorized, "Open the address that the app printed when it started; it has a token.",
          headers: ["WWW-Authenticate": Self.scheme])
      }
      var response = try await next(request)
      response.setCookie(cookie)
      return response
    }
  }

  /// Sets the cookie, and redirects to the address with the token in the fragment, which browsers
  /// send nowhere, in place of the query.
  private func exchangeToken(in request: Request) -> Response {
    var query = request.query
    query.items.removeAll { $0.name == "token" }
    var response = Response.redirect(
      to: Self.local(request.path) + (query.items.isEmpty ? "" : "?\(query.encoded)") + "#\(field)")
    response.headers["Cache-Control"] = "no-store"
    response.setCookie(cookie)
    return response
  }

  /// Returns a path of this host. NB: A path that begins with two slashes would lead to another
  /// host.
  private static func local(_ path: String) -> String {
    "/" + path.drop { $0 == "/" || $0 == "\\" }
  }

  /// Compares a guess with a secret, in a time that does not reveal how much of it is right.
  package static func isEqual(_ guess: String, _ secret: String) -> Bool {
    let (guess, secret) = (Array(guess.utf8), Array(secret.utf8))
    var difference = UInt8(guess.count == secret.count ? 0 : 1)
    for index in secret.indices {
      difference |= secret[index] ^ (index < guess.count ? guess[index] : 0)
    }
    return difference == 0
  }
}
