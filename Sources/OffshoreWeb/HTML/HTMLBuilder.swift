/// A builder that combines texts, elements, components, `if`, `switch`, and `for`.
@resultBuilder
public enum HTMLBuilder {
  /// Converts a text, which is escaped when it is written.
  public static func buildExpression(_ text: String) -> HTML { HTML(text) }

  /// Converts a text; `nil` becomes no markup.
  public static func buildExpression(_ text: String?) -> HTML { text.map { HTML($0) } ?? HTML() }

  /// Returns markup as it is.
  public static func buildExpression(_ html: HTML) -> HTML { html }

  /// Returns markup as it is; `nil` becomes no markup.
  public static func buildExpression(_ html: HTML?) -> HTML { html ?? HTML() }

  /// Returns a component's markup.
  public static func buildExpression<Part: Component>(_ component: Part) -> HTML { component.html }

  /// Joins the parts of a block.
  public static func buildBlock(_ parts: HTML...) -> HTML { buildArray(parts) }

  /// Returns a single part, without a copy.
  public static func buildBlock(_ part: HTML) -> HTML { part }

  /// Joins the parts of a loop.
  public static func buildArray(_ parts: [HTML]) -> HTML {
    HTML(nodes: parts.flatMap(\.nodes))
  }

  /// Returns the part of an `if` without `else`, or no markup.
  public static func buildOptional(_ part: HTML?) -> HTML { part ?? HTML() }

  /// Returns the first branch.
  public static func buildEither(first part: HTML) -> HTML { part }

  /// Returns the second branch.
  public static func buildEither(second part: HTML) -> HTML { part }
}
