/// Why an account, a token or a role cannot be had or changed.
public struct AccountError: Error, Hashable, Sendable {
  /// The kind of reason.
  public let code: Code
  /// What is wrong and what to do, in a sentence or two.
  public let message: String

  /// Describes a reason.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// A kind of reason.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String
    /// What tells two kinds apart that have one name for clients.
    private let detail: String

    private init(_ name: String, _ detail: String = "") {
      self.name = name
      self.detail = detail
    }

    /// The name cannot be one of an account.
    public static let invalidName = Code("invalidName")
    /// The password is too short or too long.
    public static let weakPassword = Code("weakPassword")
    /// Another account has the name, or the id.
    public static let taken = Code("taken")
    /// Name and password do not belong together.
    public static let wrongPassword = Code("wrongPassword")
    /// What was said to be the account's password is not, though its token lets in.
    public static let wrongCurrentPassword = Code("wrongPassword", "current")
    /// No token came, or one that is not valid any more.
    public static let unauthorized = Code("unauthorized")
    /// The account may not do this, or there is no such thing.
    public static let forbidden = Code("forbidden")
    /// Accounts are made by those who run the server.
    public static let signUpClosed = Code("signUpClosed")
    /// The invitation was used, has expired, or never was.
    public static let invalidInvitation = Code("invalidInvitation")
    /// There is as much of it as there may be.
    public static let limitReached = Code("limitReached")
    /// There is no such thing any more.
    public static let notFound = Code("notFound")
    /// Nobody would be left who may let others in.
    public static let lastOwner = Code("lastOwner")
    /// The request says nothing that can be done.
    public static let malformed = Code("malformed")
    /// The server cannot do this now.
    public static let unavailable = Code("unavailable")

    /// The name that answers carry.
    public var description: String { name }
  }
}
