import { makeArgon2Passwords } from '../adapters/passwords/argon2-passwords.js'
import { totpCodes } from '../adapters/passwords/totp-codes.js'
import type { Config } from '../config/config.js'
import { makePeople } from '../domain/people/people.js'
import { makeSessionCookie } from '../edge/http/request/session-cookie.js'
import type { Services } from '../edge/http/services.js'
import type { Cipher } from '../ports/cipher.js'
import type { Clock } from '../ports/clock.js'
import { type Database, strangers } from '../ports/database.js'
import type { Timers } from '../ports/timers.js'

export interface PeopleParts {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly cipher: Cipher
  readonly publicUrl: () => string
}

export function composePeople({
  config: { signIn: settings },
  database,
  clock,
  timers,
  cipher,
  publicUrl,
}: PeopleParts): Pick<Services, 'people' | 'sessionCookie' | 'publicUrl'> {
  const people = makePeople({
    ...{ clock, cipher, publicUrl, settings },
    // Whoever signs in is nobody yet, and waits behind others who are.
    database: database.ownedBy({ organizationId: strangers, kind: 'call' }),
    passwords: makeArgon2Passwords(timers),
    oneTimeCodes: totpCodes,
  })
  return { people, publicUrl, sessionCookie: makeSessionCookie(publicUrl, settings.days) }
}
