import type { TestOptions } from '@parley/agent-tests'
import type * as AgentsAsCode from '@parley/agents-as-code'
import type { FilesContext } from '@parley/agents-as-code'
import { exitCodes, Output, printableLines, type Streams } from '@parley/terminal'
import { type Command, CommanderError } from 'commander'
import { verifyExportedLog } from './cli/audit.js'
import { type Commands, makeProgram } from './cli/command-line.js'
import { backUp, type DataCommand, restore, rotate } from './cli/data.js'
import { showDiagnosis } from './cli/doctor.js'
import { effectiveSettings } from './cli/effective-settings.js'
import { failureOf } from './cli/failure.js'
import { fine, wrong } from './cli/finding.js'
import { makeKey, removeKey, showKeys } from './cli/keys.js'
import { makeOrganization, showOrganizations } from './cli/organizations.js'
import { makeOwnerLink } from './cli/owner-link.js'
import { releaseAddress, unlockPersonByAddress } from './cli/people.js'
import { type Config, parseConfig } from './config/config.js'
import type { OperatorAccess } from './domain/operator/operator-act.js'
import { version } from './version.js'

/** The environment and streams of a command. It uses no others. */
export interface ParleyOptions {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** The names of the settings that come from the file `.env`. */
  readonly namesFromFile: readonly string[]
  readonly streams: Streams
  /** Runs the terminal client, which is a separate package. */
  talk(args: readonly string[]): Promise<void>
}

/** A running command and its exit code. */
interface Run extends Pick<ParleyOptions, 'args' | 'env' | 'namesFromFile' | 'streams'> {
  exitCode: number
}

interface CommonOptions {
  readonly json?: boolean | undefined
}

/** Runs the operator's command. Returns its exit code. */
export async function runParley({ args, talk, ...options }: ParleyOptions): Promise<number> {
  const run: Run = { ...options, args, exitCode: exitCodes.fine }
  const commands: Commands = {
    start: async () => void (await import('./main.js')),
    talk,
    listOrganizations: (common) => operate(run, common, showOrganizations),
    createOrganization: ({ json, ...options }) =>
      operate(run, { json }, (access, output) => makeOrganization(access, output, options)),
    exportOrganization: (id, folder, common) =>
      operate(run, common, async (access, output) => {
        const { exportOrganization } = await import('./cli/organization-data.js')
        await exportOrganization(access, output, { id, folder })
      }),
    deleteOrganization: (id, { json, yes = false }) =>
      operate(run, { json }, async (access, output) => {
        const { deleteOrganization } = await import('./cli/organization-data.js')
        await deleteOrganization(access, output, { id, yes, isTTY: run.streams.isTTY })
      }),
    listKeys: ({ json, ...options }) =>
      operate(run, { json }, (access, output) => showKeys(access, output, options)),
    createKey: ({ json, ...options }) =>
      operate(run, { json }, (access, output) => makeKey(access, output, options)),
    createOwnerLink: ({ json, ...options }) =>
      operate(run, { json }, (access, output, { publicUrl }) =>
        makeOwnerLink(access, output, { ...options, publicUrl }),
      ),
    releasePerson: (email, common) =>
      operate(run, common, (access, output) => releaseAddress(access, output, email)),
    unlockPerson: (email, common) =>
      operate(run, common, (access, output) => unlockPersonByAddress(access, output, email)),
    diagnose: (options) => runDoctor(run, options),
    checkUpgrade: (common) => runDoctor(run, common, 'checkUpgrade'),
    backUp: (file, common) => operateOnData(run, common, (command) => backUp(command, file)),
    restore: (file, common) => operateOnData(run, common, (command) => restore(command, file)),
    rotateSecret: (common) =>
      operate(run, common, (access, output, { secret }) =>
        rotate(access, output, { isSecretSetting: secret !== null }),
      ),
    verifyAuditLog: (file, { json, head }) =>
      operate(run, { json }, async (access, output, config) => {
        const { openKnownSecrets } = await import('./adapters/system/secret-keeper.js')
        const { dataDir } = config.database
        const { cipher, chainKeys } = await openKnownSecrets({ ...config, dataDir })
        const isWhole = await verifyExportedLog({ access, output, cipher, chainKeys }, { file, head })
        if (!isWhole) run.exitCode = exitCodes.failed
      }),
    authorizeMcpServer: (serverUrl, options) =>
      keepFiles(run, options, async (_files, context) => {
        const { authorizeServer } = await import('./cli/mcp/authorize.js')
        await authorizeServer(context, serverUrl, options)
      }),
    deleteKey: (id, common) => operate(run, common, (access, output) => removeKey(access, output, id)),
    exportFiles: (options) => keepFiles(run, options, (files, context) => files.runExport(context, options)),
    planFiles: (paths, options) =>
      keepFiles(run, options, async (files, context) => {
        run.exitCode = await files.runPlan(context, paths, options)
      }),
    applyFiles: (paths, options) =>
      keepFiles(run, options, (files, context) => files.runApply(context, paths, options)),
    testAgents: (paths, options) => testAgents(run, paths, options),
  }
  // The client parses its own options, including --help.
  if (args[0] === 'talk') await talk(args.slice(1))
  else await parse(run, makeProgram(commands, version), args)
  return run.exitCode
}

