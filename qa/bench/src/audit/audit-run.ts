import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AuditLogHead, AuditLogVerification } from '@parley/contract'
import { memoryOf, watchPeak } from '@parley/stage/processes/memory-watch'
import { cpuMicroseconds } from '@parley/stage/processes/process-usage'
import { makeCredentials, type ParleyService, startParley } from '@parley/stage/service/parley-service'
import type { DataLocation } from '@parley/stage/service/second-organization'
import { verifyOffline } from './offline.js'
import { addRecords, atDatabase } from './stored-records.js'
import { tamperings, undoAfterwards } from './tamperings.js'

const secret = 'a secret for the bench that is long enough'
const pollMilliseconds = 200

export interface AuditOptions {
  /** The embedded database in a new directory, or an empty PostgreSQL database. */
  readonly database: { readonly kind: 'embedded' } | { readonly kind: 'postgres'; readonly url: string }
  readonly records: number
  /** Whether to measure memory. This restarts the service first, because earlier work would count too. */
  readonly measuresMemory: boolean
  readonly onStep: (step: string) => void
}

/** The duration of an operation, and the processor time and memory growth of the service while it ran. */
export interface Measured {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly megabytes: number
}

export interface AuditFigures {
  readonly records: number
  readonly sealedSeconds: number
  readonly exported: Measured & { readonly lines: number; readonly fileMegabytes: number }
  readonly verified: Measured & AuditLogVerification
  readonly offline: { readonly seconds: number; readonly isWhole: boolean }
  /** Whether `verify` found each tampering at its position. */
  readonly found: readonly { readonly name: string; readonly isFound: boolean }[]
}

/** Fills the audit log of a service, exports it, verifies it, and tampers with it. */
export async function runAudit({
  database,
  records,
  measuresMemory,
  onStep,
}: AuditOptions): Promise<AuditFigures> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-audit-'))
  const dataDir = join(directory, 'data')
  const credentials = makeCredentials()
  const location: DataLocation = database.kind === 'embedded' ? { ...database, dataDir } : database
  const url = database.kind === 'postgres' ? { DATABASE_URL: database.url } : {}
  const start = () => startParley({ dataDir, credentials, env: { PARLEY_SECRET: secret, ...url } })
  try {
    onStep(`${records} records, ${database.kind}`)
    let service = await start()
    const before = await waitUntilSealed(service, 1)
    await service.stop()
    await atDatabase(location, (query) =>
      addRecords(query, { organizationId: credentials.organizationId, secret, count: records }),
    )
    service = await start()
    const sealingSince = performance.now()
    await waitUntilSealed(service, before + records)
    const sealedSeconds = secondsSince(sealingSince)
    onStep(`sealed in ${sealedSeconds.toFixed(1)} s`)
    if (measuresMemory) {
      // A fresh service, so that memory of earlier work does not count.
      await service.stop()
      service = await start()
    }
    const head = await readHead(service)
    const file = join(directory, 'export.ndjson')
    const exported = await exportTo(service, file)
    onStep(`exported in ${exported.seconds.toFixed(1)} s, memory grew by ${exported.megabytes.toFixed(0)} MB`)
    const verified = await verify(service, head)
    onStep(`verified in ${verified.seconds.toFixed(1)} s, memory grew by ${verified.megabytes.toFixed(0)} MB`)
    await writeFile(join(directory, 'head.json'), JSON.stringify(head))
    const offline = await verifyOffline({ file, head: join(directory, 'head.json'), secret })
    onStep(`verified offline in ${offline.seconds.toFixed(1)} s`)
    const found = location.kind === 'embedded' ? [] : await tamper(service, location, onStep)
    await service.stop()
    return { records: head.sequence, sealedSeconds, exported, verified, offline, found }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const secondsSince = (moment: number) => (performance.now() - moment) / 1000

const readHead = ({ api }: ParleyService) => api.call<AuditLogHead>('GET', '/api/v1/AuditLog/head')

/** Waits until this many records are sealed and no more follow. */
async function waitUntilSealed(service: ParleyService, sequence: number): Promise<number> {
  for (let last = -1; ; ) {
    const head = await readHead(service)
    if (head.sequence >= sequence && head.sequence === last) return head.sequence
    last = head.sequence
    await sleep(pollMilliseconds)
  }
}

async function measure<Result>(
  { pid }: ParleyService,
  work: () => Promise<Result>,
): Promise<Measured & { readonly result: Result }> {
  const [before, stopWatching] = [memoryOf(pid), watchPeak(pid)]
  const [startedAt, usedBefore] = [performance.now(), cpuMicroseconds([pid])]
  const result = await work()
  return {
    result,
    seconds: secondsSince(startedAt),
    cpuSeconds: (cpuMicroseconds([pid]) - usedBefore) / 1_000_000,
    megabytes: Math.max(0, stopWatching() - before) / 1_000_000,
  }
}

async function exportTo(service: ParleyService, path: string): Promise<AuditFigures['exported']> {
  const { organizationId, apiKey } = service.credentials
  let [lines, bytes] = [0, 0]
  const measured = await measure(service, async () => {
    const response = await fetch(`${service.url}/api/v1/AuditLog/export`, {
      headers: { 'x-org-id': organizationId, 'x-api-key': apiKey },
    })
    if (!response.ok || response.body === null)
      throw new Error(`The export returned status ${response.status}.`)
    const body = response.body
    await pipeline(async function* () {
      for await (const chunk of body) {
        bytes += chunk.length
        for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, end + 1)) lines += 1
        yield chunk
      }
    }, createWriteStream(path))
  })
  const { seconds, cpuSeconds, megabytes } = measured
  return { seconds, cpuSeconds, megabytes, lines, fileMegabytes: bytes / 1_000_000 }
}

