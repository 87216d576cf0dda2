/// The text of a value in an issue, made of its parts: `Location(name: "Vis", isHome: true)`.
///
/// A type with a `description` of its own is shown by that. A long text is shortened.
struct ValueText: CustomStringConvertible {
  static var maximumLength: Int { 300 }

  let description: String

  init(_ value: Any) {
    let text = Self.text(value)
    description =
      text.count <= Self.maximumLength ? text : text.prefix(Self.maximumLength) + "…"
  }

  private static func text(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { text($0.value) } ?? "nil"
    case .collection, .set: return "[" + list(mirror) + "]"
    case .dictionary: return mirror.children.isEmpty ? "[:]" : "[" + entries(mirror) + "]"
    case .tuple: return "(" + list(mirror) + ")"
    default: break
    }
    if let text = value as? any StringProtocol { return String(text).debugDescription }
    if value is any CustomStringConvertible { return "\(value)" }
    switch mirror.displayStyle {
    case .enum: return ".\(caseName(value, mirror))" + payload(mirror)
    case .struct: return "\(type(of: value))(\(list(mirror)))"
    default: return "\(value)"
    }
  }

  /// The name of the case of an enumeration.
  static func caseName(_ value: Any, _ mirror: Mirror) -> String {
    mirror.children.first?.label ?? "\(value)"
  }

  private static func payload(_ mirror: Mirror) -> String {
    guard let value = mirror.children.first?.value else { return "" }
    let text = text(value)
    return Mirror(reflecting: value).displayStyle == .tuple ? text : "(\(text))"
  }

  private static func list(_ mirror: Mirror) -> String {
    mirror.children.map { child in
      guard let label = child.label, !label.hasPrefix(".") else { return text(child.value) }
      return "\(label): \(text(child.value))"
    }.joined(separator: ", ")
  }

  private static func entries(_ mirror: Mirror) -> String {
    mirror.children.map { entry in
      Mirror(reflecting: entry.value).children.map { text($0.value) }.joined(separator: ": ")
    }.sorted().joined(separator: ", ")
  }
}
