import Foundation
import OffshoreServer
import OffshoreWire

/// The command that compares the manifests of two releases.
struct ManifestCommand {
  private let former: String
  private let next: String

  /// Parses the arguments after `manifest`.
  /// - Throws: ``ToolError`` if they are not `check` and two files.
  init(_ arguments: [String], environment: [String: String]) throws(ToolError) {
    let options = try ToolOptions(arguments, [], environment: environment)
    guard options.operands.count == 3, options.operands[0] == "check" else {
      throw .usage("Compare the manifests of two releases: manifest check OLD NEW.")
    }
    (former, next) = (options.operands[1], options.operands[2])
  }

  /// Prints a line for each difference, with its effect or the reason for its refusal.
  /// - Throws: ``ToolError`` if a file is not a manifest, or if a server would refuse the new one.
  func run() throws {
    let comparison = ManifestComparison(try Self.manifest(former), try Self.manifest(next))
    let differences = comparison.differences
    let lines = differences.map { "\(Self.title(of: $0.verdict))  \($0.place): \($0.message)\n" }
    OffshoreTool.write(
      lines.isEmpty ? "The manifests are equal.\n" : lines.joined(), to: .standardOutput)
    let count = differences.count { $0.verdict == .refused }
    guard count > 0 else { return }
    throw ToolError(
      """
      A server that has served “\(former)” refuses “\(next)”: see the \(count) \
      \(count == 1 ? "line" : "lines") with “refused”.
      """)
  }

  private static func manifest(_ path: String) throws -> Manifest {
    do {
      return try ManifestFile(path).manifest()
    } catch let error as WireError {
      throw ToolError("“\(path)”: \(ToolError(error).description)")
    }
  }

  private static func title(of verdict: ManifestDifference.Verdict) -> String {
    switch verdict {
    case .safe: "safe   "
    case .noticed: "noticed"
    case .refused: "refused"
    }
  }
}

/// A file with a manifest.
struct ManifestFile {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Reads the manifest.
  /// - Parameter remedy: a sentence about what to do if the file cannot be read.
  /// - Throws: ``ToolError`` if the file cannot be read, `WireError` if it is not a valid manifest.
  func manifest(
    remedy: String = "Export it from the app, and name its file."
  ) throws -> Manifest {
    guard let json = try? Data(contentsOf: URL(filePath: path)) else {
      throw ToolError("The manifest “\(path)” cannot be read. \(remedy)")
    }
    return try Manifest(json: json)
  }
}
