import { addTestCommand, type TestCommands } from '@parley/agent-tests/command-line'
import { addFileCommands, type FileCommands, service } from '@parley/agents-as-code/command-line'
import { delegatedScopes, scopes } from '@parley/contract'
import { Command } from 'commander'
import type { KeyOptions } from './keys.js'
import type { AuthorizeOptions } from './mcp/authorize.js'

interface Common {
  readonly json?: boolean
}

/** The actions behind the commands. The command line only parses arguments. */
export interface Commands extends FileCommands, TestCommands {
  start(): Promise<void>
  talk(args: readonly string[]): Promise<void>
  listOrganizations(common: Common): Promise<void>
  createOrganization(options: Common & { readonly name: string }): Promise<void>
  exportOrganization(id: string, folder: string, common: Common): Promise<void>
  deleteOrganization(id: string, options: Common & { readonly yes?: boolean }): Promise<void>
  listKeys(options: Common & { readonly org?: string }): Promise<void>
  createKey(options: Common & KeyOptions): Promise<void>
  deleteKey(id: string, common: Common): Promise<void>
  createOwnerLink(options: Common & { readonly org?: string }): Promise<void>
  releasePerson(email: string, common: Common): Promise<void>
  unlockPerson(email: string, common: Common): Promise<void>
  diagnose(options: Common & { readonly settings?: boolean }): Promise<void>
  checkUpgrade(common: Common): Promise<void>
  backUp(file: string, common: Common): Promise<void>
  restore(file: string, common: Common): Promise<void>
  rotateSecret(common: Common): Promise<void>
  authorizeMcpServer(serverUrl: string, options: AuthorizeOptions): Promise<void>
  verifyAuditLog(file: string, options: Common & { readonly head: string }): Promise<void>
}

/** Defines every command, its options and its help. */
export function makeProgram(commands: Commands, version: string): Command {
  const program = new Command('parley')
    .description(
      'Start and operate a Parley service: organizations, API keys, backups, agents as code.\n' +
        'Works with the embedded database and with PostgreSQL, whether or not the service is running.',
    )
    .version(version, '-v, --version', 'Print the version')
    .helpOption('-h, --help', 'Print help')
    .helpCommand('help [command]', 'Print help for a command')
    .showSuggestionAfterError(true)
    .addHelpText('after', footer)

  program
    .command('start')
    .description('Start the service (same as npm start)')
    .addHelpText(
      'after',
      '\nThe first start creates an organization and an API key, and prints both once. Settings are read from the\n' +
        'environment and from .env next to package.json (docs/reference/configuration.md). Press Ctrl-C or send SIGTERM\n' +
        'to shut down gracefully.',
    )
    .action(() => commands.start())

  program
    .command('talk')
    .description('Talk to an agent in this terminal (same as npm run talk; see parley talk --help)')
    .argument('[options...]')
    .allowUnknownOption()
    .action((args: readonly string[]) => commands.talk(args))

  addOrganizationCommands(program, commands)
  addKeyCommands(program, commands)
  addPeopleCommands(program, commands)
  addMcpCommands(program, commands)
  json(program.command('doctor'))
    .description(
      'Check settings, database, Redis, port, clock, speech and provider; exit code 1 if a check fails',
    )
    .option('--settings', 'Also list every setting and its source; secrets appear as set or unset')
    .addHelpText(
      'after',
      '\nPrints one line for each check: ok, warn or WRONG, with what to do next. Changes nothing. With --json, the\n' +
        'output always contains the settings.',
    )
    .action((options: Common & { settings?: boolean }) => commands.diagnose(options))
  json(program.command('upgrade'))
    .description(
      'Check whether this version can upgrade the installation; exit code 1 if it must not be started',
    )
    .requiredOption('--check', 'Check only; parley start runs the upgrade')
    .action((options: Common) => commands.checkUpgrade(options))
  addFileCommands(program, commands, json)
  addTestCommand(program, commands, json)
  addDataCommands(program, commands)
  addAuditCommands(program, commands)
  nameHelp(program, 'parley')
  return program
}

/** Makes a usage error refer to the help of its own command. */
function nameHelp(command: Command, path: string): void {
  command.showHelpAfterError(`Run ${path} --help for usage.`)
  for (const below of command.commands) nameHelp(below, `${path} ${below.name()}`)
}

