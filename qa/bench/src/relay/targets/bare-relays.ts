import { Part } from '@parley/stage/processes/part'
import type { BareRelayCommand, BareRelayKind } from '../bare-relay-process.js'
import type { TcpPipeCommand } from '../tcp-pipe-process.js'
import { type RunningTarget, realtimeUrl, type Target, trust } from './target.js'

export interface RunningBareRelay extends RunningTarget {
  /** Runs the garbage collector of the relay. */
  collect(): Promise<void>
}

export const blindRelay: Target = {
  name: 'blind relay',
  start: (providerUrl, certificateFile) => startBareRelay('blind', providerUrl, certificateFile),
}

export const parsingRelay: Target = {
  name: 'parsing relay',
  start: (providerUrl, certificateFile) => startBareRelay('parsing', providerUrl, certificateFile),
}

/** The cheapest relay on Node's streams: it forwards bytes without reading them. */
export const tcpPipe: Target = {
  name: 'TCP pipe',
  start: async (providerUrl) => {
    const part = new Part<TcpPipeCommand>(new URL('../tcp-pipe-process.js', import.meta.url), [
      new URL(providerUrl).port,
    ])
    const port = await part.ask<number>({ command: 'listen' })
    const url = new URL(realtimeUrl(providerUrl))
    url.port = `${port}`
    return {
      pids: [part.pid],
      sessionUrl: async () => url.href,
      stop: () => part.stop(),
    }
  },
}

export async function startBareRelay(
  kind: BareRelayKind,
  providerUrl: string,
  certificateFile?: string,
): Promise<RunningBareRelay> {
  const entry = new URL('../bare-relay-process.js', import.meta.url)
  const part = new Part<BareRelayCommand>(entry, [realtimeUrl(providerUrl), kind], trust(certificateFile))
  const port = await part.ask<number>({ command: 'listen' })
  return {
    pids: [part.pid],
    sessionUrl: async () => `ws://127.0.0.1:${port}/`,
    collect: () => part.ask({ command: 'collect' }),
    stop: () => part.stop(),
  }
}
