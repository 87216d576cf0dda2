public import OffshoreHTTP
public import OffshorePresentation
public import OffshoreWeb

/// The number of entries of a list that a page shows, with a link to more.
///
/// ```swift
/// let shown = ShownCount(query, pageSize: 50)
/// for harbor in harbors.prefix(shown.count) { row(harbor) }
/// shown.more(of: harbors.count, at: HarborRoute.all.address, say)
/// ```
///
/// The number is the field `count` of the address.
@MainActor public struct ShownCount {
  /// The number of entries, at least one page of them.
  public let count: Int
  private let query: Fields
  private let pageSize: Int

  /// Creates the number of a page.
  /// - Parameters:
  ///   - query: the fields of the address.
  ///   - pageSize: the number of entries that are shown at first, and added by each link.
  public init(_ query: Fields, pageSize: Int) {
    count = max(query["count"].flatMap { Int($0) } ?? 0, pageSize)
    self.query = query
    self.pageSize = pageSize
  }

  /// Returns the end of a list: a link to more entries, which is empty if all are shown.
  /// - Parameters:
  ///   - total: the number of all entries.
  ///   - address: the address of the page, without a query.
  @HTMLBuilder public func more(of total: Int, at address: String, _ say: Localizer) -> HTML {
    if total > count { MoreForm(say(.showMore), action: nil, address: self.address(address)) }
  }

  private func address(_ path: String) -> String {
    var fields: Fields = ["count": "\(count + pageSize)"]
    fields.items = query.items.filter { $0.name != "count" } + fields.items
    return "\(path)?\(fields.encoded)"
  }
}

extension LocalizedText {
  fileprivate static let showMore = LocalizedText(en: "Show more", ru: "Показать ещё")
}
