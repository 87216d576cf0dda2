/// Puts markup together from texts, elements, components, `if`, `switch`, and `for`.
@resultBuilder
public enum HTMLBuilder {
  /// Text, which is escaped when it is written.
  public static func buildExpression(_ text: String) -> HTML { HTML(text) }

  /// Text, or nothing.
  public static func buildExpression(_ text: String?) -> HTML { text.map { HTML($0) } ?? HTML() }

  /// Markup.
  public static func buildExpression(_ html: HTML) -> HTML { html }

  /// Markup, or nothing.
  public static func buildExpression(_ html: HTML?) -> HTML { html ?? HTML() }

  /// A component's markup.
  public static func buildExpression<Part: Component>(_ component: Part) -> HTML { component.html }

  /// One part after the other.
  public static func buildBlock(_ parts: HTML...) -> HTML { buildArray(parts) }

  /// A single part, without a copy.
  public static func buildBlock(_ part: HTML) -> HTML { part }

  /// The parts of a loop.
  public static func buildArray(_ parts: [HTML]) -> HTML {
    HTML(nodes: parts.flatMap(\.nodes))
  }

  /// What an `if` without `else` gives.
  public static func buildOptional(_ part: HTML?) -> HTML { part ?? HTML() }

  /// The first branch.
  public static func buildEither(first part: HTML) -> HTML { part }

  /// The second branch.
  public static func buildEither(second part: HTML) -> HTML { part }
}
