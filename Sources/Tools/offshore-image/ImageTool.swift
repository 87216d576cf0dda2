import Glibc
import OffshoreImages

/// The program that checks and scales one untrusted image, and ends.
@main
enum ImageTool {
  static func main() {
    // NB: `exit` would run handlers, such as one that writes a file with the coverage of a test.
    _exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Scales the image of standard input.
  /// - Returns: the exit status.
  private static func run(_ arguments: [String]) -> Int32 {
    do {
      let command = try ToolArguments(arguments)
      guard !command.showsHelp else {
        try StandardFiles.write(Array(ToolArguments.help.utf8), to: STDOUT_FILENO)
        return 0
      }
      try Sandbox.enter()
      let bytes = try StandardFiles.read(STDIN_FILENO, atMost: ImageLimits.byteCount + 1)
      let result = try Conversion(command.options).convert(bytes)
      try StandardFiles.write(result.bytes, to: STDOUT_FILENO)
      report(result.facts)
      return 0
    } catch {
      report(facts(of: error))
      return status(of: error)
    }
  }

  /// Writes a line to standard error.
  private static func report(_ line: String) {
    try? StandardFiles.write(Array("\(line)\n".utf8), to: STDERR_FILENO)
  }

  /// Returns an error as JSON. The sentences have no characters that JSON escapes.
  static func facts(of error: any Error) -> String {
    guard let error = error as? ImageError else { return "offshore-image: \(error)" }
    return #"{"code":"\#(error.code)","message":"\#(error.message)"}"#
  }

  static func status(of error: any Error) -> Int32 {
    switch error {
    case is UsageError: 2
    case let error as ImageError: ImageError.byExitStatus.first { $0.value == error }?.key ?? 1
    default: 1
    }
  }
}

/// Standard input, output and error.
enum StandardFiles {
  /// Reads a file up to its end or a number of bytes.
  /// - Throws: ``InputOutputError``.
  static func read(_ file: Int32, atMost limit: Int) throws -> [UInt8] {
    var isRead = true
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      while count < limit {
        let found = Glibc.read(file, buffer.baseAddress.map { $0 + count }, limit - count)
        if found < 0, errno == EINTR { continue }
        isRead = found >= 0
        guard found > 0 else { return }
        count += found
      }
    }
    guard isRead else { throw InputOutputError("The image cannot be read from standard input.") }
    return bytes
  }

  /// Writes all bytes.
  /// - Throws: ``InputOutputError``.
  static func write(_ bytes: [UInt8], to file: Int32) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw InputOutputError(
          "The image cannot be written. Its output has to be a pipe or a socket, and not a file.")
      }
      rest = rest.dropFirst(count)
    }
  }
}

/// The reason why standard input or output failed.
struct InputOutputError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
