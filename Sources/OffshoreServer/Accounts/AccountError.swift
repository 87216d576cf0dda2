/// The reason why an operation on an account, a token or a role failed.
public struct AccountError: Error, Hashable, Sendable {
  /// The kind of the error.
  public let code: Code
  /// The problem and its remedy, in one or two sentences.
  public let message: String

  /// Creates an error.
  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// A kind of error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String
    /// The difference between two kinds that have the same name for clients.
    private let detail: String

    private init(_ name: String, _ detail: String = "") {
      self.name = name
      self.detail = detail
    }

    /// The name is not valid for an account.
    public static let invalidName = Code("invalidName")
    /// The password is too short or too long.
    public static let weakPassword = Code("weakPassword")
    /// Another account has this name or id.
    public static let taken = Code("taken")
    /// The account with this id was deleted.
    public static let deleted = Code("deleted")
    /// The name and the password do not match.
    public static let wrongPassword = Code("wrongPassword")
    /// The current password is wrong, though the token is valid.
    public static let wrongCurrentPassword = Code("wrongPassword", "current")
    /// The token is missing or not valid any more.
    public static let unauthorized = Code("unauthorized")
    /// The account may not do this, or the scope does not exist.
    public static let forbidden = Code("forbidden")
    /// The operator of the server has disabled the account.
    public static let disabled = Code("disabled")
    /// Only the operator of the server creates accounts.
    public static let signUpClosed = Code("signUpClosed")
    /// The invitation was used, has expired, or never existed.
    public static let invalidInvitation = Code("invalidInvitation")
    /// A limit is reached, for example that of open invitations.
    public static let limitReached = Code("limitReached")
    /// The scope has as many members as the manifest allows.
    public static let scopeFull = Code("scopeFull")
    /// The account has as many memberships in scopes of the kind as the manifest allows.
    public static let accountFull = Code("accountFull")
    /// The item does not exist any more.
    public static let notFound = Code("notFound")
    /// The scope would have no owner left.
    public static let lastOwner = Code("lastOwner")
    /// The request is malformed, or asks for something impossible.
    public static let malformed = Code("malformed")
    /// The server cannot do this now. Retry later.
    public static let unavailable = Code("unavailable")

    /// The name of the code in answers.
    public var description: String { name }
  }
}
