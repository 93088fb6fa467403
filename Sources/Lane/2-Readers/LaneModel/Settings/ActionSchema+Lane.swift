extension ActionSchema {
    /// The action that runs another lane. A plan contains the steps of the lane instead.
    package static let lane = ActionSchema(
        "lane", "Run the steps of another lane; the 'parameters' of the step are the values of its parameters",
        shorthand: "name", settings: [SettingSchema("name", .string, "The name of the lane", isRequired: true)],
        example: """
            - lane: test
            - lane: deploy
              parameters: { target: staging }
            """)
}
