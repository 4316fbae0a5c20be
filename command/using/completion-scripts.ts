/**
 * The completion scripts of shells for `gloss`. A script calls `gloss complete` with the words up to the cursor. That
 * prints a line for each completion of the last word, with a description after a tab, and fails for names of files.
 */

/**
 * bash also splits words at : and =. The script joins parts without a blank between them, and returns only the part of a
 * completion after the last of these characters.
 */
const BASH = String.raw`# Completion of gloss for bash: source <(gloss completion bash)
_gloss() {
  local rest=\${COMP_LINE:0:COMP_POINT} words=() word whole cut='' quote='' lines text i
  COMPREPLY=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((i > 0)) && [[ -n $rest && $rest != [[:blank:]]* ]]; then
      # The cursor may be within the word.
      [[ $rest == "$word"* ]] || word=$rest
      cut=$whole
      [[ $word != [:=] ]] || cut+=$word
      whole+=$word
      words[\${#words[@]} - 1]=$whole
    else
      rest=\${rest#"\${rest%%[![:blank:]]*}"}
      [[ $rest == "$word"* ]] || word=$rest
      cut='' whole=$word
      words+=("$word")
    fi
    rest=\${rest#"$word"}
  done
  for ((i = 1; i < \${#words[@]}; i++)); do
    word=\${words[i]}
    quote=''
    case $word in
      \'* | \"*) quote=\${word:0:1} word=\${word:1} word=\${word%"$quote"} cut='' ;;
      *) word=\${word//\\/} ;;
    esac
    words[i]=$word
  done
  lines=$(gloss complete -- "\${words[@]:1}" 2>/dev/null) || { compopt -o default; return; }
  while IFS=$'\t' read -r text _; do
    [[ -n $text ]] || continue
    text=\${text#"$cut"}
    [[ -n $quote ]] || printf -v text %q "$text"
    COMPREPLY+=("$text")
  done <<<"$lines"
  if [[ \${#COMPREPLY[@]} == 1 && $COMPREPLY == *= ]]; then compopt -o nospace; fi
}
complete -F _gloss gloss
`.replaceAll('\\$', '$')

const ZSH = String.raw`#compdef gloss
# Completion of gloss for zsh: source <(gloss completion zsh)
_gloss() {
  local output line
  local -a texts shown
  output=$(gloss complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null) || { _files; return }
  for line in "\${(@f)output}"; do
    [[ -n $line ]] || continue
    texts+=("\${line%%$'\t'*}")
    shown+=("\${line/$'\t'/  -- }")
  done
  (( $#texts )) || return 1
  if [[ $texts[1] == *= ]]; then compadd -S '' -d shown -a texts; else compadd -d shown -a texts; fi
}
compdef _gloss gloss
`.replaceAll('\\$', '$')

const FISH = String.raw`# Completion of gloss for fish: gloss completion fish | source
function __gloss_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct | string replace -r '^[\'"]' '')
    set -l found (gloss complete -- $words[2..] "$current" 2>/dev/null)
    or begin
        __fish_complete_path "$current"
        return
    end
    printf '%s\n' $found
end
complete -c gloss -f -a '(__gloss_complete)'
`

/** The script of each shell. */
export const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['bash', BASH],
  ['zsh', ZSH],
  ['fish', FISH],
])
