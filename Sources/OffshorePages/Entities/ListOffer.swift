import OffshorePresentation
public import OffshoreWeb

/// An offer above the first list of a group of entities, such as seeds to add.
///
/// Its forms are posted to the address of the list.
@MainActor public protocol ListOffer {
  /// Determines whether the offer is shown.
  func load() async

  /// Returns the offer, or nothing.
  /// - Parameter address: the address of the list.
  func html(to address: String) -> HTML

  /// Performs a form of the offer.
  /// - Throws: an error to present; `HTTPError` with 400 for a form that the offer does not have.
  func perform(_ form: PageForm) async throws -> Outcome
}
