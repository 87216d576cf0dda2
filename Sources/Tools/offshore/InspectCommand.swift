import Foundation
import Offshore
import OffshoreSync

/// The command that describes a device's file.
struct InspectCommand {
  private let file: String
  private let showsValues: Bool

  static let options = [ToolOptions.Option(switch: "--values")]

  /// Parses the options.
  /// - Throws: ``ToolError`` if the file is missing, or an option is invalid.
  init(_ arguments: [String], environment: [String: String]) throws(ToolError) {
    let options = try ToolOptions(arguments, Self.options, environment: environment)
    guard options.operands.count == 1, let file = options.operands.first else {
      throw .usage("Say which file of a device to describe.")
    }
    self.file = file
    showsValues = options.has("--values")
  }

  /// Prints the description. The file stays as it is, and the app may have it open.
  /// - Throws: ``ToolError``, also for a file that is not of a device.
  func run() async throws {
    guard FileManager.default.fileExists(atPath: file) else {
      throw ToolError("There is no file “\(file)”. Name the file of a device.")
    }
    do {
      var configuration = DatabaseConfiguration()
      configuration.isReadOnly = true
      configuration.readerCount = 1
      let database = try Database(file, configuration: configuration)
      let text = try await database.read { [showsValues] reader in
        try DeviceInspection(reader, showsValues: showsValues).text()
      }
      await database.close()
      OffshoreTool.write(text + "\n", to: .standardOutput)
    } catch let error as ReplicaError {
      throw ToolError("“\(file)” cannot be described. \(error.message)")
    } catch let error as DatabaseError {
      throw ToolError("“\(file)” cannot be described. \(error.message)")
    }
  }
}
