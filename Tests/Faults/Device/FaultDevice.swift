import Foundation
import OffshoreSync
import OffshoreWire

/// A process to be killed: a device with a synced file to which somebody writes all the time.
///
///     fault-device manifest FILE                           says to a file what is synced
///     fault-device run FILE URL TOKEN NAME SEED BOARD …    writes and syncs, and makes the boards
///
/// It prints a line for each part of a write that has been committed: its number, what was done, the row
/// and the value. Told `rest` by its input it writes no more, goes on syncing, and prints `quiet` once
/// nothing waits; `sync` has it pull once more and print that again. It ends with its input.
@main
struct FaultDevice {
  static func main() async throws {
    let arguments = CommandLine.arguments
    if arguments.count == 3, arguments[1] == "manifest" {
      try Data(try SyncSchema.boards().manifest.json()).write(to: URL(filePath: arguments[2]))
      return
    }
    guard arguments.count >= 7, arguments[1] == "run", let url = URL(string: arguments[3]),
      let seed = UInt64(arguments[6])
    else {
      FileHandle.standardError.write(
        Data("usage: fault-device run FILE URL TOKEN NAME SEED BOARD …\n".utf8))
      exit(2)
    }
    let device = try await SyncedDevice(
      arguments[2], url, token: arguments[4], name: arguments[5], seed: seed)
    try await device.make(arguments[7...])
    await device.start()
    try await follow(device)
  }

  private static func follow(_ device: SyncedDevice) async throws {
    let work = Task { try await device.work() }
    for await line in lines() {
      device.rest()
      try await work.value
      guard line == "rest" || line == "sync" else { break }
      try await device.settle()
    }
  }

  /// The lines of the input, each when it comes.
  private static func lines() -> AsyncStream<String> {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    Thread {
      while let line = readLine() { continuation.yield(line) }
      continuation.finish()
    }.start()
    return lines
  }
}
