// snippet:doc https://developer.apple.com/documentation/foundation/jsondecoder JSONDecoder
import Foundation

struct Weather: Decodable {
    let city: String
    let celsius: Double
    let note: String? // missing or null
}

struct Problem: Error {
    let message: String
}

/// The weather, or a sentence that says where and why the JSON does not fit.
func weather(from json: Data) throws(Problem) -> Weather {
    func path(_ context: DecodingError.Context) -> String {
        context.codingPath.isEmpty ? "the JSON" : context.codingPath.map(\.stringValue).joined(separator: ".")
    }
    do {
        return try JSONDecoder().decode(Weather.self, from: json)
    } catch DecodingError.keyNotFound(let key, _) {
        throw Problem(message: "\(key.stringValue) is missing")
    } catch DecodingError.valueNotFound(let type, let context) {
        throw Problem(message: "\(path(context)) is null, not a \(type)")
    } catch DecodingError.typeMismatch(let type, let context) {
        throw Problem(message: "\(path(context)) is not a \(type)")
    } catch {
        throw Problem(message: "this is not JSON: \(error.localizedDescription)")
    }
}
