/// A picture, such as a photo of an entry. It is loaded when it is nearly in view.
///
/// State its size in the stylesheet of the app: otherwise the content below moves when it arrives.
public struct Picture: Component {
  private let address: String
  private let description: String

  /// Creates a picture.
  /// - Parameters:
  ///   - address: the address of the file.
  ///   - description: a text in place of the picture for users who do not see it.
  public init(_ address: String, description: String) {
    self.address = address
    self.description = description
  }

  /// The picture.
  public var html: HTML {
    img(
      .src(address), Attribute("alt", description), Attribute("loading", "lazy"),
      Attribute("decoding", "async"))
  }
}
