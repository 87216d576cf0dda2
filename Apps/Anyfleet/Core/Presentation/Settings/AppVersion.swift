/// Which version of the app this is.
public enum AppVersion {
  /// The version, by [Semantic Versioning](https://semver.org/spec/v2.0.0.html).
  public static let current = "0.1.0"
}
