import OffshoreServer

/// The options of `offshore account add` and `offshore token`.
struct AccountOptions {
  let data: String
  let name: AccountName

  static let options = [
    ToolOptions.Option("--data", "OFFSHORE_DATA")
  ]

  /// Parses the options.
  /// - Throws: ``ToolError`` if an option is missing or invalid.
  init(_ arguments: [String], environment: [String: String]) throws(ToolError) {
    let options = try ToolOptions(arguments, Self.options, environment: environment)
    guard options.operands.count == 1, let typed = options.operands.first else {
      throw .usage("Say the name of one account, and no password: it is read from the input.")
    }
    do throws(AccountError) {
      name = try AccountName(typed)
    } catch {
      throw .usage(error.message)
    }
    data = try options.required("--data", "the file that the server keeps everything in")
  }
}
