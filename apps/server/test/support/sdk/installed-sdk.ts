import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { bootstrap, credentials, newDirectory, newPostgres, startParley } from '../process/parley-process.js'

/** Nothing listens there: npm gets everything from the service. */
const noRegistry = ['--registry', 'http://127.0.0.1:9/', '--fetch-retries', '0']

/** A folder in which npm has installed the SDK from a running service. */
export interface InstalledSdk {
  readonly url: string
  readonly folder: string
  /** Runs a program in the folder, with the variables of the examples. Throws with its output if it fails. */
  run(program: string, ...args: readonly string[]): Promise<string>
}

/** Starts the bundled service and installs its SDK. `cleanUp` ends and removes both. */
export async function installSdk(): Promise<InstalledSdk> {
  const service = await startParley({ env: { ...bootstrap, ...(await newPostgres()) } })
  const url = await service.ready()
  const folder = await newDirectory()
  const variables = {
    PARLEY_URL: url,
    PARLEY_ORG_ID: credentials.organizationId,
    PARLEY_API_KEY: credentials.apiKey,
  }
  const run = async (program: string, ...args: readonly string[]) => {
    const env = { ...process.env, ...variables }
    try {
      return (await promisify(execFile)(program, [...args], { cwd: folder, env })).stdout
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string }
      throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`)
    }
  }
  await run('npm', 'install', ...noRegistry, `${url}/sdk/parley-sdk.tgz`)
  return { url, folder, run }
}

/** Returns the command that runs a program of a package, which npm fetches into its cache. */
export function programOfNpm(pinned: string, program: string): readonly [string, ...string[]] {
  return ['npm', 'exec', '--yes', `--package=${pinned}`, '--', program]
}
