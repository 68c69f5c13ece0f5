// snippet:doc https://swiftpackageindex.com/apple/swift-argument-parser/documentation/argumentparser Swift Argument Parser
// snippet:into Put it into Resize.swift of a package that depends on swift-argument-parser.
import ArgumentParser
import Foundation

@main
struct Resize: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Scales the images of an asset folder.")

    @Argument(help: "The folder to work on.")
    var folder: String

    @Option(name: .shortAndLong, help: "The longest side in pixels.")
    var size = 1024

    @Flag(name: .shortAndLong, help: "Only say what would be done.")
    var dryRun = false

    // A ValidationError prints its message and the usage, and ends with code 64.
    func validate() throws {
        guard (1...16_384).contains(size) else {
            throw ValidationError("--size must be between 1 and 16384.")
        }
    }

    func run() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            print(dryRun ? "would scale \(name)" : "scaling \(name) to \(size) px")
        }
    }
}
