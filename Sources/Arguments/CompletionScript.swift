/// A shell that completions can be written for.
package enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish

    /// A script that asks `<command> --complete <words>` at every Tab, so that it never goes stale.
    package func completionScript(for command: String) -> String {
        switch self {
        case .bash: Self.bashScript(command)
        case .zsh: Self.zshScript(command)
        case .fish: Self.fishScript(command)
        }
    }

    private static func bashScript(_ command: String) -> String {
        """
        # bash completion for \(command)
        _\(identifier(command))() {
            local line word paths='' candidates=() current="${COMP_WORDS[COMP_CWORD]}"
            # Behind an open quote bash takes words as they are; elsewhere what it inserts has to be quoted.
            local quote=''
            case "$current" in
                [\\'\\"]*) quote="${current:0:1}" current="${current:1}" ;;
                *) current="${current//\\\\/}" ;;
            esac
            while IFS= read -r line; do
                case "$line" in
                    :*) paths="${line#:}" ;;
                    *) candidates+=("${line%%$'\\t'*}") ;;
                esac
            done < <("${COMP_WORDS[0]}" --complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current" 2>/dev/null)
            COMPREPLY=()
            for word in "${candidates[@]}"; do
                [[ -n "$quote" || "$paths" != none ]] || printf -v word %q "$word"
                COMPREPLY+=("$word")
            done
            case "$paths" in
                files) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current") ;;
                directories) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$current") ;;
            esac
        }
        complete -F _\(identifier(command)) \(command)

        """
    }

    private static func zshScript(_ command: String) -> String {
        """
        #compdef \(command)
        _\(identifier(command))() {
            local line word help paths=''
            local -a candidates
            while IFS= read -r line; do
                if [[ "$line" == :* ]]; then
                    paths="${line#:}"
                    continue
                fi
                word="${line%%$'\\t'*}"
                help=''
                [[ "$line" == *$'\\t'* ]] && help="${line#*$'\\t'}"
                candidates+=("${word//:/\\\\:}:$help")
            done < <("${words[1]}" --complete "${(@)words[2,CURRENT]}" 2>/dev/null)
            (( ${#candidates} )) && _describe '\(command)' candidates
            [[ "$paths" == files ]] && _files
            [[ "$paths" == directories ]] && _files -/
            return 0
        }
        if [[ "$funcstack[1]" == "_\(identifier(command))" ]]; then
            _\(identifier(command)) "$@"
        else
            compdef _\(identifier(command)) \(command)
        fi

        """
    }

    private static func fishScript(_ command: String) -> String {
        """
        # fish completion for \(command)
        function __\(identifier(command))_complete
            set -l words (commandline -opc) (commandline -ct)
            for line in ($words[1] --complete $words[2..-1] 2>/dev/null)
                switch $line
                    case ':files'
                        __fish_complete_path (commandline -ct)
                    case ':directories'
                        __fish_complete_directories (commandline -ct)
                    case ':*'
                    case '*'
                        echo $line
                end
            end
        end
        complete -c \(command) -f -a '(__\(identifier(command))_complete)'

        """
    }

    private static func identifier(_ command: String) -> String {
        String(command.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }
}
