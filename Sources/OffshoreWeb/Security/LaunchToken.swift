import OffshoreHTTP

/// A secret in the address that a device prints. Only browsers that open this address have access.
///
/// The address has the token: `http://127.0.0.1:8080/?token=…`. The first request exchanges it for
/// a cookie that scripts cannot read and other sites cannot use, and removes it from the address.
/// A request with neither token nor cookie is refused with 401, except for the stylesheet and the
/// script.
/// Other programs and other users of the machine do not know the token.
public struct LaunchToken: Sendable {
  private let cookieName: String
  private let formerNames: [String]
  private let secret: String

  /// Creates a token.
  /// - Parameters:
  ///   - device: the device's name or port. It is part of the cookie's name, because cookies ignore
  ///     ports. Characters other than ASCII letters and digits become hyphens there.
  ///   - formerDevices: former names of the device, whose cookies are accepted, too.
  ///   - secret: the secret, any text; by default 192 random bits. A device may store it and
  ///     pass it at each start.
  /// - Precondition: The secret is not empty.
  public init(
    device: String, formerDevices: [String] = [], secret: String = Self.randomSecret()
  ) {
    precondition(
      !secret.isEmpty, "An empty secret protects nothing. Omit it for a random one.")
    cookieName = Self.cookieName(device)
    formerNames = formerDevices.map(Self.cookieName)
    self.secret = secret
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
  public func address(_ path: String = "/") -> String {
    let query: Fields = ["token": secret]
    return "\(path)?\(query.encoded)"
  }

  /// The middleware that refuses requests without the cookie (401), and exchanges a token for the
  /// cookie.
  ///
  /// The stylesheet and the script of all pages need no cookie: they are the same on every device,
  /// and the page that explains the refusal uses them.
  var middleware: Middleware {
    Middleware { request, next in
      if request.method.isSafe, let token = request.query["token"], matches(token) {
        return exchangeToken(in: request)
      }
      if request.method.isSafe, WebAsset.contains(path: request.path) {
        return try await next(request)
      }
      let cookies = request.cookies
      let names = [cookieName] + formerNames
      guard names.contains(where: { cookies[$0].map(matches) == true }) else {
        throw HTTPError(
          .unauthorized, "Open the address that the app printed when it started; it has a token.")
      }
      return try await next(request)
    }
  }

  /// Sets the cookie, and redirects to the address without the token.
  private func exchangeToken(in request: Request) -> Response {
    var query = request.query
    query.items.removeAll { $0.name == "token" }
    var response = Response.redirect(
      to: Self.local(request.path) + (query.items.isEmpty ? "" : "?\(query.encoded)"))
    response.headers["Cache-Control"] = "no-store"
    response.setCookie(Cookie(cookieName, secret))
    return response
  }

  /// Returns a path of this host. NB: A path that begins with two slashes would lead to another
  /// host.
  private static func local(_ path: String) -> String {
    "/" + path.drop { $0 == "/" || $0 == "\\" }
  }

  /// Compares a guess with the secret, in a time that does not reveal how much of it is right.
  private func matches(_ guess: String) -> Bool {
    let (guess, secret) = (Array(guess.utf8), Array(secret.utf8))
    var difference = UInt8(guess.count == secret.count ? 0 : 1)
    for index in secret.indices {
      difference |= secret[index] ^ (index < guess.count ? guess[index] : 0)
    }
    return difference == 0
  }
}