async function parse(run: Run, program: Command, args: readonly string[]): Promise<void> {
  const out = (text: string) => run.streams.out(printableLines(text))
  const err = (text: string) => run.streams.err(printableLines(text))
  for (const command of [
    program,
    ...program.commands,
    ...program.commands.flatMap(({ commands }) => commands),
  ])
    command.exitOverride().configureOutput({ writeOut: out, writeErr: err })
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    run.exitCode = error.exitCode === 0 ? exitCodes.fine : misused(run)
  }
}

/**
 * Returns the exit code for wrong usage. It is 1 for `parley plan`, because 2 means that there are changes.
 */
function misused({ args }: Run): number {
  return args[0] === 'plan' ? exitCodes.failed : exitCodes.misused
}

async function operateOnData(
  run: Run,
  common: CommonOptions,
  perform: (command: DataCommand) => Promise<void>,
): Promise<void> {
  await operate(run, common, async (access, output, { database, secret }) => {
    const [{ writeBackup }, { restoreBackup }] = await Promise.all([
      import('./adapters/backup-file/backup-file.js'),
      import('./wiring/restore.js'),
    ])
    const files = { write: writeBackup, restore: restoreBackup }
    await perform({ access, output, files, database, isSecretSetting: secret !== null })
  })
}

async function runDoctor(
  run: Run,
  { json = false, settings: areSettingsShown = false }: CommonOptions & { readonly settings?: boolean },
  check: 'diagnose' | 'checkUpgrade' = 'diagnose',
): Promise<void> {
  const output = new Output(run.streams, json)
  const settings = effectiveSettings(run.env, run.namesFromFile)
  const parsed = parseConfig(run.env)
  if (!parsed.ok) {
    const findings = parsed.errors.map((error) =>
      wrong('settings', error, 'Correct it. See docs/reference/configuration.md for every setting.'),
    )
    run.exitCode = showDiagnosis(output, { settings, findings }, areSettingsShown)
    return
  }
  const [doctor, { makeOperatorAccess }] = await Promise.all([
    import('./wiring/doctor.js'),
    import('./wiring/operator.js'),
  ])
  const access = makeOperatorAccess(parsed.config, quietLog)
  try {
    const findings = await doctor[check](parsed.config, access)
    const all = [fine('settings', 'valid'), ...findings]
    run.exitCode = showDiagnosis(output, { settings, findings: all }, areSettingsShown)
  } finally {
    await access.close()
  }
}

/** Runs a command on the installation and sets the exit code. */
async function operate(
  run: Run,
  { json = false }: CommonOptions,
  command: (access: OperatorAccess, output: Output, config: Config) => Promise<void>,
): Promise<void> {
  const output = new Output(run.streams, json)
  const config = readConfig(run, output)
  if (config === null) return
  // The module is imported late, because it is slow to load and neither help nor usage errors need it.
  const { makeOperatorAccess } = await import('./wiring/operator.js')
  const access = makeOperatorAccess(config, quietLog)
  try {
    await command(access, output, config)
  } catch (error) {
    const { code, detail, exitCode } = failureOf(error)
    output.failure(code, detail)
    run.exitCode = exitCode
  } finally {
    await access.close()
  }
}

/** Runs a command for agents as code. It is a client of the service and ignores the settings of this machine. */
async function keepFiles(
  run: Run,
  { json = false }: CommonOptions,
  command: (files: typeof AgentsAsCode, context: FilesContext) => Promise<void>,
): Promise<void> {
  const output = new Output(run.streams, json)
  const files = await import('@parley/agents-as-code')
  try {
    await command(files, { output, env: run.env })
  } catch (error) {
    const { code, detail, exitCode, besides } = files.failureOfFiles(error)
    output.failure(code, detail, besides)
    // For `parley test`, 1 means that an agent test failed.
    const isMisused = exitCode === exitCodes.misused || run.args[0] === 'test'
    run.exitCode = isMisused ? misused(run) : exitCode
  }
}

/** Runs agent tests. Ctrl-C ends them gracefully, a second Ctrl-C immediately. */
async function testAgents(run: Run, paths: readonly string[], options: TestOptions): Promise<void> {
  const interruption = new AbortController()
  const interrupt = () => interruption.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  const [{ runTestCommand }, { makeAgentTestParts }] = await Promise.all([
    import('@parley/agent-tests'),
    import('./wiring/agent-tests.js'),
  ])
  const parts = makeAgentTestParts()
  try {
    await keepFiles(run, options, async (_files, { output, env }) => {
      const context = { output, env, parts, interruption: interruption.signal }
      run.exitCode = await runTestCommand(context, paths, options)
    })
  } finally {
    await parts.close()
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

function readConfig(run: Run, output: Output): Config | null {
  const parsed = parseConfig(run.env)
  if (parsed.ok) return parsed.config
  output.failure('Misconfigured', `Correct these settings:\n  ${parsed.errors.join('\n  ')}`)
  run.exitCode = exitCodes.misused
  return null
}

const ignore = () => undefined
/** Discards log lines, because the command reports errors itself. */
const quietLog = { debug: ignore, info: ignore, warn: ignore, error: ignore }
