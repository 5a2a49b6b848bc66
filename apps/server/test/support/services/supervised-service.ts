import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryParent } from './temporary-parent.js'

/** A service for tests. `stop` removes everything that it left behind. */
export interface TestService {
  readonly url: string
  stop(): Promise<void>
}

export interface ServiceCommand {
  readonly name: string
  /** Program and arguments. It runs in a new directory of its own and must exit on SIGINT. */
  readonly command: readonly string[]
  /** The output that shows that it accepts connections. */
  readonly readyLine: RegExp
  /** Its environment variables, in addition to PATH. */
  readonly environment?: Readonly<Record<string, string>>
  readonly user?: { readonly uid: number; readonly gid: number }
}

/*
 * Standard input is a lifeline. It closes when the service is stopped, and also when this process ends in any
 * other way, including kill -9. Then the whole process group is interrupted and the directory removed. The
 * service starts before the trap, because it would inherit it.
 */
const supervisor = `
directory=$1
shift
exec 3<&0
"$@" </dev/null 3<&- &
service=$!
trap '' INT
{ cat <&3; kill -INT 0; } >/dev/null 2>&1 &
wait "$service"
rm -rf "$directory"
`

const startTimeoutMs = 30_000

/** Starts a service and waits until it is ready. Returns a function that stops it. */
export async function startSupervised(service: ServiceCommand): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(await temporaryParent(), `parley-test-${service.name}-`))
  if (service.user) await chown(directory, service.user.uid, service.user.gid)

  const child = spawn('sh', ['-c', supervisor, 'sh', directory, ...service.command], {
    cwd: directory,
    // Settings such as PGDATA or LANG must not leak in.
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...service.environment },
    // Runs outside the terminal's process group: Ctrl-C reaches this process, which stops the service through
    // the lifeline.
    detached: true,
    ...service.user,
  })
  const closed = once(child, 'close')
  const stop = async () => {
    child.stdin.end()
    await closed
    // The service's user can empty the directory, but cannot always remove it from its parent.
    await rm(directory, { recursive: true, force: true })
  }

  const output = new Promise<string>((resolve) => {
    let text = ''
    const read = (chunk: string) => {
      text += chunk
      if (service.readyLine.test(text)) resolve(text)
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    child.once('close', () => resolve(text))
  })
  const timeout = setTimeout(() => child.stdin.end(), startTimeoutMs)
  const startupOutput = await output
  clearTimeout(timeout)
  for (const stream of [child.stdout, child.stderr]) stream.removeAllListeners('data').resume()

  if (service.readyLine.test(startupOutput)) return stop
  await stop()
  throw new Error(`${service.name} did not start:\n${startupOutput}`)
}
