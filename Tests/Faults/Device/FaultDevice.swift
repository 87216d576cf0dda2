import Foundation
import OffshoreSync
import OffshoreWire

/// A process for tests to kill: a device that writes to a synced file all the time.
///
///     fault-device manifest FILE                           writes the sync manifest to a file
///     fault-device run FILE URL TOKEN NAME SEED BOARD …    creates the boards, writes and syncs
///     fault-device watch FILE URL TOKEN BOARD TIE          prints the arrivals of ties
///     fault-device ring-manifest FILE                      writes the manifest of the groups
///     fault-device ring FILE URL ACCOUNT TOKEN GROUP       performs commands of a member
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
    let arguments = CommandLine.arguments.dropFirst()
    guard let command = arguments.first,
      try await perform(command, Array(arguments.dropFirst()))
    else {
      FileHandle.standardError.write(
        Data("usage: fault-device run FILE URL TOKEN NAME SEED BOARD …\n".utf8))
      exit(2)
    }
  }

  /// Performs a command, and returns whether its arguments were understood.
  private static func perform(_ command: String, _ arguments: [String]) async throws -> Bool {
    switch command {
    case "manifest": return try write(SyncSchema.boards().manifest, to: arguments)
    case "file-manifest": return try write(FileDevice.schema(.onDemand).manifest, to: arguments)
    case "ring-manifest": return try write(RingDevice.schema.manifest, to: arguments)
    case "release-manifest":
      guard let release = arguments.first.flatMap({ Release($0) }) else { return false }
      return try write(release.schema.manifest, to: Array(arguments.dropFirst()))
    case "run": return try await follow(arguments)
    case "watch": return try await watch(arguments)
    case "ring":
      guard let device = try await RingDevice(arguments[...]) else { return false }
      try await device.run(lines())
      return true
    case "send-files", "fetch-files":
      guard let device = FileDevice(arguments[...]) else { return false }
      try await device.run(isSending: command == "send-files")
      return true
    case "release":
      guard let release = arguments.first.flatMap({ Release($0) }) else { return false }
      try await ReleasedDevice(release, arguments.dropFirst()).obey(lines())
      return true
    default: return false
    }
  }

  private static func write(_ manifest: Manifest, to arguments: [String]) throws -> Bool {
    guard arguments.count == 1 else { return false }
    try Data(try manifest.json()).write(to: URL(filePath: arguments[0]))
    return true
  }

  private static func watch(_ arguments: [String]) async throws -> Bool {
    guard arguments.count == 5, let url = URL(string: arguments[1]) else { return false }
    let device = try await SyncedDevice(
      arguments[0], url, token: arguments[2], name: "watcher", seed: 0)
    await device.start()
    let watch = Task { try await device.watch(arguments[3], arguments[4]) }
    for await _ in lines() {}
    watch.cancel()
    try await watch.value
    return true
  }

  private static func follow(_ arguments: [String]) async throws -> Bool {
    guard arguments.count > 4, let url = URL(string: arguments[1]), let seed = UInt64(arguments[4])
    else { return false }
    let device = try await SyncedDevice(
      arguments[0], url, token: arguments[2], name: arguments[3], seed: seed)
    try await device.make(arguments[5...])
    await device.start()
    let work = Task { try await device.work() }
    for await line in lines() {
      device.rest()
      try await work.value
      guard line == "rest" || line == "sync" else { break }
      try await device.settle()
    }
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
