import { setTimeout as sleep } from 'node:timers/promises'
import { residentBytes } from '@parley/stage/processes/process-usage'
import { collectGarbage } from '@parley/stage/service/inspector'
import { byLabel, parseMetrics } from '@parley/stage/service/metrics'
import type { ParleyService } from '@parley/stage/service/parley-service'

/** Long enough for closing handshakes, idle connections and pending writes. */
const quietMilliseconds = 15_000

/** The resources of the idle service. */
export interface Snapshot {
  readonly heapBytes: number
  readonly residentBytes: number
  readonly fileDescriptors: number
  readonly handles: number
  readonly timers: number
  readonly sockets: number
  readonly activeSessions: number
  /** Sessions that ended since the start, by reason. */
  readonly endings: ReadonlyMap<string, number>
}

export async function takeQuietSnapshot(service: ParleyService): Promise<Snapshot> {
  await sleep(quietMilliseconds)
  await collectGarbage(service.inspectorUrl ?? '')
  await sleep(1000)
  return takeSnapshot(service)
}

export async function takeSnapshot({ api, pid }: ParleyService): Promise<Snapshot> {
  const values = parseMetrics(await api.text('/metrics'))
  const resources = byLabel(values, 'nodejs_active_resources')
  const read = (name: string) => values.get(name) ?? Number.NaN
  return {
    heapBytes: read('nodejs_heap_size_used_bytes'),
    residentBytes: residentBytes([pid]),
    fileDescriptors: read('process_open_fds'),
    handles: read('nodejs_active_handles_total'),
    timers: resources.get('Timeout') ?? 0,
    sockets: resources.get('TCPSocketWrap') ?? 0,
    activeSessions: read('parley_realtime_sessions_active'),
    endings: byLabel(values, 'parley_realtime_sessions_ended_total'),
  }
}