const heldQuery = ({ sequence, hash }: AuditLogHead) => `?Sequence=${sequence}&Hash=${hash}`

async function verify(service: ParleyService, held: AuditLogHead): Promise<AuditFigures['verified']> {
  const path = `/api/v1/AuditLog/verify${heldQuery(held)}`
  const { result, ...measured } = await measure(service, () =>
    service.api.call<AuditLogVerification>('GET', path),
  )
  return { ...result, ...measured }
}

/**
 * Tampers with the chain in every way that `verify` must find. Only an earlier copy of the head reveals the
 * last one.
 */
async function tamper(
  service: ParleyService,
  location: DataLocation,
  onStep: (step: string) => void,
): Promise<AuditFigures['found']> {
  const { organizationId } = service.credentials
  const found: { name: string; isFound: boolean }[] = []
  const note = (name: string, isFound: boolean) => {
    found.push({ name, isFound })
    onStep(`${isFound ? 'found' : 'NOT FOUND'}: ${name}`)
  }
  await atDatabase(location, async (query) => {
    const check = (path = '') =>
      service.api.call<AuditLogVerification>('GET', `/api/v1/AuditLog/verify${path}`)
    for (const { name, tamper } of tamperings) {
      const sequence = (await readHead(service)).sequence - 500
      await undoAfterwards(query, organizationId, async () => {
        await tamper(query, { organizationId, sequence })
        const { valid, brokenSequence } = await check()
        note(name, !valid && Math.abs((brokenSequence ?? 0) - sequence) <= 1)
      })
    }
    const old = await readHead(service)
    await query('create table saved_head as select * from audit_chain')
    for (const title of ['One', 'Two']) await service.api.call('POST', '/api/v1/Task', { title })
    await waitUntilSealed(service, old.sequence + 2)
    const held = await readHead(service)
    await query('delete from audit_record where organization_id = $1 and sequence > $2', [
      organizationId,
      old.sequence,
    ])
    await query('delete from audit_chain')
    await query('insert into audit_chain select * from saved_head')
    const { valid, heldHead } = await check(heldQuery(held))
    note('cut, with an earlier head restored (found with a kept head)', !valid && heldHead === 'missing')
  })
  return found
}
