import { scopes } from '@parley/contract/scope-list'
import { serveCommands } from '@parley/stage/processes/part'
import { type Api, type Credentials, makeApi } from '@parley/stage/service/api'
import { CanaryCalls } from './canary-calls.js'
import { CanarySession } from './canary-session.js'
import type { WaitFigures } from './waits.js'

export type CanaryCommand =
  | { readonly command: 'start'; readonly url: string; readonly credentials: Credentials }
  /** Resets the measurements. */
  | { readonly command: 'mark' }
  | { readonly command: 'report' }

/** The effects of an attack on another tenant. */
export interface CanaryReport {
  readonly calls: WaitFigures
  readonly frames: WaitFigures
  /** Descriptions of rejected and failed calls and of closed sessions. */
  readonly faults: readonly string[]
}

let calls: CanaryCalls | undefined
let session: CanarySession | undefined

/** The canary has its own process, so that the attackers' work does not delay it. */
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

/** A key may make 600 calls a minute, as many as the canary makes. Two keys leave a margin. */
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