function addDataCommands(program: Command, commands: Commands): void {
  json(program.command('backup'))
    .description('Back up the embedded database to a file, even while the service is running')
    .argument('<file>', 'New file; an existing file is not overwritten')
    .addHelpText(
      'after',
      '\nThe backup is a consistent snapshot that only its owner can read. It includes a secret that Parley generated,\n' +
        'but not your own PARLEY_SECRET. With PostgreSQL, the command prints the pg_dump command to use.',
    )
    .action((file: string, options: Common) => commands.backUp(file, options))
  json(program.command('restore'))
    .description('Restore a backup into a data directory without a database; no service may be running on it')
    .argument('<file>', 'Backup file written by parley backup')
    .action((file: string, options: Common) => commands.restore(file, options))
  json(
    program.command('secret').description('Manage the secret that encrypts stored secrets').command('rotate'),
  )
    .description(
      'Encrypt all stored secrets with a new secret; run it again to finish an interrupted rotation',
    )
    .addHelpText(
      'after',
      '\nA generated secret in the data directory is replaced automatically. To replace your own PARLEY_SECRET, set it to\n' +
        'the new secret and PARLEY_SECRET_PREVIOUS to the old one, for every instance and for this command. Restart the\n' +
        'instances, run this command, then unset PARLEY_SECRET_PREVIOUS. The service keeps running throughout.',
    )
    .action((options: Common) => commands.rotateSecret(options))
}

function addAuditCommands(program: Command, commands: Commands): void {
  json(program.command('audit').description('Work with exported audit logs').command('verify'))
    .description(
      'Verify an exported audit log against its head, without the database; exit code 1 if it is invalid',
    )
    .argument('<file>', 'Export of the whole log with Format=ndjson')
    .requiredOption('--head <file>', 'Head that was read before the export: GET /api/v1/AuditLog/head')
    .addHelpText(
      'after',
      '\nNeeds the secret of the service that wrote the log: PARLEY_SECRET, or the secret in the data directory.\n' +
        'If an older secret sealed part of the log, the command reads the key of that secret from the database.',
    )
    .action((file: string, options: Common & { head: string }) => commands.verifyAuditLog(file, options))
}

function addOrganizationCommands(program: Command, commands: Commands): void {
  const org = program.command('org').description('Manage organizations')
  json(org.command('list'))
    .description('List organizations and their number of API keys')
    .action((options: Common) => commands.listOrganizations(options))
  json(org.command('create'))
    .description('Create an organization with an API key that has every default scope')
    .requiredOption('--name <name>', 'Name of the organization')
    .addHelpText(
      'after',
      '\nThe default connection is the built-in engine. The key is shown only once, because only its hash is stored.',
    )
    .action((options: Common & { name: string }) => commands.createOrganization(options))
  json(org.command('export'))
    .description(
      'Export all data of an organization to a folder; run it again to resume an interrupted export',
    )
    .argument('<id>', 'Organization ID (see parley org list)')
    .argument('<folder>', 'New folder, or the folder of an interrupted export')
    .addHelpText(
      'after',
      '\nWrites one file of JSON lines for each table, without secrets and their hashes. Only the owner of the files can\n' +
        'read them. The audit log of the organization records the export.',
    )
    .action((id: string, folder: string, options: Common) => commands.exportOrganization(id, folder, options))
  json(org.command('delete'))
    .description('Delete an organization and all its data; run it again to finish an interrupted deletion')
    .argument('<id>', 'Organization ID (see parley org list)')
    .option('--yes', 'Skip the confirmation prompt')
    .addHelpText(
      'after',
      '\nRevokes the keys, ends sessions and turns, then removes the rows in batches. Also removes the accounts of people\n' +
        'who belong to no other organization. The audit log of the first organization records the deletion.',
    )
    .action((id: string, options: Common & { yes?: boolean }) => commands.deleteOrganization(id, options))
}

