public import OffshorePresentation
public import OffshoreWeb

/// A list of entries with links to their pages. An empty list has a link to the page of a new
/// entry.
public struct EntryList<Entry>: Component {
  /// The list, or a text while it is loading, empty or failed.
  public let html: HTML

  /// Creates the view of a list.
  ///
  /// - Parameters:
  ///   - state: the entries.
  ///   - title: the name of the list, for assistive technology.
  ///   - id: the id of the list.
  ///   - address: the page's own address, for a link that retries.
  ///   - new: the title and the address of the page for a new entry.
  ///   - empty: the icon, the title and the text of an empty list.
  ///   - row: returns the row of an entry.
  public init(
    _ state: ViewState<[Entry]>, _ say: Speaker, title: LocalizedText, id: String, address: String,
    new: PageLink, empty: (icon: Icon, title: LocalizedText, text: LocalizedText),
    row: (Entry) -> LinkRow
  ) {
    html =
      StateContent(
        state, say, address: address,
        empty: EmptyView(
          icon: empty.icon, title: say(empty.title), text: say(empty.text),
          action: .link(new.title, to: new.address))
      ) { entries in
        if !entries.isEmpty {
          Card(label: say(title), id: id) {
            for entry in entries { row(entry) }
          }
        }
      }.html
  }
}
