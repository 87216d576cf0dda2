import Foundation
import Observation
import OffshoreLogging
import OffshorePresentation
import OffshoreSync

/// A phone of a dock in its own process: a device that is controlled by the messages of its dock.
struct PhoneProgram {
  let program: HostProgram
  let options: HostOptions
  var input = FileHandle.standardInput
  var output = FileHandle.standardOutput
  var errors = FileHandle.standardError
  var environment = AppDevice.Environment()

  /// Runs the phone until the messages of its dock end.
  ///
  /// - Throws: ``HostError`` if the first message is not ``DockMessage/start(_:)``, and the errors
  ///   of a ``DeviceHost`` that cannot start.
  func run() async throws {
    var messages = MessageLines.messages(DockMessage.self, from: input).makeAsyncIterator()
    guard case .start(let settings) = await messages.next() else {
      throw program.phoneWithoutDock
    }
    var options = options
    (options.port, options.server, options.dock) = (settings.port, settings.server, settings.dock)
    let host = try await DeviceHost(options, program.apps, environment: environment)
    await signIn(host, settings)
    let page = try await firstPage(host, settings)
    try send(.ready(address: await host.address(of: page)))
    await StatusReporter(host) { try? send(.status($0)) }.report()
    let reporting = await FactsReporter.start(host.apps) { try? send($0) }
    let renewals = await renewAccess(of: host, settings)
    while let message = await messages.next() {
      guard case .airplane(let isOn) = message else { continue }
      await setAirplane(isOn, host)
      if !isOn { await signIn(host, settings) }
    }
    reporting?.cancel()
    for renewal in renewals { renewal.cancel() }
    await host.stop()
  }

  /// Prepares the sample content, and returns the path of the page to show first.
  @MainActor private func firstPage(
    _ host: DeviceHost, _ settings: PhoneSettings
  ) async throws -> String {
    try await DemonstrationSetup(
      apps: host.apps, settings: settings, send: { try? send($0) }, report: { report($0, $1) }
    ).run()
  }

  /// Signs in to the account of each app. A phone that cannot sign in works without an account.
  @MainActor private func signIn(_ host: DeviceHost, _ settings: PhoneSettings) async {
    for app in host.apps where !app.sync.session.isSignedIn && !app.sync.isAirplane {
      await signIn(app, settings)
    }
  }

  /// Signs in to the account that owns the data of an app, by default that of the settings.
  @MainActor private func signIn(_ app: RunningApp, _ settings: PhoneSettings) async {
    let name = app.sync.session.account?.name ?? settings.account
    do {
      try await app.sync.signIn(name: name, password: settings.password)
    } catch AppError.auth(.invalidCredentials) where name != settings.account {
      // The user has created the account on the phone's pages, and signs in there.
    } catch  where Task.isCancelled {
      // The phone stops.
    } catch {
      report(error, app)
    }
  }

  /// Signs an app in again whenever the server rejects its access token, for example after the dock
  /// has replaced the password of its accounts.
  @MainActor private func renewAccess(
    of host: DeviceHost, _ settings: PhoneSettings
  ) -> [Task<Void, Never>] {
    host.apps.map { app in
      Task {
        let rejections = Observations { app.sync.indicator == .signInAgain }
        for await isRejected in rejections where isRejected { await signIn(app, settings) }
      }
    }
  }

  @MainActor private func setAirplane(_ isOn: Bool, _ host: DeviceHost) async {
    for app in host.apps {
      do {
        try await app.sync.setAirplane(isOn)
      } catch {
        report(error, app)
      }
    }
  }

  /// Reports an error in the terminal and on the dock's page.
  @MainActor private func report(_ error: any Error, _ app: RunningApp) {
    let problem = error.asAppError.localizedMessage.in(app.language)
    let line = Data("\(program.name): \(options.home): \(problem)\n".utf8)
    try? errors.writeWithoutSignal(line)
    try? send(.problem(problem))
  }

  @Sendable private func send(_ message: PhoneMessage) throws {
    try output.writeWithoutSignal(MessageLines.encoded(message))
  }
}

extension HostCommand {
  /// The command that runs a phone for the dock that started it.
  static let phone = HostCommand("phone", nil, flags: [ofDock]) { options, program, _ in
    // A phone started by a user would wait for messages forever.
    guard options.flags.contains(ofDock) else { throw program.phoneWithoutDock }
    try await PhoneProgram(program: program, options: options).run()
  }

  /// Returns the arguments with which a dock starts a phone with a folder.
  static func phoneArguments(home: String) -> [String] { [phone.name, "--home", home, ofDock] }

  private static let ofDock = "--of-dock"
}

extension HostProgram {
  /// The error of a phone that was not started by a dock.
  var phoneWithoutDock: HostError {
    let remedy = commands.contains { $0.name == "dock" } ? "\(name) dock" : name
    return HostError("A phone is started by a dock. Run \(remedy).")
  }
}
