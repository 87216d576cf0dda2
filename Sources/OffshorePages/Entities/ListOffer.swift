import OffshorePresentation
public import OffshoreWeb

/// Something that the first list of a group of entities offers above its entries, such as seeds to add.
///
/// Its forms are posted to the address of the list.
@MainActor public protocol ListOffer {
  /// Finds out whether there is something to offer.
  func load() async

  /// The offer, or nothing.
  /// - Parameter address: the address of the list.
  func html(to address: String) -> HTML

  /// Does what a form of the offer asks for.
  /// - Throws: an error to present; `HTTPError` with 400 for a form that the offer does not have.
  func perform(_ form: PageForm) async throws -> Outcome
}
