import { z } from 'zod'
import { parseUrl } from './parse-url.js'

/*
 * The field kinds that resources are made of. Text that no database can store (NUL, lone surrogates) is refused
 * for whole requests at the edge, so it is not repeated here.
 */

export const id = () => z.uuid().toLowerCase()

export const text = (maxLength: number) => z.string().max(maxLength)

export const nonBlankText = (maxLength: number) =>
  z.string().max(maxLength).regex(/\S/, { error: 'must not be blank' })

const earliest = Date.UTC(1970, 0, 1)
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** A moment as callers may write it, with any offset; it is kept and answered in UTC. */
export const moment = () =>
  z.iso
    .datetime({ offset: true, abort: true })
    .refine((value) => Date.parse(value) >= earliest && Date.parse(value) <= latest, {
      error: 'must lie between the years 1970 and 9999',
    })
    .transform((value) => new Date(value).toISOString())

/** A moment as the service answers it: ISO 8601, UTC. */
export const answeredMoment = () => z.iso.datetime()

export const httpUrl = () =>
  z
    .url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' })
    .max(2048)
    .refine((value) => !hasCredentials(value), { error: 'must not hold a user name or password' })

function hasCredentials(value: string): boolean {
  const url = parseUrl(value)
  return url !== null && (url.username !== '' || url.password !== '')
}

/** Fields that every resource carries and no caller sets. */
export const resourceFields = {
  id: id().describe('The resource id (UUID v7).'),
  createdAt: answeredMoment().describe('When it was created (UTC).'),
  updatedAt: answeredMoment().describe('When it last changed (UTC).'),
}
