import AnyfleetWeb
import OffshoreHost

/// The program that serves the apps as one device, or as two phones of a dock.
@main
enum OffshoreApps {
  static func main() async { await program.run() }

  /// The program with all apps.
  static let program = HostProgram(
    "offshore-apps",
    apps: [
      AnyfleetApp.hosted { app, makes in
        let sample = SampleCharter(app: app)
        if makes { try await sample.make() }
        return await sample.route()?.address
      }
    ],
    commands: [.dock])
}
