import Foundation
import OffshoreHTTP
import OffshoreServer
import OffshoreSync
import OffshoreWire
import Testing

@testable import OffshoreHost

/// The program of a phone, between pipes in place of its dock.
@Suite(.timeLimit(.minutes(1)))
struct PhoneProgramTests {
  private static let app = MemoApp.named("memos")

  /// An app with sample content.
  private static let appWithSample = HostedApp(
    "second", title: app.title, icon: app.icon, languages: app.languages, schema: app.schema
  ) { device in
    let open = try await Self.app.open(device)
    return OpenApp(
      open.frame, demonstration: SampleMemos(device.store), addPages: open.addPages)
  }

  private let storage: SQLiteStorage

  init() throws { storage = try SQLiteStorage.temporary(epoch: 7) }

  /// Starts a server with the accounts of the phones, and without sign-up.
  private func startServer() async throws -> (server: HTTPServer, url: URL) {
    var servers: [(name: String, router: Router)] = []
    for (app, storage) in [
      (Self.app, storage), (Self.appWithSample, try SQLiteStorage.temporary(epoch: 7)),
    ] {
      let rules = AccountRules(
        personalKinds: try app.schema.manifest.personalKinds)
      let hash = try PasswordHash(of: Self.password, cost: .least)
      try await storage.write { transaction in
        for name in ["ada", "ben"] {
          try rules.signUp(
            AccountName(name), hash, as: AccountID(UUID()), at: 0, in: &transaction)
        }
      }
      var configuration = ServerConfiguration()
      configuration.opensSignUp = false
      let sync = SyncServer(
        storage: storage, rules: try PushRules(app.schema.manifest),
        hasher: PasswordHasher(cost: .least), configuration: configuration)
      servers.append((app.name, sync.router))
    }
    let server = HTTPServer(responder: AppServers(servers))
    return (server, try #require(URL(string: "http://127.0.0.1:\(try server.start())")))
  }

  fileprivate static let password = "correct horse"

  @Test func `A phone signs in, follows its switch, and stops at the end of its messages`()
    async throws
  {
    let (server, url) = try await startServer()
    // Both sign in to the same account.
    for _ in 0..<2 {
      let phone = try RunningPhone([Self.app])
      try phone.start(server: url)
      let address = try #require(await phone.address())
      #expect(address.hasPrefix("http://127.0.0.1:") && address.contains("/?token="))
      #expect(await phone.reports(PhoneStatus(isOnline: true, account: "ada")))
      try phone.send(.airplane(true))
      #expect(await phone.reports(PhoneStatus(isAirplane: true, account: "ada")))
      try phone.send(.airplane(false))
      #expect(await phone.reports(PhoneStatus(isOnline: true, account: "ada")))
      try await phone.end()
    }
    await server.stop()
  }

  @Test func `A phone whose access token has ended signs in again`() async throws {
    let (server, url) = try await startServer()
    let first = try RunningPhone([Self.app])
    try first.start(server: url)
    #expect(await first.reports(PhoneStatus(isOnline: true, account: "ada")))
    try await first.end()
    try await storage.write { transaction in
      let account = try transaction.account(named: AccountName("ada"))
      for token in try account.map({ try transaction.tokens(of: $0.id) }) ?? [] {
        try transaction.removeToken(token.hash)
      }
    }
    let again = try RunningPhone([Self.app], home: first.home)
    // The account that owns its data counts, and not that of its dock.
    try again.start(server: url, account: "ben")
    #expect(await again.reports(PhoneStatus(account: "ada", blocker: .signInAgain)))
    #expect(await again.reports(PhoneStatus(isOnline: true, account: "ada")))
    try await again.end()
    await server.stop()
  }

  @Test func `A phone of an account that is not the dock's is left to its user`() async throws {
    let (server, url) = try await startServer()
    let hash = try PasswordHash(of: "of her own", cost: .least)
    try await storage.write { transaction in
      try AccountRules().signUp(
        AccountName("eva"), hash, as: AccountID(UUID()), at: 0, in: &transaction)
    }
    let home = HomeFolder()
    let store = try SyncedStore(
      home.folder([Self.app]).path(of: Self.app.fileName), schema: MemoApp.schema)
    try await store.link(
      LinkedAccount(id: UUID(), name: "eva", server: url.absoluteString), token: nil)
    await store.close()
    let phone = try RunningPhone([Self.app], home: home)
    try phone.start(server: url)
    #expect(await phone.address() != nil)
    #expect(await phone.reports(PhoneStatus(account: "eva", blocker: .signedOut)))
    try await phone.end()
    #expect(phone.problems == [])
    await server.stop()
  }

  @Test func `A phone joins the sample content of another by its invitation`() async throws {
    let (server, url) = try await startServer()
    let first = try RunningPhone([Self.appWithSample])
    try first.start(server: url, createsSample: true, invites: true)
    let code = try #require(await first.invitation(to: "second"))
    let second = try RunningPhone([Self.appWithSample])
    try second.start(server: url, account: "ben", invitations: ["second": code])
    #expect(await second.joins("second"))
    let address = try #require(await second.address())
    #expect(address.contains("/second/memos?token="))
    #expect(await second.facts { $0.joinedScopes.count == 1 })
    try await first.end()
    try await second.end()
    // The content has a second member now, so that a restart makes no further code.
    let restarted = try RunningPhone([Self.appWithSample], home: first.home)
    try restarted.start(server: url, createsSample: true, invites: true)
    while let message = await restarted.next() {
      if case .invitation = message { Issue.record("There is a second invitation.") }
      if case .ready = message { break }
    }
    try await restarted.end()
    await server.stop()
  }

  @Test func `A phone with content of its own joins by an invitation, and says so at each start`()
    async throws
  {
    let (server, url) = try await startServer()
    let first = try RunningPhone([Self.appWithSample])
    try first.start(server: url, createsSample: true, invites: true)
    let code = try #require(await first.invitation(to: "second"))
    // At its first start there was no invitation yet.
    let former = try RunningPhone([Self.appWithSample])
    try former.start(server: url, account: "ben", createsSample: true)
    _ = try #require(await former.address())
    try await former.end()
    for invitations in [["second": code], [:]] {
      let second = try RunningPhone([Self.appWithSample], home: former.home)
      try second.start(server: url, account: "ben", invitations: invitations)
      #expect(await second.joins("second"))
      try await second.end()
    }
    try await first.end()
    await server.stop()
  }

  @Test(arguments: [(true, "/second/memos?token="), (false, "/?token=")])
  func `A phone begins with its sample content if its dock wants some`(
    _ createsSample: Bool, _ start: String
  ) async throws {
    let (server, url) = try await startServer()
    let phone = try RunningPhone([Self.app, Self.appWithSample])
    try phone.start(server: url, createsSample: createsSample)
    #expect(await phone.address()?.contains(start) == true)
    #expect(await phone.reports(PhoneStatus(isOnline: true, account: "ada")))
    try await phone.end()
    await server.stop()
  }

  @Test func `A phone that cannot sign in works, and reports the error with its name`()
    async throws
  {
    let phone = try RunningPhone([Self.app])
    try phone.start(server: try #require(URL(string: "http://127.0.0.1:1")))
    #expect(await phone.next() == .problem("There is no connection."))
    #expect(await phone.address() != nil)
    try await phone.end()
    let line = String(decoding: phone.errors.fileHandleForReading.availableData, as: UTF8.self)
    #expect(line == "memo-apps: \(phone.home.path): There is no connection.\n")
  }

  @Test func `A phone without a dock does not start, and the error names the program`()
    async throws
  {
    let phone = try RunningPhone([Self.app])
    try phone.send(.airplane(true))
    let error = await #expect(throws: HostError.self) { try await phone.end() }
    #expect(error?.description == "A phone is started by a dock. Run memo-apps.")
    let dock = HostCommand("dock", nil) { _, _, _ in }
    let program = HostProgram("memo-apps", apps: [Self.app], commands: [dock])
    #expect(program.phoneWithoutDock.description.hasSuffix("Run memo-apps dock."))
    #expect(await program.status(["phone", "--home", phone.home.path], environment: [:]) == 1)
  }
}

/// A phone in this process, with pipes for its messages.
private final class RunningPhone {
  let home: HomeFolder
  let errors = Pipe()
  private let (input, output) = (Pipe(), Pipe())
  private let running: Task<Void, any Error>
  private var messages: AsyncStream<PhoneMessage>.Iterator
  /// The problems among the messages so far.
  private(set) var problems: [String] = []

  /// Runs a phone, which waits for its first message.
  init(_ apps: [HostedApp], home: HomeFolder = HomeFolder()) throws {
    self.home = home
    let phone = PhoneProgram(
      program: HostProgram("memo-apps", apps: apps), options: try home.options(),
      input: input.fileHandleForReading, output: output.fileHandleForWriting,
      errors: errors.fileHandleForWriting, environment: .quiet)
    messages = MessageLines.messages(PhoneMessage.self, from: output.fileHandleForReading)
      .makeAsyncIterator()
    running = Task { try await phone.run() }
  }

  func start(
    server: URL, account: String = "ada", createsSample: Bool = false, invites: Bool = false,
    invitations: [String: String] = [:]
  ) throws {
    var settings = PhoneSettings(
      server: server, dock: "http://127.0.0.1:2", account: account,
      password: PhoneProgramTests.password,
      createsSample: createsSample, invitingApps: invites ? ["second"] : [])
    settings.invitations = invitations
    try send(.start(settings))
  }

  func send(_ message: DockMessage) throws {
    try input.fileHandleForWriting.write(contentsOf: MessageLines.encoded(message))
  }

  /// Ends the messages to the phone, and waits until it has stopped.
  func end() async throws {
    try input.fileHandleForWriting.close()
    try await running.value
  }

  /// The next message from the phone.
  func next() async -> PhoneMessage? {
    let message = await messages.next(isolation: #isolation)
    if case .problem(let problem) = message { problems.append(problem) }
    return message
  }

  /// Waits until the phone serves its pages, and returns the address of the first.
  func address() async -> String? {
    while let message = await next() {
      if case .ready(let address) = message { return address }
    }
    return nil
  }

  /// Waits for the code of an invitation to the sample content of an app.
  func invitation(to app: String) async -> String? {
    while let message = await next() {
      if case .invitation(app: app, let code) = message { return code }
    }
    return nil
  }

  /// Waits until the phone has joined the sample content of an app; `false` if it serves its pages
  /// before.
  func joins(_ app: String) async -> Bool {
    while let message = await next() {
      if message == .joined(app: app) { return true }
      if case .ready = message { return false }
    }
    return false
  }

  /// Waits until the phone reports facts; `false` if its messages end before.
  func facts(_ areMet: (PhoneFacts) -> Bool) async -> Bool {
    while let message = await next() {
      if case .facts(let facts) = message, areMet(facts) { return true }
    }
    return false
  }

  /// Waits until the phone reports a status; `false` if its messages end before.
  func reports(_ status: PhoneStatus) async -> Bool {
    while let message = await next() {
      if message == .status(status) { return true }
    }
    return false
  }
}
