import Foundation
import Observation
import OffshoreHost
import OffshoreLogging
import OffshorePresentation
import OffshoreSync

/// A phone of the dock: a device that follows the messages of its dock until they end.
struct PhoneProgram {
  let options: HostOptions
  let apps: [HostedApp]
  let input = FileHandle.standardInput
  let output = FileHandle.standardOutput

  func run() async throws {
    var messages = MessageLines.messages(DockMessage.self, from: input).makeAsyncIterator()
    guard case .start(let settings) = await messages.next() else {
      throw HostError.phoneWithoutDock
    }
    var options = options
    (options.port, options.server, options.dock) = (settings.port, settings.server, settings.dock)
    let host = try await DeviceHost(options, apps)
    await signIn(host, settings)
    let page = try await firstPage(host, makesSample: settings.hasSample)
    try send(.ready(address: await host.address(of: page)))
    await StatusReporter(host) { try? send(.status($0)) }.report()
    while let message = await messages.next() {
      guard case .airplane(let isOn) = message else { continue }
      for app in await host.apps {
        do {
          try await app.sync.setAirplane(isOn)
        } catch {
          await report(error, app)
        }
      }
      if !isOn { await signIn(host, settings) }
    }
    await host.stop()
  }

  /// Makes sample content, and returns the path of the page to show first.
  @MainActor private func firstPage(_ host: DeviceHost, makesSample: Bool) async throws -> String {
    var pages: [String] = []
    for app in host.apps {
      if let address = try await app.open.sample?(makesSample) {
        pages.append(app.app.path + address)
      }
    }
    return pages.first ?? "/"
  }

  /// Signs in to the account of each app, or signs up for it. A phone that cannot works without.
  @MainActor private func signIn(_ host: DeviceHost, _ settings: PhoneSettings) async {
    for app in host.apps {
      let sync = app.sync
      guard !sync.session.isSignedIn, !sync.isAirplane else { continue }
      do {
        do {
          try await sync.signIn(name: settings.account, password: settings.password)
        } catch AppError.auth(.invalidCredentials) where sync.session.account == nil {
          try await sync.signUp(name: settings.account, password: settings.password)
        }
      } catch {
        report(error, app)
      }
    }
  }

  /// Reports an error at the terminal and on the dock's page.
  @MainActor private func report(_ error: any Error, _ app: RunningApp) {
    let problem = error.asAppError.localizedMessage.in(app.language)
    let line = Data("offshore-apps: \(options.home): \(problem)\n".utf8)
    try? FileHandle.standardError.writeWithoutSignal(line)
    try? send(.problem(problem))
  }

  @Sendable private func send(_ message: PhoneMessage) throws {
    try output.writeWithoutSignal(MessageLines.encoded(message))
  }
}

extension HostCommand {
  /// Runs a phone for the dock that started it.
  static let phone = HostCommand("phone", nil, flags: ["--of-dock"]) { options, program, _ in
    // It would wait for messages for ever.
    guard options.flags.contains("--of-dock") else { throw HostError.phoneWithoutDock }
    // Ctrl-C is for the dock, which then stops its phones.
    signal(SIGINT, SIG_IGN)
    try await PhoneProgram(options: options, apps: program.apps).run()
  }
}

extension HostError {
  static let phoneWithoutDock = HostError("A phone is started by a dock. Run offshore-apps dock.")
}

extension PhoneStatus {
  /// The status of one app, as its own pages show it: they leave out what passes at once.
  init(isAirplane: Bool, showing indicator: SyncIndicator) {
    self.init(isAirplane: isAirplane)
    switch indicator {
    case .synced, .syncing, .connecting, .refused: isOnline = true
    case .pending(let count): (isOnline, pending) = (true, count)
    case .offline(let count), .failed(let count), .airplane(let count): pending = count
    case .notSynced, .signInAgain, .updateApp: break
    }
  }

  /// The status of a phone: it is online, or in airplane mode, if all its apps are.
  init(of apps: [PhoneStatus]) {
    isAirplane = !apps.isEmpty && apps.allSatisfy(\.isAirplane)
    isOnline = !apps.isEmpty && apps.allSatisfy(\.isOnline)
    pending = apps.map(\.pending).reduce(0, +)
  }
}

/// Reports the state of a phone's syncing, now and after each change.
@MainActor
private final class StatusReporter {
  private let host: DeviceHost
  private let send: (PhoneStatus) -> Void
  private var last: PhoneStatus?

  init(_ host: DeviceHost, send: @escaping (PhoneStatus) -> Void) {
    self.host = host
    self.send = send
  }

  func report() {
    let status = withObservationTracking {
      PhoneStatus(
        of: host.apps.map { app in
          PhoneStatus(isAirplane: app.sync.isAirplane, showing: app.sync.indicator)
        })
    } onChange: {
      Task { @MainActor in self.report() }
    }
    guard status != last else { return }
    last = status
    send(status)
  }
}
