// `ampersat completion`: a completion script for a shell, written from the commands themselves.
import { Argument, type Command, type Option } from 'commander';
import { type Shell, writeLine } from './shell.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type ShellName = (typeof SHELLS)[number];

export function addCompletion(program: Command, shell: Shell): void {
  program
    .command('completion')
    .description('Print a shell completion script')
    .addArgument(new Argument('<shell>', 'Your shell').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  source <(ampersat completion bash)      in ~/.bashrc
  source <(ampersat completion zsh)       in ~/.zshrc, behind compinit
  ampersat completion fish | source       in ~/.config/fish/config.fish`,
    )
    .action((name: ShellName) => writeLine(shell, SCRIPTS[name](placesOf(program))));
}

/** A point on the command line: `words` are the commands that lead there, `options` those that are its own. */
type Place = { words: string[]; commands: Command[]; values: string[]; options: Option[] };

function placesOf(command: Command, words: string[] = []): Place[] {
  const values = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const options = command.options.filter(({ long, hidden }) => long && !hidden);
  const place = { words, commands: [...command.commands], values, options };
  return [place, ...command.commands.flatMap((one) => placesOf(one, [...words, one.name()]))];
}

const longs = (options: Option[]) => options.map(({ long }) => long ?? '');
const takesValue = ({ required, optional }: Option) => required || optional;
const isFolder = ({ flags }: Option) => flags.includes('<folder>');

/** Options of the program itself work in every command. */
function bash([top, ...places]: Place[]): string {
  const everywhere = top?.options ?? [];
  const known = places.map(({ words }) => `"${words.join(' ')}"`).join('|');
  const own = places.flatMap(({ words, options }) =>
    options.filter(takesValue).map((option) => `    "${words.join(' ')} ${option.long}") ${bashValue(option)} ;;`),
  );
  const anywhere = everywhere.filter(takesValue).map((option) => `    *" ${option.long}") ${bashValue(option)} ;;`);
  const words = [...(top ? [top] : []), ...places].map(({ words: path, commands, values, options }) => {
    const next = [...commands.map((one) => one.name()), ...values, ...longs(path.length > 0 ? options : [])];
    return `    "${path.join(' ')}") words="${next.join(' ')}" ;;`;
  });
  return `# ampersat: completion for bash
_ampersat() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" next i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${path:+$path }\${COMP_WORDS[i]}"
    case "$next" in
      ${known}) path="$next" ;;
    esac
  done
  COMPREPLY=()
  case "$path $prev" in
${[...own, ...anywhere].join('\n')}
  esac
  case "$path" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words ${[...longs(everywhere), '--help'].join(' ')}" -- "$cur"))
}
complete -F _ampersat ampersat`;
}

function bashValue(option: Option): string {
  if (isFolder(option)) return 'COMPREPLY=($(compgen -d -- "$cur")); return';
  return option.argChoices ? `COMPREPLY=($(compgen -W "${option.argChoices.join(' ')}" -- "$cur")); return` : 'return';
}

/** zsh has bash’s way of completing beside its own, and with it the script for bash. */
function zsh(places: Place[]): string {
  return `# ampersat: completion for zsh
autoload -U +X bashcompinit && bashcompinit
${bash(places)}`;
}

function fish([top, ...places]: Place[]): string {
  const lines = [...(top ? [{ ...top, options: [] }] : []), ...places].flatMap(
    ({ words, commands, values, options }) => {
      const here = `-n "__ampersat_at '${words.join(' ')}'"`;
      return [
        ...commands.map((one) => `complete -c ampersat -f ${here} -a ${one.name()} -d '${said(one.description())}'`),
        ...(values.length > 0 ? [`complete -c ampersat -f ${here} -a '${values.join(' ')}'`] : []),
        ...options.map((option) => `complete -c ampersat ${here} ${fishOption(option)}`),
      ];
    },
  );
  return `# ampersat: completion for fish
function __ampersat_at
  set -l path
  for word in (commandline -opc)[2..]
    if contains -- (string join -- ' ' $path $word) ${places.map(({ words }) => `'${words.join(' ')}'`).join(' ')}
      set path $path $word
    end
  end
  test "$path" = "$argv[1]"
end
complete -c ampersat -f
complete -c ampersat -l help -f -d 'Show help'
${[...(top?.options ?? []).map((option) => `complete -c ampersat ${fishOption(option)}`), ...lines].join('\n')}`;
}

function fishOption(option: Option): string {
  const values = option.argChoices ? ` -a '${option.argChoices.join(' ')}'` : '';
  const takes = takesValue(option) ? `${isFolder(option) ? '-r -F' : '-x'}${values}` : '-f';
  return `-l ${option.long?.slice(2)} ${takes} -d '${said(option.description)}'`;
}

/** One sentence on one line, for a shell’s own quotes. */
const said = (text: string) => text.replace(/\s+/g, ' ').replace(/['\\]/g, '’');

const SCRIPTS: Record<ShellName, (places: Place[]) => string> = { bash, zsh, fish };
