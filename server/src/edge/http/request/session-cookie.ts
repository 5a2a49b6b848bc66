import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

const daySeconds = 24 * 60 * 60
const form = /^[\w-]{43}$/

/** The cookie that a session's token travels in. Where there is https, browsers bind the name to this very host. */
export interface SessionCookie {
  /** The token, or null where no session is presented. */
  read(request: FastifyRequest): string | null
  set(reply: FastifyReply, token: string): void
  clear(reply: FastifyReply): void
}

export function makeSessionCookie(publicUrl: () => string, days: number): SessionCookie {
  const isSecure = () => publicUrl().startsWith('https:')
  const nameOf = () => (isSecure() ? '__Host-parley' : 'parley')
  const write = (reply: FastifyReply, value: string, maxAge: number) =>
    reply.header(
      'set-cookie',
      stringifySetCookie({
        ...{ name: nameOf(), value, maxAge, path: '/', httpOnly: true, sameSite: 'lax' },
        secure: isSecure(),
      }),
    )
  return {
    read({ headers }) {
      const value = headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[nameOf()]
      return value !== undefined && form.test(value) ? value : null
    },
    set: (reply, token) => void write(reply, token, days * daySeconds),
    clear: (reply) => void write(reply, '', 0),
  }
}
