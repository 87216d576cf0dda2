/// What `offshore restored` is asked for.
struct RestoredOptions {
  let data: String

  static let options = [
    ToolOptions.Option("--data", "OFFSHORE_DATA")
  ]

  /// Reads what is asked for.
  /// - Throws: ``ToolError`` for what is missing or cannot be.
  init(_ arguments: [String], environment: [String: String]) throws(ToolError) {
    let options = try ToolOptions(arguments, Self.options, environment: environment)
    if let extra = options.operands.first { throw .usage("“\(extra)” is no option of restored.") }
    data = try options.required("--data", "the file that was restored")
  }
}
