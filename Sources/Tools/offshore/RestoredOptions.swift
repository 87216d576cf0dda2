/// The options of `offshore restored`.
struct RestoredOptions {
  let data: String

  static let options = [
    ToolOptions.Option("--data", "OFFSHORE_DATA")
  ]

  /// Parses the options.
  /// - Throws: ``ToolError`` if an option is missing or invalid.
  init(_ arguments: [String], environment: [String: String]) throws(ToolError) {
    let options = try ToolOptions(arguments, Self.options, environment: environment)
    if let extra = options.operands.first { throw .usage("“\(extra)” is no option of restored.") }
    data = try options.required("--data", "the file that was restored")
  }
}
