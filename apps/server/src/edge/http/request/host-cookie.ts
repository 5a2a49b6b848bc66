import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

const daySeconds = 24 * 60 * 60
const attemptSeconds = 10 * 60
const browserDays = 180

/**
 * A cookie that scripts and other sites cannot use. With https, browsers bind the name to this exact host.
 * Browsers also send it when another site, such as the identity provider, navigates to the service.
 */
export interface HostCookie {
  /** Returns the value, or null if there is no cookie with a valid value. */
  read(request: FastifyRequest): string | null
  set(reply: FastifyReply, value: string): void
  clear(reply: FastifyReply): void
}

/** The cookie with the session token. */
export const makeSessionCookie = (publicUrl: () => string, days: number): HostCookie =>
  makeHostCookie(publicUrl, { name: 'parley', form: /^[\w-]{43}$/, maxAgeSeconds: days * daySeconds })

/** The cookie that binds a sign-in with the identity provider to the browser that started it. */
export const makeOidcCookie = (publicUrl: () => string): HostCookie =>
  makeHostCookie(publicUrl, {
    name: 'parley-oidc',
    form: /^[\w.-]{1,3000}$/,
    maxAgeSeconds: attemptSeconds,
  })

/** The cookie that identifies a browser in which people have signed in. It outlives their sessions. */
export const makeBrowserCookie = (publicUrl: () => string): HostCookie =>
  makeHostCookie(publicUrl, {
    name: 'parley-browser',
    form: /^[\w.-]{1,3000}$/,
    maxAgeSeconds: browserDays * daySeconds,
  })

interface CookieKind {
  readonly name: string
  readonly form: RegExp
  readonly maxAgeSeconds: number
}

function makeHostCookie(publicUrl: () => string, { name, form, maxAgeSeconds }: CookieKind): HostCookie {
  const isSecure = () => publicUrl().startsWith('https:')
  const nameOf = () => (isSecure() ? `__Host-${name}` : name)
  const write = (reply: FastifyReply, value: string, maxAge: number) =>
    reply.header(
      'set-cookie',
      stringifySetCookie({
        name: nameOf(),
        value,
        maxAge,
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure: isSecure(),
      }),
    )
  return {
    read({ headers }) {
      const value = headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[nameOf()]
      return value !== undefined && form.test(value) ? value : null
    },
    set: (reply, value) => void write(reply, value, maxAgeSeconds),
    clear: (reply) => void write(reply, '', 0),
  }
}
