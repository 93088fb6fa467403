/// The contexts that have no values at a location in a lane file, with the reasons.
package struct ExcludedContexts {
    // The keys are strings, because a dictionary with a key type of its own makes the runtime search all conformances of
    // the program, at each start.
    private var reasons: [String: String] = [:]

    /// The reason why a context has no values, or `nil` if it has values.
    package subscript(context: ContextName) -> String? {
        get { reasons[context.rawValue] }
        set { reasons[context.rawValue] = newValue }
    }
}
