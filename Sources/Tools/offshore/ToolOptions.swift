import Offshore
import OffshoreHTTP
import OffshoreServer
import OffshoreWire

/// The values of options, from the command line and from the environment.
struct ToolOptions {
  /// An option, and the environment variable that is used if the option is not given.
  struct Option {
    let name: String
    let variable: String
    /// Whether the option has several values. In the variable, commas or spaces separate them.
    let isList: Bool
    /// Whether the option has no value: it is given or not.
    let isSwitch: Bool

    init(_ name: String, _ variable: String, isList: Bool = false) {
      (self.name, self.variable, self.isList, isSwitch) = (name, variable, isList, false)
    }

    /// Creates an option without a value, which no variable replaces.
    init(switch name: String) { (self.name, variable, isList, isSwitch) = (name, "", false, true) }
  }

  /// The arguments that do not belong to an option, in their order.
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]
  private var sources: [String: String] = [:]

  /// Parses arguments, and the environment for options that are not given. An empty variable is
  /// ignored.
  /// - Parameters:
  ///   - arguments: the arguments after the command.
  ///   - options: the options of the command.
  ///   - environment: the environment of the process.
  /// - Throws: ``ToolError`` if an option is unknown, repeated or without a value.
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
      try parse(option, from: &rest)
    }
  }

  private mutating func parse(
    _ option: Option, from rest: inout ArraySlice<String>
  ) throws(ToolError) {
    if option.isSwitch {
      values[option.name] = []
      return
    }
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

  /// Returns whether an option is given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// Returns the values of an option, which are empty if it is not given.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// Returns the value of an option, or `nil` if it is not given.
  func value(_ name: String) -> String? { values[name]?.first }

  /// Returns the value of a required option.
  /// - Throws: ``ToolError`` if it is not given.
  func required(_ name: String, _ meaning: String) throws(ToolError) -> String {
    guard let value = value(name) else {
      throw .usage("\(name) is missing: \(meaning).")
    }
    return value
  }

  /// Returns whether an option is `yes`, or `nil` if it is not given.
  /// - Throws: ``ToolError`` if the value is not `yes` or `no`.
  func flag(_ name: String) throws(ToolError) -> Bool? {
    switch value(name) {
    case nil: nil
    case "yes": true
    case "no": false
    case let other?: throw .usage("\(source(of: name)) is yes or no, not “\(other)”.")
    }
  }

  /// Returns the source of an option's value for messages: the name of the option or of the
  /// variable.
  func source(of name: String) -> String { sources[name] ?? name }
}

/// The reason why the tool failed, and the remedy.
struct ToolError: Error, Equatable, CustomStringConvertible {
  /// The exit status of the process.
  enum Status: Int32 {
    case failure = 1
    /// The command line is invalid.
    case usage = 2
  }

  let status: Status
  let description: String

  init(_ description: String, status: Status = .failure) {
    self.description = description
    self.status = status
  }

  /// Creates an error for an invalid command line.
  static func usage(_ description: String) -> ToolError {
    ToolError("\(description) See offshore --help.", status: .usage)
  }
}

extension ToolError {
  /// Creates the error that the tool prints for an error of the modules.
  init(_ error: any Error) {
    switch error {
    case let error as ToolError: self = error
    case let error as HTTPServerError where error.code == .certificateInvalid:
      self.init(error.message)
    case let error as HTTPServerError: self.init("\(error.message) Say where by --listen.")
    case let error as WireError:
      self.init("The manifest cannot be used. \(error.message)\(Self.place(error))")
    case let error as AccountError: self.init(error.message)
    case let error as DatabaseError: self.init(error.message)
    default: self.init("\(error)")
    }
  }

  private static func place(_ error: WireError) -> String {
    error.place.map { " (\($0))" } ?? ""
  }
}
