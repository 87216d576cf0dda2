import Foundation
import OffshoreSync
import OffshoreWire

/// A process for tests to kill: a device that writes to a synced file all the time.
///
///     fault-device manifest FILE                           writes the sync manifest to a file
///     fault-device run FILE URL TOKEN NAME SEED BOARD …    creates the boards, writes and syncs
///     fault-device file-manifest FILE                      writes the manifest of the albums
///     fault-device send-files FILE URL ACCOUNT TOKEN ALBUM COUNT BYTES
///     fault-device fetch-files FILE URL ACCOUNT TOKEN ALBUM COUNT BYTES
///     fault-device release-manifest NUMBER FILE            writes the manifest of a release
///     fault-device release NUMBER FILE URL ACCOUNT TOKEN   see ``ReleasedDevice``
///
/// It prints a line for each entry of a committed write: its number, the kind of change, the row
/// and the value. On the input line `rest` it stops writing, continues to sync, and prints `quiet`
/// when no change is pending. On `sync` it pulls once more and prints `quiet` again. It exits at
/// the end of its input.
@main
struct FaultDevice {
  static func main() async throws {
    let arguments = CommandLine.arguments
    if arguments.count == 3, arguments[1] == "manifest" {
      try Data(try SyncSchema.boards().manifest.json()).write(to: URL(filePath: arguments[2]))
      return
    }
    if arguments.count == 3, arguments[1] == "file-manifest" {
      let manifest = try FileDevice.schema(.onDemand).manifest
      return try Data(try manifest.json()).write(to: URL(filePath: arguments[2]))
    }
    if arguments.count > 2, ["send-files", "fetch-files"].contains(arguments[1]),
      let device = FileDevice(arguments[2...])
    {
      return try await device.run(isSending: arguments[1] == "send-files")
    }
    if arguments.count > 3, let release = Release(arguments[2]) {
      return try await run(release, arguments)
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

  private static func run(_ release: Release, _ arguments: [String]) async throws {
    guard arguments[1] == "release" else {
      return try Data(try release.schema.manifest.json()).write(to: URL(filePath: arguments[3]))
    }
    try await ReleasedDevice(release, arguments[3...]).obey(lines())
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
