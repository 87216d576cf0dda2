import Anyfleet
import Foundation
import Observation
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
      throw HostError("A phone is started by the dock. Run offshore-apps dock.")
    }
    var options = try HostOptions([], environment: [:])
    (options.home, options.port, options.language) = (home, settings.port, language)
    (options.server, options.name, options.dock) = (settings.server, settings.name, settings.dock)
    let host = try await Host(options)
    await signIn(host.dependencies, settings)
    if settings.hasSample { try await SampleCharter.make(with: host.dependencies) }
    try send(.ready(address: await host.address(of: SampleCharter.route(host.dependencies))))
    await StatusTeller(host.dependencies) { try? send(.status($0)) }.tell()
    while let message = await messages.next() {
      guard case .airplane(let isOn) = message else { continue }
      try? await host.dependencies.sync.setAirplane(isOn)
    }
    await host.stop()
  }

  /// Signs in where nobody has, and up where there is no such account. A phone that cannot works without.
  @MainActor private func signIn(_ app: AppDependencies, _ settings: PhoneSettings) async {
    guard app.session.account == nil else { return }
    do {
      try await app.session.signIn(name: settings.account, password: settings.password)
    } catch AppError.auth(.invalidCredentials) {
      try? await app.session.signUp(name: settings.account, password: settings.password)
    } catch {}
    await app.sync.start()
  }

  @Sendable private func send(_ message: PhoneMessage) throws {
    try output.write(contentsOf: MessageLines.encoded(message))
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
      PhoneStatus(
        isAirplane: app.sync.isAirplane, isOnline: app.sync.connection == .online,
        pending: app.sync.outbox.pending)
    } onChange: {
      Task { @MainActor in self.tell() }
    }
    guard status != last else { return }
    last = status
    send(status)
  }
}
