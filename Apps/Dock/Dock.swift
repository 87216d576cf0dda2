import Foundation
import OffshoreFileAccess
import OffshoreHTTP
import OffshoreHost
import OffshorePresentation
import OffshoreServer
import OffshoreSync
import OffshoreWeb
import OffshoreWire

/// A server for some apps and two phones, which are shown side by side on one page.
@MainActor
struct Dock {
  /// The address of the page, with its launch token.
  let address: String
  private let lock: FileLock
  private let storages: [SQLiteStorage]
  private let sync: HTTPServer
  private let pages: HTTPServer
  private let tabs = TabRegistry()
  private let model: DockModel
  private var phones: [Phone] { model.phones }

  private static let logName = "server.sqlite"
  private static let portName = "server-port"
  /// The name of the file with the names of the apps whose sample content the second phone has joined, each
  /// on a line.
  private static let joinedName = "joined"
  /// The name of an empty file that a dock locks while it runs.
  nonisolated static let lockName = "dock-lock"
  private static let fileNames: Set<String> = [
    logName, portName, joinedName, lockName, LaunchSecret.fileName, DockAccounts.fileName,
  ]

  /// Starts the server, the page and the phones, each with its existing files.
  ///
  /// - Throws: ``HostError``, also if another dock runs in the folder, `DatabaseError` or
  ///   `HTTPServerError`, each with a remedy in its message.
  init(_ options: HostOptions, of apps: [HostedApp]) async throws {
    let folder = try DataFolder(options.home, for: Self.fileNames)
    lock = try Self.lock(folder)
    let files = apps.enumerated().map { index, app in
      folder.path(of: index == 0 ? Self.logName : "server-\(app.fileName)")
    }
    storages = try files.map { try SQLiteStorage($0, epoch: .random(in: 1 ... .max)) }
    let blobs = try files.map { try Self.blobs(beside: $0) }
    let hasher = PasswordHasher()
    let accounts = try await DockAccounts.prepare(
      in: folder,
      on: try zip(apps, storages).map { app, storage in
        try DockAccounts.Server(storage: storage, personalKinds: app.schema.manifest.personalKinds)
      }, hasher: hasher, using: SystemRandomNumberGenerator())
    let server: UInt16
    (sync, server) = try Self.startServer(of: apps, storages, blobs, hasher, in: folder)
    let secret = try LaunchSecret.loadOrCreate(in: folder)
    let token = LaunchToken(device: "dock-\(options.port)", secret: secret)
    model = DockModel(language: options.language, password: accounts.password)
    var configuration = HTTPServer.Configuration()
    configuration.port = options.port
    pages = HTTPServer(
      configuration, router: Self.router(model, tabs, token))
    let port = try pages.start()
    address = "http://127.0.0.1:\(port)" + token.address()
    let joinedFile = folder.path(of: Self.joinedName)
    let joined = Self.joinedApps(joinedFile, of: apps.map(\.name))
    model.show(
      (1...2).map { number in
        Phone(
          number, home: Self.home(ofPhone: number, in: folder),
          settings: PhoneSettings(
            server: URL(string: "http://127.0.0.1:\(server)") ?? URL(filePath: "/"),
            dock: "http://127.0.0.1:\(port)", account: DockAccounts.name(ofPhone: number),
            password: accounts.password, createsSample: number == 1,
            invitingApps: number == 1 ? Set(apps.map(\.name)).subtracting(joined) : []))
      })
    // The first phone creates the invitation that the second accepts.
    var invitations: [String: String] = [:]
    for phone in phones {
      try await phone.start(invitations: invitations)
      invitations = phone.invitations
    }
    // Until then, each start tries again. A second phone that is removed later does not join by
    // itself.
    let all = phones.reduce(joined) { $0.union($1.joinedApps) }
    if all != joined {
      let lines = Data(all.sorted().joined(separator: "\n").utf8)
      _ = FileManager.default.createFile(atPath: joinedFile, contents: lines)
    }
  }

