public import Foundation

/// Something that was removed from the library a while ago, and can be put back.
public struct RemovedEntry: Identifiable, Equatable, Sendable {
  /// What it was called, where that can be read.
  public let title: String?
  /// The part of the library that it was in.
  public let part: LibraryPart
  let deleted: DeletedEntry

  public var id: UUID { deleted.id }
}
