// snippet:doc https://developer.apple.com/documentation/foundation/jsondecoder JSONDecoder
// snippet:needs Swift 6
// snippet:prints Ulm 21.5 nil, Ulm 3.0 wet
// snippet:prints celsius is missing
// snippet:prints city is null, not a String
// snippet:prints celsius is not a Double
// snippet:prints the JSON is not a Dictionary<String, Any>
// snippet:prints true
import Foundation

struct Weather: Decodable {
    let city: String
    let celsius: Double
    let note: String? // missing or null
}

struct Problem: Error {
    let message: String
}

/// The weather, or a sentence that says what does not fit.
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
        throw Problem(message: "the JSON cannot be read: \(error.localizedDescription)")
    }
}

// snippet:check
func report(_ json: String) -> String {
    do {
        let weather = try weather(from: Data(json.utf8))
        return "\(weather.city) \(weather.celsius) \(weather.note ?? "nil")"
    } catch {
        return error.message
    }
}
print(report(#"{"city": "Ulm", "celsius": 21.5, "note": null}"#) + ", " + report(#"{"city": "Ulm", "celsius": 3, "note": "wet"}"#))
print(report(#"{"city": "Ulm"}"#))
print(report(#"{"city": null, "celsius": 1}"#))
print(report(#"{"city": "Ulm", "celsius": "1"}"#))
print(report("[]"))
print(report(#"{"city": "#).hasPrefix("the JSON cannot be read"))
