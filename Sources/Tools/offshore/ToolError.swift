/// Why the tool does not do what it was asked, and what to do about it.
struct ToolError: Error, Equatable, CustomStringConvertible {
  /// What the process exits with.
  enum Status: Int32 {
    case failure = 1
    /// What was asked makes no sense, as told by ``ToolOptions``.
    case usage = 2
  }

  let status: Status
  let description: String

  init(_ description: String, status: Status = .failure) {
    self.description = description
    self.status = status
  }

  /// The error of a command line.
  static func usage(_ description: String) -> ToolError {
    ToolError("\(description) See offshore --help.", status: .usage)
  }
}
