import { addTestCommand, type TestCommands } from '@parley/agent-tests/command-line'
import { addFileCommands, type FileCommands, service } from '@parley/agents-as-code/command-line'
import { delegatedScopes, scopes } from '@parley/contract'
import { Command } from 'commander'
import type { KeyOptions } from './keys.js'
import type { AuthorizeOptions } from './mcp/authorize.js'

interface Common {
  readonly json?: boolean
}

/** What each command does; the command line only reads what was typed. */
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
  diagnose(common: Common): Promise<void>
  checkUpgrade(common: Common): Promise<void>
  backUp(file: string, common: Common): Promise<void>
  restore(file: string, common: Common): Promise<void>
  rotateSecret(common: Common): Promise<void>
  authorizeMcpServer(serverUrl: string, options: AuthorizeOptions): Promise<void>
  verifyAuditLog(file: string, options: Common & { readonly head: string }): Promise<void>
}

/** The table of contents of the command. */
export function makeProgram(commands: Commands, version: string): Command {
  const program = new Command('parley')
    .description(
      "Parley's operator command: starts the service, lets you in, looks after its data.\n" +
        'It works while the service runs and while it does not, on the embedded database and on PostgreSQL.',
    )
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this, or the help of a command')
    .helpCommand('help [command]', 'print the help of a command')
    .showSuggestionAfterError(true)
    .addHelpText('after', examples)

  program
    .command('start')
    .description('start the service; what npm start runs')
    .addHelpText(
      'after',
      '\nThe first start makes an organization with a key and shows both, once. Settings come from the environment\n' +
        'and from a file .env beside package.json (docs/reference/configuration.md). Ctrl-C or SIGTERM ends it in order.',
    )
    .action(() => commands.start())

  program
    .command('talk')
    .description('talk to an agent in this terminal; what npm run talk runs (parley talk --help)')
    .argument('[options...]')
    .allowUnknownOption()
    .action((args: readonly string[]) => commands.talk(args))

  addOrganizationCommands(program, commands)
  addKeyCommands(program, commands)
  addPeopleCommands(program, commands)
  addMcpCommands(program, commands)
  json(program.command('doctor'))
    .description(
      'look at settings, database, Redis, port, clock, speech and provider; exit code 1 if one is wrong',
    )
    .addHelpText(
      'after',
      '\nShows every setting with where it comes from (secrets as set or unset), then a line for each check:\n' +
        'ok, warn or WRONG, and what to do about it. It changes nothing.',
    )
    .action((options: Common) => commands.diagnose(options))
  json(program.command('upgrade'))
    .description('look at what an upgrade to this version would meet; exit code 1 if it must not be started')
    .requiredOption('--check', 'only look; parley start upgrades')
    .action((options: Common) => commands.checkUpgrade(options))
  addFileCommands(program, commands, json)
  addTestCommand(program, commands, json)
  addDataCommands(program, commands)
  addAuditCommands(program, commands)
  nameHelp(program, 'parley')
  return program
}

/** A mistake in what was typed leads to the help of the very command that it was made in. */
function nameHelp(command: Command, path: string): void {
  command.showHelpAfterError(`See ${path} --help.`)
  for (const below of command.commands) nameHelp(below, `${path} ${below.name()}`)
}

function addDataCommands(program: Command, commands: Commands): void {
  json(program.command('backup'))
    .description('write the embedded database to a file, also while the service runs')
    .argument('<file>', 'a new file; nothing is overwritten')
    .addHelpText(
      'after',
      '\nThe file is of one moment, and readable by its owner alone. A secret that Parley made for itself is in it;\n' +
        'a PARLEY_SECRET of your own is not. With PostgreSQL it says which pg_dump line to use.',
    )
    .action((file: string, options: Common) => commands.backUp(file, options))
  json(program.command('restore'))
    .description('put a backup into a data directory without a database, while nothing runs there')
    .argument('<file>', 'what parley backup wrote')
    .action((file: string, options: Common) => commands.restore(file, options))
  json(
    program.command('secret').description('the secret that stored secrets are sealed with').command('rotate'),
  )
    .description('seal everything that is stored with a new secret; can be broken off and run again')
    .addHelpText(
      'after',
      '\nA secret in the data directory is replaced by a new one. A PARLEY_SECRET of your own you replace yourself: set it\n' +
        'to the new one and PARLEY_SECRET_PREVIOUS to the old one for every instance and for this command, restart the\n' +
        'instances, run this, then unset PARLEY_SECRET_PREVIOUS. The service works all the while.',
    )
    .action((options: Common) => commands.rotateSecret(options))
}

function addAuditCommands(program: Command, commands: Commands): void {
  json(program.command('audit').description('exported audit logs').command('verify'))
    .description(
      'check an exported audit log against its head, without the database; exit code 1 if it is broken',
    )
    .argument('<file>', 'an export of the whole log with Format=ndjson')
    .requiredOption('--head <file>', 'the head that was read before it: GET /api/v1/AuditLog/head')
    .addHelpText(
      'after',
      '\nIt needs the secret that the log was sealed with, as the service has it: PARLEY_SECRET, or the data directory.\n' +
        'Where an older secret has sealed some of it, the database is asked for its key.',
    )
    .action((file: string, options: Common & { head: string }) => commands.verifyAuditLog(file, options))
}

