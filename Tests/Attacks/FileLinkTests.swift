import Foundation
import Offshore
import OffshoreServer
import OffshoreWire
import TestSupport
import Testing

extension AttackTests {
  /// Files over a link that is cut again and again, while the processes at both ends are killed.
  ///
  /// In a soak 1 GiB is sent and fetched, with 100 cuts. Otherwise it is scaled down to seconds.
  struct FileLinkTests {
    private static let count = isSoak ? 16 : 4
    private static let byteCount = isSoak ? 64 << 20 : 2 << 20
    private static let cutsBetweenKills = isSoak ? 20 : 2

    @Test(.timeLimit(.minutes(30)))
    func `Files arrive whole at another device, and nothing else remains on either side`()
      async throws
    {
      let folder = try FaultFolder()
      let manifest = try FaultProcess("fault-device", ["file-manifest", folder.file("manifest")])
      #expect(await manifest.status() == 0)
      let declared = try Manifest(json: Data(contentsOf: URL(filePath: folder.file("manifest"))))
      var server = try await AttackedServer(declared)
      let person = try await server.signUp("ida")
      let link = try NarrowLink(
        to: server.port,
        NarrowLink.Properties(
          bytesPerSecond: isSoak ? 40_000_000 : 4_000_000, secondsBetweenCuts: 0.5))
      let album = UUID().uuidString
      func start(_ command: String) throws -> FaultProcess {
        try FaultProcess(
          "fault-device",
          [
            command, folder.file("\(command).sqlite"), link.url.absoluteString, person.account,
            person.token, album, "\(Self.count)", "\(Self.byteCount)",
          ])
      }
      for command in ["send-files", "fetch-files"] {
        var device = try start(command)
        for _ in 0..<3 {
          await link.waitForCuts(link.cuts + Self.cutsBetweenKills)
          device.kill()
          _ = await device.status()
          await server.kill()
          server = try await AttackedServer(declared, continuing: server.folder)
          link.lead(to: server.port)
          device = try start(command)
        }
        #expect(await device.lines(1) == ["done"], "\(device.errors)")
        device.endInput()
        #expect(await device.status() == 0, "\(device.errors)")
      }
      print("files: \(link.cuts) cuts")
      #expect(!isSoak || link.cuts >= 100)
      let sent = try files(in: folder.file("send-files.sqlite-files"))
      #expect(sent.count == Self.count)
      #expect(try files(in: folder.file("fetch-files.sqlite-files")) == sent)
      try await server.stop()
      #expect(try files(in: server.file + "-blobs") == sent)
    }

    /// Returns the hashes of all files below a folder, whose names have to be their hashes.
    private func files(in folder: String) throws -> Set<String> {
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
      var hashes: Set<String> = []
      for name in names {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
        guard !isFolder.boolValue else { continue }
        let hash = ContentHash(of: Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))))
        #expect(name.split(separator: "/").last.map(String.init) == hash.description, "\(name)")
        hashes.insert(hash.description)
      }
      return hashes
    }
  }
}
