/// How large markup is when it is written, not counting what escaping adds.
extension HTML {
  /// The number of bytes.
  var size: Int {
    var room = Int.max
    for node in nodes { node.take(from: &room) }
    return .max - room
  }

  /// Whether it has more bytes than a number. It is looked at no further than that takes.
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
    // A drawing is a reference of about that length.
    case .icon(let name, _): room -= 110 + name.utf8.count
    case .region: break
    case .element(let element):
      room -= element.tagSize
      for child in element.children where room >= 0 { child.take(from: &room) }
    }
  }
}

extension HTML.Element {
  /// The bytes of the start tag, and of the end tag where there is one.
  fileprivate var tagSize: Int {
    let ends = isVoid ? 2 + name.utf8.count : 5 + 2 * name.utf8.count
    return attributes.reduce(ends) { sum, attribute in
      sum + 1 + attribute.name.utf8.count + (attribute.value.map { 3 + $0.utf8.count } ?? 0)
    }
  }
}
