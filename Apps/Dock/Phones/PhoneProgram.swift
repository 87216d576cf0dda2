import Anyfleet
import Foundation
import Observation
import OffshoreLogging
import OffshorePresentation
import OffshoreSync

/// A phone of the dock: a device whose dock tells it what to do, until it tells no more.
struct PhoneProgram {
  let home: String
  let language: Language
  let input = FileHandle.standardInput
  let output = FileHandle.standardOutput

  func run() async throws {
    var messages = MessageLines.messages(DockMessage.self, from: input).makeAsyncIterator()
    guard case .start(let settings) = await messages.next() else {
      throw HostError.phoneWithoutDock
    }
    var options = try HostOptions([], environment: [:])
    (options.home, options.port, options.language) = (home, settings.port, language)
    (options.server, options.dock) = (settings.server, settings.dock)
    let host = try await Host(options)
    await signIn(host.dependencies, settings)
    let sample = SampleCharter(app: host.dependencies)
    if settings.hasSample { try await sample.make() }
    try send(.ready(address: await host.address(of: sample.route())))
    await StatusTeller(host.dependencies) { try? send(.status($0)) }.tell()
    while let message = await messages.next() {
      guard case .airplane(let isOn) = message else { continue }
      do {
        try await host.dependencies.sync.setAirplane(isOn)
      } catch {
        await report(error, host.dependencies)
      }
      if !isOn { await signIn(host.dependencies, settings) }
    }
    await host.stop()
  }

  /// Signs in where nobody has, and up where there is no such account. A phone that cannot works without.
  ///
  @MainActor private func signIn(_ app: AppDependencies, _ settings: PhoneSettings) async {
    guard !app.session.isSignedIn, !app.sync.isAirplane else { return }
    do {
      do {
        try await app.session.signIn(name: settings.account, password: settings.password)
      } catch AppError.auth(.invalidCredentials) where app.session.account == nil {
        try await app.session.signUp(name: settings.account, password: settings.password)
      }
      await app.sync.start()
    } catch {
      report(error, app)
    }
  }

  /// Says what went wrong, at the terminal and on the dock's page.
  @MainActor private func report(_ error: any Error, _ app: AppDependencies) {
    let problem = app.language.say(error.asAppError.localizedMessage)
    let line = Data("offshore-apps: \(home): \(problem)\n".utf8)
    try? FileHandle.standardError.writeWithoutSignal(line)
    try? send(.problem(problem))
  }

  @Sendable private func send(_ message: PhoneMessage) throws {
    try output.writeWithoutSignal(MessageLines.encoded(message))
  }
}

extension PhoneStatus {
  /// Says what the phone's own pages say, which leave out what passes at once.
  init(isAirplane: Bool, showing indicator: SyncIndicator) {
    self.init(isAirplane: isAirplane)
    switch indicator {
    case .synced, .syncing, .connecting, .refused: isOnline = true
    case .pending(let count): (isOnline, pending) = (true, count)
    case .offline(let count), .failed(let count), .airplane(let count): pending = count
    case .notSynced, .signInAgain, .updateApp: break
    }
  }
}

/// Tells how a phone's syncing stands, now and whenever that changes.
@MainActor
private final class StatusTeller {
  private let app: AppDependencies
  private let send: (PhoneStatus) -> Void
  private var last: PhoneStatus?

  init(_ app: AppDependencies, send: @escaping (PhoneStatus) -> Void) {
    self.app = app
    self.send = send
  }

  func tell() {
    let status = withObservationTracking {
      PhoneStatus(isAirplane: app.sync.isAirplane, showing: app.sync.indicator)
    } onChange: {
      Task { @MainActor in self.tell() }
    }
    guard status != last else { return }
    last = status
    send(status)
  }
}
