import { scopes } from '@parley/contract/scope-list'
import { serveCommands } from '@parley/stage/processes/part'
import { type Api, type Credentials, makeApi } from '@parley/stage/service/api'
import { CanaryCalls } from './canary-calls.js'
import { CanarySession } from './canary-session.js'
import type { WaitFigures } from './waits.js'

export type CanaryCommand =
  | { readonly command: 'start'; readonly url: string; readonly credentials: Credentials }
  /** Forgets what was measured so far. */
  | { readonly command: 'mark' }
  | { readonly command: 'report' }

/** What the neighbours of an attack noticed of it. */
export interface CanaryReport {
  readonly calls: WaitFigures
  readonly frames: WaitFigures
  /** What was refused, failed or was closed, in words. */
  readonly faults: readonly string[]
}

let calls: CanaryCalls | undefined
let session: CanarySession | undefined

/** The neighbour, in a process of its own: nothing that the attackers compute makes it late. */
serveCommands<CanaryCommand>(async (command) => {
  if (command.command === 'start') {
    const api = makeApi(command.url, command.credentials)
    session = await CanarySession.open(api, command.url)
    calls = new CanaryCalls(command.url, [command.credentials, await makeKey(api, command.credentials)])
    await calls.start()
    return undefined
  }
  if (command.command === 'mark') {
    calls?.mark()
    session?.mark()
    return undefined
  }
  return report()
})

/** One key may call 600 times a minute, which the canary does: with two it has room. */
async function makeKey(api: Api, { organizationId }: Credentials): Promise<Credentials> {
  const { key } = await api.call<{ key: string }>('POST', '/api/v1/ApiKey', {
    name: 'Second key',
    scopes,
    expiresAt: null,
  })
  return { organizationId, apiKey: key }
}

async function report(): Promise<CanaryReport> {
  if (calls === undefined || session === undefined) throw new Error('The canary was not started.')
  return {
    calls: calls.figures(),
    frames: session.figures(),
    faults: [...calls.faults(), ...session.faults()],
  }
}
