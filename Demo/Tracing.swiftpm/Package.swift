// swift-tools-version: 6.0
import AppleProductTypes
import PackageDescription

let package = Package(
    name: "Tracing",
    platforms: [.iOS("16.0")],
    products: [
        .iOSApplication(
            name: "Tracing", targets: ["AppModule"], bundleIdentifier: "com.example.tracing", displayVersion: "1.0",
            bundleVersion: "1", appIcon: .placeholder(icon: .pencil), accentColor: .presetColor(.orange),
            supportedDeviceFamilies: [.pad, .phone],
            supportedInterfaceOrientations: [
                .portrait, .landscapeRight, .landscapeLeft, .portraitUpsideDown(.when(deviceFamilies: [.pad])),
            ])
    ],
    // A copy of this app that is not in the repository needs its address: .package(url: "https://…/tracer.git", from: "0.1.0").
    dependencies: [.package(name: "tracer", path: "../..")],
    targets: [
        .executableTarget(
            name: "AppModule",
            dependencies: [
                .product(name: "Tracer", package: "tracer"), .product(name: "TracerViews", package: "tracer"),
            ], path: ".")
    ]
)
