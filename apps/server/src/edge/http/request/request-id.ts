import type { IncomingMessage } from 'node:http'
import { concealApiKeys } from '@parley/contract'
import { newId } from '../../../domain/new-id.js'

const form = /^[A-Za-z0-9._:-]{1,128}$/

/** The caller's own request id where it is a harmless one, so that both logs can be read side by side. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  const isHarmless = typeof given === 'string' && form.test(given) && concealApiKeys(given) === given
  return isHarmless ? given : newId()
}
