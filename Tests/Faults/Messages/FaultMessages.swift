import Foundation
import MessAI
import OffshoreSync
import OffshoreWire

/// A process for tests to kill: the device of a person who writes messages.
///
///     fault-messages manifest FILE    writes the sync manifest to a file
///     fault-messages run FILE URL ACCOUNT TOKEN NAME CONVERSATION COUNT
///                                     performs the commands of its input, see ``MessageDevice``
@main
struct FaultMessages {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let command = arguments.first,
      try await perform(command, Array(arguments.dropFirst()))
    else {
      FileHandle.standardError.write(
        Data("usage: fault-messages manifest FILE | run FILE URL ACCOUNT TOKEN …\n".utf8))
      exit(2)
    }
  }

  /// Performs a command, and returns whether its arguments were understood.
  private static func perform(_ command: String, _ arguments: [String]) async throws -> Bool {
    if command == "manifest", arguments.count == 1 {
      try Data(MessAISchema.current.manifest.json()).write(to: URL(filePath: arguments[0]))
      return true
    }
    guard command == "run", let device = try await MessageDevice(arguments) else { return false }
    try await device.run(lines())
    return true
  }

  /// The lines of the standard input.
  private static func lines() -> AsyncStream<String> {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    Thread {
      while let line = readLine() { continuation.yield(line) }
      continuation.finish()
    }.start()
    return lines
  }
}
