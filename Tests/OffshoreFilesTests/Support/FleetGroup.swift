import Foundation
import OffshoreFiles

/// Shorter forms of the uses of a group in tests.
extension CollectionGroup<FleetChange> {
  /// The numbers of the boats, in their order.
  func boatNumbers() async throws -> [UInt8] { try await load(Boat.self).map(\.id.uuid.15) }

  /// The edits of each change of the log.
  func loggedEdits() async throws -> [[FleetEdit]] { try await loadChanges().map(\.edits) }

  /// Makes edits in one change.
  func apply(_ edits: FleetEdit...) async throws { try await perform(.apply(edits)) }
}

extension FleetEdit {
  /// Returns an edit of a port.
  static func port(_ before: Port?, _ after: Port?, at index: Int? = nil) -> FleetEdit {
    .port(ElementEdit(before, after, at: index))
  }
}
