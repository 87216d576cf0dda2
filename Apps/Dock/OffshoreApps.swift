import Anyfleet
import Foundation
import OffshoreHTTP
import OffshoreWire

/// The host of the apps: serves them as one device, until it is told to stop.
@main
enum OffshoreApps {
  static func main() async {
    // The reader of the output may go away; the next line then fails, and nothing else.
    signal(SIGPIPE, SIG_IGN)
    exit(
      await run(
        Array(CommandLine.arguments.dropFirst()),
        environment: ProcessInfo.processInfo.environment))
  }

  /// Serves until a signal arrives.
  ///
  /// - Parameters:
  ///   - arguments: those after the program's name.
  ///   - environment: for what the arguments leave open.
  ///   - signals: those that end it.
  ///   - whenServing: called once the address is printed and a signal ends it gracefully.
  /// - Returns: the status to exit with: 0, or 1 where it could not start.
  static func run(
    _ arguments: [String], environment: [String: String],
    signals: [Int32] = TerminationSignals.usual, whenServing: () -> Void = {}
  ) async -> Int32 {
    do {
      let options = try HostOptions(arguments, environment: environment)
      guard !options.wantsHelp else {
        print(HostOptions.usage)
        return 0
      }
      switch options.program {
      case .manifest: try print(String(decoding: AppSchema.manifest().json(), as: UTF8.self))
      case .phone:
        // Ctrl-C is the dock's, which then tells its phones to stop.
        signal(SIGINT, SIG_IGN)
        try await PhoneProgram(home: options.home, language: options.language).run()
      case .dock:
        let dock = try await Dock(options)
        await wait(for: signals, serving: "Two phones are", at: dock.address, whenServing)
        await dock.stop()
      case .device:
        let host = try await Host(options)
        await wait(for: signals, serving: "Anyfleet is", at: host.address, whenServing)
        await host.stop()
      }
      return 0
    } catch {
      let line = "offshore-apps: \(Host.explanation(of: error))\n"
      try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
      return 1
    }
  }

  private static func wait(
    for signals: [Int32], serving what: String, at address: String, _ whenServing: () -> Void
  ) async {
    await TerminationSignals.first(of: signals) {
      print("\(what) at \(address)\nStop it with Ctrl-C.")
      // NB: A pipe would keep the address to itself until it is full.
      fflush(nil)
      whenServing()
    }
  }
}
