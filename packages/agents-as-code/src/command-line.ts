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

/** Adds `export`, `plan` and `apply` for agents as code. All three are clients of a running service. */
export function addFileCommands(
  program: Command,
  commands: FileCommands,
  json: (command: Command) => Command,
): void {
  service(json(program.command('export')))
    .description(
      'Export agents, connections, webhooks, budgets and phones of an organization as YAML, without secrets',
    )
    .option('--out <file>', 'New file; by default the YAML goes to standard output')
    .option('--set <name>', 'Name of the set of files', 'exported')
    .addHelpText(
      'after',
      `\nReplaces API keys and header values with variables such as \${env:OPENAI_API_KEY}. ${more}`,
    )
    .action((options) => commands.exportFiles(options))
  service(json(files(program.command('plan'))))
    .description('Preview the changes of parley apply; exit code 0: no changes, 2: changes, 1: error')
    .option('--out <file>', 'Also write the plan, without secrets, to a file for parley apply --plan')
    .addHelpText(
      'after',
      `\nThe service validates each change in a dry run, without changing anything. ${more}`,
    )
    .action((paths, options) => commands.planFiles(paths, options))
  service(json(files(program.command('apply'))))
    .description('Apply the files to the organization')
    .option('--plan <file>', 'Apply this plan; fail if anything has changed since it was made')
    .option(
      '--secrets-out <file>',
      'Append the signing secrets of new webhooks, which are shown only once, to this file',
    )
    .addHelpText(
      'after',
      `\nEach change applies to the version that was planned, so concurrent changes by others are never overwritten. ${more}`,
    )
    .action((paths, options) => commands.applyFiles(paths, options))
}

const more = 'See docs/reference/agents-as-code.md.'

function files(command: Command): Command {
  return variables(command)
    .argument('<paths...>', 'Files, or folders with .yaml files (except *.test.yaml)')
    .option('--prune', 'Delete what an earlier apply of this set created and the files no longer contain')
    .option('--take-over', 'Also change resources that belong to another set of files')
}

/** Adds `--env`, a repeatable option. */
export function variables(command: Command): Command {
  return command.option(
    '--env <name>',
    'Allow this variable in every field; secret fields accept every variable',
    (name: string, names: readonly string[] = []) => [...names, name],
  )
}

/** Adds the options of commands that are clients of a running service. */
export function service(command: Command): Command {
  return command
    .option('--url <address>', 'URL of the service; defaults to $PARLEY_URL or http://127.0.0.1:8080')
    .option('--org <id>', 'Organization ID; defaults to $PARLEY_ORG_ID')
    .option('--key <key>', 'API key; defaults to $PARLEY_API_KEY')
}
