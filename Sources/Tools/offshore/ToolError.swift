/// The reason why the tool failed, and the remedy.
struct ToolError: Error, Equatable, CustomStringConvertible {
  /// The exit status of the process.
  enum Status: Int32 {
    case failure = 1
    /// The command line is invalid.
    case usage = 2
  }

  let status: Status
  let description: String

  init(_ description: String, status: Status = .failure) {
    self.description = description
    self.status = status
  }

  /// Creates an error for an invalid command line.
  static func usage(_ description: String) -> ToolError {
    ToolError("\(description) See offshore --help.", status: .usage)
  }
}
