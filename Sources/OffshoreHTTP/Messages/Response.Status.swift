extension Response {
  /// The status code of a response (<https://www.rfc-editor.org/rfc/rfc9110#name-status-codes>).
  public struct Status: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    /// The number, from 200 to 599.
    public let rawValue: Int

    /// Creates a status that has no constant here. A number outside of 200...599 becomes 500.
    public init(rawValue: Int) { self.rawValue = 200...599 ~= rawValue ? rawValue : 500 }

    /// 200: the request succeeded.
    public static let ok = Status(rawValue: 200)
    /// 201: the request created a resource.
    public static let created = Status(rawValue: 201)
    /// 204: the request succeeded, and there is no content.
    public static let noContent = Status(rawValue: 204)
    /// 303: the result is at another address, and is retrieved with `GET`.
    public static let seeOther = Status(rawValue: 303)
    /// 304: the client's copy is current.
    public static let notModified = Status(rawValue: 304)
    /// 308: the resource is at another address, and is requested there with the same method and
    /// body.
    public static let permanentRedirect = Status(rawValue: 308)
    /// 400: the request is not valid.
    public static let badRequest = Status(rawValue: 400)
    /// 401: the request has no valid credentials.
    public static let unauthorized = Status(rawValue: 401)
    /// 403: the client does not have permission.
    public static let forbidden = Status(rawValue: 403)
    /// 404: there is no resource at the path.
    public static let notFound = Status(rawValue: 404)
    /// 405: the path does not support the method.
    public static let methodNotAllowed = Status(rawValue: 405)
    /// 409: the request contradicts the stored state.
    public static let conflict = Status(rawValue: 409)
    /// 410: the resource was deleted permanently.
    public static let gone = Status(rawValue: 410)
    /// 413: the body is larger than the route allows.
    public static let contentTooLarge = Status(rawValue: 413)
    /// 414: the target is longer than the server allows.
    static let uriTooLong = Status(rawValue: 414)
    /// 415: the route does not accept bodies of this type.
    public static let unsupportedMediaType = Status(rawValue: 415)
    /// 422: the request is valid but breaks a rule of the app, as a form with a missing value does.
    public static let unprocessableContent = Status(rawValue: 422)
    /// 429: the client sends too many requests.
    public static let tooManyRequests = Status(rawValue: 429)
    /// 431: the headers are larger than the server allows.
    static let headersTooLarge = Status(rawValue: 431)
    /// 500: the server failed.
    public static let internalServerError = Status(rawValue: 500)
    /// 503: the server cannot answer now.
    public static let serviceUnavailable = Status(rawValue: 503)
    /// 505: the server does not support this version of HTTP.
    static let versionNotSupported = Status(rawValue: 505)

    /// The number as text.
    public var description: String { String(rawValue) }

    /// A sentence for users, if there is no more precise one.
    var explanation: String {
      switch self {
      case .badRequest: "The request could not be understood."
      case .unauthorized, .forbidden: "This is not allowed."
      case .notFound: "There is nothing here."
      case .methodNotAllowed: "This cannot be done here."
      case .conflict: "Something else changed meanwhile. Load the page again."
      case .gone: "This is no longer here."
      case .contentTooLarge: "This is too large to be sent."
      case .uriTooLong: "The address is too long."
      case .unsupportedMediaType: "This kind of content is not accepted here."
      case .unprocessableContent: "Something in this is not valid."
      case .tooManyRequests: "Too many requests. Wait a little, then try again."
      case .headersTooLarge: "The headers of the request are too large."
      case .serviceUnavailable: "This is not available now. Try again in a moment."
      case .versionNotSupported: "This version of HTTP is not supported here."
      default: rawValue < 400 ? "" : "Something went wrong. Try again."
      }
    }
  }
}