function addKeyCommands(program: Command, commands: Commands): void {
  const key = program.command('key').description('Manage API keys, even if every key is lost')
  json(key.command('list'))
    .description('List API keys, without their secrets')
    .option('--org <id>', 'Only keys of this organization')
    .action((options: Common & { org?: string }) => commands.listKeys(options))
  json(key.command('create'))
    .description('Create an API key and show it once')
    .option('--org <id>', 'Organization ID (see parley org list); optional if there is only one organization')
    .option('--name <name>', 'Name of the key', 'Operator')
    .option('--scopes <list>', 'Comma-separated scopes; by default all except approval:delegate')
    .option('--expires <when>', 'Expiry: 2030-01-31, 2030-01-31T09:00:00Z, 90d or 12h')
    .addHelpText('after', `\nScopes: ${wrap([...scopes, ...delegatedScopes].join(', '))}`)
    .action((options: Common & KeyOptions) => commands.createKey(options))
  json(key.command('delete'))
    .description('Delete an API key; it stops working immediately')
    .argument('<id>', 'Key ID (see parley key list), not the key itself')
    .action((id: string, options: Common) => commands.deleteKey(id, options))
}

function addPeopleCommands(program: Command, commands: Commands): void {
  json(program.command('owner-link'))
    .description('Create a link that makes the first person who opens it an owner; expires in an hour')
    .option('--org <id>', 'Organization ID (see parley org list); optional if there is only one organization')
    .addHelpText(
      'after',
      '\nUse it to create the first account, or to get back in if no owner can sign in. The link is shown only once.',
    )
    .action((options: Common & { org?: string }) => commands.createOwnerLink(options))
  const person = program.command('person').description('Manage the accounts of people')
  json(person.command('release'))
    .description('Remove the accounts of an email address, so that it can be invited again')
    .argument('<email>', 'Email address')
    .addHelpText(
      'after',
      'Removes passwords, second factors, sessions, links to the identity provider and memberships in every organization. The audit' +
        'log of each organization records it. Use it if another person registered the address, or if its password is lost.',
    )
    .action((email: string, options: Common) => commands.releasePerson(email, options))
  json(person.command('unlock'))
    .description('Unlock an account that was locked after wrong passwords or codes')
    .argument('<email>', 'Email address that the person signs in with')
    .action((email: string, options: Common) => commands.unlockPerson(email, options))
}

function addMcpCommands(program: Command, commands: Commands): void {
  const mcp = program.command('mcp').description('Manage the MCP servers that agents use')
  service(json(mcp.command('authorize')))
    .description('Authorize an MCP server that requires OAuth, for all agents of an organization')
    .argument('<server>', 'Server URL, exactly as the agents specify it')
    .option('--client-id <id>', 'OAuth client ID; by default the service registers itself')
    .option('--scope <scopes>', 'Space-separated OAuth scopes; by default those that the server requires')
    .addHelpText(
      'after',
      '\nSet $MCP_CLIENT_SECRET if the issuer gave you a client secret. The API key needs connection:write. See docs/reference/mcp.md.',
    )
    .action((server: string, options: AuthorizeOptions) => commands.authorizeMcpServer(server, options))
}

function json(command: Command): Command {
  return command.option('--json', 'Print JSON; errors go to standard error as JSON')
}

function wrap(text: string): string {
  return text.replaceAll(/(.{1,90})(?:, |$)/g, '$1\n        ').trimEnd()
}

const examples: readonly (readonly [command: string, description: string])[] = [
  ['parley start', 'Start the service'],
  ['parley org create --name "Blue Hotel"', 'Create a second organization and its first key'],
  ['parley key create', 'Create an API key'],
  ['parley key create --name ci --scopes agent:read --expires 90d', 'Create a limited API key'],
  ['parley backup parley.backup', 'Back up the embedded database'],
  ['parley doctor', 'Find out what is wrong'],
  ['parley plan agents && parley apply agents', 'Apply agents as code'],
  ["parley test 'agents/*.test.yaml'", 'Test agents'],
  ['parley mcp authorize https://mcp.example.com/mcp', 'Authorize an MCP server that requires OAuth'],
  ["parley key list --json | jq -r '.[].name'", 'Use the output in a script'],
]

const exampleWidth = Math.max(...examples.map(([command]) => command.length))

const footer = [
  '\nExamples:',
  ...examples.map(([command, description]) => `  ${command.padEnd(exampleWidth)}  ${description}`),
  '',
  'Exit codes: 0 success, 1 error, 2 wrong usage or settings. parley plan: 0 no changes, 2 changes, 1 error.',
  'Learn more in docs/reference/cli.md.',
].join('\n')
