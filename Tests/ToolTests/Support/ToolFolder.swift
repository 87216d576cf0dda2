import Foundation
import OffshoreWire

/// A folder with a manifest that is removed with the object.
final class ToolFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory
      .appending(path: "offshore-tool-\(UUID().uuidString)").path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data(try Self.manifest().json()).write(to: URL(filePath: manifest))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var data: String { file("data.sqlite") }
  var manifest: String { file("manifest.json") }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Lists of tasks, and settings of a person.
  static func manifest(version: Int = 1, more: [SyncedColumn] = []) throws -> Manifest {
    try Manifest(
      version: version,
      tables: [
        SyncedTable(
          "lists", scopeKind: "list", scopeColumn: "id", columns: [SyncedColumn("name", .text)]),
        SyncedTable(
          "tasks", scopeKind: "list", scopeColumn: "list",
          columns: [SyncedColumn("list", .text), SyncedColumn("title", .text)] + more),
        SyncedTable(
          "settings", scopeKind: "person", scopeColumn: "id", columns: [SyncedColumn("a", .text)]),
      ], claimableKinds: ["list"], personalKinds: ["person"])
  }

  /// The arguments of a server on any free port.
  var serving: [String] {
    [
      "serve", "--data", data, "--manifest", manifest, "--listen", "127.0.0.1:0",
      "--open-sign-up", "yes",
    ]
  }

  /// Starts a server.
  /// - Returns: its process and its address.
  func serve(_ more: [String] = []) async throws -> (process: ToolProcess, address: String) {
    let process = try ToolProcess(serving + more)
    await process.wait(for: "\n")
    let line = process.text.split(separator: "\n").first ?? ""
    return (process, String(line.split(separator: " ").last ?? ""))
  }
}
