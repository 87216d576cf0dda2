import Foundation
import FoundationNetworking
import OffshoreHTTP
import OffshoreSync
import Testing

@testable import OffshoreHost

@MainActor struct DeviceHostTests {
  private let home = HomeFolder()
  private let app = MemoApp.named("memos")

  private func host(_ apps: [HostedApp]? = nil, port: UInt16 = 0) async throws -> DeviceHost {
    try await DeviceHost(home.options(port: port), apps ?? [app], environment: .quiet)
  }

  /// Opens the address of a device, and then paths as a browser does.
  private func open(_ paths: [String], at address: String) async throws -> [String] {
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    var components = try #require(URLComponents(string: address))
    var ends: [String] = []
    for path in [components.path] + paths {
      components.path = path
      let (_, response) = try await session.data(from: try #require(components.url))
      #expect((response as? HTTPURLResponse)?.statusCode == 200, "\(path)")
      ends.append(response.url?.path() ?? "")
      components.query = nil
    }
    return ends
  }

  @Test func `A host answers at its address, and has the same token after a restart`()
    async throws
  {
    let host = try await host()
    #expect(host.address.hasPrefix("http://127.0.0.1:"))
    await host.stop()
    let again = try await self.host()
    #expect(again.address.split(separator: "?").last == host.address.split(separator: "?").last)
    await again.stop()
  }

  @Test func `A browser with the token opens the pages of each app, also by former addresses`()
    async throws
  {
    let host = try await host([app, MemoApp.named("second")])
    let ends = try await open(["/memos/", "/second/memos", "/memos"], at: host.address)
    #expect(ends == ["/", "/memos/memos", "/second/memos", "/memos/memos"])
    #expect(host.address(of: "/second/").contains("/second/?token="))
    await host.stop()
  }

  @Test func `Devices of one user have cookies of their own`() async throws {
    var names: [String] = []
    let account = LinkedAccount(id: UUID(), name: "ada")
    for home in [HomeFolder(), HomeFolder()] {
      let store = try SyncedStore(
        home.folder([app]).path(of: app.fileName), schema: MemoApp.schema)
      try await store.link(account, token: nil)
      await store.close()
      let host = try await DeviceHost(home.options(), [app], environment: .quiet)
      names += try await request(host.address).1.map(\.name)
      await host.stop()
    }
    #expect(names.count == 2 && Set(names).count == 2)
  }

  @Test func `A cookie is not the token, and ends with the process of the device`() async throws {
    let host = try await host()
    let token = try #require(
      URLComponents(string: host.address)?.queryItems?.first { $0.name == "token" }?.value)
    let cookie = try #require(try await request(host.address).1.first)
    #expect(!cookie.value.contains(token))
    let header = "\(cookie.name)=\(cookie.value)"
    func status(at host: DeviceHost, token: String? = nil) async throws -> Int {
      let page = try #require(host.address(of: "/memos/memos").split(separator: "?").first)
      return try await request("\(page)", cookie: header, token: token).0
    }
    #expect(try await status(at: host) == 200)
    await host.stop()
    let again = try await self.host()
    #expect(try await status(at: again) == 401)
    #expect(try await status(at: again, token: token) == 200, "an open page has the token")
    #expect(try await request(again.address).0 == 200, "the printed address opens")
    await again.stop()
  }

  /// Requests a page, and returns the status with the cookies that were set.
  private func request(
    _ address: String, cookie: String? = nil, token: String? = nil
  ) async throws -> (Int, [HTTPCookie]) {
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    var request = URLRequest(url: try #require(URL(string: address)))
    if let cookie {
      request.httpShouldHandleCookies = false
      request.setValue(cookie, forHTTPHeaderField: "Cookie")
    }
    request.setValue(token, forHTTPHeaderField: "Offshore-Token")
    let (_, response) = try await session.data(for: request)
    return (
      (response as? HTTPURLResponse)?.statusCode ?? 0,
      session.configuration.httpCookieStorage?.cookies ?? []
    )
  }

  @Test func `A port in use is an error with the remedy, and the files are closed`() async throws {
    let host = try await host()
    let port = try #require(URL(string: host.address)?.port)
    let other = HomeFolder()
    do {
      let second = try await DeviceHost(
        other.options(port: UInt16(port)), [app], environment: .quiet)
      await second.stop()
      Issue.record("Two hosts share a port.")
    } catch {
      #expect(HostError.explanation(of: error).contains("--port"))
    }
    await host.stop()
  }

  @Test func `A damaged file is an error with its path, and stays as it is`() async throws {
    let folder = try home.folder([app])
    let garbage = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) })
    let file = URL(filePath: folder.path(of: app.fileName))
    try garbage.write(to: file)
    do {
      let host = try await host([MemoApp.named("second"), app])
      await host.stop()
      Issue.record("Garbage was opened.")
    } catch {
      #expect(HostError.explanation(of: error).contains("not an SQLite database"))
      #expect(HostError.explanation(of: error).contains(file.path(percentEncoded: false)))
    }
    #expect(try Data(contentsOf: file) == garbage)
  }

  @Test func `Each of several apps syncs below its name, and the only app with the server itself`()
    async throws
  {
    #expect(try await servers(of: [app]) == ["https://sync.example.org"])
    #expect(
      try await servers(of: [app, MemoApp.named("second")])
        == ["https://sync.example.org/memos", "https://sync.example.org/second"])
  }

  @Test func `An app whose account is at the address of the server stays there`() async throws {
    let account = LinkedAccount(id: UUID(), name: "ada", server: "https://sync.example.org")
    let store = try SyncedStore(
      home.folder([app]).path(of: app.fileName), schema: MemoApp.schema)
    try await store.link(account, token: nil)
    await store.close()
    #expect(
      try await servers(of: [app, MemoApp.named("second")])
        == ["https://sync.example.org", "https://sync.example.org/second"])
  }

  /// The servers that apps are opened with.
  private func servers(of apps: [HostedApp]) async throws -> [String] {
    let servers = Servers()
    let recording = apps.map { app in
      HostedApp(
        app.name, title: app.title, icon: app.icon, languages: app.languages, schema: app.schema
      ) { device in
        servers.all.append(device.server?.absoluteString ?? "")
        return try await app.open(device)
      }
    }
    let host = try await DeviceHost(
      home.options(server: URL(string: "https://sync.example.org")), recording,
      environment: .quiet)
    await host.stop()
    return servers.all
  }

  @MainActor private final class Servers {
    var all: [String] = []
  }
}
