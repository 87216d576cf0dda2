public import Offshore
public import OffshoreWire

/// Sample content of an app, for a demonstration on two devices side by side.
///
/// The first device creates the content and invites the other, which joins by the invitation's
/// code.
@MainActor public protocol Demonstration {
  /// The table whose changes are timed from one device to the other.
  var timedTable: String { get }

  /// Reads the names of the items that are ticked; an item has the same name on each device.
  var tickedItems: @Sendable (Reader) throws -> Set<String> { get }

  /// The column of texts that the user is asked to write on both devices at once.
  var textColumn: (table: String, column: String) { get }

  /// Creates the content if there is none.
  func make() async throws

  /// Returns the scope of the content, or `nil` if the content is not on this device.
  func scope() async throws -> ScopeID?

  /// Completes joining, once the content is on this device.
  func didJoin() async throws

  /// Returns the address of the page to show first, relative to the app's path, or `nil` for the
  /// first page.
  func firstAddress() async throws -> String?
}
