import { CommanderError } from 'commander'
import { type Commands, makeProgram } from './cli/command-line.js'
import { backUp, type DataCommand, restore, rotate } from './cli/data.js'
import { showDiagnosis } from './cli/doctor.js'
import { exitCodes, failureOf } from './cli/failure.js'
import { fine, wrong } from './cli/finding.js'
import { makeKey, removeKey, showKeys } from './cli/keys.js'
import { makeOrganization, showOrganizations } from './cli/organizations.js'
import { Output, type Streams } from './cli/output.js'
import { makeOwnerLink } from './cli/owner-link.js'
import { settingsInForce } from './cli/settings-in-force.js'
import { type Config, parseConfig } from './config/config.js'
import type { OperatorAccess } from './domain/operator/operator-act.js'
import { version } from './version.js'

export interface ParleyOptions {
  readonly args: readonly string[]
  /** The file that settings were read from, and which of them it gave. */
  readonly envFile: { readonly path: string; readonly names: readonly string[] }
  /** Becomes the client for the terminal, which is a package of its own. */
  talk(args: readonly string[]): Promise<void>
}

const streams: Streams = {
  isTTY: process.stdout.isTTY === true,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
}

/** The operator's command, from what was typed to its exit code. */
export async function runParley({ args, talk, envFile }: ParleyOptions): Promise<void> {
  // Its own options, --help among them, are for it to read.
  if (args[0] === 'talk') return talk(args.slice(1))
  const commands: Commands = {
    start: async () => void (await import('./main.js')),
    talk,
    listOrganizations: (common) => operate(common, showOrganizations),
    createOrganization: ({ json, ...options }) =>
      operate({ json }, (access, output) => makeOrganization(access, output, options)),
    listKeys: ({ json, ...options }) =>
      operate({ json }, (access, output) => showKeys(access, output, options)),
    createKey: ({ json, ...options }) =>
      operate({ json }, (access, output) => makeKey(access, output, options)),
    createOwnerLink: ({ json, ...options }) =>
      operate({ json }, (access, output, { publicUrl }) =>
        makeOwnerLink(access, output, { ...options, publicUrl }),
      ),
    diagnose: ({ json = false }) => runDoctor(new Output(streams, json), envFile.names),
    backUp: (file, common) => operateOnData(common, (command) => backUp(command, file)),
    restore: (file, common) => operateOnData(common, (command) => restore(command, file)),
    rotateSecret: (common) =>
      operate(common, (access, output, { secret }) =>
        rotate(access, output, { isSecretSetting: secret !== null }),
      ),
    deleteKey: (id, common) => operate(common, (access, output) => removeKey(access, output, id)),
  }
  const program = makeProgram(commands, version)
  for (const command of [
    program,
    ...program.commands,
    ...program.commands.flatMap(({ commands }) => commands),
  ])
    command.exitOverride()
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    process.exitCode = error.exitCode === 0 ? exitCodes.fine : exitCodes.misused
  }
}

async function operateOnData(
  common: { readonly json?: boolean | undefined },
  run: (command: DataCommand) => Promise<void>,
): Promise<void> {
  await operate(common, async (access, output, { database, secret }) => {
    const [{ writeBackup }, { restoreBackup }] = await Promise.all([
      import('./adapters/backup-file/backup-file.js'),
      import('./compose/restore.js'),
    ])
    const files = { write: writeBackup, restore: restoreBackup }
    await run({ access, output, files, database, isSecretSetting: secret !== null })
  })
}

async function runDoctor(output: Output, namesFromFile: readonly string[]): Promise<void> {
  const settings = settingsInForce(process.env, namesFromFile)
  const parsed = parseConfig(process.env)
  if (!parsed.ok) {
    const mistakes = parsed.mistakes.map((mistake) =>
      wrong('settings', mistake, 'Correct it; docs/configuration.md has every setting.'),
    )
    process.exitCode = showDiagnosis(output, settings, mistakes)
    return
  }
  const [{ diagnose }, { makeOperatorAccess }] = await Promise.all([
    import('./compose/doctor.js'),
    import('./compose/operator.js'),
  ])
  const access = makeOperatorAccess(parsed.config, quietLog)
  try {
    const findings = await diagnose(parsed.config, access)
    process.exitCode = showDiagnosis(output, settings, [fine('settings', 'all can be read'), ...findings])
  } finally {
    await access.close()
  }
}

/** Runs one command on the installation, and sets the exit code. */
async function operate(
  { json = false }: { readonly json?: boolean | undefined },
  command: (access: OperatorAccess, output: Output, config: Config) => Promise<void>,
): Promise<void> {
  const output = new Output(streams, json)
  const config = readConfig(output)
  if (config === null) return
  // Most commands of a shell end sooner than this is loaded: help and mistakes need none of it.
  const { makeOperatorAccess } = await import('./compose/operator.js')
  const access = makeOperatorAccess(config, quietLog)
  try {
    await command(access, output, config)
  } catch (error) {
    const { code, detail, exitCode } = failureOf(error)
    output.failure(code, detail)
    process.exitCode = exitCode
  } finally {
    await access.close()
  }
}

function readConfig(output: Output): Config | null {
  const parsed = parseConfig(process.env)
  if (parsed.ok) return parsed.config
  output.failure('Misconfigured', `Please correct these settings:\n  ${parsed.mistakes.join('\n  ')}`)
  process.exitCode = exitCodes.misused
  return null
}

const ignore = () => undefined
/** What goes wrong is the command's to say. */
const quietLog = { debug: ignore, info: ignore, warn: ignore, error: ignore }
