import { makeOidcIssuer } from '../adapters/oidc/oidc-issuer.js'
import { makeArgon2Passwords } from '../adapters/passwords/argon2-passwords.js'
import { totpCodes } from '../adapters/passwords/totp-codes.js'
import { type Config, withListeningPort } from '../config/config.js'
import type { Limits } from '../domain/limits/organization-limits.js'
import { makePeople } from '../domain/people/people.js'
import { makeBrowserCookie, makeOidcCookie, makeSessionCookie } from '../edge/http/request/host-cookie.js'
import type { App, Services } from '../edge/http/services.js'
import { type Database, unauthenticated } from '../ports/database.js'
import type { Log } from '../ports/log.js'
import type { Cipher } from '../ports/secrets.js'
import type { Clock, Timers } from '../ports/time.js'

export interface PeopleParts {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly cipher: Cipher
  readonly limits: Limits
  readonly log: Log
  readonly app: () => App
}

export interface ComposedPeople {
  readonly services: Pick<Services, 'people' | 'sessionCookie' | 'oidcCookie' | 'browserCookie' | 'publicUrl'>
  /** Limits sessions that were created while the clock was ahead to the regular duration from now. */
  shortenSessions(): Promise<void>
  close(): Promise<void>
}

export function composePeople({
  config,
  database,
  clock,
  timers,
  cipher,
  limits,
  log,
  app,
}: PeopleParts): ComposedPeople {
  const { signIn: settings, allowedPrivateHosts } = config
  const publicUrl = () => publicUrlOf(config, app())
  const issuer = config.oidc && makeOidcIssuer({ ...config.oidc, allowedPrivateHosts, timers })
  const people = makePeople({
    clock,
    cipher,
    limits,
    log,
    publicUrl,
    settings,
    issuer,
    // Sign-in attempts are unauthenticated, so they queue behind authenticated requests.
    database: database.ownedBy({ organizationId: unauthenticated, kind: 'call' }),
    passwords: makeArgon2Passwords(timers),
    oneTimeCodes: totpCodes,
  })
  return {
    services: {
      people,
      publicUrl,
      sessionCookie: makeSessionCookie(publicUrl, settings.days),
      oidcCookie: makeOidcCookie(publicUrl),
      browserCookie: makeBrowserCookie(publicUrl),
    },
    shortenSessions: () => people.shortenSessions(),
    close: async () => {
      await Promise.all([issuer?.close(), people.recorded()])
    },
  }
}

/** Returns the address that callers use. If the system chose the port, it contains that port. */
function publicUrlOf(config: Config, { server }: App): string {
  const address = server.address()
  return address === null || typeof address === 'string'
    ? config.publicUrl
    : withListeningPort(config, address.port).publicUrl
}
