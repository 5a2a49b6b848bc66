import { changedFieldsHeader, type Operation } from '@parley/contract'
import type { FastifyReply } from 'fastify'

/** Whether the caller only wants to know what would be. */
export function isDryRun(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'DryRun' in query && query.DryRun === true
}

/** Answers what would be, without the version, which nobody will ever see, and without a secret that nobody has. */
export function sendDryRun(
  reply: FastifyReply,
  operation: Pick<Operation, 'status' | 'answer'>,
  result: unknown,
): FastifyReply {
  reply.code(operation.status)
  if (!operation.answer) return reply.send()
  const fields = new Map(Object.entries(result ?? {}))
  const changed = fields.get('changed')
  if (Array.isArray(changed)) reply.header(changedFieldsHeader, changed.join(','))
  if (fields.has('secret')) fields.set('secret', '')
  return reply.send(Object.fromEntries(fields))
}
