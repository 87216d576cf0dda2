extension Address {
  static let settings = "/settings"
  static let about = "/about"

  /// Where the choice of a language is posted.
  static let language = "/settings/language"

  /// Where links into the app are opened, as `link` of the query.
  static let open = "/open"
}
