import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryParent } from './temporary-parent.js'

/** A service that tests talk to; `stop` leaves nothing of it behind. */
export interface TestService {
  readonly url: string
  stop(): Promise<void>
}

export interface ServiceCommand {
  readonly name: string
  /** Program and arguments; it runs in a fresh directory of its own and must end on SIGINT. */
  readonly command: readonly string[]
  /** What it prints once it accepts connections. */
  readonly readyLine: RegExp
  /** What it finds in its environment beside PATH. */
  readonly environment?: Readonly<Record<string, string>>
  readonly user?: { readonly uid: number; readonly gid: number }
}

/*
 * Standard input is a lifeline. It closes when we stop the service, and just as well when this process ends in
 * any other way, kill -9 included: then the whole process group is interrupted and the directory removed.
 * The service comes before the trap, which it would inherit.
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

/** Starts a service and waits until it is ready; answers with the way to stop it. */
export async function startSupervised(service: ServiceCommand): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(await temporaryParent(), `parley-test-${service.name}-`))
  if (service.user) await chown(directory, service.user.uid, service.user.gid)

  const child = spawn('sh', ['-c', supervisor, 'sh', directory, ...service.command], {
    cwd: directory,
    // Settings such as PGDATA or LANG must not leak in.
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...service.environment },
    // Out of the terminal's process group: Ctrl-C reaches us, and through the lifeline the service.
    detached: true,
    ...service.user,
  })
  const closed = once(child, 'close')
  const stop = async () => {
    child.stdin.end()
    await closed
    // The service's own user may empty the directory but not always remove it from its parent.
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
