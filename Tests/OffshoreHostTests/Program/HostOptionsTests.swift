import Foundation
import OffshorePresentation
import Testing

@testable import OffshoreHost

struct HostOptionsTests {
  private func options(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> HostOptions {
    try HostOptions(arguments, environment: environment, of: program)
  }

  /// A program with a command of its own.
  private let program = HostProgram(
    "memo-apps", apps: [MemoApp.named("memos")],
    commands: [HostCommand("count", "count", flags: ["--all"]) { _, _, _ in }])

  @Test func `Without arguments the folder follows the XDG rule and the port is 8080`() throws {
    let options = try options(environment: ["XDG_DATA_HOME": "/data"])
    #expect(options.home == "/data/offshore")
    #expect(options.port == 8080)
    #expect(!options.wantsHelp)
  }

  @Test func `A relative XDG folder is ignored`() throws {
    let options = try options(environment: ["XDG_DATA_HOME": "data"])
    #expect(options.home.hasSuffix("/.local/share/offshore"))
  }

  @Test func `Arguments come before the environment`() throws {
    let environment = ["OFFSHORE_HOME": "/elsewhere", "OFFSHORE_PORT": "9000"]
    #expect(try options(environment: environment).home == "/elsewhere")
    #expect(try options(environment: environment).port == 9000)
    let both = try options("--home", "/here", "--port", "0", environment: environment)
    #expect(both.home == "/here")
    #expect(both.port == 0)
  }

  @Test(
    arguments: [
      ["--port", "many"], ["--port", "65536"], ["--port", "-1"], ["--port"], ["--home"],
      ["--home", ""], ["--hom", "x"], ["extra"], ["--server"], ["--server", "boats"],
      ["--server", "ftp://boats.example.org"], ["--server", "https://"],
      ["--server", "http://boats.example.org"], ["--server", "http://192.168.1.2:8080"],
    ])
  func `An argument that is not valid is named by the error`(_ arguments: [String]) {
    let error = #expect(throws: HostError.self) {
      try HostOptions(arguments, environment: [:], of: program)
    }
    #expect(error?.description.contains(arguments[0]) == true)
  }

  @Test func `The environment has the first language`() throws {
    #expect(try options().language == .english)
    #expect(try options(environment: ["LANG": "de_DE.UTF-8"]).language == .english)
    #expect(try options(environment: ["LANG": "ru_RU.UTF-8"]).language == .russian)
  }

  @Test func `A command is the first argument, with its own flags and operands`() throws {
    #expect(try options().command == nil)
    let count = try options("count", "--all", "--port", "0")
    #expect(count.command == "count" && count.flags == ["--all"])
    #expect(try options("manifest", "memos").operands == ["memos"])
    for arguments in [
      ["--port", "0", "count"], ["--all"], ["count", "x"], ["manifest", "memos", "x"],
    ] {
      #expect(throws: HostError.self) {
        try HostOptions(arguments, environment: [:], of: program)
      }
    }
  }

  @Test func `A server is an address of the web`() throws {
    let address = "https://boats.example.org/sync"
    #expect(try options("--server", address).server?.absoluteString == address)
    let environment = ["OFFSHORE_SERVER": "http://127.0.0.1:9"]
    #expect(try options(environment: environment).server?.port == 9)
    #expect(try options().server == nil)
  }

  @Test func `Passwords go through no network unencrypted, and the error has the remedy`() throws {
    let error = #expect(throws: HostError.self) {
      try options("--server", "http://boats.example.org")
    }
    #expect(error?.description.contains("Use https:// for “boats.example.org”.") == true)
    #expect(throws: HostError.self) {
      try options(environment: ["OFFSHORE_SERVER": "http://boats.example.org"])
    }
    for host in ["127.0.0.1:9", "localhost", "[::1]:9"] {
      #expect(try options("--server", "http://\(host)").server != nil)
    }
  }

  @Test func `Help is an option of every command`() throws {
    #expect(try options("--help").wantsHelp)
    #expect(try options("-h").wantsHelp)
    #expect(try options("manifest", "--help").wantsHelp)
  }
}
