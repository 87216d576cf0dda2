/// A bar that shows the completed part of a total.
public struct ProgressBar: Component {
  private let value: Int
  private let total: Int
  private let label: String

  /// Creates a bar.
  /// - Parameters:
  ///   - value: the completed amount, clamped to the range from 0 to the total.
  ///   - total: the total amount; the bar is empty if it is 0 or less.
  ///   - label: the accessible label.
  public init(_ value: Int, of total: Int, label: String) {
    self.value = value
    self.total = total
    self.label = label
  }

  /// The bar.
  public var html: HTML {
    progress(.value(min(max(0, value), max(0, total))), .max(total), .ariaLabel(label)) {
      "\(value)/\(total)"
    }
  }
}

/// A ring that shows a percentage. Assistive technology ignores it, so the page also has to show
/// the progress as text.
public struct ProgressRing: Component {
  private let percent: Int

  /// Creates a ring.
  /// - Parameter percent: the percentage, clamped to the range from 0 to 100.
  public init(percent: Int) { self.percent = min(max(0, percent), 100) }

  /// The ring, with a check mark at 100 %.
  public var html: HTML {
    let check = percent == 100 ? #"<path d="m11 18.5 5 5 9.5-10.5"/>"# : ""
    return Raw(
      """
      <svg class="ring" viewBox="0 0 36 36" aria-hidden="true"><circle cx="18" cy="18" r="15.5"/>\
      <circle cx="18" cy="18" r="15.5" pathLength="100" stroke-dasharray="\(percent) 100"/>\(check)</svg>
      """
    ).html
  }
}
