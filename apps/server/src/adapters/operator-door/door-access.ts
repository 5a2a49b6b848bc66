import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { callDoor } from './door-socket.js'

/** The response of the running service. */
const Reply = z.union([
  z.object({ ok: z.literal(true), result: z.unknown() }),
  z.object({ ok: z.literal(false), code: z.string(), detail: z.string() }),
])

export type DoorReply = z.output<typeof Reply>

export interface DoorCommand {
  readonly act: string
  readonly operator: { readonly name: string | null }
  readonly input: unknown
}

/** Requests a backup from the running service. Returns null if no service runs on this data directory. */
export async function backupThroughDoor(
  dataDir: string,
  operator: DoorCommand['operator'],
): Promise<{ readonly ok: true; readonly bytes: Readable } | (DoorReply & { ok: false }) | null> {
  const response = await callDoor(dataDir, { method: 'POST', path: '/backup', body: { operator } })
  if (response === null) return null
  if (response.headers['content-type'] === 'application/octet-stream') return { ok: true, bytes: response }
  const reply = Reply.parse(JSON.parse(await text(response)))
  if (reply.ok) throw new Error('The running service did not send a backup.')
  return reply
}

/** Runs an operation in the running service. Returns null if no service runs on this data directory. */
export async function commandThroughDoor(dataDir: string, command: DoorCommand): Promise<DoorReply | null> {
  const response = await callDoor(dataDir, { method: 'POST', path: '/act', body: command })
  return response === null ? null : Reply.parse(JSON.parse(await text(response)))
}
