/// Returns an environment in which `git` works on the current directory in English, regardless of a surrounding hook,
/// the user's language and variables.
package func gitEnvironment(_ environment: [String: String]) -> [String: String] {
    var own = environment
    // In a hook, git would otherwise use the hook's index and repository.
    for name in [
        "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_PREFIX",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_EXTERNAL_DIFF", "GIT_QUARANTINE_PATH", "GIT_CONFIG",
        "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE",
        "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
    ] { own[name] = nil }
    own["LC_ALL"] = "C"
    own["GIT_TERMINAL_PROMPT"] = "0"
    own["GIT_OPTIONAL_LOCKS"] = "0"
    own["GIT_EDITOR"] = "true"
    return own
}
