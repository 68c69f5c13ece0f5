// snippet:doc https://kotlinlang.org/docs/collections-overview.html Kotlin collections
// snippet:needs Kotlin 1.6
data class SignUp(val name: String, val email: String, val password: String)

private val EMAIL = Regex("""[^@\s]+@[^@\s.]+(\.[^@\s.]+)+""")

/** Every problem by field, in the order of the form. Empty means valid. */
fun SignUp.problems(): Map<String, List<String>> = buildMap {
    fun check(field: String, vararg rules: Pair<Boolean, String>) {
        val broken = rules.filterNot { (holds, _) -> holds }.map { (_, message) -> message }
        if (broken.isNotEmpty()) put(field, broken)
    }
    check("name", name.isNotBlank() to "Please tell us your name.")
    check(
        "email",
        (email.length <= 254 && EMAIL.matches(email)) to "Write it like ada@example.com, in at most 254 characters.",
    )
    check(
        "password",
        (password.codePointCount(0, password.length) >= 12) to "Use at least 12 characters.",
        (password.isEmpty() || password != email) to "Do not use your address.",
    )
}
// snippet:usage
// snippet:prints name: [Please tell us your name.]
// snippet:prints email: [Write it like ada@example.com, in at most 254 characters.]
// snippet:prints password: [Use at least 12 characters., Do not use your address.]
// snippet:prints {}
fun main() {
    SignUp(" ", "ada@", "ada@").problems().forEach { (field, messages) -> println("$field: $messages") }
    println(SignUp("Ada", "ada@example.com", "correct horse battery").problems())
    // snippet:check
    check("email" in SignUp("Ada", "a@b" + ".b".repeat(9999), "correct horse battery").problems())
    // snippet:usage
}
