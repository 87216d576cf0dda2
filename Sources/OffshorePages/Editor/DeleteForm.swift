public import OffshorePresentation
public import OffshoreWeb

/// A small button beside a row that deletes its entry; the undo bar restores it.
///
/// The form sends the action `delete` and the id of the entry.
@MainActor public struct DeleteForm: Component {
  /// The form with its button.
  public let html: HTML

  /// Makes a button.
  ///
  /// - Parameters:
  ///   - title: the title of the entry, for assistive technology.
  ///   - name: the name of the field with the id.
  ///   - id: the id of the entry.
  ///   - address: the page's own address.
  public init(
    _ title: String, _ name: String, _ id: some RouteValue, to address: String, _ say: Speaker
  ) {
    html =
      PostForm(to: address) {
        HiddenValue(name, id.routeText)
        SubmitButton(say(.delete), style: .plain, label: say(.delete(title)), action: "delete")
      }.html
  }
}
