import { writeFile } from 'node:fs/promises'
import { checkTable } from './check-table.js'
import { type AcceptanceOptions, type Environment, readCommand, usage } from './command-line.js'
import { countOf, type Summary } from './outcome.js'
import { describeJunit } from './report/junit-report.js'
import { type Terminal, TerminalReport } from './report/terminal-report.js'
import { runChecks } from './run-checks.js'

export interface CommandSetting {
  readonly args: readonly string[]
  readonly env: Environment
  readonly terminal: Terminal
  readonly errors: Pick<Terminal, 'write'>
  /** Ends the run early. The cleanup still runs. */
  readonly interrupted: AbortSignal
  /** Runs everything in a process that trusts these certificates. Returns its exit code. */
  trust(caFile: string): Promise<number>
}

/** Runs the command. Returns its exit code. */
export async function runAcceptance(setting: CommandSetting): Promise<number> {
  const { args, env, terminal, errors } = setting
  const command = readCommand(args, env)
  switch (command.kind) {
    case 'help':
      terminal.write(usage)
      return 0
    case 'list':
      terminal.write(describeChecks())
      return 0
    case 'usage-error':
      errors.write(`${command.message}\nSee npm run acceptance -- --help.\n`)
      return 2
    case 'run': {
      const { caFile } = command.options
      // Node reads extra certificates only when a process starts, and uses them for all connections.
      if (caFile !== null && env.NODE_EXTRA_CA_CERTS !== caFile) return setting.trust(caFile)
      return run(command.options, setting)
    }
  }
}

async function run(
  options: AcceptanceOptions,
  { terminal, errors, interrupted }: CommandSetting,
): Promise<number> {
  const report = new TerminalReport(terminal)
  const summary = await runChecks(checkTable, options, {
    interrupted,
    listener: {
      begun: ({ name }) => report.begin(options.url, name),
      outcome: (outcome) => report.outcome(outcome),
    },
  })
  if (summary.outcomes.length === 0) {
    errors.write(`--only names no check: ${options.only.join(', ')}. See npm run acceptance -- --list.\n`)
    return 2
  }
  report.end(summary)
  if (options.jsonFile !== null) await writeFile(options.jsonFile, `${JSON.stringify(summary, null, 2)}\n`)
  if (options.junitFile !== null) await writeFile(options.junitFile, describeJunit(summary))
  return isGood(summary, options.isStrict) ? 0 : 1
}

/** A run without any completed check is not a success. */
function isGood(summary: Summary, isStrict: boolean): boolean {
  const isSkippingGood = !isStrict || countOf(summary, 'skipped') === 0
  const isWhole = countOf(summary, 'failed') === 0 && summary.left.length === 0 && !summary.isCutShort
  return isWhole && isSkippingGood && countOf(summary, 'passed') > 0
}

function describeChecks(): string {
  const lines = checkTable.flatMap(({ name, checks }) => [
    name,
    ...checks.map(({ title, needs = [], usesModel = false }) => {
      const all = [...needs, ...(usesModel ? ['a model'] : [])]
      return `  ${title}${all.length > 0 ? ` (${all.join(', ')})` : ''}`
    }),
  ])
  return `${lines.join('\n')}\n`
}
