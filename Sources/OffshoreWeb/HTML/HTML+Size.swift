/// The size of written markup, without the bytes that escaping adds.
extension HTML {
  /// The number of bytes.
  var size: Int {
    var room = Int.max
    for node in nodes { node.take(from: &room) }
    return .max - room
  }

  /// Returns whether there are more bytes than a number, without looking at more markup than
  /// necessary.
  func isLarger(than count: Int) -> Bool {
    var room = count
    for node in nodes where room >= 0 { node.take(from: &room) }
    return room < 0
  }
}

extension HTML.Node {
  fileprivate func take(from room: inout Int) {
    switch self {
    case .text(let text), .raw(let text): room -= text.utf8.count
    // A drawing is a reference with about this length.
    case .icon(let name, _): room -= 110 + name.utf8.count
    case .region: break
    case .element(let element):
      room -= element.tagSize
      for child in element.children where room >= 0 { child.take(from: &room) }
    }
  }
}

extension HTML.Element {
  /// The bytes of the start tag, and of the end tag if there is one.
  fileprivate var tagSize: Int {
    let ends = isVoid ? 2 + name.utf8.count : 5 + 2 * name.utf8.count
    return attributes.reduce(ends) { sum, attribute in
      sum + 1 + attribute.name.utf8.count + (attribute.value.map { 3 + $0.utf8.count } ?? 0)
    }
  }
}
