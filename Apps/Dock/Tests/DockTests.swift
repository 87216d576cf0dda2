import Foundation
import FoundationNetworking
import OffshoreServer
import TestSupport
import Testing

@testable import OffshoreHost
@testable import offshore_apps

/// A dock as a process, with its phones.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct DockTests {
  private let home = FileManager.default.temporaryDirectory
    .appending(path: "offshore-dock-\(UUID().uuidString)").path(percentEncoded: false)
  private let session: URLSession

  init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.connectionProxyDictionary = [:]
    session = URLSession(configuration: configuration)
  }

  @Test func `A dock knows which sample contents its second phone has joined`() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("joined")
    #expect(Dock.joinedApps(file, of: ["boats", "letters"]) == [])
    // A former version had one app.
    try Data().write(to: URL(filePath: file))
    #expect(Dock.joinedApps(file, of: ["boats", "letters"]) == ["boats"])
    try Data("boats\nletters".utf8).write(to: URL(filePath: file))
    #expect(Dock.joinedApps(file, of: ["boats", "letters"]) == ["boats", "letters"])
  }

  private func start() async throws -> (dock: FaultProcess, address: URL) {
    let dock = try FaultProcess("offshore-apps", ["dock", "--home", home, "--port", "0"])
    let line = try #require(await dock.lines(1).first)
    let text = try #require(line.split(separator: " ").last)
    return (dock, try #require(URL(string: String(text))))
  }

  private func text(at address: URL) async throws -> String {
    let (data, response) = try await session.data(from: address)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    return String(decoding: data, as: UTF8.self)
  }

  /// Returns the addresses of the phones' pages.
  private func frames(in page: String) -> [URL] {
    page.matches(of: #/src="(http://127[^"]+)"/#).compactMap {
      URL(string: String($0.output.1).replacing("&amp;", with: "&"))
    }
  }

  private func setAirplane(_ isOn: Bool, ofPhone number: Int, at address: URL) async throws -> Int {
    let target = try #require(
      URL(string: "/phones/\(number)/airplane", relativeTo: address)?.absoluteURL)
    return try await post("isOn=\(isOn)", to: target)
  }

  /// The address of a page of Anyfleet on a phone.
  private func url(_ path: String, of phone: URL) throws -> URL {
    try #require(URL(string: "/anyfleet\(path)", relativeTo: phone)?.absoluteURL)
  }

  /// Posts a form as a page does, and returns the status of the page that follows.
  private func post(_ form: String, to target: URL) async throws -> Int {
    var request = URLRequest(url: target)
    request.httpMethod = "POST"
    request.httpBody = Data(form.utf8)
    request.setValue("same-origin", forHTTPHeaderField: "Sec-Fetch-Site")
    let (_, response) = try await session.data(for: request)
    return (response as? HTTPURLResponse)?.statusCode ?? 0
  }

  /// The password of the phones' accounts.
  private func password() throws -> String {
    try String(contentsOfFile: "\(home)/\(DockAccounts.fileName)", encoding: .utf8)
  }

  /// Sends a request to the dock's sync server, and returns the status.
  private func askServer(
    _ path: String, _ credentials: [String: String]? = nil, token: String? = nil,
    host: String? = nil
  ) async throws -> Int {
    let port = try String(contentsOfFile: "\(home)/server-port", encoding: .utf8)
    var request = URLRequest(
      url: try #require(URL(string: "http://127.0.0.1:\(port)/v1/\(path)")))
    if let credentials {
      request.httpMethod = "POST"
      request.httpBody = try JSONEncoder().encode(credentials)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    request.setValue(token.map { "Bearer \($0)" }, forHTTPHeaderField: "Authorization")
    request.setValue(host, forHTTPHeaderField: "Host")
    let (_, response) = try await session.data(for: request)
    return (response as? HTTPURLResponse)?.statusCode ?? 0
  }

  /// Returns the path of the page with the members of the only charter.
  private func members(of phone: URL) async throws -> String {
    let list = try await text(at: try url("/charters", of: phone))
    let charter = try #require(list.firstMatch(of: /id="charter-([0-9A-F-]{36})"/)).1
    return "/members/charter/\(charter)"
  }

  @Test func `The server of a dock has its accounts only, and answers no foreign host`()
    async throws
  {
    let (dock, _) = try await start()
    let credentials = ["name": "skipper", "password": try password()]
    #expect(try await askServer("tokens", credentials) == 201)
    #expect(try await askServer("tokens", credentials, host: "evil.example") == 403)
    #expect(try await askServer("tokens", ["name": "skipper", "password": "two phones"]) == 401)
    #expect(
      try await askServer("accounts", ["name": "stranger", "password": "of a stranger"]) == 403)
    // Without the routes of blobs, the path would be unknown.
    #expect(try await askServer("blobs/x") == 401)
    #expect(FileManager.default.fileExists(atPath: "\(home)/server.sqlite-blobs/partial"))
    dock.terminate()
    #expect(await dock.status() == 0)
    try? FileManager.default.removeItem(atPath: home)
  }

  @Test
  func `A folder with the published password gets a random one, and its phones sign in again`()
    async throws
  {
    let (dock, _) = try await start()
    dock.terminate()
    #expect(await dock.status() == 0)
    let stolen = try await publishPassword()
    let (again, address) = try await start()
    #expect(try await askServer("tokens", ["name": "skipper", "password": "two phones"]) == 401)
    #expect(try await askServer("account", token: stolen.text) == 401)
    #expect(
      try await askServer("tokens", ["name": "crew", "password": try password()]) == 201)
    let page = try await text(at: address)
    #expect(page.contains("The password of both is “\(try password())”."))
    // The members of the charter are fetched from the server.
    let phones = frames(in: page)
    for phone in phones { #expect(try await text(at: phone).contains("Forecast read")) }
    for (phone, other) in zip(phones, ["crew", "skipper"]) {
      let path = try await members(of: phone)
      while try await !text(at: try url(path, of: phone)).contains(other) {}
    }
    again.terminate()
    #expect(await again.status() == 0)
    try? FileManager.default.removeItem(atPath: home)
  }

  /// Turns the folder into one of a former version, whose password anyone could know.
  /// - Returns: the access token of a stranger who has signed in by it.
  private func publishPassword() async throws -> Secret {
    try FileManager.default.removeItem(atPath: "\(home)/\(DockAccounts.fileName)")
    let storage = try SQLiteStorage("\(home)/server.sqlite", epoch: 1)
    let (hash, secret) = (try PasswordHash(of: "two phones", cost: .least), Secret.random())
    try await storage.write { transaction in
      for name in DockAccounts.names.values {
        var account = try #require(try transaction.account(named: AccountName(name)))
        account.password = hash
        try transaction.setAccount(account)
        guard name == "skipper" else { continue }
        _ = try AccountRules().addToken(
          secret, for: account.id, label: "", at: SystemClock.now(), in: &transaction)
      }
    }
    await storage.close()
    return secret
  }

  @Test func `A dock shows two phones with one checklist, and stops at a signal`()
    async throws
  {
    let (dock, address) = try await start()
    let page = try await text(at: address)
    let phones = frames(in: page)
    #expect(page.contains("Phone 1 is signed in as skipper. Phone 2 is signed in as crew."))
    #expect(page.contains("The password of both is “\(try password())”."))
    #expect(phones.count == 2 && Set(phones.map(\.port)).count == 2)
    for phone in phones { #expect(try await text(at: phone).contains("Forecast read")) }
    #expect(try await setAirplane(true, ofPhone: 1, at: address) == 200)
    #expect(try await setAirplane(true, ofPhone: 3, at: address) == 404)
    // The response is sent after the switch, so that the next page shows the new state.
    #expect(try await text(at: address).contains(#"aria-checked="true""#))
    dock.terminate()
    #expect(await dock.status() == 0)

    // The sample content and the switch survive a restart.
    let (again, newAddress) = try await start()
    for phone in frames(in: try await text(at: newAddress)) {
      #expect(try await text(at: phone).contains("Forecast read"))
    }
    again.terminate()
    #expect(await again.status() == 0)

    // A phone that has lost its folder receives the charter again, and creates no second one.
    try FileManager.default.removeItem(atPath: home + "/phone-1")
    let (last, lastAddress) = try await start()
    for phone in frames(in: try await text(at: lastAddress)) {
      #expect(try await text(at: phone).contains("Forecast read"))
      let list = try url("/charters", of: phone)
      #expect(try await text(at: list).matches(of: /id="charter-[0-9A-F]{8}-/).count == 1)
    }
    last.terminate()
    #expect(await last.status() == 0)
    try? FileManager.default.removeItem(atPath: home)
  }

  @Test
  func `The phones share a conversation, and the answer of the second is unread on the first`()
    async throws
  {
    let (dock, address) = try await start()
    let phones = frames(in: try await text(at: address))
    for phone in phones { _ = try await text(at: phone) }
    let links = try await text(at: address)
    for phone in phones {
      let port = try #require(phone.port)
      #expect(links.contains(#"href="http://127.0.0.1:\#(port)/" target="frame-"#))
      let list = try #require(URL(string: "/messai/", relativeTo: phone)?.absoluteURL)
      while try await !text(at: list).contains("On my way, with bread and figs.") {}
    }
    let apps = try phones.map { try #require(URL(string: "/", relativeTo: $0)?.absoluteURL) }
    for name in ["/anyfleet/", "/messai/"] {
      #expect(try await text(at: apps[0]).contains(#"href="\#(name)""#))
    }
    while try await !text(at: apps[0]).contains("1 new") {}
    #expect(try await !text(at: apps[1]).contains(#"class="badge"#))
    dock.terminate()
    #expect(await dock.status() == 0)

    // The next start creates no second conversation, and answers no second time.
    let (again, newAddress) = try await start()
    for phone in frames(in: try await text(at: newAddress)) {
      _ = try await text(at: phone)
      let list = try #require(URL(string: "/messai/", relativeTo: phone)?.absoluteURL)
      #expect(try await text(at: list).matches(of: /id="conversation-[0-9A-F]{8}-/).count == 1)
    }
    again.terminate()
    #expect(await again.status() == 0)
    try? FileManager.default.removeItem(atPath: home)
  }

  @Test func `A second dock of a folder does not start, and the first one goes on`() async throws {
    let (first, address) = try await start()
    let second = try FaultProcess("offshore-apps", ["dock", "--home", home, "--port", "0"])
    #expect(await second.status() == 1)
    #expect(second.errors.contains("is run by another process (\(first.identifier))."))
    #expect(second.errors.contains("Stop that one, or choose another folder by --home DIR."))
    #expect(try await text(at: address).contains("Phone 1 is signed in as skipper."))
    for phone in frames(in: try await text(at: address)) {
      #expect(try await text(at: phone).contains("Forecast read"))
    }
    first.terminate()
    #expect(await first.status() == 0)
    let (third, _) = try await start()
    third.terminate()
    #expect(await third.status() == 0)
    try? FileManager.default.removeItem(atPath: home)
  }

  /// Returns the processes that a dock has started.
  private func phones(of dock: FaultProcess) throws -> [Int32] {
    let threads = "/proc/\(dock.identifier)/task"
    return try FileManager.default.contentsOfDirectory(atPath: threads).flatMap { thread in
      // The thread may have ended meanwhile. Its processes then belong to another one.
      let children = try? String(
        contentsOfFile: "\(threads)/\(thread)/children", encoding: .utf8)
      return children?.split(separator: " ").compactMap { Int32($0) } ?? []
    }
  }

  /// Returns whether a process has the file open that the dock locks.
  private func hasLockOpen(_ process: Int32) throws -> Bool {
    let files = "/proc/\(process)/fd"
    return try FileManager.default.contentsOfDirectory(atPath: files).contains { file in
      // The file may have been closed meanwhile.
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(files)/\(file)")
      return target?.hasSuffix("/\(Dock.lockName)") == true
    }
  }

  @Test func `The phones of a killed dock end, too, and have not had its lock`() async throws {
    let (dock, _) = try await start()
    let phones = try phones(of: dock)
    #expect(phones.count == 2)
    #expect(try hasLockOpen(dock.identifier))
    for phone in phones { #expect(try !hasLockOpen(phone)) }
    dock.kill()
    // The phones have the error output of their dock, so this waits for their ends, too.
    #expect(await dock.status() == SIGKILL)
    let (again, address) = try await start()
    #expect(try await text(at: address).contains("Phone 1 is signed in as skipper."))
    again.terminate()
    #expect(await again.status() == 0)
    try? FileManager.default.removeItem(atPath: home)
  }

  /// Returns the first message to a phone, without the line break.
  /// A phone of an earlier version, whose account is that of the first phone.
  private func formerPhone(at path: String) async throws {
    let port = try String(contentsOfFile: home + "/server-port", encoding: .utf8)
    try await runPhone(at: path, account: "skipper", server: "http://127.0.0.1:\(port)")
  }

  /// Runs a phone without a dock until it serves its pages.
  private func runPhone(at path: String, account: String, server: String) async throws {
    let phone = try FaultProcess("offshore-apps", ["phone", "--home", path, "--of-dock"])
    let settings = PhoneSettings(
      server: try #require(URL(string: server)), dock: "http://127.0.0.1:2", account: account,
      password: (try? password()) ?? "none yet", createsSample: false)
    phone.send(try settings.startLine())
    _ = await phone.lines { $0.contains { $0.contains("ready") } }
    phone.endInput()
    #expect(await phone.status() == 0)
  }

  @Test func `A folder whose phones share an account goes on so, and the page says it`()
    async throws
  {
    let (dock, _) = try await start()
    try await formerPhone(at: home + "/former")
    dock.terminate()
    #expect(await dock.status() == 0)
    try FileManager.default.removeItem(atPath: home + "/phone-2")
    try FileManager.default.moveItem(atPath: home + "/former", toPath: home + "/phone-2")
    let (again, address) = try await start()
    let page = try await text(at: address)
    #expect(page.contains("Both phones are signed in as skipper."))
    for phone in frames(in: page) {
      #expect(try await text(at: phone).contains("Forecast read"))
    }
    again.terminate()
    #expect(await again.status() == 0)
    try? FileManager.default.removeItem(atPath: home)
  }

  @Test func `A second phone that could not join at its first start joins at the next one`()
    async throws
  {
    try FileManager.default.createDirectory(
      atPath: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Its first start reached no server.
    try await runPhone(at: home + "/phone-2", account: "crew", server: "http://127.0.0.1:1")
    let (dock, address) = try await start()
    for phone in frames(in: try await text(at: address)) {
      #expect(try await text(at: phone).contains("Forecast read"))
    }
    dock.terminate()
    #expect(await dock.status() == 0)
    try? FileManager.default.removeItem(atPath: home)
  }

  @Test func `A second phone whose access has ended does not join again by itself`() async throws {
    let (dock, address) = try await start()
    let phones = frames(in: try await text(at: address))
    for phone in phones { _ = try await text(at: phone) }
    let path = try await members(of: phones[0])
    let charter = "charter-\(path.suffix(36))"
    let members = try url(path, of: phones[0])
    var member: Substring?
    while member == nil {
      member = try await text(at: members).firstMatch(of: /name="member" value="([^"]+)"/)?.1
    }
    let form = "action=remove&member=\(member ?? "")"
    #expect(try await post(form, to: members) == 200)
    while try await text(at: try url("/charters", of: phones[1])).contains(charter) {}
    dock.terminate()
    #expect(await dock.status() == 0)

    let (again, newAddress) = try await start()
    let second = try #require(frames(in: try await text(at: newAddress)).last)
    _ = try await text(at: second)
    #expect(try await !text(at: try url("/charters", of: second)).contains(charter))
    again.terminate()
    #expect(await again.status() == 0)
    try? FileManager.default.removeItem(atPath: home)
  }
}
