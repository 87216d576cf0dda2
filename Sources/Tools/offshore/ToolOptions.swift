/// The values of options, from the command line and from the environment.
struct ToolOptions {
  /// An option and the variable that stands for it where it is not on the command line.
  struct Option {
    let name: String
    let variable: String
    /// Whether it takes several values, in a variable between commas or spaces.
    let isList: Bool

    init(_ name: String, _ variable: String, isList: Bool = false) {
      self.name = name
      self.variable = variable
      self.isList = isList
    }
  }

  /// What stands beside the options, in its order.
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]
  private var sources: [String: String] = [:]

  /// Reads arguments, and the environment for what they leave open. An empty variable says nothing.
  /// - Parameters:
  ///   - arguments: those after the command.
  ///   - options: those that the command has.
  /// - Throws: ``ToolError`` that names what it cannot make sense of.
  init(
    _ arguments: [String], _ options: [Option], environment: [String: String]
  ) throws(ToolError) {
    for option in options {
      guard let text = environment[option.variable], !text.isEmpty else { continue }
      sources[option.name] = option.variable
      values[option.name] =
        option.isList ? text.split { ", ".contains($0) }.map(String.init) : [text]
    }
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else {
        operands.append(argument)
        continue
      }
      guard let option = options.first(where: { $0.name == argument }) else {
        throw .usage("There is no option “\(argument)” here.")
      }
      try take(option, from: &rest)
    }
  }

  private mutating func take(
    _ option: Option, from rest: inout ArraySlice<String>
  ) throws(ToolError) {
    let found = rest.prefix(option.isList ? rest.count : 1).prefix { !$0.hasPrefix("-") }
    guard !found.isEmpty, found.allSatisfy({ !$0.isEmpty }) else {
      throw .usage("\(option.name) takes a value.")
    }
    rest = rest.dropFirst(found.count)
    let isFirst = sources[option.name] != option.name
    guard isFirst || option.isList else { throw .usage("\(option.name) is there twice.") }
    sources[option.name] = option.name
    values[option.name] = (isFirst ? [] : values[option.name] ?? []) + found
  }

  /// The values of an option, none where it is not given.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The value of an option, or `nil` where it is not given.
  func value(_ name: String) -> String? { values[name]?.first }

  /// The value of an option that has to be there.
  /// - Throws: ``ToolError`` where it is not.
  func required(_ name: String, _ meaning: String) throws(ToolError) -> String {
    guard let value = value(name) else {
      throw .usage("\(name) is missing: \(meaning).")
    }
    return value
  }

  /// Whether an option is `yes`, or `nil` where it is not given.
  /// - Throws: ``ToolError`` for anything but `yes` or `no`.
  func flag(_ name: String) throws(ToolError) -> Bool? {
    switch value(name) {
    case nil: nil
    case "yes": true
    case "no": false
    case let other?: throw .usage("\(source(of: name)) is yes or no, not “\(other)”.")
    }
  }

  /// Where the value of an option comes from, by which a person finds it: its name or a variable's.
  func source(of name: String) -> String { sources[name] ?? name }
}
