import OffshoreWeb

extension Icons {
  /// The names of the icons that pages refer to.
  static let namesOfPages = [
    "arrow-clockwise", "book", "clock-history", "cloud-slash", "cloud-upload", "compass",
    "exclamation-triangle", "house", "journal-check", "list-check", "people", "person", "phone",
    "stack", "wifi-off",
  ]

  /// A drawing of each of them: the pages of a test do not depend on what the system has installed.
  static let ofPages = Icons(
    Dictionary(uniqueKeysWithValues: namesOfPages.map { ($0, #"<svg viewBox="0 0 16 16"/>"#) }))
}
