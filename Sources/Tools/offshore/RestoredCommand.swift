import Foundation
import OffshoreServer

/// The command for a server's file that was restored from a copy.
struct RestoredCommand {
  private let data: String
  private let keepsTokens: Bool
  private let keepsInvitations: Bool

  static let options = [
    ToolOptions.Option("--data", "OFFSHORE_DATA"),
    ToolOptions.Option(switch: "--keep-tokens"), ToolOptions.Option(switch: "--keep-invitations"),
  ]

  /// Parses the options.
  /// - Throws: ``ToolError`` if an option is missing or invalid.
  init(_ arguments: [String], environment: [String: String]) throws(ToolError) {
    let options = try ToolOptions(arguments, Self.options, environment: environment)
    if let extra = options.operands.first { throw .usage("“\(extra)” is no option of restored.") }
    data = try options.required("--data", "the file that was restored")
    keepsTokens = options.has("--keep-tokens")
    keepsInvitations = options.has("--keep-invitations")
  }

  /// Begins a new epoch, so that devices fetch their scopes again: they may have seen changes that
  /// the copy lacks. Prints the number of ended tokens and invitations, and
  /// the way in which devices treat these changes.
  ///
  /// A running server would continue with the former epoch in its open streams, and its file should
  /// not have been replaced, so the command needs the file for itself.
  /// - Throws: ``ToolError``, also if a server is running; `DatabaseError`.
  func run() async throws {
    let lock = try DataLock(existing: data)
    let server = try DataFile.openExisting(data)
    let ended = try await server.beginEpoch(
      keepingTokens: keepsTokens, keepingInvitations: keepsInvitations)
    await server.close()
    lock.release()
    OffshoreTool.write(
      """
      Devices will fetch their data anew. Each sends again what it wrote after the copy was made; what only \
      other devices have of that is listed on them as refused changes, to insert again or to discard.
      Access tokens ended: \(ended.tokens). \(keepsTokens ? "Those of the copy are valid again." : "Each user has to sign in again.")
      Invitations ended: \(ended.invitations).\(keepsInvitations ? " Those of the copy are valid again." : "")
      Passwords and memberships are those of the copy: set again what was changed since.
      Accounts that were created since are missing: their users create them again under the same names, on devices \
      with their data. This needs --open-sign-up yes.

      """, to: .standardOutput)
  }
}
