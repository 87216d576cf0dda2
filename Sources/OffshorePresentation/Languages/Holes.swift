/// The place of a value in a phrase, as offsets in UTF-8.
struct Hole: Sendable {
  let start: Int
  let end: Int
  /// The text to insert, if the value is a text; the place is empty then.
  let nested: LocalizedText?

  init(_ start: Int, _ end: Int, _ nested: LocalizedText? = nil) {
    self.start = start
    self.end = end
    self.nested = nested
  }
}

/// The places of up to two values within the first 65,535 bytes of a phrase.
///
/// Most phrases have no more. The places are stored inline, without allocating, because a page has
/// hundreds of phrases.
struct ShortHoles: Sendable {
  private var first = Place.unused
  private var second = Place.unused

  private struct Place: Equatable, Sendable {
    let start: UInt16
    let end: UInt16
    static var unused: Place { Place(start: 1, end: 0) }
    static var whole: Place { Place(start: 2, end: 0) }
    var hole: Hole { Hole(Int(start), Int(end)) }
  }

  /// The mark of a text that is one value.
  static var verbatim: ShortHoles { ShortHoles(first: .whole, second: .unused) }

  var isVerbatim: Bool { first == .whole }

  /// Appends the place of the next value.
  /// - Returns: `false` if there is no room for it.
  mutating func append(_ start: Int, _ end: Int) -> Bool {
    guard second == .unused, end <= UInt16.max else { return false }
    let place = Place(start: UInt16(start), end: UInt16(end))
    if first == .unused { first = place } else { second = place }
    return true
  }

  /// The places in ascending order.
  var all: [Hole] { [first, second].filter { $0 != .unused }.map(\.hole) }
}

extension String.UTF8View {
  /// The text between two places that lie between characters.
  subscript(hole: Hole) -> Substring {
    let start = index(startIndex, offsetBy: hole.start)
    return Substring(self[start..<index(start, offsetBy: hole.end - hole.start)])
  }
}

extension Substring {
  /// Returns the text with a number in place of each `#`.
  func replacingNumberSigns(with number: String) -> String {
    var text = ""
    var rest = self
    while let sign = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
      text += rest[..<sign]
      text += number
      rest = rest[utf8.index(after: sign)...]
    }
    return text + rest
  }
}
