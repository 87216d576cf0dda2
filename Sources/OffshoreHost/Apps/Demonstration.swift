public import Offshore
public import OffshoreWire

/// Sample content of an app, for a demonstration on two devices side by side.
///
/// The first device makes the content and invites the other, which joins by the code of the invitation.
@MainActor public protocol Demonstration {
  /// The table whose changes are timed on their way from one device to the other.
  var timedTable: String { get }

  /// Reads the names of the items that are ticked; an item has the same name on each device.
  var tickedItems: @Sendable (Reader) throws -> Set<String> { get }

  /// The column of texts that the user is asked to write on both devices at once.
  var textColumn: (table: String, column: String) { get }

  /// Makes the content if there is none.
  func make() async throws

  /// The scope of the content, or `nil` if there is none on this device.
  func scope() async throws -> ScopeID?

  /// Completes a join, once the content is on this device.
  func didJoin() async throws

  /// The address of the page to show first, below the app's path, or `nil` for the first page.
  func firstAddress() async throws -> String?
}