function addOrganizationCommands(program: Command, commands: Commands): void {
  const org = program
    .command('org')
    .description('organizations: whose data it is; nothing is found outside one')
  json(org.command('list'))
    .description('list the organizations, with how many keys each has')
    .action((options: Common) => commands.listOrganizations(options))
  json(org.command('create'))
    .description('make an organization with a key that may do everything')
    .requiredOption('--name <name>', 'what it is called')
    .addHelpText(
      'after',
      '\nIts default connection is the built-in engine. The key is shown this once; what is stored is a hash.',
    )
    .action((options: Common & { name: string }) => commands.createOrganization(options))
  json(org.command('export'))
    .description('write everything of an organization into a folder; can be broken off and run again')
    .argument('<id>', 'the id of the organization (parley org list)')
    .argument('<folder>', 'a new folder, or one that an export of it was broken off in')
    .addHelpText(
      'after',
      '\nOne file of JSON lines for each table, readable by its owner alone. Secrets and their hashes are left out.\n' +
        'The audit log of the organization tells of it.',
    )
    .action((id: string, folder: string, options: Common) => commands.exportOrganization(id, folder, options))
  json(org.command('delete'))
    .description('delete an organization with everything of it; can be broken off and run again')
    .argument('<id>', 'the id of the organization (parley org list)')
    .option('--yes', 'do not ask for the name of the organization')
    .addHelpText(
      'after',
      '\nIts keys stop at once, its sessions and turns end, then its rows are removed in batches. Accounts of people who\n' +
        'belong to no other organization are removed as well. The audit log of the first organization tells of it.',
    )
    .action((id: string, options: Common & { yes?: boolean }) => commands.deleteOrganization(id, options))
}

function addKeyCommands(program: Command, commands: Commands): void {
  const key = program.command('key').description('API keys: the way back in when every key is gone')
  json(key.command('list'))
    .description('list the keys, without their secrets')
    .option('--org <id>', 'of this organization alone')
    .action((options: Common & { org?: string }) => commands.listKeys(options))
  json(key.command('create'))
    .description('make a key, and show it this once')
    .option('--org <id>', 'the organization (parley org list); may be left out where there is one alone')
    .option('--name <name>', 'what the key is for', 'Operator')
    .option('--scopes <list>', 'what it may do, separated by commas; if left out all but approval:delegate')
    .option('--expires <when>', 'when it stops working: 2030-01-31, 2030-01-31T09:00:00Z, 90d or 12h')
    .addHelpText('after', `\nScopes: ${wrap([...scopes, ...delegatedScopes].join(', '))}`)
    .action((options: Common & KeyOptions) => commands.createKey(options))
  json(key.command('delete'))
    .description('delete a key by its id; it stops working at once')
    .argument('<id>', 'the id of the key (parley key list), not its text')
    .action((id: string, options: Common) => commands.deleteKey(id, options))
}

function addPeopleCommands(program: Command, commands: Commands): void {
  json(program.command('owner-link'))
    .description('make a link that makes an owner of whoever opens it first, within an hour')
    .option('--org <id>', 'the organization (parley org list); may be left out where there is one alone')
    .addHelpText(
      'after',
      '\nThe way in for the first person, and back in where no owner can sign in any more. It is shown this once.',
    )
    .action((options: Common & { org?: string }) => commands.createOwnerLink(options))
  const person = program.command('person').description('people who sign in')
  json(person.command('release'))
    .description('end the accounts of an e-mail address, so that its owner can be invited anew')
    .argument('<email>', 'the address')
    .addHelpText(
      'after',
      '\nEnds passwords, second factors, sessions, links to the issuer and memberships in every organization. Each audit log\n' +
        'records it. Use it for an address that was taken by another person, or whose password is forgotten.',
    )
    .action((email: string, options: Common) => commands.releasePerson(email, options))
  json(person.command('unlock'))
    .description('end the lock-out of a person after wrong passwords or codes')
    .argument('<email>', 'the address that the person signs in with')
    .action((email: string, options: Common) => commands.unlockPerson(email, options))
}

function addMcpCommands(program: Command, commands: Commands): void {
  const mcp = program.command('mcp').description('MCP servers that agents use')
  service(json(mcp.command('authorize')))
    .description('get the tokens of an MCP server that asks for OAuth, for all agents of an organization')
    .argument('<server>', 'the address of the server, exactly as agents name it')
    .option('--client-id <id>', 'your id at the issuer; left out, the service registers itself')
    .option('--scope <scopes>', 'what to ask for, separated by spaces; left out, what the server needs')
    .addHelpText(
      'after',
      '\nA secret that the issuer has given you comes from $MCP_CLIENT_SECRET. The key needs connection:write. See docs/reference/mcp.md.',
    )
    .action((server: string, options: AuthorizeOptions) => commands.authorizeMcpServer(server, options))
}

function json(command: Command): Command {
  return command.option('--json', 'print JSON for scripts; failures too, on standard error')
}

function wrap(text: string): string {
  return text.replaceAll(/(.{1,90})(?:, |$)/g, '$1\n        ').trimEnd()
}

const examples = `
Examples:
  parley start                                              start the service
  parley org create --name "Blue Hotel"                     a second organization, and its first key
  parley key create                                         let yourself back in
  parley key create --org ID --name ci --scopes agent:read --expires 90d
  parley backup parley.backup                               the embedded database in a file
  parley doctor                                             what is wrong, and what to do
  parley plan agents && parley apply agents                 agents as code (docs/reference/agents-as-code.md)
  parley test 'agents/*.test.yaml'                          agents under test (docs/guide/testing-agents.md)
  parley mcp authorize https://mcp.example.com/mcp          let agents use a server that asks for OAuth
  parley key list --json | jq -r '.[].name'                 for scripts

Exit codes: 0 done, 1 refused or failed, 2 written wrongly or wrongly configured; parley plan: 2 changes, 1 all else.
Everything else is in docs/reference/cli.md.`
