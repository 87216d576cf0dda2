import CLCMS

/// Color profiles whose effect is obvious.
enum TestProfiles {
  /// A profile like sRGB in which red is green and green is red.
  static func exchangedColors() -> [UInt8] {
    var primaries = cmsCIExyYTRIPLE(
      Red: cmsCIExyY(x: 0.30, y: 0.60, Y: 1), Green: cmsCIExyY(x: 0.64, y: 0.33, Y: 1),
      Blue: cmsCIExyY(x: 0.15, y: 0.06, Y: 1))
    let curve = cmsBuildGamma(nil, 2.2)
    defer { cmsFreeToneCurve(curve) }
    var white = Self.white
    return bytes(cmsCreateRGBProfile(&white, &primaries, [curve, curve, curve]))
  }

  /// A profile of gray whose values are proportional to light.
  static func linearGray() -> [UInt8] {
    let curve = cmsBuildGamma(nil, 1)
    defer { cmsFreeToneCurve(curve) }
    var white = cmsCIExyY(x: 0.3457, y: 0.3585, Y: 1)
    return bytes(cmsCreateGrayProfile(&white, curve))
  }

  /// The white of sRGB, D65.
  private static let white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)

  private static func bytes(_ profile: cmsHPROFILE?) -> [UInt8] {
    defer { cmsCloseProfile(profile) }
    var count: cmsUInt32Number = 0
    cmsSaveProfileToMem(profile, nil, &count)
    var bytes = [UInt8](repeating: 0, count: Int(count))
    cmsSaveProfileToMem(profile, &bytes, &count)
    return bytes
  }
}
