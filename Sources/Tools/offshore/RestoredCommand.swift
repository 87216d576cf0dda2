import Foundation
import OffshoreServer

/// Tells a server's file that it was restored from a copy.
struct RestoredCommand {
  private let options: RestoredOptions

  init(_ options: RestoredOptions) { self.options = options }

  /// Begins another epoch: devices may have seen what the copy lacks, so each fetches its scopes anew.
  /// - Throws: why it cannot.
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
