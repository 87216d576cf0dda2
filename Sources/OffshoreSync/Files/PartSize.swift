/// The size of the parts of files, which follows the speed of the link.
///
/// A row may have to wait in the queues of the link until the bytes of a part have left them. So a part
/// has the bytes that the link carries in 50 ms.
///
/// The latency of the link is not part of this time, because it does not depend on the size: a fast link
/// to a distant server has large parts, too. So the speed follows from the difference to a short part.
/// There are two of these at the beginning, the first of which may include the time of connecting, and
/// one after each 16 parts.
struct PartSize: Hashable, Sendable {
  /// The allowed sizes, in bytes. The server accepts up to 4 MiB.
  static let range = (2 << 10)...(4 << 20)
  /// The time for which a part occupies the link, in milliseconds.
  private static let target: Int64 = 50
  /// The number of parts after which a short one follows.
  private static let partsPerShortOne = 16

  /// A part that has passed, and the time it has taken, in milliseconds.
  private struct Passage: Hashable {
    var count = 0
    var time: Int64 = 0
  }

  /// The size of parts that are not short.
  private var usual = 16 << 10
  private var short = Passage()
  /// The number of short parts that are next.
  private var shortParts = 2
  /// The number of parts since the last short one.
  private var parts = 0

  /// The size of the next part, in bytes.
  var bytes: Int { shortParts > 0 ? Self.range.lowerBound : usual }

  /// Adapts the size to the time that a part has taken.
  mutating func adapt(_ count: Int, took milliseconds: Int64) {
    let passage = Passage(count: count, time: max(milliseconds, 0))
    guard shortParts == 0 else {
      (short, parts) = (passage, 0)
      shortParts -= 1
      return
    }
    parts += 1
    if parts == Self.partsPerShortOne { shortParts = 1 }
    // A last part that is shorter says little about a larger one.
    if count >= usual / 2 { usual = clamped(min(fitting(passage), 2 * usual)) }
    // The short part was delayed by something else.
    if passage.time <= short.time { short = passage }
  }

  /// Returns the number of bytes that the link carries in the time of a part.
  private func fitting(_ passage: Passage) -> Int {
    let (bytes, time) = (passage.count - short.count, passage.time - short.time)
    guard time > 0 else { return .max }
    if bytes > 0 { return Int(Int64(bytes) * Self.target / time) }
    // A part that was as large as this one was faster. If this is not due to chance, the link is slower now.
    guard time > Self.target else { return max(usual, 2 * Self.range.lowerBound) }
    return Int(Int64(passage.count) * Self.target / passage.time)
  }

  /// Halves the size after a request that was too large, took too long or was cut off. The next one may
  /// need a new connection.
  mutating func halve() {
    usual = clamped(usual / 2)
    shortParts = 2
  }

  private func clamped(_ bytes: Int) -> Int {
    min(max(bytes, Self.range.lowerBound), Self.range.upperBound)
  }
}
