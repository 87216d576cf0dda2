import Foundation
import OffshoreServer

/// The command for a server's file that was restored from a copy.
struct RestoredCommand {
  private let options: RestoredOptions

  init(_ options: RestoredOptions) { self.options = options }

  /// Begins a new epoch, so that devices fetch their scopes again: they may have seen changes that
  /// the copy lacks.
  /// - Throws: ``ToolError`` or `DatabaseError`.
  func run() async throws {
    let log = try DataFile.openExisting(options.data)
    let former = try await log.read { try $0.epoch() }
    var epoch = former
    while epoch == former { epoch = .random(in: 1...(.max)) }
    try await log.write { [epoch] in try $0.beginEpoch(epoch) }
    await log.close()
    OffshoreTool.write("Devices will fetch their data anew.\n", to: .standardOutput)
  }
}
