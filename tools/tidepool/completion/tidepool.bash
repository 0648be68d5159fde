# Completion of tidepool in bash. The program itself names the candidates, so this script knows no verb and no option.

_tidepool() {
  local -a words=()
  local i word line joined=
  # bash splits words at = and :, the program expects them whole.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ ${#words[@]} -gt 0 && ( -n $joined || $word == [=:] ) ]]; then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    joined=
    [[ $word == [=:] ]] && joined=1
  done
  local typed=${words[${#words[@]} - 1]}
  # What lies before the last = or : is not replaced by bash, so it is not part of the answer.
  local kept=${typed%"${typed##*[=:]}"}
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files | :folders)
        compopt -o filenames 2>/dev/null
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(
          if [[ $line == :files ]]; then compgen -f -- "${typed#"$kept"}"; else compgen -d -- "${typed#"$kept"}"; fi
        )
        ;;
      *)
        word=${line%%$'\t'*}
        COMPREPLY+=("${word#"$kept"}")
        ;;
    esac
  done < <("${COMP_WORDS[0]}" __complete "${words[@]}" 2>/dev/null)
}

complete -F _tidepool tidepool
