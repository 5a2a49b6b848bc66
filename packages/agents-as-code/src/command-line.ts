import type { Command } from 'commander'
import type { FilesOptions, ServiceOptions } from './commands.js'

export interface FileCommands {
  exportFiles(options: ServiceOptions & { readonly out?: string; readonly set: string }): Promise<void>
  planFiles(paths: readonly string[], options: FilesOptions & { readonly out?: string }): Promise<void>
  applyFiles(
    paths: readonly string[],
    options: FilesOptions & { readonly plan?: string; readonly secretsOut?: string },
  ): Promise<void>
}

/** Agents as code: `export`, `plan` and `apply`. These commands are clients of a running service. */
export function addFileCommands(
  program: Command,
  commands: FileCommands,
  json: (command: Command) => Command,
): void {
  service(json(program.command('export')))
    .description(
      'write agents, connections, webhooks and budgets of an organization as YAML, without secrets',
    )
    .option('--out <file>', 'a new file; standard output if left out')
    .option('--set <name>', 'what the files are called together', 'exported')
    .addHelpText('after', `\nKeys and header values become variables such as \${env:OPENAI_API_KEY}. ${more}`)
    .action((options) => commands.exportFiles(options))
  service(json(files(program.command('plan'))))
    .description(
      'show what parley apply would do; exit code 0 if nothing, 2 if something, 1 if it cannot be told',
    )
    .option('--out <file>', 'write the plan for parley apply --plan as well; no secret is in it')
    .addHelpText('after', `\nWhat differs is tried on the service, which changes nothing by it. ${more}`)
    .action((paths, options) => commands.planFiles(paths, options))
  service(json(files(program.command('apply'))))
    .description('make the organization what the files say')
    .option('--plan <file>', 'do this plan and no other: refuse where something has changed since')
    .option(
      '--secrets-out <file>',
      'append the signing secrets of new webhooks, which are told once, to this file',
    )
    .addHelpText(
      'after',
      `\nEach change is made to the version that was looked at: what others have changed meanwhile is not overwritten. ${more}`,
    )
    .action((paths, options) => commands.applyFiles(paths, options))
}

const more = 'See docs/reference/agents-as-code.md.'

function files(command: Command): Command {
  return variables(command)
    .argument('<paths...>', 'files, or folders with .yaml files (*.test.yaml excepted)')
    .option('--prune', 'delete what an earlier apply of this set has made and the files no longer name')
    .option('--take-over', 'also change what another set of files keeps')
}

/** Adds `--env`, which may be given several times. */
export function variables(command: Command): Command {
  return command.option(
    '--env <name>',
    'allow this variable in every field; fields for secrets take all variables',
    (name: string, names: readonly string[] = []) => [...names, name],
  )
}

/** The options of commands that are clients of a running service. */
export function service(command: Command): Command {
  return command
    .option('--url <address>', 'where the service is', 'http://127.0.0.1:8080')
    .option('--org <id>', 'your organization, else $ORG')
    .option('--key <key>', 'your API key, else $KEY')
}
