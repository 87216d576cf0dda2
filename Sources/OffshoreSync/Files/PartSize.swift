/// The size of the parts of files, which follows the speed of the link: a part takes about half
/// a second, so that rows soon get their turn.
struct PartSize: Hashable, Sendable {
  /// The allowed sizes, in bytes. The server accepts up to 4 MiB.
  static let range = (16 << 10)...(4 << 20)
  /// The time that a part should take, in milliseconds.
  private static let target: Int64 = 500

  /// The size of the next part, in bytes.
  private(set) var bytes = 64 << 10

  /// Adapts the size to the time that a part has taken.
  mutating func adapt(_ count: Int, took milliseconds: Int64) {
    // A last part that is shorter says little about a larger one.
    guard count >= bytes / 2 else { return }
    let fitting = Int64(count) * Self.target / max(1, milliseconds)
    bytes = clamped(min(Int(fitting), 2 * bytes))
  }

  /// Halves the size after a request that was too large, took too long or was cut off.
  mutating func halve() { bytes = clamped(bytes / 2) }

  private func clamped(_ bytes: Int) -> Int {
    min(max(bytes, Self.range.lowerBound), Self.range.upperBound)
  }
}
