extension Address {
  static let settings = "/settings"
  static let about = "/about"

  /// Who uses the app, and how somebody signs up, in and out.
  static let account = "/profile/account"
  /// The same, with the form of a new account.
  static let newAccount = "/profile/account?new=true"
  /// How syncing stands.
  static let sync = "/profile/sync"

  /// Where something that is done with a change that waits is posted.
  static func change(_ id: String, _ action: String) -> String { "\(sync)/changes/\(id)/\(action)" }

  /// Where something that is done with a change that was set aside is posted.
  static func refused(_ id: Int64, _ action: String) -> String { "\(sync)/refused/\(id)/\(action)" }

  /// Where the choice of a language is posted.
  static let language = "/settings/language"

  /// Where links into the app are opened, as `link` of the query.
  static let open = "/open"
}
