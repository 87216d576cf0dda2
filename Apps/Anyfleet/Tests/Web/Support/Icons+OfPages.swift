import OffshoreWeb

extension Icons {
  /// The names of the icons that pages refer to.
  static let namesOfPages = [
    "arrow-clockwise", "book", "clock-history", "cloud-slash", "cloud-upload", "compass",
    "exclamation-triangle", "house", "journal-check", "list-check", "people", "person", "phone",
    "stack", "wifi-off",
  ]

  /// A drawing of each icon, so that the pages of a test do not depend on the system's icons.
  static let ofPages = Icons(
    Dictionary(uniqueKeysWithValues: namesOfPages.map { ($0, #"<svg viewBox="0 0 16 16"/>"#) }))
}
