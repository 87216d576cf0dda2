import AnyfleetWeb
import MessAIWeb
import OffshoreHost
import OffshorePages
import ShiftSchedulerWeb

/// The program that serves the apps as one device, or as two phones of a dock.
@main
enum OffshoreApps {
  static func main() async { await program.run() }

  /// The program with all apps.
  static let program = HostProgram(
    "offshore-apps",
    apps: [
      AnyfleetApp.hosted { SampleCharter(app: $0) },
      MessAIApp.hosted { SampleConversation(app: $0, language: $1.language) },
      ShiftSchedulerApp.hosted { SampleShifts(app: $0) },
    ],
    commands: [.dock, .engines, .importStore])
}

extension HostCommand {
  /// The command that runs a server and two phones, and serves the page that shows them.
  static let dock = HostCommand(
    "dock", "run a server and two phones, and show them side by side"
  ) { options, program, serving in
    guard !options.hasServerArgument else {
      throw HostError("A dock has a server of its own. Leave --server out, or run no dock.")
    }
    let dock = try await Dock(options, of: program.apps)
    await serving.waitForSignal(printing: "Two phones are at \(dock.address)")
    await dock.stop()
  }
}
