import Foundation
import OffshoreHTTP
import OffshoreServer
import OffshoreSync
import OffshoreWire

/// A server in its own process, like `offshore serve`, with an account for each device of a load.
final class LoadServer {
  /// The first argument of a process that runs the server.
  static let marker = "--serve"
  /// The third argument if the manifest of the server has access rules.
  private static let rulesMarker = "--rules"

  let port: UInt16
  /// The access tokens of the devices.
  let tokens: [String]
  private let process = Process()
  private let input = Pipe()

  /// Starts a server on a file in a folder.
  /// - Parameter hasRules: whether its manifest has access rules, which no errand concerns.
  init(in folder: BenchFolder, hasRules: Bool = false) throws {
    guard let executable = Bundle.main.executableURL else {
      throw JobProcess.Failure(description: "The path of this program is not known.")
    }
    process.executableURL = executable
    process.arguments =
      [Self.marker, folder.file("server-\(UUID().uuidString).sqlite")]
      + (hasRules ? [Self.rulesMarker] : [])
    let output = Pipe()
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let port = words.first.flatMap({ UInt16($0) }), words.count == LoadDevice.count + 1 else {
      throw JobProcess.Failure(description: "The server does not start.")
    }
    self.port = port
    tokens = Array(words.dropFirst())
  }

  /// Stops the server.
  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The address of the server.
  var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }

  /// The time that the processors have worked for the server so far, in milliseconds.
  var processorTime: Double {
    get throws {
      var (clock, time) = (clockid_t(), timespec())
      try expect(
        clock_getcpuclockid(process.processIdentifier, &clock) == 0
          && clock_gettime(clock, &time) == 0, "the clock of the server's process")
      return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
  }

  // MARK: - In the process

  /// Serves until the input ends. Prints the port and the access tokens in one line.
  /// - Parameter arguments: the arguments of the process after the marker.
  static func runHere(_ arguments: ArraySlice<String>) async throws {
    let hasRules = arguments.contains(rulesMarker)
    let data = try ServerData(arguments.first ?? "")
    var tokens: [String] = []
    for number in 0..<LoadDevice.count {
      let name = "device-\(number)"
      try await data.addAccount(named: name, password: nil)
      tokens.append(try await data.makeToken(forAccount: name))
    }
    let schema = try hasRules ? Circles.schema() : Errand.schema(claimableKinds: ["charter"])
    let sync = try await SyncServer(data, manifest: schema.manifest)
    var configuration = HTTPServer.Configuration()
    configuration.port = 0
    let server = HTTPServer(configuration, router: sync.router)
    let words = ["\(try server.start())"] + tokens
    FileHandle.standardOutput.write(Data((words.joined(separator: " ") + "\n").utf8))
    await withCheckedContinuation { continuation in
      Thread {
        while readLine() != nil {}
        continuation.resume()
      }.start()
    }
    await server.stop()
    await data.close()
  }
}
