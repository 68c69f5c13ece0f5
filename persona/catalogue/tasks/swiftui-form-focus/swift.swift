// snippet:doc https://developer.apple.com/documentation/swiftui/focusstate FocusState
// snippet:about SwiftUI
// snippet:needs iOS 17
import SwiftUI

struct SignUp: View {
    enum Field { case name, email }
    let send: (String, String) -> Void
    @State private var name = ""
    @State private var email = ""
    @State private var left: Set<Field> = []
    @FocusState private var focus: Field?

    private var address: String { email.trimmingCharacters(in: .whitespaces) } // keyboards add a space
    private var wrong: Field? {
        if name.trimmingCharacters(in: .whitespaces).isEmpty { return .name }
        return address.wholeMatch(of: #/[^\s@]+@[^\s@]+/#) == nil ? .email : nil
    }

    var body: some View {
        Form {
            TextField("Name", text: $name).focused($focus, equals: .name).textContentType(.name)
            TextField("E-mail", text: $email).focused($focus, equals: .email).textContentType(.emailAddress)
                .keyboardType(.emailAddress).textInputAutocapitalization(.never)
            if let wrong, left.contains(wrong) { Text(wrong == .name ? "Your name?" : "Like ada@example.com") }
            Button("Sign up") { submit() }
        }
        .onSubmit { if focus == .name { focus = .email } else { submit() } }
        .onChange(of: focus) { old, _ in if let old { left.insert(old) } }
    }

    private func submit() {
        if let wrong { left.insert(wrong); focus = wrong } else { send(name, address) }
    }
}