  /// Returns the names of the apps whose sample content the second phone has joined, as a file lists them.
  /// - Parameter names: the names of all apps. A former version, which had the first one alone, stored no name.
  nonisolated static func joinedApps(_ file: String, of names: [String]) -> Set<String> {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return [] }
    let joined = Set(text.split(separator: "\n").map(String.init))
    return joined.isEmpty ? Set(names.prefix(1)) : joined
  }

  private static func home(ofPhone number: Int, in folder: DataFolder) -> String {
    folder.path(of: "phone-\(number)")
  }

  /// Locks a folder, so that no other dock changes its files.
  /// - Throws: ``HostError``.
  private static func lock(_ folder: DataFolder) throws -> FileLock {
    do throws(FileLock.Failure) {
      return try FileLock(folder.path(of: lockName))
    } catch {
      let remedy = "choose another folder by --home DIR."
      switch error {
      case .held(let process):
        throw HostError(
          "A dock in the folder “\(folder.path)” is run by \(FileLock.name(of: process)). "
            + "Stop that one, or \(remedy)")
      case .system(let code):
        let reason = String(cString: strerror(code))
        throw HostError(
          "The folder “\(folder.path)” cannot be locked (\(reason)). Make it writable, or \(remedy)"
        )
      }
    }
  }

  /// Opens the folder of blobs beside the data of an app's server.
  /// - Throws: ``HostError``.
  private static func blobs(beside file: String) throws -> BlobStore {
    let path = BlobStore.folder(beside: file)
    do {
      return try BlobStore(path)
    } catch {
      throw HostError(
        "The folder “\(path)” cannot be used. Remove what has its name, or choose another folder "
          + "by --home DIR.")
    }
  }

  /// Starts the server of all apps, at its previous port if that is free, because the phones are
  /// signed in to it.
  ///
  /// Other users of this machine, and pages in its browsers, can reach the server too. So it has
  /// the phones' accounts only, and answers no requests for other hosts.
  private static func startServer(
    of apps: [HostedApp], _ storages: [SQLiteStorage], _ blobs: [BlobStore],
    _ hasher: PasswordHasher, in folder: DataFolder
  ) throws -> (HTTPServer, UInt16) {
    var rules = ServerConfiguration()
    rules.opensSignUp = false
    let servers = HostGuard(
      AppServers(
        try zip(apps, zip(storages, blobs)).map { app, data in
          let server = SyncServer(
            storage: data.0, rules: try PushRules(app.schema.manifest), blobs: data.1,
            hasher: hasher, configuration: rules)
          return (name: app.name, router: server.router)
        }))
    let path = folder.path(of: Self.portName)
    let previousPort = try? String(contentsOfFile: path, encoding: .utf8)
    var configuration = HTTPServer.Configuration()
    configuration.port = previousPort.flatMap { UInt16($0) } ?? 0
    do {
      let server = HTTPServer(configuration, responder: servers)
      let port = try server.start()
      try Data("\(port)".utf8).write(to: URL(filePath: path))
      return (server, port)
    } catch let error as HTTPServerError where error.code == .addressInUse {
      configuration.port = 0
      let server = HTTPServer(configuration, responder: servers)
      return (server, try server.start())
    }
  }

  /// Completes the running requests, and stops the phones before their server.
  func stop() async {
    await pages.stop()
    model.stop()
    await tabs.close()
    for phone in phones { await phone.stop() }
    await sync.stop()
    for storage in storages { await storage.close() }
    lock.release()
  }

  private static func router(
    _ model: DockModel, _ tabs: TabRegistry, _ token: LaunchToken
  ) -> Router {
    let guards = Middleware.deviceSecurity(
      token: token, framedOrigins: ["http://127.0.0.1:*", "http://localhost:*"])
    var router = Router(
      middleware: guards,
      presentError: { error, request in
        await ErrorPage([], in: model.language).response(error, request)
      })
    router.addLivePages(tabs)
    router.get("") { try await tabs.open($0) { DockPage(model: model) } }
    router.addMark(.offshore)
    router.addStylesheet(.dock)
    router.post("phones/:phone/airplane", bodyLimit: 1 << 10) { request in
      guard let isOn = try request.form["isOn"].flatMap(Bool.init) else {
        throw HTTPError(.badRequest, "The form has no field isOn that is true or false.")
      }
      return try await perform(request, model, tabs) { await $0.setAirplane(isOn) }
    }
    router.post("phones/:phone/kill", bodyLimit: 1 << 10) { request in
      try await perform(request, model, tabs) { await $0.killProcess() }
    }
    return router
  }

  /// Runs an action on the phone of a request, and answers when the action has ended.
  private static func perform(
    _ request: Request, _ model: DockModel, _ tabs: TabRegistry,
    _ body: @escaping @MainActor (Phone) async -> Void
  ) async throws -> Response {
    let number: Int = try request.parameter("phone")
    return try await tabs.act(request, at: "/") {
      DockPage(model: model)
    } action: { page in
      guard let phone = page.model.phones.first(where: { $0.number == number }) else {
        throw HTTPError(.notFound, "There is no such phone.")
      }
      await body(phone)
      page.model.update()
      return .done
    }
  }
}
