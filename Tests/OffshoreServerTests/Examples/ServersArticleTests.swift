import Foundation
import OffshoreHTTP
import OffshoreServer
import OffshoreWire
import TestSupport
import Testing

// The examples of the article “A server”; Tests/Gates holds the two to the same lines.

@Suite(.timeLimit(.minutes(1)))
struct ServersArticleTests {
  @Test func `The server of the article answers, and stops`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("server.sqlite")
    let manifest = try Lists.manifest()

    let data = try ServerData(path)
    let sync = try await SyncServer(data, manifest: manifest)

    var configuration = HTTPServer.Configuration()
    configuration.address = "127.0.0.1"
    configuration.port = 0
    let server = HTTPServer(configuration, router: sync.router)
    let port = try server.start()
    #expect(port != 0)

    var router = sync.router
    router.get("motd") { _ in .text("Fair winds") }
    #expect(await router.respond(to: Request(.get, "/motd")).text == "Fair winds")
    #expect(await router.respond(to: Request(.get, "/readyz")).status == .ok)

    await sync.collectTombstones(olderThan: .seconds(180 * 86_400))
    await sync.sweepBlobs()
    await server.stop()
    await data.close()
    #expect(FileManager.default.fileExists(atPath: path))
  }

  // In a process of its own, since a signal interrupts whichever thread waits for a socket.
  @Test func `The program of the article stops at a signal`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let data = try ServerData(folder.file("server.sqlite"))
      let sync = try await SyncServer(data, manifest: Lists.manifest())
      let server = HTTPServer(router: sync.router)
      try server.start()
      let announce: @Sendable () -> Void = { kill(getpid(), SIGTERM) }

      await TerminationSignals.wait(whenReady: announce)
      await server.stop()
      await data.close()
    }
  }
}
