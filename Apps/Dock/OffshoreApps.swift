import AnyfleetWeb
import OffshoreHost

/// The program that serves the apps as one device, or as two phones of a dock.
@main
enum OffshoreApps {
  static func main() async { await program.run() }

  /// The program with all apps.
  static let program = HostProgram(
    "offshore-apps",
    apps: [AnyfleetApp.hosted { SampleCharter(app: $0) }],
    commands: [.dock])
}
