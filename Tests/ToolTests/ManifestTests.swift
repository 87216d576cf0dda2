import Foundation
import OffshoreWire
import Testing

/// The comparison of the manifests of two releases by the tool.
struct ManifestTests {
  private let folder: ToolFolder

  init() throws { folder = try ToolFolder() }

  private func check(_ files: String...) async throws -> ToolProcess {
    let process = try ToolProcess(["manifest", "check"] + files)
    _ = await process.status()
    return process
  }

  private func next(_ more: [SyncedColumn]) throws -> String {
    let file = folder.file("next.json")
    try ToolFolder.manifest(version: 2, more: more).json().write(to: URL(filePath: file))
    return file
  }

  @Test(.timeLimit(.minutes(1)))
  func `Safe differences are listed`() async throws {
    let file = try next([SyncedColumn("done", .integer, isNullable: true)])
    let process = try await check(folder.manifest, file)
    #expect(await process.status() == 0)
    #expect(process.text.hasPrefix("safe     tables.tasks.columns.done: Added."))
    let equal = try await check(file, file)
    #expect(await equal.status() == 0 && equal.text == "The manifests are equal.\n")
  }

  @Test(.timeLimit(.minutes(1)))
  func `A refused difference has its remedy, and the command fails`() async throws {
    let file = try next([SyncedColumn("done", .integer)])
    let process = try await check(folder.manifest, file)
    #expect(await process.status() == 1)
    #expect(process.text.contains("refused  tables.tasks.columns.done: Rows of former releases"))
    #expect(process.errors.contains("see the 1 line with “refused”"))
    let back = try await check(file, folder.manifest)
    #expect(await back.status() == 1 && back.text.contains("refused  version:"))
  }

  @Test(.timeLimit(.minutes(1)))
  func `A server refuses a manifest with the texts of the command`() async throws {
    let (server, _) = try await folder.serve()
    server.signal(SIGTERM)
    #expect(await server.status() == 0)
    let file = try next([SyncedColumn("done", .integer), SyncedColumn("rank", .real)])
    let checked = try await check(folder.manifest, file)
    let refused = checked.text.split(separator: "\n").filter { $0.hasPrefix("refused  ") }
    #expect(refused.count == 2)
    let refusing = try ToolProcess([
      "serve", "--data", folder.data, "--manifest", file, "--listen", "127.0.0.1:0",
    ])
    #expect(await refusing.status() == 1)
    for line in refused {
      #expect(refusing.errors.contains(line.dropFirst("refused  ".count)), "\(refusing.errors)")
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `A file that is not a manifest is named`() async throws {
    let missing = try await check(folder.manifest, folder.file("none.json"))
    #expect(await missing.status() == 1 && missing.errors.contains("none.json” cannot be read"))
    try Data("{}".utf8).write(to: URL(filePath: folder.file("empty.json")))
    let empty = try await check(folder.file("empty.json"), folder.manifest)
    #expect(await empty.status() == 1 && empty.errors.contains("empty.json"))
    let usage = try await check(folder.manifest)
    #expect(await usage.status() == 2 && usage.errors.contains("manifest check OLD NEW"))
  }
}
