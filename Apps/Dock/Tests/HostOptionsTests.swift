import Foundation
import OffshorePresentation
import Testing

@testable import offshore_apps

struct HostOptionsTests {
  private func options(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> HostOptions {
    try HostOptions(arguments, environment: environment)
  }

  @Test("Without arguments the folder follows the XDG rule and the port is the usual one")
  func defaults() throws {
    let options = try options(environment: ["XDG_DATA_HOME": "/data"])
    #expect(options.home == "/data/offshore")
    #expect(options.port == 8080)
    #expect(!options.wantsHelp)
  }

  @Test("A relative XDG folder is ignored, as the rule says")
  func relativeFolder() throws {
    let options = try options(environment: ["XDG_DATA_HOME": "data"])
    #expect(options.home.hasSuffix("/.local/share/offshore"))
  }

  @Test("Arguments come before the environment")
  func precedence() throws {
    let environment = ["OFFSHORE_HOME": "/elsewhere", "OFFSHORE_PORT": "9000"]
    #expect(try options(environment: environment).home == "/elsewhere")
    #expect(try options(environment: environment).port == 9000)
    let both = try options("--home", "/here", "--port", "0", environment: environment)
    #expect(both.home == "/here")
    #expect(both.port == 0)
  }

  @Test(
    "What makes no sense is refused by name",
    arguments: [
      ["--port", "many"], ["--port", "65536"], ["--port", "-1"], ["--port"], ["--home"],
      ["--home", ""], ["--hom", "x"], ["extra"], ["--server"], ["--server", "boats"],
      ["--server", "ftp://boats.example.org"], ["--server", "https://"],
      ["--server", "http://boats.example.org"], ["--server", "http://192.168.1.2:8080"],
    ])
  func refusals(_ arguments: [String]) {
    let error = #expect(throws: HostError.self) { try HostOptions(arguments, environment: [:]) }
    #expect(error?.description.contains(arguments[0]) == true)
  }

  @Test("The environment says what to speak at first")
  func language() throws {
    #expect(try options().language == .english)
    #expect(try options(environment: ["LANG": "ru_RU.UTF-8"]).language == .russian)
  }

  @Test("What is run stands first")
  func program() throws {
    #expect(try options().program == .device)
    #expect(try options("dock", "--port", "0").program == .dock)
    #expect(try options("manifest").program == .manifest)
    #expect(throws: HostError.self) { try options("--port", "0", "dock") }
  }

  @Test("A server is an address of the web")
  func server() throws {
    let address = "https://boats.example.org/sync"
    #expect(try options("--server", address).server?.absoluteString == address)
    let environment = ["OFFSHORE_SERVER": "http://127.0.0.1:9"]
    #expect(try options(environment: environment).server?.port == 9)
    #expect(try options().server == nil)
  }

  @Test("Passwords go through no network in the clear, and the way out is said")
  func clearText() throws {
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

  @Test("A dock has a server of its own")
  func dockServer() throws {
    let error = #expect(throws: HostError.self) {
      try options("dock", "--server", "https://boats.example.org")
    }
    #expect(error?.description.contains("A dock has a server of its own.") == true)
  }

  @Test("Help is understood")
  func help() throws {
    #expect(try options("--help").wantsHelp)
    #expect(try options("-h").wantsHelp)
  }
}
