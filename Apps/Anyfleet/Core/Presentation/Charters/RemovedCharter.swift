public import Foundation

/// A charter that was removed a while ago, and can be put back.
public struct RemovedCharter: Identifiable, Equatable, Sendable {
  /// What it was called, where that can be read.
  public let name: String?
  let deleted: DeletedCharter

  public var id: UUID { deleted.id }
}
