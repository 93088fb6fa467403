/// A shell with support for completions.
package enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish

    /// Returns a script that runs `<command> --complete <words>` for each completion, so completions always match the
    /// installed command.
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
            local line word prefix='' start='' paths='' words=() candidates=() files=() current="${COMP_WORDS[COMP_CWORD]}"
            # bash inserts candidates verbatim after an open quote; otherwise they must be quoted.
            local quote=''
            case "$current" in
                [\\'\\"]*) quote="${current:0:1}" current="${current:1}" ;;
                *) current="${current//\\\\/}" ;;
            esac
            # bash splits words at '=' and ':'; the command doesn't.
            for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current"; do
                if [[ ${#words[@]} -gt 0 && ( "$word" == = && "${words[-1]}" == --* || "${words[-1]}" == --*= ) ]] ||
                    [[ ${#words[@]} -gt 0 && "$COMP_WORDBREAKS" == *:* && ( "$word" == :* || "${words[-1]}" == *: ) ]]
                then
                    words[-1]+="$word"
                else
                    words+=("$word")
                fi
            done
            current="${words[-1]}"
            if [[ "${words[-1]}" == --*=* ]]; then
                current="${words[-1]#*=}"
                [[ "$COMP_WORDBREAKS" == *=* ]] || prefix="${words[-1]%%=*}="
            fi
            # bash replaces only the part after the last ':'.
            [[ -n "$quote" || "$COMP_WORDBREAKS" != *:* || "$current" != *:* ]] || start="$prefix${current%"${current##*:}"}"
            while IFS= read -r line; do
                case "$line" in
                    :*) paths="${line#:}" ;;
                    *) candidates+=("${line%%$'\\t'*}") ;;
                esac
            done < <("${COMP_WORDS[0]}" --complete "${words[@]}" 2>/dev/null)
            COMPREPLY=()
            for word in "${candidates[@]}"; do
                word="$prefix$word" word="${word#"$start"}"
                [[ -n "$quote" || "$paths" != none ]] || printf -v word %q "$word"
                COMPREPLY+=("$word")
            done
            case "$paths" in
                files) compopt -o filenames; mapfile -t files < <(compgen -P "$prefix" -f -- "$current") ;;
                directories) compopt -o filenames; mapfile -t files < <(compgen -P "$prefix" -d -- "$current") ;;
            esac
            COMPREPLY+=("${files[@]#"$start"}")
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
            [[ "${words[CURRENT]}" == --*=* ]] && compset -P '*='
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
            set -l typed (string replace -r '^--[^=]*=' '' -- $words[-1])
            set -l prefix (string replace -r '^(--[^=]*=)?.*' '$1' -- $words[-1])
            for line in ($words[1] --complete $words[2..-1] 2>/dev/null)
                switch $line
                    case ':files'
                        for path in (__fish_complete_path $typed)
                            echo $prefix$path
                        end
                    case ':directories'
                        for path in (__fish_complete_directories $typed)
                            echo $prefix$path
                        end
                    case ':*'
                    case '*'
                        echo $prefix$line
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
