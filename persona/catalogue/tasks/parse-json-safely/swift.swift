// snippet:doc https://developer.apple.com/documentation/foundation/jsondecoder JSONDecoder
import Foundation

struct Weather: Decodable {
    let city: String
    let celsius: Double
    var note: String?
}

/// The weather, or a sentence that says where and why the JSON does not fit.
func weather(from json: Data) -> Result<Weather, Problem> {
    do {
        return .success(try JSONDecoder().decode(Weather.self, from: json))
    } catch DecodingError.keyNotFound(let key, _) {
        return .failure(Problem(message: "\(key.stringValue) is missing"))
    } catch DecodingError.typeMismatch(let type, let context) {
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return .failure(Problem(message: "\(path) is no \(type)"))
    } catch {
        return .failure(Problem(message: "this is no JSON: \(error.localizedDescription)"))
    }
}

struct Problem: Error {
    let message: String
}
